import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import type { AtomFields } from '../../../../../src/kinds/work-graph/run/own-fields.ts';
import type { Files } from '../../../../../src/store/files/files.ts';
import { SearchStore } from '../../../../../src/store/search-store.ts';
import { CrashingFiles, killsIn } from '../../../../support/crashing-files.ts';
import { createMemoryStore, MemoryFiles } from '../../../../support/memory-store.ts';
import { snapshotOf } from '../../../../support/searches/search-snapshot.ts';
import { type FakeOptions, type FakeState, fakeState, filesOf } from '../../../../support/work-graph/fake-workshop.ts';
import {
  goalFile,
  has,
  simulateWork,
  type WorkSimulation,
  writes,
} from '../../../../support/work-graph/work-search.ts';

const right = { check: () => undefined, release: async () => undefined };
let runs = 0; // no two runs of a process draw the same ids

const file = (path: string) => ({ item: path, check: { file: path } });
const runsLine = (line: string) => ({ item: line, check: { command: line } });

/** Everything that follows by rule: dependencies, parts, a group whose first choice fails, a conflict, an extension. */
const PLAN = {
  goal: 'All of it',
  base_case: [file('end'), runsLine('check all')],
  atoms: [
    { id: 'A1', title: 'One', run: 'one', touches: ['one'], checks: [file('one')] },
    { id: 'A2', title: 'Two', run: 'two', touches: ['two'], checks: [file('two')] },
    { id: 'A3', title: 'In parts', depends_on: ['A1'] },
    { id: 'A3a', title: 'Part', part_of: 'A3', run: 'part', checks: [runsLine('check part')] },
    { id: 'B1', title: 'First way', group: 'way', run: 'bad way', checks: [runsLine('check way')] },
    { id: 'B2', title: 'Second way', group: 'way', run: 'good way', checks: [runsLine('check way')] },
    { id: 'C', title: 'The end', run: 'end', depends_on: ['way', 'A2', 'A3'], checks: [file('end')] },
  ],
};

const COMMANDS = {
  one: writes({ one: '1' }),
  two: writes({ two: '2' }),
  part: writes({ part: '3' }),
  'bad way': writes({ way: 'bad' }),
  'good way': writes({ way: 'good' }),
  end: writes({ end: 'x' }),
  'check part': has('part', '3'),
  'check way': has('way', 'good'),
  'check all': has('way', 'good'),
};

async function emptyFiles(): Promise<MemoryFiles> {
  const files = new MemoryFiles();
  const store = await createMemoryStore(goalFile(), files);
  await store.writePlan(stringify(PLAN));
  return files;
}

interface Run {
  readonly work: WorkSimulation | undefined;
  readonly changes: number;
}

async function runOn(files: MemoryFiles, shop: FakeState, crashAt?: number, made?: boolean): Promise<Run> {
  const crashing = new CrashingFiles(files, crashAt, made);
  const dead = { work: undefined as WorkSimulation | undefined };
  const going = (async () => {
    const store = new SearchStore(crashing, right);
    dead.work = await simulateWork({ store, shop, seed: ++runs, commands: COMMANDS });
    const outcome = await dead.work.run();
    assert.equal(outcome.reason, 'solved', JSON.stringify(outcome));
  })();
  await crashing.ended(going);
  dead.work?.clock.stop();
  return { work: dead.work, changes: crashing.changes };
}

interface KeptNode {
  readonly own?: { readonly tries?: readonly { readonly ended?: string }[]; readonly evidence?: readonly object[] };
}

/** The files of a search without times, iterations, and the commits that depend on what was joined first. */
async function snapshot(files: MemoryFiles): Promise<Record<string, unknown>> {
  const found = Object.entries(await snapshotOf(files)).map(([path, text]): [string, unknown] => {
    const plain = text.replace(/\b[\da-f]{10,64}\b/g, '#').replace(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, 'TIME');
    if (path.endsWith('report.md')) return [path, plain.replace(/^- (?:\d+ iterations?,|Time:).*$/gm, '')];
    if (!path.endsWith('node.json')) return [path, plain];
    const { own, ...node } = JSON.parse(plain) as KeptNode;
    const tries = own?.tries?.map(({ ended }) => ended);
    return [path, { ...node, own: { ...own, tries } }];
  });
  return Object.fromEntries(found);
}

describe('a graph of commands, killed at any of its writes', () => {
  it('comes to the same nodes, report and accepted work', async () => {
    const whole = await emptyFiles();
    const shop = fakeState({ 'README.md': 'x' });
    const { changes } = await runOn(whole, shop);
    const expected = await snapshot(whole);
    const accepted = filesOf(shop, shop.tip as string);
    assert.deepEqual(Object.keys(accepted).sort(), ['README.md', 'end', 'one', 'part', 'two', 'way']);
    assert.ok(changes > 80, `${changes} changes`);
    for (const { crashAt, made, where } of killsIn(changes, true)) {
      const files = await emptyFiles();
      const outside = fakeState({ 'README.md': 'x' });
      await runOn(files, outside, crashAt, made);
      await runOn(files, outside);
      const found = await snapshot(files);
      for (const path of new Set([...Object.keys(expected), ...Object.keys(found)]))
        assert.deepEqual(found[path], expected[path], `${where}: ${path}`);
      assert.deepEqual(filesOf(outside, outside.tip as string), accepted, where);
      // The one for checks alone goes when the workshop is closed.
      const left = [...outside.checkouts.keys()].filter((name) => name !== 'check');
      assert.deepEqual(left, [], where);
      assert.deepEqual(outside.workspace, { 'README.md': 'x' }, where);
    }
  });
});

/** Finishes two atoms, of which one is built on the other, redirects the first one, and finishes again. */
async function redirected(crashAt?: number, made?: boolean): Promise<{ work: WorkSimulation; changes: number }> {
  const commands: FakeOptions['commands'] = {
    one: writes({ one: '1' }),
    'other one': writes({ one: 'other' }),
    two: (files) => Object.assign(files, { two: `2 of ${files['one']}` }) && {},
  };
  const atoms = [
    { id: 'A1', title: 'One', run: 'one', checks: [file('one')] },
    { id: 'A2', title: 'Two', run: 'two', depends_on: ['A1'], checks: [file('two')] },
  ];
  const files = new MemoryFiles();
  const shop = fakeState({});
  const open = (on: Files) => simulateWork({ store: new SearchStore(on, right), shop, seed: ++runs, commands });
  await (await createMemoryStore(goalFile(), files)).writePlan(
    stringify({ goal: 'x', base_case: [file('two')], atoms }),
  );
  assert.equal((await (await open(files)).run()).reason, 'solved');
  const crashing = new CrashingFiles(files, crashAt, made);
  const change = { change: { A1: { run: 'other one' } } };
  await crashing.ended(
    (async () => (await open(crashing)).search.act({ action: 'redirect', type: 'graph', change }, 'Ada'))(),
  );
  const work = await open(files);
  assert.equal((await work.run()).reason, 'solved');
  return { work, changes: crashing.changes };
}

describe('a redirection, killed at any of its writes', () => {
  it('is made, or has to be made again: nothing counts as done that is not as the atoms say', async () => {
    const { changes } = await redirected();
    for (const { crashAt, made, where } of killsIn(changes, true)) {
      const { work } = await redirected(crashAt, made);
      const { one, two } = filesOf(work.shop, work.shop.tip as string);
      const { run } = work.own('A1') as AtomFields;
      assert.deepEqual([one, two], run === 'one' ? ['1', '2 of 1'] : ['other', '2 of other'], where);
    }
  });
});
