import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMMANDS } from '../../../src/extension/commands/command-table.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const json = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

interface Manifest {
  readonly contributes: {
    readonly viewsWelcome: readonly { view: string; contents: string; when: string }[];
    readonly walkthroughs: readonly {
      steps: readonly { id: string; title: string; description: string; media: { markdown: string } }[];
    }[];
    readonly configuration: readonly { properties: Record<string, unknown> }[];
  };
}
const { contributes } = json('package.json') as Manifest;
const texts = json('package.nls.json') as Record<string, string>;
const textOf = (key: string): string => texts[key.slice(1, -1)] ?? '';

/** Commands of the editor's own that texts link to. */
const EDITORS = new Set([
  'vscode.openFolder',
  'workbench.trust.manage',
  'thoughtTree.searches.focus',
  'workbench.action.chat.open',
]);

describe('the empty sidebar', () => {
  /** A `when` clause for one state of the window. */
  const holds = (when: string, folders: number, trusted: boolean, hasModel = true): boolean =>
    when.split(' && ').every((part) => {
      const known: Record<string, boolean> = {
        'workspaceFolderCount == 0': folders === 0,
        'workspaceFolderCount > 0': folders > 0,
        isWorkspaceTrusted: trusted,
        '!isWorkspaceTrusted': !trusted,
        'thoughtTree.noChatModel': !hasModel,
      };
      assert.ok(part in known, `"${part}" is not known here`);
      return known[part] as boolean;
    });

  for (const [state, folders, trusted, text, command] of [
    ['no folder is open', 0, true, /Open a folder/, 'vscode.openFolder'],
    ['no folder is open, and nothing is trusted', 0, false, /Open a folder/, 'vscode.openFolder'],
    ['the folder is not trusted', 1, false, /viewed but not run/, 'workbench.trust.manage'],
    ['there is no search yet', 1, true, /Ask a hard question/, 'thoughtTree.start'],
    ['there is no search yet in several folders', 3, true, /Ask a hard question/, 'thoughtTree.start'],
  ] as const)
    it(`says what to do where ${state}`, () => {
      const shown = contributes.viewsWelcome.filter(({ when }) => holds(when, folders, trusted));
      assert.equal(shown.length, 1);
      const said = textOf(shown[0]?.contents ?? '');
      assert.match(said, text);
      assert.ok(said.includes(`(command:${command})`));
    });

  it('says that the chat cannot answer, besides what to do, where the editor has no language model', () => {
    const shown = contributes.viewsWelcome.filter(({ when }) => holds(when, 1, true, false));
    const [start = '', chat = ''] = shown.map(({ contents }) => textOf(contents));
    assert.match(start, /Ask a hard question/);
    assert.match(chat, /@tree in its chat cannot answer(?:.|\n)+Everything that @tree does is a command too/);
    for (const [folders, trusted] of [
      [0, true],
      [1, false],
    ] as const)
      assert.equal(contributes.viewsWelcome.filter(({ when }) => holds(when, folders, trusted, false)).length, 1);
  });
});

describe('the walkthrough', () => {
  const [walkthrough] = contributes.walkthroughs;
  const steps = walkthrough?.steps ?? [];

  it('has five steps', () => {
    assert.deepEqual(
      steps.map(({ id }) => id),
      ['model', 'start', 'steer', 'report', 'agents'],
    );
  });

  for (const { id, title, description, media } of steps)
    it(`names only existing things in the step "${id}"`, () => {
      assert.match(textOf(title), /^[A-Z]/);
      assert.ok(existsSync(join(ROOT, media.markdown)), `${media.markdown} is missing`);
      const said = `${textOf(description)}\n${readFileSync(join(ROOT, media.markdown), 'utf8')}`;
      const commands = [...said.matchAll(/command:([\w.]+)/g)].map(([, command = '']) => command);
      assert.ok(commands.length > 0, 'it available something to do');
      for (const command of commands) assert.ok(command in COMMANDS || EDITORS.has(command), command);
      const settings = contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
      for (const [name] of said.matchAll(/(?<!command:)\bthoughtTree\.\w+(?!\.)/g))
        assert.ok(settings.includes(name) || name in COMMANDS || name === 'thoughtTree.searches', name);
      for (const [, file = ''] of said.matchAll(/\]\((?!command:|https:)([^)]+)\)/g))
        assert.ok(existsSync(join(ROOT, media.markdown, '..', file)), file);
    });

  it('shows every page in its folder', () => {
    assert.deepEqual(
      globSync('media/walkthrough/*', { cwd: ROOT })
        .map((file) => file.replaceAll('\\', '/'))
        .toSorted(),
      steps.map(({ media }) => media.markdown).toSorted(),
    );
  });
});
