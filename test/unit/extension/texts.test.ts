import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { actionTexts } from '../../../src/core/actions/action-face.ts';
import { textsOf } from '../../../src/core/search/kind-face.ts';
import { COMMON_ACTIONS } from '../../../src/extension/actions/editor-actions.ts';
import { COMMANDS } from '../../../src/extension/commands/command-table.ts';
import { kindCommands } from '../../../src/extension/commands/kind-commands.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const BUNDLE = `${ROOT}l10n/bundle.l10n.json`;
const json = (file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;

/** The texts that a file asks to be translated, and how many such calls have a text that cannot be read from it. */
function textsIn(source: string): { texts: string[]; unreadable: number } {
  const calls = source.match(/\bl10n\s*\.t\(/g)?.length ?? 0;
  const literals = [...source.matchAll(/\bl10n\s*\.t\(\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")\s*[,)]/g)];
  const texts = literals.map(([, literal = '']) =>
    literal.slice(1, -1).replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped)),
  );
  return { texts, unreadable: calls - texts.length };
}

describe('texts', () => {
  const sources = globSync(['src/extension/**/*.ts', 'webview-ui/**/*.{ts,tsx}'], { cwd: ROOT }).map((file) => ({
    file,
    ...textsIn(readFileSync(`${ROOT}${file}`, 'utf8')),
  }));
  const ofKinds = textsOf(KINDS.map(({ face }) => face));
  const ofActions = Object.values(COMMON_ACTIONS).flatMap(actionTexts);
  const texts = [...new Set([...sources.flatMap((source) => source.texts), ...ofKinds, ...ofActions])].sort();

  it('are found in the source', () => {
    assert.deepEqual(textsIn("vscode.l10n.t('It\\'s {0}.', x) + l10n.t(\n 'b',\n)+ l10n.t(`c`)"), {
      texts: ["It's {0}.", 'b'],
      unreadable: 1,
    });
    assert.ok(texts.length > 50);
    const unreadable = sources.filter((source) => source.unreadable > 0).map(({ file }) => file);
    assert.deepEqual(unreadable, [], 'the text of l10n.t is a plain literal, so that it can be translated');
  });

  it('stand all in the bundle for translators, and no others (UPDATE=1 writes it)', () => {
    if (process.env['UPDATE'])
      writeFileSync(BUNDLE, `${JSON.stringify(Object.fromEntries(texts.map((text) => [text, text])), null, 2)}\n`);
    assert.deepEqual(Object.keys(json(BUNDLE)), texts);
    assert.equal(json(`${ROOT}package.json`)['l10n'], './l10n');
  });

  it('fill places that are numbered from 0', () => {
    for (const text of texts) {
      const places = [...new Set([...text.matchAll(/\{(\d+)\}/g)].map(([, number]) => Number(number)))].sort();
      assert.deepEqual(
        places,
        places.map((_, i) => i),
        text,
      );
    }
  });

  it('of the manifest stand in package.nls.json, each of them used', () => {
    const manifest = readFileSync(`${ROOT}package.json`, 'utf8');
    const used = [...new Set([...manifest.matchAll(/"%([\w.]+)%"/g)].map(([, key = '']) => key))].sort();
    assert.ok(used.length > 50);
    assert.deepEqual(Object.keys(json(`${ROOT}package.nls.json`)).sort(), used);
  });

  it('link to commands that are there', () => {
    const known = new Set([...Object.keys(COMMANDS), 'thoughtTree.searches.focus']);
    const all = Object.values(json(`${ROOT}package.nls.json`)).join('\n');
    const walkthrough = globSync('media/walkthrough/*.md', { cwd: ROOT }).map((file) =>
      readFileSync(`${ROOT}${file}`, 'utf8'),
    );
    const linked = [...[all, ...walkthrough].join('\n').matchAll(/command:([\w.]+)/g)].map(([, id = '']) => id);
    const unknown = linked.filter((id) => id.startsWith('thoughtTree') && !known.has(id));
    assert.deepEqual(unknown, []);
    assert.ok(linked.length > 3);
  });
});

interface Item {
  readonly command: string;
  readonly when?: string;
}

describe('the manifest', () => {
  const { contributes, activationEvents } = json(`${ROOT}package.json`) as {
    contributes: { menus: Record<string, Item[]>; keybindings: Item[] } & Record<string, unknown>;
    activationEvents: unknown[];
  };
  const ofKinds = kindCommands(KINDS.map(({ face }) => face));
  const places = [...Object.values(contributes.menus), contributes.keybindings].flat();

  it('is what the source says', async () => {
    await promisify(execFile)(process.execPath, ['scripts/manifest.mjs', '--check'], { cwd: ROOT });
  });

  it('wakes the extension by nothing but what it contributes', () => {
    assert.deepEqual(activationEvents, ['onWebviewPanel:thoughtTree.graph']);
  });

  it('has only commands of the table in its menus, and those that a kind calls otherwise', () => {
    const named = ofKinds.map(({ id }) => id);
    assert.deepEqual(
      places
        .map(({ command }) => command)
        .filter((id) => id !== 'runCommands' && !(id in COMMANDS) && !named.includes(id)),
      [],
    );
  });

  it('asks only for context keys and flags that are set', () => {
    const source = globSync('src/extension/**/*.ts', { cwd: ROOT }).map((file) =>
      readFileSync(`${ROOT}${file}`, 'utf8'),
    );
    const code = source.join('\n');
    const whens = places.map(({ when = '' }) => when).join('\n');
    const keys = new Set([...whens.matchAll(/thoughtTree\.([\w.]+)/g)].map(([, key = '']) => key));
    const flags = new Set([...whens.matchAll(/viewItem =~ \/\\b(\w+)\\b\//g)].map(([, flag = '']) => flag));
    keys.delete('searches');
    assert.ok(keys.size > 3 && flags.size > 8);
    const isAction = (name: string): boolean => name in COMMON_ACTIONS;
    for (const key of keys)
      if (!(key.startsWith('can.') && isAction(key.slice('can.'.length))))
        assert.match(code, new RegExp(`#set\\(\\s*'${key}'`), `nobody sets thoughtTree.${key}`);
    for (const flag of flags)
      assert.ok(
        isAction(flag) ||
          ofKinds.some((each) => each.flag === flag) ||
          new RegExp(`contextValue = \\['${flag}', `).test(code),
        `no item is ${flag}`,
      );
  });
});
