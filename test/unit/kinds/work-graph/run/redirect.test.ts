import assert from 'node:assert/strict';
import { parse } from 'yaml';
import type { AtomFields } from '../../../../../src/kinds/work-graph/run/own-fields.ts';
import { type FakeOptions, filesOf } from '../../../../support/work-graph/fake-workshop.ts';
import { has, simulateWork, type WorkSimulation, writes } from '../../../../support/work-graph/work-search.ts';

const file = (path: string) => ({ item: `there is ${path}`, check: { file: path } });

const PLAN = {
  base_case: [file('two')],
  atoms: [
    { id: 'A1', title: 'One', run: 'one', checks: [file('one')] },
    { id: 'A2', title: 'Two', run: 'two', depends_on: ['A1'], checks: [file('two')] },
    { id: 'A3', title: 'Apart', run: 'three', checks: [file('three')] },
  ],
};
const COMMANDS: FakeOptions['commands'] = {
  one: writes({ one: '1' }),
  two: writes({ two: '2' }),
  three: writes({ three: '3' }),
  four: writes({ four: '4' }),
  'four instead of three': (files) => {
    delete files['three'];
    files['four'] = '4';
    return {};
  },
  'other one': writes({ one: 'other' }),
  'check one': has('one', 'other'),
};

async function finished(): Promise<WorkSimulation> {
  const work = await simulateWork({ plan: PLAN, commands: COMMANDS });
  assert.equal((await work.run()).reason, 'solved');
  return work;
}

type Redirected = {
  readonly reopened: string[];
  readonly stopped: string[];
  readonly isDone: boolean;
  readonly text: string;
};

async function redirect(work: WorkSimulation, type: string, change: object, dryRun = false): Promise<Redirected> {
  const { value } = await work.search.act({ action: 'redirect', type, change, dryRun, why: 'I want it so.' }, 'Ada');
  return value as Redirected;
}

const planOf = async (work: WorkSimulation) => parse((await work.store.readPlan()) ?? '');
const statusOf = (work: WorkSimulation, name: string) => work.node(name).status;

describe('redirecting a goal', () => {
  it('shows what it reopens before it changes anything', async () => {
    const work = await finished();
    const before = await work.store.readPlan();
    const change = {
      change: { A1: { run: 'other one', checks: [{ item: 'other', check: { command: 'check one' } }] } },
    };
    const shown = await redirect(work, 'graph', change, true);
    assert.deepEqual([shown.reopened, shown.isDone], [['A1', 'A2'], false]);
    assert.equal(await work.store.readPlan(), before);
    assert.equal(statusOf(work, 'A1'), 'leaf');
    const done = await redirect(work, 'graph', change);
    assert.deepEqual([done.reopened, done.isDone], [['A1', 'A2'], true]);
    assert.deepEqual(
      [statusOf(work, 'A1'), statusOf(work, 'A2'), statusOf(work, 'A3')],
      ['unexpanded', 'unexpanded', 'leaf'],
    );
    const { corrections } = await planOf(work);
    assert.deepEqual([corrections[0].type, corrections.length], ['graph', 1]);
    assert.match(corrections[0].what, /^I want it so\. — \{"change"/);
    assert.equal((await work.run()).reason, 'solved');
    assert.equal(filesOf(work.shop, work.shop.tip as string)['one'], 'other');
  });

  it('adds and drops atoms, but nothing that would wait for itself', async () => {
    const work = await finished();
    const added = { id: 'A4', title: 'Four', run: 'four', depends_on: ['A2'], checks: [file('four')] };
    const circle = { add: [added], change: { A1: { depends_on: ['A4'] } } };
    await assert.rejects(redirect(work, 'graph', circle), /wait for themselves/);
    await assert.rejects(redirect(work, 'graph', { drop: ['A9'] }), /no task called A9/);
    await assert.rejects(redirect(work, 'graph', { add: [{ ...added, id: 'A1' }] }), /A1 is taken/);
    await assert.rejects(redirect(work, 'graph', { nonsense: 1 }));
    assert.equal((await planOf(work)).corrections, undefined, 'a refused change is no correction');
    await redirect(work, 'graph', { add: [added], drop: ['A3'] });
    assert.equal(statusOf(work, 'A3'), 'pruned');
    assert.equal((await work.run()).reason, 'solved');
    assert.equal(statusOf(work, 'A4'), 'leaf');
    assert.ok(work.shop.consented.has('four'), 'it ran without consent');
  });

  it('opens what failed again, if it is to be done in another way, and changes no group', async () => {
    const [, two] = PLAN.atoms as object[];
    const atoms = [
      { id: 'A1', title: 'One', group: 'way', run: 'bad', checks: [file('one')] },
      { ...two, depends_on: ['way'] },
    ];
    const commands = { ...COMMANDS, bad: () => ({ exitCode: 1 }) };
    const work = await simulateWork({ plan: { base_case: [file('two')], atoms }, commands });
    assert.equal((await work.run()).reason, 'person');
    assert.equal(statusOf(work, 'A1'), 'failed');
    await assert.rejects(redirect(work, 'graph', { change: { way: { title: 'Ways' } } }), /no task called way/);
    assert.deepEqual((await redirect(work, 'graph', { change: { A1: { run: 'one' } } })).reopened, ['A1']);
    assert.equal((await work.run()).reason, 'solved');
  });

  it('lets other work take the place of a dropped atom: its checks count no more, and its name stays taken', async () => {
    const work = await finished();
    const instead = { id: 'A4', title: 'Four', run: 'four instead of three', checks: [file('four')] };
    await redirect(work, 'graph', { add: [instead], drop: ['A3'] });
    assert.equal((await work.run()).reason, 'solved');
    assert.deepEqual(filesOf(work.shop, work.shop.tip as string), { four: '4', one: '1', two: '2' });
    await assert.rejects(redirect(work, 'graph', { add: [{ ...instead, id: 'A3' }] }), /A3 is taken/);
  });

  it('lets others wait for an atom once the group in it is dropped, whose alternatives waited for them', async () => {
    const atoms = [
      { id: 'A1', title: 'One', run: 'bad', checks: [file('one')] },
      { id: 'A2', title: 'Two', run: 'two', checks: [file('two')] },
      { id: 'B1', title: 'Way', group: 'way', run: 'two', depends_on: ['A1'], checks: [file('two')] },
    ];
    const groups = [{ name: 'way', part_of: 'A2', choices: ['B1'] }];
    const plan = { base_case: [file('two')], atoms, groups };
    const work = await simulateWork({ plan, commands: { ...COMMANDS, bad: () => ({ exitCode: 1 }) } });
    assert.equal((await work.run()).state, 'paused');
    const change = { A1: { run: 'one', depends_on: ['A2'] } };
    await assert.rejects(redirect(work, 'graph', { change }), /wait for themselves/);
    await redirect(work, 'graph', { change, drop: ['way'] });
    assert.equal(statusOf(work, 'way'), 'pruned');
    assert.equal((await work.run()).reason, 'solved');
    assert.deepEqual([statusOf(work, 'A1'), statusOf(work, 'A2')], ['leaf', 'leaf']);
  });

  it('looks at another base case again', async () => {
    const work = await finished();
    await redirect(work, 'objective', { goal: 'Something else', base_case: [file('four')] });
    assert.equal(work.node('goal').title, 'Something else');
    assert.equal(statusOf(work, 'goal'), 'unexpanded');
    const plan = await planOf(work);
    assert.deepEqual([plan.goal, plan.base_case], ['Something else', [file('four')]]);
    assert.equal((await work.run()).state, 'waiting', 'what does not hold becomes an atom');
  });

  it('lets it go on with other limits, and nothing is reopened', async () => {
    const work = await simulateWork({
      plan: { ...PLAN, limits: { iterations: 1 } },
      commands: COMMANDS,
    });
    const outcome = await work.run();
    assert.equal(outcome.state === 'paused' && outcome.say.key, 'work.no-iterations');
    const { reopened } = await redirect(work, 'constraint', { limits: { iterations: 30 } });
    assert.deepEqual(reopened, []);
    assert.equal((await planOf(work)).limits.iterations, 30);
    assert.equal((await work.run()).reason, 'solved');
  });

  it('says in other words what came of an atom, and does again what was built on it', async () => {
    const work = await finished();
    const { reopened } = await redirect(work, 'binding', {
      atom: 'A1',
      summary: 'One, as Ada sees it.',
      artifacts: ['uno'],
    });
    assert.deepEqual(reopened, ['A2']);
    assert.match(
      (await work.store.readDocument('a1-one')) ?? '',
      /summary: One, as Ada sees it\.\nartifacts:\n {2}- uno/,
    );
    assert.equal((work.own('A2') as AtomFields).joined, undefined);
    assert.equal((await work.run()).reason, 'solved');
  });
});

describe('work that is under way', () => {
  const goes = { title: 'Two', depends_on: ['A1'], checks: [file('two')] };
  const plan = { ...PLAN, atoms: [PLAN.atoms[0] as object, { id: 'A2', run: 'slow two', ...goes }] };

  /** A search whose second atom begins with what a person does meanwhile. */
  async function withSlowTwo(meanwhile: (work: WorkSimulation) => Promise<unknown>): Promise<WorkSimulation> {
    let isFirst = true;
    const work: WorkSimulation = await simulateWork({
      plan,
      commands: {
        ...COMMANDS,
        'slow two': async (files, { signal }) => {
          if (isFirst) {
            isFirst = false;
            const done = meanwhile(work);
            await work.clock.sleep(60_000, signal);
            if (signal.aborted) return { exitCode: undefined as never, stopped: 'search' };
            await done;
          }
          files['two'] = `2 of ${files['one']}`;
          return {};
        },
      },
    });
    assert.equal((await work.run()).reason, 'solved');
    return work;
  }
  const triesOf = (work: WorkSimulation) => (work.own('A2') as AtomFields).tries?.map(({ ended }) => ended);

  it('is named before it is stopped by what makes it obsolete', async () => {
    const shown: Redirected[] = [];
    const work = await withSlowTwo(async (at) => {
      const change = { change: { A1: { run: 'other one' } } };
      shown.push(await redirect(at, 'graph', change, true), await redirect(at, 'graph', change));
    });
    for (const { reopened, stopped, text } of shown) {
      assert.deepEqual([reopened, stopped], [['A1', 'A2'], ['A2']]);
      assert.match(text, /It reopens 2 tasks: A1, A2\. Work on one task is stopped: A2\./);
    }
    assert.deepEqual(triesOf(work), ['dropped', 'resolved']);
    assert.equal(filesOf(work.shop, work.shop.tip as string)['two'], '2 of other');
  });

  it('goes on however often it is redirected', async () => {
    let runs = 0;
    const work: WorkSimulation = await simulateWork({
      plan,
      commands: {
        ...COMMANDS,
        'slow two': async (files, { signal }) => {
          if (++runs > 4) return Object.assign(files, { two: '2' }) && {};
          void redirect(work, 'graph', { change: { A2: { does: `Version ${runs}` } } });
          await work.clock.sleep(60_000, signal);
          return { exitCode: undefined as never, stopped: 'search' };
        },
      },
    });
    assert.equal((await work.run()).reason, 'solved');
    assert.equal(runs, 5);
  });

  it('is stopped if it is no part of the goal any more', async () => {
    const work = await withSlowTwo(async (at) => {
      const { reopened, stopped } = await redirect(at, 'graph', {
        add: [{ id: 'A5', run: 'two', ...goes }],
        drop: ['A2'],
      });
      assert.deepEqual([reopened, stopped], [[], ['A2']]);
    });
    assert.equal(statusOf(work, 'A2'), 'pruned');
    assert.equal(filesOf(work.shop, work.shop.tip as string)['two'], '2');
  });

  it('is stopped if the group that it is an alternative of is dropped', async () => {
    let stopped: readonly string[] = [];
    const work: WorkSimulation = await simulateWork({
      plan: {
        base_case: [file('one')],
        atoms: [
          { id: 'B1', title: 'Way', group: 'way', run: 'slowly' },
          { id: 'A1', title: 'One', run: 'one', depends_on: ['way'] },
        ],
      },
      commands: {
        ...COMMANDS,
        slowly: async (_files, { signal }) => {
          const change = { drop: ['way'], change: { A1: { depends_on: [] } } };
          redirect(work, 'graph', change).then(
            (done) => {
              stopped = done.stopped;
            },
            () => undefined,
          );
          await work.clock.sleep(60_000, signal);
          return signal.aborted ? { exitCode: undefined as never, stopped: 'search' } : {};
        },
      },
    });
    assert.equal((await work.run()).reason, 'solved');
    assert.deepEqual(stopped, ['B1']);
    assert.deepEqual([...work.shop.checkouts.keys()], []);
  });

  it('is not joined if a person changed by hand what it was begun with', async () => {
    const work = await withSlowTwo((at) => at.store.writeDocument('a1-one', '---\nsummary: Uno\n---\n\n# One\n'));
    assert.deepEqual(triesOf(work), ['dropped', 'resolved']);
  });
});

describe('what a person adds by hand', () => {
  it('becomes an atom that somebody works on', async () => {
    const work = await finished();
    await work.search.act({ action: 'add', title: 'Look at it' }, 'Ada');
    const outcome = await work.run();
    assert.equal(outcome.state, 'waiting');
    assert.equal((work.own('N1') as AtomFields).type, 'atom');
  });
});
