import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import {
  type ActionDescriptor,
  availableActions,
  type NodeFacts,
  type SearchFacts,
} from '../../../../src/core/actions/action-descriptor.ts';
import { foreign, message } from '../../../../src/core/messages/message.ts';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import type { Limits } from '../../../../src/core/search/limits.ts';
import type { SearchFile } from '../../../../src/core/search/search-file.ts';
import { nodeAt, pathOf, walk } from '../../../../src/core/tree/tree.ts';
import type { Action } from '../../../../src/engine/context.ts';
import type { Kind, Kinds } from '../../../../src/engine/kind.ts';
import type { Search } from '../../../../src/engine/search.ts';
import type { NodeElement, SearchElement } from '../../../../src/extension/sidebar/tree-element.ts';
import { actOnSearch, serveRequests } from '../../../../src/searches/act-on-search.ts';
import { createSearch, openForWriting } from '../../../../src/store/open-store.ts';
import { systemClock, systemRandom } from '../../../../src/store/system-ports.ts';
import { QUESTION, simulate } from '../../../support/searches/simulated-search.ts';
import { simulateThoughts, thoughtFile } from '../../../support/searches/simulated-thoughts.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { WITH_ERRANDS } from '../../../support/toy-kind/errands.ts';
import { answer } from '../../../support/toy-kind/errands-acts.ts';
import { FIRST } from '../../../support/toy-kind/offered-errands.ts';
import { MOVE_HOUSE, simulateErrands } from '../../../support/toy-kind/simulated-errands.ts';
import { fake } from '../fake-vscode.ts';
import { sampleLibrary } from '../sidebar/sample.ts';
import { namesOf, OfferedInEditor } from './offered-in-editor.ts';

const { FollowedSearch } = await import('../../../../src/extension/library/followed-search.ts');
const { SearchesView } = await import('../../../../src/extension/sidebar/searches-view.ts');

/** What the process that holds a search knew when it was last asked for something. */
let known: { search: SearchFacts; node: NodeFacts | undefined } | undefined;
const refused = message('test.refused', 'Not for "{title}".');

/** An action that is never offered, and is refused: what the holder decides that by is kept. */
const spyDescriptor: ActionDescriptor = {
  name: 'spy',
  on: 'both',
  title: 'Spy',
  help: 'look at what it knows',
  args: [],
  when: (search, node) => {
    known = { search, node };
    return refused;
  },
};
const spy: Action<object, object> = {
  args: z.object({}),
  result: z.object({}),
  run: async () => ({}),
  say: () => foreign({ text: '' }),
};

/** All kinds, each with the spy. */
const KINDS: Kinds = WITH_ERRANDS.map(({ descriptor, load }) => {
  const spied = { ...descriptor, actions: { ...descriptor.actions, spy: spyDescriptor } };
  return {
    descriptor: spied,
    load: async () => {
      const kind = await load();
      const open: Kind['open'] = async (search) => {
        const run = await kind.open(search);
        return { ...run, actions: { ...run.actions, spy: spy as Action } };
      };
      return { ...kind, descriptor: spied, open };
    },
  };
});
const editor = new OfferedInEditor(KINDS);

/** A search on disk, as somebody left it, or runs it. */
interface Somewhere {
  readonly folder: string;
  readonly workspace: string;
}

/**
 * What can be done as the holder of a search knows it, which is what decides over requests; without one, as whoever opens
 * it for a request does.
 */
async function inRequests({ folder, workspace }: Somewhere, { kind, search, path }: Row): Promise<string[]> {
  known = undefined;
  const openModel = () => Promise.reject(new Error('no model is asked'));
  const call = { action: 'spy', ...(path !== '' && { node: path }) };
  const outcome = await actOnSearch({ folder, workspace }, call, { kinds: KINDS, by: 'test', openModel });
  assert.equal(outcome.ok, false);
  assert.match(outcome.say.text, /^Not for "/);
  const { search: facts, node } = known ?? assert.fail('nobody was asked');
  assert.equal(node === undefined, kind === 'search');
  return namesOf(availableActions(editor.available.descriptorsFor(search), facts, node));
}

type Row = SearchElement | NodeElement;

/** The first of all rows that look alike: opening the search for each takes long. */
async function rowsOf(view: InstanceType<typeof SearchesView>, root: Row): Promise<Row[]> {
  const rows = await allRows(view, root);
  return [...Map.groupBy(rows, lookOf).values()].flatMap(([first = root]) => first);
}

function lookOf(row: Row): string {
  if (row.kind === 'search') return '';
  const { status, leafReason, prunedBy } = row.file;
  return [row.path.split('/').length, status, leafReason, prunedBy, row.hasDocument, row.children > 0].join(' ');
}

async function allRows(view: InstanceType<typeof SearchesView>, row: Row): Promise<Row[]> {
  const below = (await view.getChildren(row)) as Row[];
  return [row, ...(await Promise.all(below.map((each) => allRows(view, each)))).flat()];
}

/** Asserts that all four offer the same on a search and each of its nodes; returns what was seen of each. */
async function assertSame(place: Somewhere, state: string): Promise<Set<string>> {
  const followed = new FollowedSearch(place.folder, place.workspace);
  await followed.refresh();
  assert.equal(followed.state, state);
  const view = new SearchesView(sampleLibrary(followed).library, editor.available);
  const [root] = (await view.getChildren()) as SearchElement[];
  assert.ok(root);
  const seen = new Set<string>();
  for (const row of await rowsOf(view, root)) {
    const where = `${state}, "${row.path}"`;
    const expected = await inRequests(place, row);
    const shown = editor.inSidebar(row);
    assert.deepEqual(shown, expected, `sidebar and requests ${where}`);
    assert.deepEqual(await editor.inPanel(row), shown, `panel ${where}`);
    const ofPalette = shown.filter((name) => editor.isInPalette(name));
    assert.deepEqual(await editor.inPalette(row), ofPalette, `palette ${where}`);
    const { status, leafReason, isCutOff, hasDocument } = known?.node ?? {};
    seen.add(row.kind === 'search' ? 'search' : `${status} ${leafReason ?? ''} ${isCutOff} ${hasDocument}`);
  }
  return seen;
}

async function placeOf(file: SearchFile) {
  const workspace = temporaryFolder('offered');
  const folder = join(workspace, 'thought-trees', 'one');
  await createSearch(folder, file);
  const store = await openForWriting(folder, { clock: systemClock, random: systemRandom });
  return { workspace, folder, store };
}

const ports = { kinds: KINDS, clock: systemClock, random: systemRandom };
const limits: Limits = { size: 'all', maxDepth: 2, guards: {} };
/** Four topics with subtopics; some of them cannot be worked on. */
const tree = { fanout: (_path: string, depth: number) => [4, 2][depth] ?? 0, documentWords: 5 };

interface Research {
  readonly limits?: Limits;
  /** How many answers come; the model then says nothing more, which is told as `isSilent`, or fails. */
  readonly answers?: number;
  /** How it fails then. */
  readonly error?: ThoughtTreeError;
}

async function research({ limits: own = limits, answers = Number.POSITIVE_INFINITY, error }: Research = {}) {
  const { store, ...place } = await placeOf(QUESTION);
  let asked = 0;
  const silent = Promise.withResolvers<void>();
  const failing = 'ember';
  const { search } = await simulate({
    tree,
    store,
    model: {
      clock: systemClock,
      latencyMs: ({ purpose }) => {
        if (++asked <= answers || error) return 0;
        if (purpose !== 'pick') silent.resolve();
        return 1_000_000_000;
      },
      instead: ({ node, purpose }) => {
        if (error && asked >= answers) return error;
        const isFailing = purpose === 'document' && node.split('/').at(-1)?.startsWith(failing);
        return isFailing ? new ThoughtTreeError('bad-request', foreign({ text: 'No.' })) : undefined;
      },
    },
    search: { ...ports, limits: own, concurrency: 1 },
  });
  return { ...place, store, search, isSilent: silent.promise };
}

describe('what is offered on real searches', () => {
  beforeEach(() => fake.reset());

  const pathsIn = ({ tree: of }: Search): string[] => [...walk(of.root)].filter(({ parent }) => parent).map(pathOf);

  it('is the same where a search is finished, with nodes of all states', async () => {
    const place = await research();
    const { search } = place;
    await search.run();
    const inner = pathsIn(search).filter((path) => nodeAt(search.tree, path)?.status === 'expanded');
    await search.act({ action: 'prune', node: inner[0] ?? '' }, 'test');
    await search.act({ action: 'add', node: inner[1] ?? '', title: 'Mine' }, 'test');
    await search.act({ action: 'redo', node: inner[2] ?? '' }, 'test');
    await search.close();
    const seen = await assertSame(place, 'finished');
    for (const some of ['search', 'expanded  false true', 'pruned  false true', 'unexpanded  false false', 'failed'])
      assert.ok(
        [...seen].some((each) => each.startsWith(some)),
        `${some} of ${[...seen]}`,
      );
    assert.ok(
      [...seen].some((each) => each.startsWith('leaf') && each.endsWith('true true')),
      `cut off: ${[...seen]}`,
    );
    await rm(join(place.folder, '.search'), { recursive: true });
    await assertSame(place, 'finished'); // a clone
    await rm(join(place.folder, 'report.md'));
    await assertSame(place, 'interrupted');
    await writeFile(join(place.folder, 'search.json'), '{');
    const damaged = new FollowedSearch(place.folder, place.workspace);
    await damaged.refresh();
    const row = { kind: 'search', search: damaged, folder: place.folder, path: '', isOpen: true } as const;
    for (const offered of [editor.inSidebar(row), await editor.inPanel(row), await editor.inPalette(row)])
      assert.deepEqual(offered, []);
    await assert.rejects(inRequests(place, row), { reason: 'damaged' });
  });

  it('is the same where it was never run, is paused, or ends at its limits', async () => {
    const fresh = await research();
    await fresh.search.close();
    await assertSame(fresh, 'interrupted');
    for (const calls of [0, 1, 4]) {
      const place = await research({ limits: { ...limits, guards: { calls } } });
      assert.equal((await place.search.run()).state, 'paused');
      await place.search.close();
      await assertSame(place, 'paused');
    }
    const small = await research({ limits: { ...limits, maxDepth: 1 } });
    await small.search.run();
    await small.search.act({ action: 'grow', maxDepth: 2 }, 'test');
    await small.search.close();
    await assertSame(small, 'finished');
  });

  for (const reason of ['key-refused', 'quota-exceeded', 'unknown-model'] as const)
    it(`is the same where a person is needed: ${reason}`, async () => {
      for (const answers of [0, 3]) {
        const error = new ThoughtTreeError(reason, foreign({ text: 'No.' }));
        const place = await research({ answers, error });
        const outcome = await place.search.run();
        assert.ok(outcome.state === 'paused' && outcome.reason === 'person', JSON.stringify(outcome));
        await place.search.close();
        await assertSame(place, 'paused');
      }
    });

  it('is the same where the disk failed', async () => {
    const place = await research();
    const { search, store } = place;
    let writes = 0;
    const changeNode = store.changeNode.bind(store);
    store.changeNode = async (...change) => {
      if (++writes > 3) throw new ThoughtTreeError('disk-full', foreign({ text: 'No room.' }));
      await changeNode(...change);
    };
    const outcome = await search.run();
    assert.ok(outcome.state === 'paused' && outcome.reason === 'store', JSON.stringify(outcome));
    await search.close();
    const seen = await assertSame(place, 'paused');
    assert.ok(seen.size > 1, `${[...seen]}`);
  });

  it('is the same while another process runs it, once that is killed, and when it was paused', async () => {
    const place = await research({ answers: 7 });
    const { search, folder, store, isSilent } = place;
    const over = search.run();
    const stop = await serveRequests(folder, search, store, () => assert.fail());
    await isSilent;
    const seen = await assertSame(place, 'running');
    assert.ok(
      [...seen].some((each) => each.startsWith('in-progress')),
      `${[...seen]}`,
    );
    const killed = { ...place, folder: join(place.workspace, 'thought-trees', 'killed') };
    await cp(folder, killed.folder, { recursive: true });
    for (const name of await readdir(join(killed.folder, '.search')))
      if (name.startsWith('lease-')) await rm(join(killed.folder, '.search', name));
    await assertSame(killed, 'interrupted');
    search.pause(true);
    await over;
    await assertSame(place, 'paused');
    await stop();
    await search.close();
    await assertSame(place, 'paused');
  });

  it('is the same in a search for a solution, whoever pruned what', async () => {
    const { store, ...place } = await placeOf(thoughtFile({}));
    const { search } = await simulateThoughts({ store, model: { clock: systemClock }, search: ports });
    await search.run();
    await search.act({ action: 'prune', node: pathsIn(search)[0] ?? '' }, 'test');
    await search.close();
    const seen = await assertSame(place, 'finished');
    assert.ok(seen.size > 4, `${[...seen]}`);
  });

  it('is the same in the toy kind, with offers that wait, in this process and in none', async () => {
    const { store, ...place } = await placeOf(MOVE_HOUSE);
    const { search } = await simulateErrands(store, 1, ports);
    const over = search.run({ wait: true });
    const stop = await serveRequests(place.folder, search, store, () => assert.fail());
    const waits = async (): Promise<string> => {
      while (search.state !== 'waiting') await new Promise((resolve) => setTimeout(resolve, 10));
      return search.record.offers.open[0]?.offer.id ?? '';
    };
    await waits();
    await assertSame(place, 'waiting');
    await answer(search, [{ offer: await waits(), result: FIRST }], 'client');
    await answer(search, [{ offer: await waits(), result: { done: 'Rented.' } }], 'client');
    await search.act({ action: 'prune', node: 'drive' }, 'test');
    await waits();
    const seen = await assertSame(place, 'waiting');
    assert.ok(seen.size > 3, `${[...seen]}`);
    search.pause(true);
    await over;
    await stop();
    await search.close();
    await assertSame(place, 'paused');
  });
});
