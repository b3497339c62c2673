import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Model, PromptData } from '../../../../src/core/ports/model.ts';
import type { SearchOptions } from '../../../../src/core/search/search-file.ts';
import { pathOf, type Tree, walk } from '../../../../src/core/tree/tree.ts';
import { thoughtAnswers } from '../../../../src/kinds/thoughts/prompts/recorded-answers.ts';
import type { Task } from '../../../../src/kinds/thoughts/tasks/task.ts';
import { Recorder } from '../../../../src/models/replay/recorder.ts';
import { openReplayModel } from '../../../../src/models/replay/replay-model.ts';
import { chanceTask, thoughtModel } from '../../../support/models/thought-model.ts';
import { simulateThoughts, type ThoughtSimulation } from '../../../support/searches/simulated-thoughts.ts';
import { fastClock } from '../../../support/virtual-clock.ts';

/** Two paths are never one here: what a state leads to would depend on which of them came first. */
const { state: _, ...stateless } = chanceTask;
const endless: Task = { ...stateless, solved: () => false };
const OPTIONS: Partial<SearchOptions> = { candidates: 3, threshold: 2, tries: 1 };

describe('answers of thoughts by what they are about', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'thought-tree-by-data-'));
    file = join(folder, 'kept.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function search(strategy: string, task: Task, options: object, model: Model): Promise<ThoughtSimulation> {
    // A recording is written in real time.
    const own = { search: { clock: fastClock(1000), concurrency: 1, model } };
    const simulation = await simulateThoughts({ strategy, task, options: { ...OPTIONS, ...options }, ...own });
    await simulation.search.run();
    return simulation;
  }

  async function record(strategy: string, task: Task, options: object = {}): Promise<void> {
    const model = (await Recorder.open(file, thoughtAnswers)).wrap(thoughtModel());
    await search(strategy, task, options, model);
    await model.close?.();
  }

  const replay = (): Promise<Model> => openReplayModel([file], 'kept.jsonl', thoughtAnswers);

  function thoughtsOf(tree: Tree): unknown[] {
    return [...walk(tree.root)].map((node) => [pathOf(node), node.title, node.status, node.evaluation?.score]);
  }

  it('are found for every strategy, another beam, and a judge of other groups, as the model would give them', async () => {
    await record('breadth-first', endless, { beam: 50, threshold: 0 });
    for (const strategy of ['breadth-first', 'depth-first', 'best-first'])
      for (const options of [{ beam: 1 }, { beam: 2, judge: 'parent' }]) {
        const asked = await search(strategy, stateless, options, thoughtModel());
        const replayed = await search(strategy, stateless, options, await replay());
        assert.equal(replayed.search.state, 'finished', strategy);
        assert.deepEqual(thoughtsOf(replayed.search.tree), thoughtsOf(asked.search.tree), strategy);
      }
  });

  it('are not made up: what nobody was asked is named', async () => {
    await record('depth-first', stateless);
    const said: string[] = [];
    const model = await replay();
    const generate: Model['generate'] = (request, call) =>
      model.generate(request, call).catch((error: Error) => {
        said.push(error.message);
        throw error;
      });
    await search('breadth-first', endless, { beam: 50, threshold: 0 }, { ...model, generate });
    assert.match(
      said[0] ?? '',
      /^kept\.jsonl holds no answer to this request\. (Nobody asked for these next thoughts after|No judge was asked about) "step/,
    );
  });

  it('are those of the same state, whatever steps led there', async () => {
    const data = (steps: readonly string[], state?: string): PromptData => ({
      question: 'q',
      ...{
        purpose: 'generate',
        path: { state, steps: steps.map((content) => ({ content })) },
        message: { payload: { num_candidates: 2, context: { problem: 'q' } } },
        earlier: [],
        sources: [],
        isWhole: false,
        draw: 0,
      },
    });
    const [{ about, said } = assert.fail()] = thoughtAnswers.says(
      data(['one', 'two'], 'three left'),
      '<output>["a", "b", "c"]</output>',
    );
    const answer = (asked: PromptData): unknown =>
      thoughtAnswers.answer(asked, (name) => (name === about ? [said] : []));
    assert.equal(answer(data(['other'], 'three left')), '<output>\n[{"content":"a"},{"content":"b"}]\n</output>');
    assert.match(String((answer(data(['one', 'two'])) as { text: string }).text), /after "two"/);
  });

  it('of anybody’s file are checked: what is none is not there', async () => {
    await record('depth-first', stateless);
    const lines = (await readFile(file, 'utf8')).split('\n');
    const spoilt = lines.map((line) =>
      line.includes('"type":"text"') && /"text":"[[{]/.test(line)
        ? JSON.stringify({ ...(JSON.parse(line) as object), text: '[{"content": 7}, "' })
        : line,
    );
    await writeFile(file, spoilt.join('\n'));
    const { search: ended } = await search('best-first', stateless, { candidates: 2 }, await replay());
    assert.equal(ended.tree.size, 0);
  });
});
