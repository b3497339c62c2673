import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { commandContributions } from '../../../../scripts/contributions.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { fake } from '../fake-vscode.ts';
import { available } from '../sidebar/available.ts';
import { begun, nodeElement, restingAt, sampleLibrary, sampleSearch, settled } from '../sidebar/sample.ts';

const { nodeItem } = await import('../../../../src/extension/sidebar/node-item.ts');
const { ContextKeys } = await import('../../../../src/extension/sidebar/context-keys.ts');

const FILE = { version: 1, kind: 'research', title: 'p', prompt: 'p', options: {} } as const;

type Keys = Readonly<Record<string, unknown>>;

/** The keys that the editor itself has, with one folder and a file of it open. */
const OF_EDITOR: Keys = {
  isWorkspaceTrusted: true,
  workspaceFolderCount: 1,
  resourceScheme: 'file',
  editorLangId: 'typescript',
  editorHasSelection: false,
};

function holds(when: string, keys: Keys): boolean {
  return when.split(' && ').every((part) => {
    if (part.startsWith('!')) return !holds(part.slice(1), keys);
    const [, name = '', is = '', value = ''] = /^([\w.-]+)(?: (==|!=|>) ([\w-]+))?$/.exec(part) ?? assert.fail(part);
    if (is === '>') return Number(keys[name] ?? 0) > Number(value);
    return is === '' ? keys[name] === true : (keys[name] === value) === (is === '==');
  });
}

/** The commands that the palette shows. */
function shown(keys: Keys): string[] {
  const { commands, menus } = commandContributions(KINDS.map(({ descriptor }) => descriptor));
  const places = menus['commandPalette'] as { command: string; when: string }[];
  const whens = new Map(places.map(({ command, when }) => [command, when]));
  const ids = (commands as { command: string }[]).map(({ command }) => command);
  return ids.filter(
    (id) => holds(whens.get(id) ?? 'isWorkspaceTrusted', { ...OF_EDITOR, ...keys }) && whens.get(id) !== 'false',
  );
}

async function keysWith(...searches: Parameters<typeof sampleLibrary>): Promise<Keys> {
  fake.reset();
  new ContextKeys(sampleLibrary(...searches).library, available).dispose();
  await settled();
  return Object.fromEntries(fake.contexts);
}

describe('the palette and the rows', () => {
  const file = { version: 1, kind: 'research', title: 'p', prompt: 'p', options: {} };
  const known = {
    file,
    isDivided: true,
    hasReport: true,
    count: (status: string) => (['expanded', 'leaf', 'unexpanded'].includes(status) ? 2 : 0),
    record: begun({ calls: 50 }),
  };

  it('has ten commands before the first use, whether or not anybody has looked for searches', async () => {
    const before = shown({});
    assert.ok(before.length <= 10, before.join('\n'));
    for (const name of ['start', 'start.research', 'findInFolder', 'askFile', 'selectModel', 'setApiKey', 'showLog'])
      assert.ok(before.includes(`thoughtTree.${name}`), name);
    assert.deepEqual(shown(await keysWith()), before);
    const selected = shown({ editorHasSelection: true });
    assert.ok(selected.length <= 10 && selected.includes('thoughtTree.askSelection'), selected.join('\n'));
  });

  for (const state of ['finished', 'paused', 'running'] as const)
    it(`has no more than 25 where there is a search that is ${state}`, async () => {
      const search = sampleSearch({ ...known, state, isResumable: state === 'paused' });
      const after = shown(await keysWith(search));
      assert.ok(after.length > 15 && after.length <= 25, `${after.length}:\n${after.join('\n')}`);
    });

  it('has no more than 25 whatever there is: searches of each kind in every state, and changes to accept', async () => {
    const count = (): number => 2;
    const searches = (['finished', 'paused', 'running', 'interrupted', 'waiting'] as const).flatMap((state) =>
      KINDS.map(({ descriptor: { name: kind } }) =>
        sampleSearch({ ...known, file: { ...FILE, kind }, count, state, isResumable: state !== 'finished' }),
      ),
    );
    searches.push(sampleSearch({ ...known, count, state: 'paused', record: restingAt('calls', 50) }));
    const keys = { ...(await keysWith(...searches)), 'thoughtTree.showsChanges': true };
    for (const editorHasSelection of [false, true])
      for (const resourceScheme of ['file', 'thought-tree-comparison']) {
        const all = shown({ ...keys, editorHasSelection, resourceScheme });
        assert.ok(all.length > 15 && all.length <= 25, `${all.length}:\n${all.join('\n')}`);
      }
  });

  it('shows nothing of work graphs until there is one', async () => {
    const search = sampleSearch({ ...known, state: 'finished' });
    assert.deepEqual(
      shown(await keysWith(search)).filter((id) => /work-graph/.test(id)),
      ['thoughtTree.start.work-graph'],
    );
  });

  it('leaves two icons to a row, whatever can be done with it', () => {
    const { menus } = commandContributions(KINDS.map(({ descriptor }) => descriptor));
    const inline = (menus['view/item/context'] as { group: string; when: string }[]).filter(({ group }) =>
      group.startsWith('inline'),
    );
    const icons = (flags: string): number =>
      inline.filter(({ when }) => new RegExp(/viewItem =~ \/(.*)\//.exec(when)?.[1] ?? '').test(flags)).length;
    const known = sampleSearch({ file: FILE, isDivided: true, hasReport: true, record: restingAt('calls', 50) });
    for (const state of ['running', 'waiting', 'paused', 'interrupted', 'finished'] as const) {
      const search = Object.assign(known, { state, isActive: state === 'running' || state === 'waiting' });
      const flags = ['search', ...available.flagsOf(search, available.onSearch(search))].join(' ');
      assert.ok(icons(flags) <= 2 && icons(flags) > 0, `${state}: ${icons(flags)} in ${flags}`);
    }
    for (const status of ['unexpanded', 'expanded', 'leaf', 'failed', 'pruned'] as const)
      assert.ok(icons(nodeItem(nodeElement({ status }), available).contextValue ?? '') <= 2, status);
    for (const offer of ['doByHand', 'doneByHand'])
      assert.equal(icons(`node ${offer} expand prune`), 2, 'what a person can do, and to prune it');
    assert.equal(icons('node expand prune'), 2);
  });

  it('leaves what is seldom needed to one list, and has two thirds of the commands that there were', () => {
    const { contributes } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'));
    assert.ok(contributes.commands.length <= 63, String(contributes.commands.length));
    assert.deepEqual(
      contributes.commands.filter(({ command }: { command: string }) => command.endsWith('.checked')),
      [],
    );
  });
});
