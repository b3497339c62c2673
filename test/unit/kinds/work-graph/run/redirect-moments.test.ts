import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import type { AtomFields } from '../../../../../src/kinds/work-graph/run/own-fields.ts';
import { SearchStore } from '../../../../../src/store/search-store.ts';
import { someOf } from '../../../../support/effort.ts';
import { createMemoryStore, MemoryFiles } from '../../../../support/memory-store.ts';
import { type FakeOptions, filesOf } from '../../../../support/work-graph/fake-workshop.ts';
import { goalFile, simulateWork, type WorkSimulation } from '../../../../support/work-graph/work-search.ts';

const right = { check: () => undefined, release: async () => undefined };
const runs = (line: string) => ({ item: line, check: { command: line } });

/** Each task makes its file of the one before, as commands or people would. */
const PLAN = {
  goal: 'All of it',
  base_case: [runs('check three')],
  atoms: [
    { id: 'A1', title: 'One', run: 'make one', checks: [runs('check one')] },
    { id: 'A2', title: 'Two', run: 'make two', depends_on: ['A1'], checks: [runs('check two')] },
    { id: 'A3', title: 'Three', run: 'make three', depends_on: ['A2'], checks: [runs('check three')] },
  ],
};

/** A redirection, and what the last file says once all is done as it asks. */
const CHANGES: readonly (readonly [type: string, change: object, three: string])[] = [
  ['graph', { change: { A1: { run: 'make another one' } } }, '3 of 2 of another 1'],
  ['graph', { change: { A2: { run: 'make another two' } } }, '3 of another 2 of 1'],
  ['graph', { add: [{ id: 'A4', title: 'Four', run: 'make four' }], change: { A3: { depends_on: ['A4'] } } }, '3 of 4'],
  ['objective', { base_case: [runs('check one')] }, '3 of 2 of 1'],
];

/** Files that tell of each change before it is made. */
function watched(files: MemoryFiles, onChange: () => void): MemoryFiles {
  const changes = new Set(['writeAtomic', 'append', 'createExclusive', 'copy', 'makeFolder', 'remove', 'truncate']);
  return new Proxy(files, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (changes.has(String(name))) onChange();
        return value.apply(target, args);
      };
    },
  });
}

interface Run {
  readonly work: WorkSimulation;
  readonly moments: number;
  /** Whether the last task was resolved before it was redirected. */
  readonly isLate: boolean;
}

/** Works through the plan, and redirects it at a moment: before a change of its files, or in the middle of a command. */
async function run(at: number, [type, change]: (typeof CHANGES)[number]): Promise<Run> {
  const files = new MemoryFiles();
  await (await createMemoryStore(goalFile(), files)).writePlan(stringify(PLAN));
  let moments = 0;
  let [isOpen, isLate] = [false, false];
  let redirected: Promise<unknown> | undefined;
  const moment = (): void => {
    if (!isOpen || !work.search.tree.root.listed || ++moments !== at) return;
    redirected = work.search.act({ action: 'redirect', type, change }, 'Ada');
    redirected.then(
      () => {
        isLate = work.node('A3').status === 'leaf';
      },
      () => undefined,
    );
  };
  const slowly =
    (does: (files: Record<string, string>) => object): FakeOptions['commands'][string] =>
    async (tree, { signal }) => {
      for (let step = 0; step < 2; step++) {
        moment();
        await work.clock.sleep(1000, signal);
        if (signal.aborted) return { exitCode: undefined as never, stopped: 'search' };
      }
      return does(tree);
    };
  const makes = (path: string, text: (files: Record<string, string>) => string) =>
    slowly((tree) => {
      tree[path] = text(tree);
      return {};
    });
  const has = (path: string) => slowly((tree) => ({ exitCode: tree[path] ? 0 : 1 }));
  const work: WorkSimulation = await simulateWork({
    store: new SearchStore(watched(files, moment), right),
    commands: {
      'make one': makes('one', () => '1'),
      'make another one': makes('one', () => 'another 1'),
      'make two': makes('two', ({ one }) => `2 of ${one}`),
      'make another two': makes('two', ({ one }) => `another 2 of ${one}`),
      'make three': makes('three', ({ two, four }) => `3 of ${four ?? two}`),
      'make four': makes('four', () => '4'),
      'check one': has('one'),
      'check two': has('two'),
      'check three': has('three'),
    },
  });
  isOpen = true;
  await work.run();
  const counted = moments;
  await work.clock.run(redirected ?? Promise.resolve());
  // What came after the end is done by the next run.
  if (work.node('goal').status !== 'leaf') await work.run();
  return { work, moments: counted, isLate };
}

describe('a graph of three tasks that is redirected at any moment', () => {
  for (const [number, change] of CHANGES.entries())
    it(`joins nothing that was begun before: ${JSON.stringify(change[1])}`, async () => {
      const { moments } = await run(0, change);
      assert.ok(moments > 60, `${moments} moments`);
      const all = Array.from({ length: moments }, (_, i) => i + 1);
      for (const at of someOf(all, 12)) {
        const { work, isLate } = await run(at, change);
        const where = `at moment ${at} of ${moments}`;
        assert.equal(work.node('goal').status, 'leaf', where);
        // What is resolved stays so if only what it waits for changes.
        const three = isLate && number === 2 ? '3 of 2 of 1' : change[2];
        assert.equal(filesOf(work.shop, work.shop.tip as string)['three'], three, where);
        const atoms = ['A1', 'A2', 'A3'].map((name) => work.own(name) as AtomFields);
        assert.ok(
          atoms.every(({ tries }) => tries?.at(-1)?.ended === 'resolved'),
          where,
        );
        if (number === 3) {
          const { evidence } = work.own('goal') as AtomFields;
          const checks = work.shop.ran.lastIndexOf('check one');
          assert.ok(evidence?.length === 1 && checks > work.shop.ran.lastIndexOf('check three'), where);
        }
        const left = [...work.shop.checkouts.keys()].filter((name) => name !== 'check');
        assert.deepEqual(left, [], where);
      }
    });
});
