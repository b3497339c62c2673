import assert from 'node:assert/strict';
import type { ActionCall } from '../../../../src/core/actions/action-call.ts';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import { joinedPath, parentPath } from '../../../../src/core/tree/slug.ts';
import { pathOf, walk } from '../../../../src/core/tree/tree.ts';
import type { Search } from '../../../../src/engine/search.ts';
import type { ReadFiles } from '../../../../src/store/files/files.ts';
import { PastFiles } from '../../../../src/store/past/past-files.ts';
import { forEverySeed } from '../../../support/effort.ts';
import { type LedManner, ledFile, simulateLed } from '../../../support/investigation/led-investigation.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { QUESTION, type Simulation, simulate } from '../../../support/searches/simulated-search.ts';
import { simulateThoughts, thoughtFile } from '../../../support/searches/simulated-thoughts.ts';
import { seededRandom } from '../../../support/virtual-clock.ts';
import { goalFile, has, simulateWork, type WorkOptions, writes } from '../../../support/work-graph/work-search.ts';

/** All files of a search but for the engine's own, byte for byte. */
async function filesOf(files: ReadFiles, folder = ''): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name, kind } of await files.list(folder)) {
    const path = joinedPath(folder, name);
    if (path === '.search') continue;
    if (kind === 'folder') Object.assign(found, await filesOf(files, path));
    else found[path] = Buffer.from(await files.readBytes(path, 0, 1_000_000)).toString();
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Files that were written or removed and that no event has told of yet. */
class Untold {
  readonly #files = new Set<string>();

  write(path: string): void {
    if (!path.startsWith('.search')) this.#files.add(path);
  }

  tell(event: JournalEvent): void {
    if (event.type === 'text-written') this.#files.delete(event.file);
    const nodes =
      event.type === 'node-added'
        ? [event.node, ...event.children.map(({ slug }) => joinedPath(event.node, slug))]
        : event.type === 'node-status' || event.type === 'node-order'
          ? [event.node]
          : [];
    for (const file of [...this.#files]) {
      const isText = !/(?:^|\/)(?:node\.json|children\.json|document\.md)$/.test(file);
      if (!isText && nodes.includes(parentPath(file))) this.#files.delete(file);
    }
  }

  get isEmpty(): boolean {
    return this.#files.size === 0;
  }
}

function watched(files: MemoryFiles): { untold: Untold; moments: Map<number, Record<string, string>> } {
  const untold = new Untold();
  const writeAtomic = files.writeAtomic.bind(files);
  files.writeAtomic = async (path, text, options) => {
    untold.write(path);
    await writeAtomic(path, text, options);
  };
  const remove = files.remove.bind(files);
  files.remove = async (path) => {
    if (files.readNow(path) !== undefined) untold.write(path);
    await remove(path);
  };
  return { untold, moments: new Map() };
}

function filesNow(files: MemoryFiles, folder = ''): [string, string][] {
  return files.namesNow(folder).flatMap((name): [string, string][] => {
    const path = joinedPath(folder, name);
    if (path === '.search') return [];
    return files.isFolderNow(path) ? filesNow(files, path) : [[path, files.readNow(path) as string]];
  });
}

function acts(search: Search, chance: () => number): ActionCall {
  const nodes = [...walk(search.tree.root)].filter(({ parent }) => parent).map(pathOf);
  const node = nodes[Math.floor(chance() * nodes.length)];
  const on = node === undefined ? {} : { node };
  const calls: ActionCall[] = [
    { action: 'note', text: `Mind ${chance()}.` },
    { action: 'note', ...on, text: `Mind ${chance()}.` },
    { action: 'prune', ...on },
    { action: 'restore', ...on },
    { action: 'redo', ...on, force: true },
    { action: 'add', title: `Mine ${chance()}` },
    { action: 'undo' },
    { action: 'expand', ...on },
  ];
  return calls[Math.floor(chance() * calls.length)] as ActionCall;
}

type Opened = Pick<Simulation, 'search' | 'clock'> & { readonly run: () => Promise<unknown> };

/** How a model leads an investigation: how many leads, what they come to, and what it makes of claims. */
function mannerOf(seed: number): LedManner {
  const random = seededRandom(seed);
  const one = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)] as T;
  return {
    result: (id) => (id === 'R1.A' ? 'open' : one(['settled', 'open', 'nothing'])),
    verdict: () => one(['confirmed', 'refuted', 'in part', 'not checked']),
    leads: (round) => (round > 3 ? [] : Array.from({ length: 1 + (seed % 3) }, (_, at) => `Lead ${round}-${at}`)),
  };
}

/** A goal with a group of two ways, of which the first may fail, and what depends on it. */
function workOf(seed: number): WorkOptions {
  const check = { item: 'way', check: { command: 'check way' } };
  return {
    plan: {
      base_case: [{ item: 'end', check: { file: 'end' } }],
      atoms: [
        { id: 'A1', title: 'One', run: 'one', checks: [{ item: 'one', check: { file: 'one' } }] },
        { id: 'B1', title: 'First way', group: 'way', run: 'first way', checks: [check] },
        { id: 'B2', title: 'Second way', group: 'way', run: 'second way', checks: [check] },
        {
          id: 'C',
          title: 'The end',
          run: 'end',
          depends_on: ['way', 'A1'],
          checks: [{ item: 'end', check: { file: 'end' } }],
        },
      ],
    },
    commands: {
      one: writes({ one: '1' }),
      'first way': writes({ way: seed % 3 === 0 ? 'bad' : 'good' }),
      'second way': writes({ way: seed % 5 === 0 ? 'bad' : 'good' }),
      end: writes({ end: 'x' }),
      'check way': has('way', 'good'),
    },
  };
}

describe('the files of a search as they were', () => {
  it('are those of every event after which its own writes are done, byte for byte (100 searches)', async () => {
    let compared = 0;
    await forEverySeed(100, async (seed) => {
      const files = new MemoryFiles();
      const { untold, moments } = watched(files);
      const random = seededRandom(seed);
      const doing: Promise<unknown>[] = [];
      const held: { search?: Search } = {};
      const listener = (event: JournalEvent): void => {
        untold.tell(event);
        if (untold.isEmpty && held.search)
          moments.set(event.seq, Object.fromEntries(filesNow(files).sort(([a], [b]) => (a < b ? -1 : 1))));
        if (held.search && random.next() < 0.05)
          doing.push(
            held.search
              .act(
                acts(held.search, () => random.next()),
                'terminal',
              )
              .catch((error: unknown) => {
                assert.ok(isThoughtTreeError(error), String(error));
              }),
          );
      };
      const limits = { size: 'all' as const, maxDepth: 2 };
      const search = { limits, concurrency: 2, listener };
      const tree = { seed, fanout: (_: string, depth: number) => [3, 2][depth] ?? 0, documentWords: 4 };
      const options = { candidates: 2, beam: 2 };
      const opens = [
        () => simulate({ tree, search, store: createMemoryStore(QUESTION, files), seed }),
        () => simulateThoughts({ options, search, store: createMemoryStore(thoughtFile({ options }), files), seed }),
        async () =>
          simulateLed(mannerOf(seed), {
            search: { concurrency: 2, listener },
            store: await createMemoryStore(ledFile(), files),
            seed,
          }),
        async () => {
          const store = await createMemoryStore(goalFile(), files);
          return simulateWork({ ...workOf(seed), store, seed, listener });
        },
      ];
      const opened: Opened = await (opens[seed % opens.length] as () => Promise<Opened>)();
      held.search = opened.search;
      await opened.run();
      for (let done = 0; done < doing.length; ) {
        done = doing.length;
        await opened.clock.run(Promise.all(doing));
      }
      await opened.clock.run(opened.search.close());
      for (const [seq, then] of moments) {
        const past = await PastFiles.open(files, String(seq), 0);
        assert.deepEqual(await filesOf(past), then, `event ${seq}`);
        compared++;
      }
    });
    assert.ok(compared > 100, `only ${compared} events`);
  }).timeout(600_000);

  it('are found by an age and by a name, and what is not there is said', async () => {
    const files = new MemoryFiles();
    const { search, run, clock, events } = await simulate({ store: createMemoryStore(QUESTION, files) });
    await run();
    await clock.run(search.close());
    const last = events.at(-1) as JournalEvent;
    const now = Date.parse(last.time) + 90 * 60_000;
    assert.deepEqual((await PastFiles.open(files, '1h', now)).at, { seq: last.seq, time: last.time });
    files.put('.search/moments.json', '{"before-lunch": 5}');
    assert.equal((await PastFiles.open(files, 'before-lunch', now)).at.seq, 5);
    await assert.rejects(PastFiles.open(files, 'after-lunch', now), /Nothing is known as/);
    await assert.rejects(PastFiles.open(files, String(last.seq + 1), now), /There is no event/);
    await assert.rejects(PastFiles.open(files, '9w', now), /There was nothing/);
  });
});
