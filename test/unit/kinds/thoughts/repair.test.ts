import assert from 'node:assert/strict';
import type { ModelRequest } from '../../../../src/core/ports/model.ts';
import { walk } from '../../../../src/core/tree/tree.ts';
import type { GenerateData } from '../../../../src/kinds/thoughts/prompts/prompts.ts';
import { commandTask } from '../../../../src/kinds/thoughts/tasks/find-task.ts';
import type { Task } from '../../../../src/kinds/thoughts/tasks/task.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { CrashingFiles, killsIn } from '../../../support/crashing-files.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { snapshotOf } from '../../../support/searches/search-snapshot.ts';
import {
  simulateThoughts,
  type ThoughtSimulation,
  type ThoughtSimulationOptions,
  thoughtFile,
} from '../../../support/searches/simulated-thoughts.ts';

/** Counts right, where nothing but a check knows what is right. */
const counting: Task = {
  name: 'counting',
  defaults: {},
  decomposition: () => ({
    thought_granularity: 'number',
    intermediate_steps: [],
    depth_estimate: 2,
    constraints: [],
    success_criteria: 'two right numbers',
  }),
  verify: ({ thoughts }) => {
    const right = thoughts.length * 7;
    return thoughts.at(-1)?.content === String(right) ? { ok: true } : { ok: false, why: `It has to be ${right}.` };
  },
  solved: ({ thoughts }) => thoughts.length === 2,
  compose: ({ thoughts }) => thoughts.map(({ content }) => content).join(' '),
};

/** The check's words in a request; nothing in one that gives nothing back. */
function wordsIn({ data, purpose }: ModelRequest): readonly string[] {
  return purpose === 'generate' ? ((data as GenerateData).refusals ?? []).map(({ why }) => why) : [];
}

/** Says something wrong, and does what the check says where that is given back. */
function pupil(asked: ModelRequest[], learns = true) {
  return (request: ModelRequest): string | undefined => {
    if (request.purpose === 'generate') asked.push(request);
    const [why] = wordsIn(request);
    if (why === undefined) return undefined;
    const content = learns ? (/(\d+)\D*$/.exec(why)?.[1] ?? '') : `wrong again ${asked.length}`;
    return `<output>${JSON.stringify([{ content }])}</output>`;
  };
}

const score = (): number => 8;

async function solve(
  options: ThoughtSimulationOptions['options'],
  given: Partial<ThoughtSimulationOptions> = {},
  learns = true,
): Promise<{ it: ThoughtSimulation; asked: ModelRequest[]; solved: boolean }> {
  const asked: ModelRequest[] = [];
  const it = await simulateThoughts({
    strategy: 'depth-first',
    task: counting,
    model: { instead: pupil(asked, learns), score },
    search: { concurrency: 1 },
    ...given,
    options: { candidates: 1, maxDepth: 2, tries: 1, ...options },
  });
  const outcome = await it.run();
  return { it, asked, solved: outcome.state === 'finished' && outcome.reason === 'solved' };
}

describe('a thought that a check refuses', () => {
  it('is given back with the words of the check, in the same conversation, and mended', async () => {
    const without = await solve({ repairs: 0 });
    assert.equal(without.solved, false);
    assert.equal(without.asked.length, 1);
    const mended = await solve({});
    assert.equal(mended.solved, true);
    assert.deepEqual(
      mended.asked.map((request) => wordsIn(request)),
      [[], ['It has to be 7.'], [], ['It has to be 14.']],
    );
    const [first, second] = mended.asked as [ModelRequest, ModelRequest];
    assert.equal(second.turns[0]?.text, first.prompt);
    assert.equal(second.turns[1]?.role, 'assistant');
    assert.match(
      second.prompt,
      /A check refuses this thought; .*\n\n<thought>\nstep\.1\n<\/thought>\nThe check: It has to be 7\./,
    );
    // What was wrong stays in the tree, and says why.
    const found = [...walk(mended.it.search.tree.root)].flatMap(({ parent, title, status, file }) =>
      parent ? [[title, status, file?.why]] : [],
    );
    assert.deepEqual(found, [
      ['step.1', 'pruned', 'It has to be 7.'],
      ['7', 'expanded', undefined],
      ['7.1', 'pruned', 'It has to be 14.'],
      ['14', 'leaf', undefined],
    ]);
  });

  it('costs no call where the check passes, or where another thought stands', async () => {
    const right = { score, thoughts: (path: readonly string[]) => [{ content: String(7 * (path.length + 1)) }] };
    const passes = await solve({}, { model: right });
    assert.equal(passes.solved, true);
    assert.equal(passes.it.model.log.filter(({ purpose }) => purpose === 'generate').length, 2);
    const both = { score, thoughts: (path: readonly string[]) => [{ content: 'wrong' }, ...right.thoughts(path)] };
    const one = await solve({ candidates: 2 }, { model: both });
    assert.equal(one.it.model.log.filter(({ purpose }) => purpose === 'generate').length, 2);
    // No task, no check.
    const none = await simulateThoughts({ options: { candidates: 2, maxDepth: 2, repairs: 5 } });
    await none.run();
    const conversations = none.events.filter((event) => event.type === 'progress' && /given back/.test(event.text));
    assert.equal(conversations.length, 0);
  });

  it('is given back no longer than something gets better', async () => {
    const { asked, solved } = await solve({ repairs: 5 }, {}, false);
    assert.equal(solved, false);
    // The check says the same of what came back: a third answer would be no better.
    assert.equal(asked.length, 2);
  });

  it('hears what a command printed, at the last depth, unless models may see nothing', async () => {
    const runCheck = async (input: string) => {
      const { thoughts } = JSON.parse(input) as { thoughts: string[] };
      return thoughts.at(-1) === '42' ? { exitCode: 0, output: '' } : { exitCode: 3, output: 'expected 42' };
    };
    const task = { ...commandTask(runCheck), decomposition: counting.decomposition } as Task;
    const asked = async (search: ThoughtSimulationOptions['search']) =>
      await solve({ threshold: 0, maxDepth: 2 }, { task, search: { concurrency: 1, ...search } });
    const open = await asked({});
    assert.equal(open.solved, true);
    assert.deepEqual(open.asked.flatMap(wordsIn), ['It exits with 3.\nexpected 42']);
    const blind = await asked({ context: false });
    assert.equal(blind.solved, false);
    assert.deepEqual(blind.asked.flatMap(wordsIn), []);
  });

  it('comes to the same, and is not asked for again, if the search is killed at any write', async () => {
    const given: ThoughtSimulationOptions = {
      strategy: 'depth-first',
      task: counting,
      options: { candidates: 2, maxDepth: 2, tries: 1, generation: 'independent_sampling' },
    };
    const empty = (): MemoryFiles => {
      const files = new MemoryFiles();
      createMemoryStore(thoughtFile(given), files);
      return files;
    };
    let runs = 0;
    const runOn = async (files: MemoryFiles, crashAt?: number, made?: boolean) => {
      const crashing = new CrashingFiles(files, crashAt, made);
      const asked: ModelRequest[] = [];
      const late: { it?: ThoughtSimulation } = {};
      const right = { check: () => undefined, release: async () => undefined };
      const work = (async () => {
        const store = new SearchStore(crashing, right);
        const model = { instead: pupil(asked), score };
        late.it = await simulateThoughts({ ...given, store, model, seed: ++runs, search: { concurrency: 1 } });
        await late.it.run();
      })();
      await crashing.ended(work);
      late.it?.clock.stop();
      return { asked, changes: crashing.changes };
    };
    const whole = empty();
    const { changes, asked } = await runOn(whole);
    const expected = await snapshotOf(whole);
    assert.ok(asked.flatMap(wordsIn).length >= 2);
    for (const { crashAt, made, where } of killsIn(changes)) {
      const files = empty();
      const first = await runOn(files, crashAt, made);
      const second = await runOn(files);
      assert.deepEqual(await snapshotOf(files), expected, where);
      assert.ok(first.asked.length + second.asked.length <= asked.length + 2, where);
    }
  });
});
