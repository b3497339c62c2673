import assert from 'node:assert/strict';
import { foreign } from '../../../../src/core/messages/message.ts';
import type { ModelRequest } from '../../../../src/core/ports/model.ts';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { findingsIn } from '../../../../src/core/search/record/search-state.ts';
import { parseDocument } from '../../../../src/core/text/document.ts';
import { nodeAt, type TreeNode, walk } from '../../../../src/core/tree/tree.ts';
import type { Decomposition } from '../../../../src/kinds/thoughts/prompts/thought-messages.ts';
import { settingsFor } from '../../../../src/kinds/thoughts/settings.ts';
import type { SearchComplete } from '../../../../src/kinds/thoughts/snapshot/snapshot.ts';
import { findTask } from '../../../../src/kinds/thoughts/tasks/find-task.ts';
import type { Task } from '../../../../src/kinds/thoughts/tasks/task.ts';
import { contentOf } from '../../../../src/kinds/thoughts/thought-document.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { chanceTask } from '../../../support/models/thought-model.ts';
import { snapshotOf } from '../../../support/searches/search-snapshot.ts';
import { simulateThoughts, type ThoughtSimulation, thoughtFile } from '../../../support/searches/simulated-thoughts.ts';
import { thoughtData } from '../../../support/searches/thought-data.ts';

const WIDE = { candidates: 3, beam: 2, threshold: 0, maxDepth: 2 };
const node = ({ search }: ThoughtSimulation, path: string): TreeNode => nodeAt(search.tree, path) as TreeNode;
const progress = ({ events }: ThoughtSimulation): string[] =>
  events.flatMap((event) => (event.type === 'progress' ? [event.text] : []));
const purposes = ({ model }: ThoughtSimulation, purpose: string): number =>
  model.log.filter((call) => call.purpose === purpose).length;

describe('a search for a solution', () => {
  it('writes a thought as a document with front matter of ours', async () => {
    const hostile = '---\ntitle: stolen\n---\n<script>x</script> </output>';
    const simulation = await simulateThoughts({
      strategy: 'breadth-first',
      options: { ...WIDE, maxDepth: 1 },
      model: { thoughts: () => [{ content: hostile, action_type: 'a: [b', metadata: { '---': 'x\n---' } }] },
    });
    await simulation.run();
    const text = (await simulation.store.readDocument('node_1')) as string;
    assert.match(text, /^---\nid: node_1\nparent_id: root\ndepth: 1\n/);
    assert.ok(
      text.includes('---\ntitle: stolen\n---\n&lt;script>x&lt;/script> &lt;/output>'),
      'nothing that runs when it is shown',
    );
    assert.equal(contentOf(parseDocument(text)).trim(), hostile, 'it is read back as it was said');
    assert.equal(node(simulation, 'node_1').title.includes('\n'), false);
  });

  it('takes the problem apart once, in a file that a person may edit before the start', async () => {
    const simulation = await simulateThoughts({ strategy: 'breadth-first', options: WIDE });
    await simulation.clock.run(
      simulation.search.prepare(async ({ lines, file, check }) => {
        assert.equal(file, 'decomposition.json');
        assert.ok(lines.some(({ text }) => text === 'Constraint: be brief'));
        const made = (await simulation.store.readDecomposition()) as Decomposition;
        await simulation.store.writeDecomposition([]);
        await assert.rejects(check());
        await simulation.store.writeDecomposition({ ...made, constraints: [...made.constraints, 'mine'] });
        await check();
      }),
    );
    await simulation.run();
    assert.equal(purposes(simulation, 'decompose'), 1);
    const file = (await simulation.store.readDecomposition()) as { constraints: string[] };
    assert.deepEqual(file.constraints, ['be brief', 'mine']);
  });

  it('asks for nothing that a task brings', async () => {
    const simulation = await simulateThoughts({ strategy: 'best-first', task: chanceTask, options: WIDE });
    await simulation.run();
    assert.equal(purposes(simulation, 'decompose'), 0);
    assert.equal(purposes(simulation, 'synthesize'), 0);
  });

  it('asks for each sample of a judgement in words of its own, the first of them as for one alone', async () => {
    const prompts: string[] = [];
    const instead = (request: ModelRequest): undefined => {
      if (request.purpose === 'evaluate') prompts.push(request.prompt);
    };
    const options = { ...WIDE, maxDepth: 1, samples: 3 };
    await (await simulateThoughts({ strategy: 'breadth-first', options, model: { instead } })).run();
    assert.equal(prompts.length, 3);
    assert.equal(new Set(prompts).size, 3);
    for (const prompt of prompts) assert.ok(prompt.startsWith(prompts[0] as string), 'caches serve what is the same');
  });

  it('lets the ranking of a judge decide between equal scores', async () => {
    const instead = (request: ModelRequest): string | undefined => {
      const data = thoughtData(request.data);
      if (data.purpose !== 'evaluate') return undefined;
      const ids = data.message.payload.candidates.map(({ id }) => id);
      const evaluations = ids.map((id) => ({ id, score: 7, confidence: 0.9 }));
      return `<output>${JSON.stringify({ evaluations, ranking: [...ids].reverse() })}</output>`;
    };
    for (const strategy of ['breadth-first', 'depth-first', 'best-first']) {
      const simulation = await simulateThoughts({
        strategy,
        options: { ...WIDE, beam: 1, evaluation: 'comparative_voting' },
        model: { instead },
      });
      await simulation.run();
      assert.equal(node(simulation, 'node_3').status, 'expanded', strategy);
      assert.equal(node(simulation, 'node_1').evaluation?.rank, 3);
      const { stats } = ((await simulation.search.message()) as SearchComplete).payload;
      assert.equal(stats.llm_calls, purposes(simulation, 'generate') + purposes(simulation, 'evaluate'));
    }
  });

  it('draws thoughts at the same time where told, none seeing another, and once more for what was said twice', async () => {
    const asked: { at: number; prompt: string }[] = [];
    const clock: { now?: () => number } = {};
    const instead = ({ purpose, prompt }: ModelRequest): undefined => {
      if (purpose === 'generate') asked.push({ at: clock.now?.() ?? 0, prompt });
    };
    const simulation = await simulateThoughts({
      strategy: 'breadth-first',
      options: { ...WIDE, maxDepth: 1, generation: 'independent_sampling' },
      search: { concurrency: 4 },
      model: {
        instead,
        latencyMs: () => 1000,
        thoughts: (_path, earlier) => [{ content: earlier.length === 0 ? 'the first that comes to mind' : 'another' }],
      },
    });
    clock.now = () => simulation.clock.now();
    await simulation.run();
    assert.equal(asked.length, 4);
    const [first, second, third, more] = asked;
    assert.deepEqual([second?.at, third?.at], [first?.at, first?.at], 'all at once');
    for (const draw of [second, third])
      assert.ok(draw?.prompt.startsWith(first?.prompt ?? '?'), 'one beginning, for caches');
    assert.ok(!asked.slice(0, 3).some(({ prompt }) => prompt.includes('comes to mind\n')), 'independent');
    assert.ok(
      more?.prompt.includes('Already proposed as step 1:\n<thought>\nthe first that comes to mind\n</thought>'),
    );
    assert.deepEqual(
      simulation.search.tree.root.children.map(({ title }) => title),
      ['the first that comes to mind', 'another'],
    );
  });

  it('gives drawn thoughts their documents back after a loss of power, and continues what drew one by one', async () => {
    const drawn = {
      strategy: 'breadth-first',
      options: { ...WIDE, maxDepth: 1, generation: 'independent_sampling' },
    } as const;
    let nth = 0;
    const long = 'Measure first, then move what is heavy, '.repeat(5);
    const model = { thoughts: () => [{ content: `${long}${++nth}` }] };
    const files = new MemoryFiles();
    await (await simulateThoughts({ ...drawn, model, store: createMemoryStore(thoughtFile(drawn), files) })).run();
    const whole = await snapshotOf(files);
    const documents = Object.keys(whole).filter((path) => path.endsWith('document.md'));
    assert.equal(documents.length, 3);
    for (const path of documents) files.put(path, '');
    const right = { check: () => undefined, release: async () => undefined, lastEnd: 'power-loss' as const };
    await simulateThoughts({ ...drawn, model, store: new SearchStore(files, right), seed: 2 });
    assert.deepEqual(await snapshotOf(files), whole);

    const store = createMemoryStore(thoughtFile(drawn));
    const answer = '<output>[{"content": "drawn before"}]</output>';
    const turn = { role: 'assistant' as const, text: answer, purpose: 'generate', round: 1, first: 1 };
    const asked = { role: 'user' as const, text: 'Well?', purpose: 'generate' };
    await store.writeConversation({ id: 'root', turns: [asked, turn] });
    const again = await simulateThoughts({ ...drawn, store });
    await again.run();
    assert.equal(node(again, 'node_1').title, 'drawn before');
  });

  it('averages samples and keeps their spread', async () => {
    const score = (_content: string, sample: number): number => [4, 6, 8][sample] as number;
    const simulation = await simulateThoughts({
      strategy: 'breadth-first',
      options: { ...WIDE, maxDepth: 1, samples: 3 },
      model: { score },
    });
    await simulation.run();
    const { evaluation } = node(simulation, 'node_1');
    assert.deepEqual([evaluation?.score, evaluation?.votes], [6, [4, 6, 8]]);
  });

  it('asks for fewer thoughts where a model cannot give so many, then goes to the next node', async () => {
    const simulation = await simulateThoughts({
      strategy: 'breadth-first',
      options: { ...WIDE, candidates: 4 },
      model: {
        instead: ({ data: sent, node: path }) => {
          const data = thoughtData(sent);
          if (data.purpose !== 'generate') return undefined;
          if (path === 'node_1') return 'no list';
          return path === '' && data.message.payload.num_candidates > 2 ? 'no list' : undefined;
        },
        score: (content) => (content === 'step.1' ? 9 : 8),
      },
    });
    assert.equal((await simulation.run()).state, 'finished');
    assert.ok(progress(simulation).some((text) => text.startsWith('GENERATION_FAILED')));
    assert.equal(simulation.search.tree.root.children.length, 2);
    assert.deepEqual(
      [node(simulation, 'node_1').status, node(simulation, 'node_1').failure?.reason],
      ['failed', 'GENERATION_FAILED'],
    );
    assert.equal(node(simulation, 'node_2').status, 'expanded');
    await simulation.search.act({ action: 'retry' }, 'test');
    assert.equal(node(simulation, 'node_1').status, 'unexpanded');
  });

  it('says of a node that has failed what was wrong, and blames an answer only where one came', async () => {
    const lost = new ThoughtTreeError('not-found', foreign({ text: 'The recording holds no such answer.' }));
    for (const [wrong, said] of [
      [lost, /^The recording holds no such answer\.$/],
      ['Well.', /^The model gave no readable thoughts\. ./],
    ] as const) {
      const instead = ({ purpose, node }: ModelRequest): Error | string | undefined =>
        purpose === 'generate' && node === 'node_1' ? wrong : undefined;
      const simulation = await simulateThoughts({ strategy: 'breadth-first', options: WIDE, model: { instead } });
      await simulation.run();
      const { failure } = node(simulation, 'node_1');
      assert.equal(failure?.reason, 'GENERATION_FAILED');
      assert.match(failure?.message ?? '', said);
    }
  });

  it('leaves thoughts unscored rather than inventing a score, and continues from them', async () => {
    const simulation = await simulateThoughts({
      strategy: 'breadth-first',
      options: { ...WIDE, threshold: 6 },
      model: { instead: ({ purpose }) => (purpose === 'evaluate' ? 'no judgement' : undefined) },
    });
    assert.equal((await simulation.run()).state, 'finished');
    for (const each of walk(simulation.search.tree.root)) assert.equal(each.evaluation, undefined);
    assert.doesNotMatch((await simulation.store.readReport()) ?? '', /SEARCH_EXHAUSTED/);
    assert.equal(node(simulation, 'node_1').unscored, true);
    assert.equal(node(simulation, 'node_1').status, 'expanded');
  });

  it('marks what was judged by simpler criteria', async () => {
    const simulation = await simulateThoughts({
      strategy: 'breadth-first',
      options: { ...WIDE, maxDepth: 1 },
      model: {
        instead: (request) => {
          const data = thoughtData(request.data);
          if (data.purpose !== 'evaluate' || data.isSimple) return undefined;
          return new ThoughtTreeError('timed-out', foreign({ text: 'too slow' }));
        },
      },
    });
    await simulation.run();
    assert.equal(node(simulation, 'node_1').evaluation?.low_confidence, true);
    assert.ok(progress(simulation).includes('EVALUATION_TIMEOUT: judging by simpler criteria'));
  });

  it('cuts what repeats a thought above it', async () => {
    const simulation = await simulateThoughts({
      strategy: 'breadth-first',
      options: WIDE,
      model: { thoughts: (path) => [{ content: path.length === 0 ? 'a' : ' A ' }, { content: 'b' }] },
    });
    await simulation.run();
    const cut = node(simulation, 'node_1/node_1_1');
    assert.deepEqual([cut.status, cut.prunedBy], ['pruned', 'constraint']);
    const why = async (): Promise<unknown[]> => {
      const file = await simulation.store.readNodeFile('node_1/node_1_1');
      return [file?.why, file?.whySay];
    };
    assert.deepEqual(await why(), ['It repeats a thought above it.', { key: 'thoughts.repeats-thought', args: {} }]);
    await simulation.search.act({ action: 'restore', node: 'node_1/node_1_1' }, 'me');
    assert.deepEqual(await why(), [undefined, undefined], 'a thought that was taken back is not cut off');
  });

  it('prunes on the judge\u2019s word only where it is sure', async () => {
    const evaluate = (confidence: number): string =>
      `<output>{"evaluations": [1, 2, 3].map}</output>`
        .replace('[1, 2, 3].map', JSON.stringify([1, 2, 3].map((n) => ({ id: `node_${n}`, score: 8, confidence }))))
        .replace('}</output>', ', "pruning_suggestions": ["node_2"]}</output>');
    for (const [confidence, status] of [
      [0.9, 'pruned'],
      [0.5, 'leaf'],
    ] as const) {
      const simulation = await simulateThoughts({
        strategy: 'breadth-first',
        options: { ...WIDE, maxDepth: 1 },
        model: { instead: ({ purpose }) => (purpose === 'evaluate' ? evaluate(confidence) : undefined) },
      });
      await simulation.run();
      assert.equal(node(simulation, 'node_2').status, status);
    }
  });

  it('says what was not found, with the best path so far and the tree', async () => {
    const never: Task = { ...chanceTask, solved: () => false };
    const unjudged = await simulateThoughts({
      strategy: 'breadth-first',
      task: never,
      options: { ...WIDE, tries: 1 },
      model: { instead: ({ purpose }) => (purpose === 'evaluate' ? 'no judgement' : undefined) },
    });
    const ended = await unjudged.run();
    const why = /\d thoughts have no score, as the answers of their judge could not be used/;
    assert.match((ended.state === 'finished' && ended.message) || '', why);
    assert.match((await unjudged.store.readReport()) ?? '', why);
    const simulation = await simulateThoughts({ strategy: 'best-first', task: never, options: { ...WIDE, tries: 1 } });
    const outcome = await simulation.run();
    assert.equal(findingsIn(outcome.results, 'thoughts')?.solved, false);
    assert.deepEqual(findingsIn(outcome.results, 'thoughts')?.finishedPath, []);
    const report = (await simulation.store.readReport()) as string;
    assert.match(report, /^# .*\n\nNo solution was found\..* it ends with \[.+\]\(\S+\/document\.md\)\.\n/);
    assert.match(report, /── node_1 \[step\.1\]/);
    const message = (await simulation.search.message()) as { error?: { code: string } };
    assert.equal(message.error?.code, 'SEARCH_EXHAUSTED');
  });

  it('answers with what the report was answered, not with its last thought; also when it is opened again', async () => {
    const store = createMemoryStore(thoughtFile({ strategy: 'breadth-first', options: WIDE }));
    const open = (): Promise<ThoughtSimulation> => simulateThoughts({ store, model: { score: () => 6 } });
    const solved = async ({ search }: ThoughtSimulation): Promise<[unknown, unknown, unknown]> => {
      const { payload } = (await search.message()) as SearchComplete;
      const { solved, answer } = findingsIn(search.results, 'thoughts') ?? {};
      return [solved, answer, payload.final_solution?.answer];
    };
    const first = await open();
    await first.run();
    assert.deepEqual(await solved(first), [false, 'The answer, in words.', 'The answer, in words.']);
    const again = await open();
    await again.run();
    assert.equal(purposes(again, 'synthesize'), 0);
    assert.deepEqual(await solved(again), [false, 'The answer, in words.', 'The answer, in words.']);
    await again.clock.run(again.search.act({ action: 'add', title: 'my own' }, 'me'));
    assert.deepEqual((await solved(await open()))[1], undefined);
  });

  it('has a final solution wherever a path was finished, also where nobody writes it down', async () => {
    const instead = ({ purpose }: ModelRequest): string | undefined => (purpose === 'synthesize' ? ' ' : undefined);
    const model = { instead, score: () => 6 };
    const simulation = await simulateThoughts({ strategy: 'breadth-first', options: WIDE, model });
    await simulation.run();
    const { payload } = (await simulation.search.message()) as SearchComplete;
    assert.deepEqual(payload.final_solution?.answer, payload.best_path.at(-1)?.content);
    assert.equal(payload.final_solution?.verification?.is_valid, false);
    assert.equal(findingsIn(simulation.search.results, 'thoughts')?.answer, undefined);
  });

  it('survives a hook that throws', async () => {
    const broken: Task = {
      ...chanceTask,
      verify: () => {
        throw new Error('no');
      },
    };
    const simulation = await simulateThoughts({ strategy: 'best-first', task: broken, options: { ...WIDE, tries: 1 } });
    assert.equal((await simulation.run()).state, 'finished');
    assert.ok(progress(simulation).some((text) => text.includes('verify failed')));
  });

  it('is refused to a model that only quotes', async () => {
    const quotes = {
      name: 'workspace/quotes',
      label: 'Quotes',
      free: true,
      prose: false,
      generate: async () => never(),
    };
    await assert.rejects(simulateThoughts({ search: { model: quotes } }), /neither propose thoughts nor judge/);
  });
});

function never(): never {
  throw new Error('never asked');
}

describe('settings', () => {
  it('come from the options, then the task, then the preset', () => {
    const bare = settingsFor({ options: {} }, findTask);
    assert.deepEqual([bare.strategy, bare.beam, bare.threshold], ['breadth-first', 3, 5]);
    const preset = settingsFor({ options: { preset: 'planning' } }, findTask);
    assert.deepEqual([preset.strategy, preset.threshold, preset.tries], ['depth-first', 5.5, 3]);
    const task = settingsFor({ options: { task: 'game24', beam: 9 } }, findTask);
    const deep = settingsFor({ strategy: 'depth-first', options: { task: 'game24' } }, findTask);
    assert.deepEqual([deep.threshold, deep.tries, task.threshold, task.tries], [5, 3, 1, 8]);
    assert.deepEqual([task.strategy, task.maxDepth, task.beam, task.preset], ['best-first', 3, 9, 'math_reasoning']);
    assert.throws(() => settingsFor({ options: { task: 'nope' } }, findTask), /no task "nope"/);
    assert.throws(() => settingsFor({ options: {}, strategy: 'luck' }, findTask), /no strategy "luck"/);
  });
});
