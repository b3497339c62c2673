import assert from 'node:assert/strict';
import { saidIn } from '../../../../../src/core/search/record/search-state.ts';
import type { AtomFields, GroupFields } from '../../../../../src/kinds/work-graph/run/own-fields.ts';
import { workStatus } from '../../../../../src/kinds/work-graph/show/status.ts';
import { type FakeOptions, filesOf } from '../../../../support/work-graph/fake-workshop.ts';
import { has, simulateWork, type WorkSimulation, writes } from '../../../../support/work-graph/work-search.ts';

const atomOf = (work: WorkSimulation, name: string): AtomFields => work.own(name) as AtomFields;
const endsOf = (work: WorkSimulation, name: string) => (atomOf(work, name).tries ?? []).map(({ ended }) => ended);
const tipOf = ({ shop }: WorkSimulation) => filesOf(shop, shop.tip as string);
const file = (path: string) => ({ item: `there is ${path}`, check: { file: path } });
const runs = (line: string) => ({ item: line, check: { command: line } });

function appends(path: string, text: string): FakeOptions['commands'][string] {
  return (files) => {
    files[path] += text;
    return {};
  };
}

describe('a graph of commands', () => {
  it('joins nothing while the goal is looked at, as checks share one checkout', async () => {
    const seen: string[] = [];
    const look = (files: Readonly<Record<string, string>>): object => {
      seen.push(Object.keys(files).sort().join(' '));
      return {};
    };
    const work: WorkSimulation = await simulateWork({
      plan: {
        base_case: [runs('look slowly'), runs('look')],
        atoms: [
          { id: 'A1', title: 'One', run: 'make one', checks: [file('one')] },
          { id: 'A2', title: 'Two', run: 'make two', depends_on: ['A1'], checks: [runs('has two')] },
        ],
      },
      commands: {
        'make one': async (files) => {
          await work.search.act({ action: 'prune', node: 'a2-two' }, 'Ada');
          files['one'] = '1';
          return {};
        },
        'make two': writes({ two: '2' }),
        'has two': has('two'),
        'look slowly': async (files, { signal }) => {
          if (seen.length === 0) await work.search.act({ action: 'restore', node: 'a2-two' }, 'Ada');
          await work.clock.sleep(60_000, signal);
          return look(files);
        },
        look,
      },
    });
    assert.equal((await work.run()).reason, 'solved');
    assert.deepEqual(seen, ['one', 'one', 'one two', 'one two']);
  });

  it('is worked through until the base case holds', async () => {
    const work = await simulateWork({
      workspace: { 'README.md': 'x' },
      plan: {
        base_case: [runs('check all')],
        atoms: [
          { id: 'A1', title: 'One', run: 'make one', touches: ['one'], checks: [file('one')] },
          {
            id: 'A2',
            title: 'Two',
            run: 'make two',
            touches: ['two'],
            depends_on: ['A1'],
            checks: [runs('check two')],
          },
        ],
      },
      commands: {
        'make one': writes({ one: '1' }),
        'make two': (files) => {
          assert.equal(files['one'], '1', 'it begins before what it depends on');
          files['two'] = '2';
          return {};
        },
        'check two': has('two', '2'),
        'check all': (files) => ({ exitCode: files['one'] && files['two'] ? 0 : 1 }),
      },
    });
    const outcome = await work.run();
    assert.deepEqual([outcome.state, outcome.reason], ['finished', 'solved']);
    assert.deepEqual(tipOf(work), { 'README.md': 'x', one: '1', two: '2' });
    assert.deepEqual(work.shop.workspace, { 'README.md': 'x' }, "the person's files were touched");
    const [evidence] = atomOf(work, 'A2').evidence ?? [];
    assert.equal(evidence?.word, 'verified');
    assert.deepEqual([evidence?.exitCode, evidence?.commit], [0, work.shop.tip]);
    assert.ok(evidence?.outputHash);
    assert.equal(work.node('goal').status, 'leaf');
    assert.deepEqual([...work.shop.checkouts.keys()], ['check'], 'one for checks, and none of a worker');
    assert.equal(saidIn(outcome.results, 'work-graph')?.message, 'Goal reached: 2 of 2 tasks.', 'the goal is no task');
    const document = (await work.store.readDocument('a2-two')) ?? '';
    assert.match(document, /^artifacts:\n {2}- two$/m);
    assert.match(document, /\| check two \| verified \| exit code 0; output \w+; at \w+ \| two: 2 \|/);
  });

  it('runs a command of a plan only if a person agreed to it', async () => {
    const work = await simulateWork({
      plan: { base_case: [file('one')], atoms: [{ id: 'A1', title: 'One', run: 'make one' }] },
      commands: { 'make one': writes({ one: '1' }) },
      agrees: false,
    });
    const outcome = await work.run();
    assert.deepEqual([outcome.state, 'cause' in outcome && outcome.cause], ['paused', 'declined']);
    assert.deepEqual(work.shop.ran, []);
    assert.equal(work.shop.start, undefined);
  });

  it('goes on with the next alternative if the first fails its check, with the reason in the trail', async () => {
    const work = await simulateWork({
      plan: {
        base_case: [file('end')],
        atoms: [
          { id: 'B1', title: 'First way', group: 'way', run: 'first way', checks: [runs('check way')] },
          { id: 'B2', title: 'Second way', group: 'way', run: 'second way', checks: [runs('check way')] },
          { id: 'C', title: 'The end', run: 'end', depends_on: ['way'], checks: [file('end')] },
        ],
      },
      commands: {
        'first way': writes({ way: 'wrong' }),
        'second way': writes({ way: 'right' }),
        'check way': has('way', 'right'),
        end: (files) => {
          files['end'] = files['way'] ?? '';
          return {};
        },
      },
    });
    const outcome = await work.run();
    assert.equal(outcome.reason, 'solved');
    assert.deepEqual(tipOf(work), { way: 'right', end: 'right' });
    assert.equal(work.node('B1').status, 'failed');
    assert.deepEqual(endsOf(work, 'B1'), ['contradicted']);
    const { selected, trail } = work.own('way') as GroupFields;
    assert.equal(selected, 'B2');
    assert.match(trail?.[0]?.reason ?? '', /check way: exit code 1/);
    assert.match(trail?.[0]?.time ?? '', /^\d{4}-/);
  });

  it('stops if no alternative is left, and goes on once a person adds one', async () => {
    const commands = { bad: () => ({ exitCode: 1, output: 'no' }), good: writes({ end: 'x' }) };
    const work = await simulateWork({
      plan: { base_case: [file('end')], atoms: [{ id: 'B1', title: 'Bad', group: 'way', run: 'bad' }] },
      commands,
    });
    const outcome = await work.run();
    assert.equal(outcome.state === 'paused' && outcome.say.key, 'work.no-alternative');
    const call = { action: 'add-alternative', node: 'way-way', title: 'Good', run: 'good', checks: [file('end')] };
    await work.search.act(call, 'Ada');
    assert.equal((await work.run()).reason, 'solved');
  });

  it('opens an atom again whose work is in conflict with what others did', async () => {
    const work = await simulateWork({
      workspace: { list: 'a' },
      plan: {
        base_case: [runs('check list')],
        atoms: [
          { id: 'A1', title: 'One', run: 'one', touches: ['x'], checks: [runs('has one')] },
          { id: 'A2', title: 'Two', run: 'two', touches: ['y'], checks: [runs('has two')] },
        ],
      },
      commands: {
        one: appends('list', ' one'),
        two: appends('list', ' two'),
        'has one': has('list', 'one'),
        'has two': has('list', 'two'),
        'check list': has('list', 'a one two'),
      },
    });
    assert.equal((await work.run()).reason, 'solved');
    assert.deepEqual(endsOf(work, 'A2'), ['conflict', 'resolved']);
    assert.match(atomOf(work, 'A2').tries?.[0]?.seen ?? '', /list/);
    assert.deepEqual(tipOf(work), { list: 'a one two' });
  });

  it('does not believe a worker, and gives up after some tries', async () => {
    const work = await simulateWork({
      plan: {
        base_case: [file('one')],
        atoms: [{ id: 'A1', title: 'One', run: 'say that it is done', checks: [file('one')] }],
        limits: { stall: 100 },
      },
      commands: { 'say that it is done': () => ({ output: 'It is done.' }) },
    });
    const outcome = await work.run();
    assert.equal(outcome.state === 'paused' && outcome.say.key, 'work.stuck-failed');
    assert.match((outcome.state === 'paused' && outcome.message) || '', /place: A1 "One": \S.*\. Retry them/);
    assert.deepEqual([...new Set(endsOf(work, 'A1'))], ['contradicted']);
    assert.equal(work.node('A1').status, 'failed');
    assert.ok(work.shop.ran.length < 10, work.shop.ran.join());
  });

  it('opens the atom again that breaks what held before', async () => {
    let tries = 0;
    const work = await simulateWork({
      plan: {
        base_case: [file('two')],
        atoms: [
          { id: 'A1', title: 'One', run: 'one', touches: ['one'], checks: [runs('check one')] },
          { id: 'A2', title: 'Two', run: 'two', depends_on: ['A1'], checks: [file('two')] },
        ],
      },
      commands: {
        one: writes({ one: 'good' }),
        two: (files) => {
          files['two'] = 'x';
          if (++tries === 1) files['one'] = 'broken';
          return {};
        },
        'check one': has('one', 'good'),
      },
    });
    assert.equal((await work.run()).reason, 'solved');
    assert.deepEqual(endsOf(work, 'A2'), ['contradicted', 'resolved']);
    assert.match(atomOf(work, 'A2').tries?.[0]?.seen ?? '', /^A1: check one/);
    assert.deepEqual(tipOf(work), { one: 'good', two: 'x' });
  });

  it('runs each distinct check of what was joined before once', async () => {
    const work = await simulateWork({
      plan: {
        base_case: [file('three')],
        atoms: [
          { id: 'A1', title: 'One', run: 'one', checks: [runs('all green')] },
          { id: 'A2', title: 'Two', run: 'two', depends_on: ['A1'], checks: [runs('all green')] },
          { id: 'A3', title: 'Three', run: 'three', depends_on: ['A2'], checks: [runs('all green')] },
        ],
      },
      commands: {
        one: writes({ one: '1' }),
        two: writes({ two: '2' }),
        three: writes({ three: '3' }),
        'all green': () => ({}),
      },
    });
    assert.equal((await work.run()).reason, 'solved');
    assert.equal(work.shop.ran.filter((line) => line === 'all green').length, 3);
  });

  it('does not let an atom change what it is judged by, unless it says so', async () => {
    const test = 'test/one.test.js';
    const plan = (touches?: string[]) => ({
      base_case: [file('one')],
      atoms: [{ id: 'A1', title: 'One', run: 'cheat', checks: [runs(`node ${test}`)], ...(touches && { touches }) }],
    });
    const commands = {
      cheat: writes({ one: 'x', [test]: 'passes' }),
      [`node ${test}`]: has(test, 'passes'),
    };
    const cheated = await simulateWork({ workspace: { [test]: 'fails' }, plan: plan(), commands });
    await cheated.run();
    assert.deepEqual([...new Set(endsOf(cheated, 'A1'))], ['contradicted']);
    assert.match(atomOf(cheated, 'A1').tries?.[0]?.seen ?? '', /judged by: test\/one\.test\.js/);
    assert.deepEqual(tipOf(cheated), { [test]: 'fails' });

    const allowed = await simulateWork({ workspace: { [test]: 'fails' }, plan: plan(['one', test]), commands });
    const outcome = await allowed.run();
    assert.equal(outcome.state === 'paused' && outcome.say.key, 'work.atoms-for-person', 'the old check ran, too');
    await allowed.search.act({ action: 'assert', node: 'a1-one', says: 'yes', why: 'The test was wrong.' }, 'Ada');
    assert.equal((await allowed.run()).reason, 'solved');
    assert.equal(tipOf(allowed)[test], 'passes');
    assert.equal(atomOf(allowed, 'A1').evidence?.[0]?.by, 'Ada');
  });

  it('says what it begins without, also where nobody is shown the plan, and in the report', async () => {
    const work = await simulateWork({
      plan: { base_case: [file('one')], atoms: [{ id: 'A1', title: 'One', run: 'one' }] },
      commands: { one: writes({ one: '1' }) },
      uncommitted: ['README.md', 'notes.txt'],
    });
    await work.run();
    const line = '2 files are not committed; the work begins without them: README.md, notes.txt';
    const told = work.events.filter((event) => event.type === 'progress' && event.text === line);
    assert.equal(told.length, 1);
    assert.ok((await work.store.readReport())?.includes(`\n- ${line}\n`));
  });

  it('names files that an atom changed although it does not name them', async () => {
    const work = await simulateWork({
      plan: {
        base_case: [file('one')],
        atoms: [
          { id: 'A1', title: 'One', run: 'one', touches: ['one'] },
          { id: 'A2', title: 'Two', run: 'two', touches: ['two'] },
        ],
      },
      commands: { one: writes({ one: '1', 'src/drift.txt': 'x' }), two: writes({ two: '2' }) },
    });
    await work.run();
    assert.deepEqual(
      ['A1', 'A2'].map((name) => atomOf(work, name).work?.outside),
      [['src/drift.txt'], undefined],
    );
    assert.match((await work.store.readDocument('a1-one')) ?? '', /does not name them: src\/drift\.txt/);
    const report = (await work.store.readReport()) ?? '';
    assert.match(report, /src\/drift\.txt \(outside of what the task touches\)/);
    assert.doesNotMatch(report, /- one \(outside/);
    const rows = workStatus(work.search.tree).rows.map(({ label, lines }) => [
      label.text,
      lines.map(({ text }) => text),
    ]);
    assert.deepEqual(
      rows.find(([label]) => label === 'Outside'),
      ['Outside', ['A1 One changed files that it does not name: src/drift.txt']],
    );
  });

  it('never takes what cannot be checked here for a pass, and does not try it for ever', async () => {
    const work = await simulateWork({
      plan: {
        base_case: [
          { item: 'It is nice', check: { assertion: 'Is it nice?' } },
          { item: 'No fault', check: { not_command: 'lint' } },
        ],
        atoms: [{ id: 'A1', title: 'One', run: 'one', checks: [runs('a program that is missing')] }],
      },
      commands: { one: writes({ one: '1' }) },
    });
    const first = await work.run();
    assert.equal(first.state === 'paused' && first.say.key, 'work.atoms-for-person');
    await work.search.act({ action: 'interim' }, 'Ada');
    assert.match((await work.store.readReport()) ?? '', /\n> ⏸ Interim report: (.|\n)*The goal is not reached yet/);
    await work.search.act({ action: 'report' }, 'Ada');
    assert.match(
      (await work.store.readReport()) ?? '',
      /^# .*\n\n\*\*The goal is not reached yet\.\*\* 0 of 2 things .* Missing first of all: A1 One: waits for a person/,
    );
    const ran = work.shop.ran.length;
    assert.equal((await work.run()).state, 'paused');
    assert.equal(work.shop.ran.length, ran, 'it was tried again by itself');
    await work.search.act({ action: 'assert', node: 'a1-one', says: 'yes' }, 'Ada');
    const second = await work.run();
    assert.equal(second.state === 'paused' && second.say.key, 'work.goal-for-person');
    await assert.rejects(work.search.act({ action: 'assert', node: 'goal', says: 'yes', item: 'Nonsense' }, 'Ada'));
    await work.search.act({ action: 'assert', node: 'goal', says: 'yes' }, 'Ada');
    assert.equal((await work.run()).reason, 'solved');
    const report = (await work.store.readReport()) ?? '';
    assert.match(
      report,
      /^# .*\n\n\*\*The goal is reached\*\*.* Done: \[A1 One\]\(a1-one\/document\.md\)\.\n/,
      'the answer first',
    );
    assert.match(report, /It is nice: verified \(Ada at \w+\)/);
  });

  it('makes new atoms of what does not hold in the end', async () => {
    const work = await simulateWork({
      plan: {
        base_case: [file('one'), file('forgotten')],
        atoms: [{ id: 'A1', title: 'One', run: 'one', checks: [file('one')] }],
      },
      commands: { one: writes({ one: '1' }) },
    });
    const outcome = await work.run();
    assert.equal(outcome.state, 'waiting', 'without a model, somebody else has to do it');
    const added = atomOf(work, 'N1');
    assert.deepEqual(added.checks, [file('forgotten')]);
    assert.deepEqual(work.search.tree.root.children.at(-1), work.node('goal'), 'the goal is not the last node');
  });

  it('stops an atom whose command changed files outside', async () => {
    const work = await simulateWork({
      plan: { base_case: [file('one')], atoms: [{ id: 'A1', title: 'One', run: 'one' }] },
      commands: { one: () => ({ strayed: ['src/other.ts'] }) },
    });
    assert.equal((await work.run()).state, 'paused');
    assert.equal(work.node('A1').status, 'failed');
    assert.match(work.node('A1').failure?.message ?? '', /src\/other\.ts/);
    assert.equal(work.shop.tip, work.shop.start);
  });
});
