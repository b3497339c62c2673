import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { kindCommands, startCommands } from '../../../scripts/contributions.ts';
import {
  catalogueFiles,
  englishTexts,
  faultsOf,
  inOrder,
  manifestTexts,
  missingIn,
  type Texts,
  textsIn,
} from '../../../scripts/texts.ts';
import { COMMON_ACTIONS } from '../../../src/extension/actions/editor-actions.ts';
import { COMMANDS, EDITOR_KEYS } from '../../../src/extension/commands/command-table.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const json = (file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;

describe('texts', () => {
  let texts: Texts;
  const isOfManifest = (key: string): boolean => key.startsWith('%');
  const isOfCatalogue = (key: string): boolean => /^[a-z]+(\.[\w-]+)+$/.test(key);

  before(async () => {
    texts = await englishTexts(
      ROOT,
      KINDS.map(({ descriptor }) => descriptor),
    );
  });

  it('are found in the source', () => {
    assert.deepEqual(textsIn("vscode.l10n.t('It\\'s {0}.', x) + l10n.t(\n 'b',\n)"), ["It's {0}.", 'b']);
    assert.throws(() => textsIn('l10n.t(`c`)'), /plain literal/);
    const keys = Object.keys(texts);
    assert.ok(keys.filter(isOfCatalogue).length > 300);
    assert.ok(keys.filter(isOfManifest).length > 50);
    assert.ok(keys.filter((key) => texts[key] === key).length > 200);
  });

  it('are all in the one file for translators, and no others', () => {
    assert.deepEqual(json(`${ROOT}l10n/bundle.l10n.json`), texts);
    assert.equal(json(`${ROOT}package.json`)['l10n'], './l10n');
  });

  it('of the catalogue have a key that begins with the name of their folder', () => {
    for (const file of catalogueFiles(ROOT)) {
      const source = readFileSync(`${ROOT}${file}`, 'utf8');
      const rooms = [...source.matchAll(/\b(?:message|counted)\(\s*'([a-z]+)\./g)].map(([, room]) => room);
      assert.ok(new Set(rooms).size <= 1, `${file}: ${[...new Set(rooms)].join(', ')}`);
    }
  });

  it('of the catalogue are all used', () => {
    const sources = globSync('src/**/*.ts', { cwd: ROOT }).map((file) => readFileSync(`${ROOT}${file}`, 'utf8'));
    const code = sources.map((source) => source.replaceAll(/^(?:import|export)\b.*$/gm, '')).join('\n');
    for (const file of catalogueFiles(ROOT))
      for (const [, name] of readFileSync(`${ROOT}${file}`, 'utf8').matchAll(
        /^export const (\w+) = (?:message|counted)\(/gm,
      ))
        assert.match(code, new RegExp(`\\b${name}\\b`), `${file}: nobody says ${name}`);
  });

  it('have placeholders that are numbered from 0, or named', () => {
    for (const text of Object.values(texts)) {
      const places = [...new Set([...text.matchAll(/\{(\w+)(?::\w+)?\}/g)].map(([, place]) => place))].sort();
      const numbered = places.filter((place) => /^\d+$/.test(place as string));
      assert.ok(numbered.length === 0 || numbered.length === places.length, text);
      assert.deepEqual(
        numbered,
        numbered.map((_, i) => String(i)),
        text,
      );
    }
  });

  it('of the manifest are in package.nls.json, each of them used', () => {
    const manifest = readFileSync(`${ROOT}package.json`, 'utf8');
    const used = [...new Set([...manifest.matchAll(/"%([\w.-]+)%"/g)].map(([, key = '']) => key))].sort();
    assert.ok(used.length > 50);
    assert.deepEqual(Object.keys(json(`${ROOT}package.nls.json`)).sort(), used);
  });

  it('link to existing commands', () => {
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

describe('a language', () => {
  const english = {
    '%command.start%': 'Start',
    '%welcome%': 'Ask.\n[Start](command:thoughtTree.start)',
    'Open Report': 'Open Report',
    'store.no-folder': 'There is no folder {folder}.',
    'engine.leaves.one': '1 leaf',
    'engine.leaves.other': '{count:number} leaves',
  };

  it('is one file: what the editor requires in another one is generated from it', () => {
    assert.deepEqual(manifestTexts({ 'Open Report': 'Auf', '%command.start%': 'Anfangen' }), {
      'command.start': 'Anfangen',
    });
  });

  it('may have more plurals, but has no other text, no empty one, and the same placeholders', () => {
    assert.deepEqual(faultsOf({ ...english, 'engine.leaves.few': '{count:number} listy' }, english), []);
    const faulty = {
      '%welcome%': 'Fragen.\n[Anfangen](command:thoughtTree.pause)',
      'Open Report': ' ',
      'store.no-folder': 'Kein Ordner {ordner}.',
      'store.no-file': '?',
    };
    assert.deepEqual(faultsOf(faulty, english), [
      'other places: %welcome%',
      'empty: Open Report',
      'other places: store.no-folder',
      'unknown: store.no-file',
    ]);
  });

  it('lacks what is shown in English, but no plural that it does not have', () => {
    const { 'Open Report': _, 'engine.leaves.one': __, ...rest } = english;
    assert.deepEqual(missingIn('de', rest, english), ['Open Report', 'engine.leaves.one']);
    assert.deepEqual(missingIn('zh-cn', rest, english), ['Open Report']);
    assert.deepEqual(missingIn('ja', english, english), []);
  });

  it('is kept in the order of the English texts, without those that nobody says any more', () => {
    const kept = inOrder({ gone: 'Weg', 'engine.leaves.few': '{count:number}', 'Open Report': 'Auf' }, english);
    assert.deepEqual(Object.keys(kept), ['Open Report', 'engine.leaves.few']);
  });

  it('that comes with the program has no fault', async () => {
    const all = await englishTexts(
      ROOT,
      KINDS.map(({ descriptor }) => descriptor),
    );
    for (const file of globSync('l10n/bundle.l10n.*.json', { cwd: ROOT }))
      assert.deepEqual(faultsOf(json(`${ROOT}${file}`) as Texts, all), [], file);
  });
});

interface Item {
  readonly command: string;
  readonly submenu?: string;
  readonly when?: string;
}

describe('the manifest', () => {
  const { contributes, activationEvents } = json(`${ROOT}package.json`) as {
    contributes: { menus: Record<string, Item[]>; keybindings: Item[] } & Record<string, unknown>;
    activationEvents: unknown[];
  };
  const ofKinds = kindCommands(KINDS.map(({ descriptor }) => descriptor));
  const everywhere = [...Object.values(contributes.menus), contributes.keybindings].flat();
  const places = everywhere.filter(({ submenu }) => submenu === undefined);

  it('matches the source', async () => {
    await promisify(execFile)(process.execPath, ['scripts/manifest.mjs', '--check'], { cwd: ROOT });
  });

  it('activates the extension only by its contributions', () => {
    const known = ['onUri', 'onWebviewPanel:thoughtTree.graph', 'workspaceContains:thought-trees/*/search.json'];
    assert.deepEqual(
      activationEvents,
      known,
      'by itself only for a link, and where there are searches, for the palette',
    );
  });

  it('has only commands of the table in its menus, and those that a kind renames', () => {
    const named = [...startCommands(KINDS.map(({ descriptor }) => descriptor)), ...ofKinds].map(({ id }) => id);
    named.push(...EDITOR_KEYS.map(({ command }) => command));
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
    const keys = new Set([...whens.matchAll(/thoughtTree\.([\w.-]+)/g)].map(([, key = '']) => key));
    const flags = new Set([...whens.matchAll(/viewItem =~ \/\\b([\w-]+)\\b\//g)].map(([, flag = '']) => flag));
    keys.delete('searches');
    assert.ok(keys.size > 3 && flags.size > 8);
    const isAction = (name: string): boolean => name in COMMON_ACTIONS || ofKinds.some(({ action }) => action === name);
    for (const key of keys)
      if (!(key.startsWith('can.') && isAction(key.slice('can.'.length))))
        assert.match(
          code,
          new RegExp(`#set\\(\\s*'${key}'|(?:=|'setContext',) 'thoughtTree\\.${key}'`),
          `nobody sets thoughtTree.${key}`,
        );
    for (const flag of flags)
      assert.ok(
        isAction(flag) ||
          ofKinds.some((each) => each.flag === flag) ||
          new RegExp(`contextValue = \\['${flag}', |\\.\\.\\.flags, '${flag}'`).test(code),
        `no item is ${flag}`,
      );
  });
});
