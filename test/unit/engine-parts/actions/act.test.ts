import assert from 'node:assert/strict';
import * as z from 'zod';
import type { ActionCall } from '../../../../src/core/actions/action-call.ts';
import {
  type ActionDescriptor,
  isAvailable,
  type NodeFacts,
  refusalOf,
  type SearchFacts,
} from '../../../../src/core/actions/action-descriptor.ts';
import { actionsOf as descriptorsOf } from '../../../../src/core/actions/actions.ts';
import { message } from '../../../../src/core/messages/message.ts';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { pathOf, type TreeNode, walk } from '../../../../src/core/tree/tree.ts';
import type { Action } from '../../../../src/engine/context.ts';
import type { Kinds } from '../../../../src/engine/kind.ts';
import type { Search } from '../../../../src/engine/search.ts';
import { nodeFacts } from '../../../../src/engine-parts/actions/act.ts';
import { actionsOf } from '../../../../src/engine-parts/actions/engine-actions.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { researchDescriptor } from '../../../../src/kinds/research/descriptor.ts';
import { research } from '../../../../src/kinds/research/research.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { QUESTION, type Simulation, simulate } from '../../../support/searches/simulated-search.ts';

const TREE = { fanout: (_path: string, depth: number) => [4, 3, 0][depth] ?? 0, documentWords: 5 };

/** A search that has come to its size, with a branch that is pruned, and a node that has failed. */
async function rested(): Promise<MemoryFiles> {
  const files = new MemoryFiles();
  const store = createMemoryStore(QUESTION, files);
  const { run, search, clock } = await simulate({ store, tree: TREE, search: { limits: { size: 'small' } } });
  await run();
  const [first, second] = search.tree.root.children as [TreeNode, TreeNode];
  await clock.run(search.act({ action: 'prune', node: pathOf(first) }, 'test'));
  const leaf = second.children[0] as TreeNode;
  await store.writeNode(pathOf(leaf), { status: 'failed', failure: { reason: 'refused', message: 'No.' } });
  await store.writeNode(`${pathOf(second)}/by-hand`, { title: 'By hand', status: 'unexpanded' });
  await store.close();
  return files;
}

async function copyOf(files: MemoryFiles, folder = '', to = new MemoryFiles()): Promise<MemoryFiles> {
  for (const { name, kind } of await files.list(folder)) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (kind === 'folder') await copyOf(files, path, to);
    else to.put(path, files.readNow(path) ?? '');
  }
  return to;
}

/** The same search, opened once more from a copy of its files. */
async function opened(files: MemoryFiles, kinds?: Kinds): Promise<Simulation> {
  const store = createMemoryStore(QUESTION, await copyOf(files));
  return await simulate({ store, tree: TREE, search: { limits: { size: 'small' }, ...(kinds && { kinds }) } });
}

const ARGS: Readonly<Record<string, object>> = { add: { title: 'More' }, note: { text: 'Be brief.' } };

function call({ name, on }: ActionDescriptor, node: TreeNode): ActionCall {
  return { action: name, ...(on === 'search' ? {} : { node: pathOf(node) }), ...ARGS[name] };
}

function searchFacts({ state, tree }: Search): SearchFacts {
  const failed = tree.counts.failed;
  return { state, isResumable: true, isDivided: tree.root.listed, hasReport: true, failed };
}

describe('actions in the engine', () => {
  it('take what their descriptors say, and nothing else', () => {
    for (const kind of KINDS) {
      // A kind carries out its own.
      const own = Object.keys(kind.descriptor.actions);
      for (const descriptor of Object.values(descriptorsOf(kind.descriptor)).filter(({ isHosts }) => !isHosts)) {
        if (own.includes(descriptor.name)) continue;
        const { args } = actionsOf({ actions: {} })[descriptor.name] as Action;
        const { properties = {}, required = [] } = z.toJSONSchema(args, { io: 'input' });
        assert.deepEqual(
          Object.keys(properties).sort(),
          descriptor.args.map(({ name }) => name).sort(),
          descriptor.name,
        );
        const needed = descriptor.args.filter((arg) => arg.required).map(({ name }) => name);
        assert.deepEqual([...required].sort(), needed.sort(), descriptor.name);
        for (const { name, most } of descriptor.args) {
          const { maxLength, maximum } = properties[name] as { maxLength?: number; maximum?: number };
          assert.equal(maxLength ?? maximum, most, `${descriptor.name} ${name}`);
        }
      }
    }
  });

  it('are done wherever they are offered, and refused in words wherever the descriptor refuses', async () => {
    const files = await rested();
    const { search, store } = await opened(files);
    const descriptors = Object.values(descriptorsOf(researchDescriptor)).filter(({ isHosts }) => !isHosts);
    const cases: { descriptor: ActionDescriptor; path: string; facts: NodeFacts | undefined }[] = [];
    const seen = new Set<string>();
    for (const node of walk(search.tree.root)) {
      const facts = node.parent ? await nodeFacts({ store }, node) : undefined;
      const key = JSON.stringify(facts ?? 'search');
      if (seen.has(key)) continue;
      seen.add(key);
      for (const descriptor of descriptors)
        if (descriptor.on !== 'search' || !node.parent) cases.push({ descriptor, path: pathOf(node), facts });
    }
    assert.ok(seen.size >= 6, `only ${seen.size} states`);
    const counts = { offered: 0, refused: 0 };
    for (const { descriptor, path, facts } of cases) {
      const one = await opened(files);
      const node = [...walk(one.search.tree.root)].find((each) => pathOf(each) === path) as TreeNode;
      const where = `${descriptor.name} on "${path}" ${JSON.stringify(facts)}`;
      const isDone = await one.clock.run(one.search.act(call(descriptor, node), 'test')).then(
        ({ value, say }) => {
          const { result } = actionsOf({ actions: {} })[descriptor.name] as Action;
          assert.ok(result.safeParse(value).success, `${where}: ${JSON.stringify(value)}`);
          assert.ok(say.text.length > 0);
          return true;
        },
        (error: unknown) => {
          assert.ok(isThoughtTreeError(error, 'bad-input'), `${where}: ${error}`);
          return false;
        },
      );
      const isRefused =
        (descriptor.on === 'node' && !facts) || refusalOf(descriptor, searchFacts(one.search), facts) !== undefined;
      assert.equal(isDone, !isRefused, where);
      if (isAvailable(descriptor, searchFacts(search), facts)) {
        counts.offered++;
        assert.ok(isDone, where);
      }
      if (isRefused) counts.refused++;
    }
    assert.ok(counts.offered > 15 && counts.refused > 8, JSON.stringify(counts));
  });

  it('return their results as data, and the journal keeps these with their arguments', async () => {
    const { search, clock, events } = await opened(await rested());
    const branch = search.tree.root.children[1] as TreeNode;
    const size = [...walk(branch)].length;
    const { value } = await clock.run(search.act({ action: 'prune', node: pathOf(branch) }, 'test'));
    assert.deepEqual(value, { pruned: size });
    await clock.run(search.act({ action: 'note', node: pathOf(branch), text: ' Mind the cache. ' }, 'test'));
    const { value: added } = await clock.run(search.act({ action: 'add', node: '', title: 'More' }, 'test'));
    assert.deepEqual(added, { path: 'more', title: 'More' });
    const below = await clock.run(search.act({ action: 'add', node: 'more', title: 'Most' }, 'test'));
    assert.equal(below.say.text, '"Most" is added below "More".', 'it names no path');
    const kept = events
      .filter((event) => event.type === 'steered')
      .map(({ action, node, args, value: came, say }) => ({ action, node, args, came, key: say?.key }));
    assert.deepEqual(kept, [
      { action: 'prune', node: pathOf(branch), args: undefined, came: { pruned: size }, key: 'actions.branch-pruned' },
      {
        action: 'note',
        node: pathOf(branch),
        args: { text: ' Mind the cache. ' },
        came: undefined,
        key: 'actions.note-on-node',
      },
      { action: 'add', node: undefined, args: { title: 'More' }, came: added, key: 'actions.added-first' },
      { action: 'add', node: 'more', args: { title: 'Most' }, came: below.value, key: 'actions.added-below' },
    ]);
  });

  it('keep all notes to a branch, and refuse one that would make them too long to be read again', async () => {
    const files = await rested();
    const { search, clock, store } = await opened(files);
    const node = pathOf(search.tree.root.children[1] as TreeNode);
    const note = (text: string) => clock.run(search.act({ action: 'note', node, text }, 'test'));
    for (const letter of 'abcde') await note(letter.repeat(19_000));
    const before = (await store.readNodeFile(node))?.note;
    assert.equal(before?.length, 5 * 19_000 + 4 * 2);
    await assert.rejects(note('f'.repeat(19_000)), { reason: 'bad-input', message: /longer than 100000 characters/ });
    assert.equal((await store.readNodeFile(node))?.note, before);
    await note('g');
    assert.equal((await store.readNodeFile(node))?.note, `${before}\n\ng`);
    await assert.rejects(note('  '), { reason: 'bad-input', message: 'A note needs a text.' });
  });

  for (const [what, given] of [
    ['none that there is', { action: 'explode' }],
    ['one by the name of a method', { action: 'constructor' }],
    ['one without what it needs', { action: 'add', node: '' }],
    ['one with something else than it takes', { action: 'note', text: 7 }],
    ['one on a node that is not there', { action: 'prune', node: 'nowhere' }],
    ['one that a node alone can be', { action: 'prune', node: '' }],
    ['one that no node can be', { action: 'finish', node: 'topic-1' }],
  ] as const)
    it(`are refused where somebody asks for ${what}, and leave no trace`, async () => {
      const { search, clock, events } = await opened(await rested());
      if ('node' in given && given.node === 'topic-1')
        (given as { node: string }).node = search.tree.root.children[1]?.slug ?? '';
      await assert.rejects(clock.run(search.act(given, 'test')), (error) => isThoughtTreeError(error, 'bad-input'));
      assert.deepEqual(events, []);
    });
});

describe('actions of a kind', () => {
  const Args = z.object({ factor: z.number() });
  const scored = message('test.scored', 'Scores were multiplied by {factor:number}.');
  const scale: Action<z.infer<typeof Args>, { changed: number; errors: string[] }> = {
    args: Args,
    result: z.object({ changed: z.number(), errors: z.array(z.string()) }),
    async run({ ctx, node, by }, { factor }) {
      const rated = [...walk(node)].filter(({ evaluation }) => evaluation);
      for (const each of rated)
        await ctx.nodes.change(each, { evaluation: { score: (each.evaluation?.score ?? 0) * factor } }, { by });
      return { changed: rated.length, errors: [] };
    },
    say: () => scored({ factor: 0.5 }),
  };
  const descriptor: ActionDescriptor = {
    name: 'scale',
    on: 'both',
    title: 'Scale scores…',
    help: 'multiply scores',
    args: [{ name: 'factor', type: 'number', required: true, help: 'by what' }],
    when: ({ isDivided }) => isDivided,
  };
  const kinds: Kinds = [
    {
      descriptor: { ...researchDescriptor, actions: { scale: descriptor } },
      load: async () => ({
        ...research,
        descriptor: { ...researchDescriptor, actions: { scale: descriptor } },
        open: async (ctx) => ({ ...(await research.open(ctx)), actions: { scale } }),
      }),
    },
  ];

  it('are done, answered with data, and journaled as all others are', async () => {
    const { search, clock, events } = await opened(await rested(), kinds);
    const { value, say } = await clock.run(search.act({ action: 'scale', node: '', factor: 0.5 }, 'test'));
    assert.ok((value as { changed: number }).changed > 3);
    assert.equal(say.text, 'Scores were multiplied by 0.5.');
    const [steered] = events.filter((event) => event.type === 'steered');
    assert.deepEqual([steered?.action, steered?.args, steered?.value], ['scale', { factor: 0.5 }, value]);
  });

  it('are none of other kinds', async () => {
    const { search, clock } = await opened(await rested());
    await assert.rejects(
      clock.run(search.act({ action: 'scale', node: '', factor: 0.5 }, 'test')),
      /no action "scale"/,
    );
  });
});
