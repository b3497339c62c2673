import assert from 'node:assert/strict';
import type { Model } from '../../../../../src/core/ports/model.ts';
import type { Try } from '../../../../../src/kinds/work-graph/run/own-fields.ts';
import { createMemoryStore } from '../../../../support/memory-store.ts';
import { QUESTION } from '../../../../support/searches/simulated-search.ts';
import { SAMPLE_ATOM, SAMPLE_PLAN } from './sample-plan.ts';
import { output, SIGNAL, type Stage, stage } from './stage.ts';

const WORKED = { success: true, summary: 'Done.', artifacts: ['src/csv.ts'], next_steps: ['Write docs'] };

/** What a role gives, from a model that answers by a script. */
async function work({ roles, task, checkout }: Stage, tries: readonly Try[] = [], seen: readonly string[] = []) {
  return await roles.work?.({ ...task(tries), seen }, checkout, ['npm test'], SIGNAL);
}

describe('roles in a work graph', () => {
  it('are those that the models can play', async () => {
    const names = async (model: Partial<Model>): Promise<string[]> =>
      Object.keys((await stage({ model, answer: () => '' })).roles).sort();
    const all = ['decompose', 'judge', 'makePlan', 'probe', 'work'];
    assert.deepEqual(await names({}), all);
    assert.deepEqual(await names({ worksByItself: false, tools: true }), all);
    assert.deepEqual(await names({ worksByItself: false }), ['decompose', 'judge', 'makePlan']);
    assert.deepEqual(await names({ worksByItself: false, prose: false }), []);
  });

  it('are played where they belong: in the checkout by its rights, else reading only', async () => {
    const probed = { feasible: true, findings: 'Yes.' };
    const parts = [{ title: 'One' }, { title: 'Two' }];
    const answers = { 'work-on': WORKED, probe: probed, decompose: parts, 'judge-quality': { scores: [4] } };
    const at = await stage({ answer: ({ purpose }) => output(answers[purpose as keyof typeof answers]) });
    const { roles, task, checkout, requests, places } = at;
    await work(at);
    await roles.probe?.(task(), checkout, SIGNAL);
    await roles.decompose?.(task(), SIGNAL);
    const quality = { rubric: [{ criterion: 'Good', weight: 1 }], threshold: 3, scope: 'src/**' };
    await roles.judge?.({ node: undefined, item: 'x', quality, commit: '7654321', plan: SAMPLE_PLAN }, SIGNAL);
    const folder = '/checkouts/a2';
    assert.deepEqual(
      requests.map(({ purpose, workplace }) => [purpose, workplace]),
      [
        ['work-on', { folder, rights: 'write' }],
        ['probe', { folder, rights: 'read' }],
        ['decompose', { rights: 'read' }],
        ...Array.from({ length: 3 }, () => ['judge-quality', { rights: 'read' }]),
      ],
    );
    assert.deepEqual(
      places.map(({ rights, commands, isForCommandsOnly }) => [rights, commands, isForCommandsOnly ?? false]),
      [
        ['write', ['npm test'], true],
        ['read', [], false],
      ],
    );
  });

  describe('of a worker', () => {
    it('say what they did, and prove only what they ran themselves', async () => {
      const at = await stage({
        answer: async (_, { toolbox, signal }) => {
          await toolbox?.use({ id: '1', name: 'run_command', input: 'npm test' }, signal);
          return output(WORKED);
        },
      });
      const worked = await work(at);
      assert.deepEqual(at.ran, [{ line: 'npm test', timeoutMs: 60_000 }]);
      assert.deepEqual(
        worked?.evidence.map(({ item, word, exitCode, outputHash }) => [item, word, exitCode, outputHash]),
        [
          ['0', 'checked', 0, 'h'],
          ['1.0', 'reported', undefined, undefined],
          ['1.1', 'reported', undefined, undefined],
        ],
      );
      assert.deepEqual(
        [worked?.success, worked?.summary, worked?.by, worked?.discovered],
        [true, 'Done.', 'test/model', [{ title: 'Write docs', does: 'Write docs' }]],
      );
    });

    it('cannot report what they saw fail, nor anything if it is not done', async () => {
      for (const [success, outcome, words] of [
        [true, { exitCode: 1 }, ['reported', 'reported']],
        [true, { exitCode: undefined, stopped: 'time' as const }, ['reported', 'reported']],
        [false, { exitCode: 0 }, []],
      ] as const) {
        const at = await stage({
          outcomes: { 'npm test': outcome },
          answer: async (_, { toolbox, signal }) => {
            await toolbox?.use({ id: '1', name: 'run_command', input: 'npm test' }, signal);
            return output({ ...WORKED, success });
          },
        });
        assert.deepEqual(
          (await work(at))?.evidence.map(({ word }) => word),
          words,
        );
      }
    });

    it('are told what an earlier try left', async () => {
      const at = await stage({ isContinued: true, answer: () => output(WORKED) });
      await work(at);
      assert.match(
        at.requests[0]?.prompt ?? '',
        /<diff>\nadded src\/csv\.ts\ndeleted src\/old\.ts\n\+export \{\};\n<\/diff>/,
      );
      const fresh = await stage({ answer: () => output(WORKED) });
      await work(fresh);
      assert.doesNotMatch(fresh.requests[0]?.prompt ?? '', /<diff>/);
    });

    it('are asked once a try, also after a kill, and again for the next one', async () => {
      const store = await createMemoryStore(QUESTION);
      const at = await stage({ store, answer: () => output(WORKED) });
      await work(at, [{ iteration: 1 }]);
      await work(at, [{ iteration: 1 }]);
      assert.equal(at.requests.length, 1);
      await work(at, [{ iteration: 1, ended: 'contradicted' }, { iteration: 2 }]);
      assert.equal(at.requests.length, 2);
      await work(at, [{ iteration: 1, ended: 'contradicted' }, { iteration: 2, ended: 'dropped' }, { iteration: 3 }]);
      assert.equal(at.requests.length, 3, 'what a redirection made obsolete is no answer to what comes then');
    });

    it('get work back that does not hold, in the same conversation, twice, with what was seen', async () => {
      const at = await stage({
        store: await createMemoryStore(QUESTION),
        isContinued: true,
        answer: () => output(WORKED),
      });
      const red = (iteration: number): Try => ({ iteration, ended: 'contradicted' });
      const all = [red(1), red(2), red(3)];
      for (const before of [0, 1, 2, 3])
        await work(at, [...all.slice(0, before), { iteration: before + 1 }], ['2 failing']);
      const [first, second, third, fourth] = at.requests;
      assert.match(first?.prompt ?? '', /^Do the following atom/);
      for (const [request, turns] of [
        [second, 2],
        [third, 4],
      ] as const) {
        assert.match(request?.prompt ?? '', /^Your work was looked at.*\n\n<seen>\n2 failing\n<\/seen>/);
        assert.match(request?.prompt ?? '', /still in the folder/);
        assert.equal(request?.turns.length, turns);
      }
      assert.match(fourth?.prompt ?? '', /^Do the following atom/, 'what comes after that begins anew');
      assert.equal(fourth?.turns.length, 0);
    });

    it('are sent back an answer that is none', async () => {
      for (const [wrong, why] of [
        ['Done!', /cannot be used: There is no <output>/],
        ['<output>{"success": "very"}</output>', /success/],
      ] as const) {
        const answers = [wrong, output(WORKED)];
        const at = await stage({ answer: () => answers.shift() ?? '' });
        assert.equal((await work(at))?.success, true);
        assert.match(at.requests[1]?.prompt ?? '', why);
      }
    });
  });

  it('of judges vote alone, and once about the same files', async () => {
    const scores = [
      [3, 5],
      [4, 4],
      [1, 5],
    ];
    const at = await stage({ answer: () => output({ scores: scores.shift() }) });
    const rubric = [
      { criterion: 'Right', weight: 3 },
      { criterion: 'Short', weight: 1 },
    ];
    const judged = (commit: string) =>
      at.roles.judge?.(
        { node: at.node, item: 'it is good', quality: { rubric, threshold: 3 }, commit, plan: SAMPLE_PLAN },
        SIGNAL,
      );
    assert.deepEqual(await judged('7654321'), [3.5, 4, 2]);
    assert.deepEqual(await judged('7654322'), [3.5, 4, 2]);
    assert.equal(at.requests.length, 3);
    for (const { prompt, turns } of at.requests) {
      assert.equal(turns.length, 0);
      assert.match(prompt, /<file path="src\/csv\.ts">/);
      assert.doesNotMatch(prompt, /README|old\.ts/);
    }
  });

  it('of judges are shown the files of the scope, bounded', async () => {
    const paths = Array.from({ length: 100 }, (_, i) => `src/${i}.ts`);
    const at = await stage({
      workshop: { pathsAt: async () => [...paths, 'README.md'], fileAt: async () => 'x'.repeat(30_000) },
      answer: () => output({ scores: [3] }),
    });
    const quality = { rubric: [{ criterion: 'Right', weight: 1 }], threshold: 3, scope: 'src/**' };
    await at.roles.judge?.({ node: at.node, item: 'x', quality, commit: '7654321', plan: SAMPLE_PLAN }, SIGNAL);
    const [request] = at.requests;
    assert.ok((request?.prompt.length ?? 0) < 70_000);
    assert.match(request?.prompt ?? '', /Not shown, for lack of room: src\//);
    assert.doesNotMatch(request?.prompt ?? '', /README/);
  });

  it('of who splits keep the checks of the whole for the last part', async () => {
    const parts = [{ title: 'One' }, { title: 'Two' }, { title: 'Three', after: [0] }];
    const at = await stage({ answer: () => output(parts) });
    const split = await at.roles.decompose?.(at.task(), SIGNAL);
    assert.deepEqual(
      split?.map(({ after, checks }) => [after, checks.map(({ item }) => item)]),
      [
        [[], []],
        [[], []],
        [[0, 1], SAMPLE_ATOM.checks?.map(({ item }) => item)],
      ],
    );
  });

  describe('of who plans', () => {
    const aligned = {
      goal: 'It reads CSV.',
      clarifications: [
        { question: 'Which separator?', answer: 'A comma.', from: './README.md:3' },
        { question: 'How large?', answer: 'Small.', from: 'docs/none.md' },
      ],
    };
    const planned = {
      base_case: [{ item: 'the tests pass', check: { command: 'npm test' } }],
      atoms: [{ id: 'A1', title: 'Read CSV' }],
    };

    it('make the goal clear first, and say which file says so', async () => {
      const at = await stage({
        readable: { 'README.md': 'A comma.' },
        answer: ({ purpose }) => output(purpose === 'align' ? aligned : planned),
      });
      const plan = await at.roles.makePlan?.(SIGNAL);
      assert.deepEqual(
        plan?.clarifications.map(({ from }) => from),
        ['README.md', 'assumed'],
      );
      assert.deepEqual([plan?.goal, plan?.atoms.length], ['It reads CSV.', 1]);
      assert.deepEqual(
        at.requests.map(({ purpose }) => purpose),
        ['align', 'plan'],
      );
      await at.roles.makePlan?.(SIGNAL);
      assert.equal(at.requests.length, 2);
    });

    it('get a plan back that cannot be carried out, with what is wrong', async () => {
      const circle = [
        { id: 'A1', title: 'One', depends_on: 'A2' },
        { id: 'A2', title: 'Two', depends_on: 'A1' },
      ];
      const plans = [{ ...planned, atoms: circle }, planned];
      const at = await stage({ answer: ({ purpose }) => output(purpose === 'align' ? aligned : plans.shift()) });
      assert.equal((await at.roles.makePlan?.(SIGNAL))?.atoms.length, 1);
      assert.match(at.requests[2]?.prompt ?? '', /cannot be carried out: .*A1/);
    });

    it('plan the work again for a goal as a person changed it', async () => {
      const at = await stage({ answer: () => output(planned) });
      const plan = await at.roles.makePlan?.(SIGNAL, { ...SAMPLE_PLAN, goal: 'It reads TSV.' });
      assert.equal(plan?.goal, 'It reads TSV.');
      assert.deepEqual(
        at.requests.map(({ purpose }) => purpose),
        ['plan'],
      );
      assert.match(at.requests[0]?.prompt ?? '', /It reads TSV\./);
    });
  });
});
