import assert from 'node:assert/strict';
import { foreign } from '../../../../src/core/messages/message.ts';
import type { ModelRequest } from '../../../../src/core/ports/model.ts';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { findingsIn } from '../../../../src/core/search/record/search-state.ts';
import { nodeAt, pathOf, type TreeNode, walk } from '../../../../src/core/tree/tree.ts';
import { comparisonsOf, sourcesOf } from '../../../../src/kinds/thoughts/strategy/whole-solutions.ts';
import { createMemoryStore } from '../../../support/memory-store.ts';
import {
  simulateThoughts,
  type ThoughtSimulation,
  type ThoughtSimulationOptions,
  thoughtFile,
} from '../../../support/searches/simulated-thoughts.ts';
import { thoughtData } from '../../../support/searches/thought-data.ts';
import { exported, imported } from '../../../support/searches/thought-snapshots.ts';

const OPTIONS = { candidates: 2, threshold: 0, maxDepth: 2, size: 'small' as const };
const output = (value: unknown): string => `<output>${JSON.stringify(value)}</output>`;
const node = ({ search }: ThoughtSimulation, path: string): TreeNode => nodeAt(search.tree, path) as TreeNode;
const purposes = ({ model }: ThoughtSimulation, purpose: string): number =>
  model.log.filter((call) => call.purpose === purpose).length;
const finished = ({ search }: ThoughtSimulation): readonly string[] =>
  findingsIn(search.results, 'thoughts')?.finishedPath ?? [];
const isVerdict = ({ data }: ModelRequest): boolean =>
  (thoughtData(data) as { isVerdict?: boolean }).isVerdict === true;

/** The first way is a solution at the second step, by the judge's word. */
const claims = (content: string): number => (content === 'step.1.1' ? 9.6 : content.startsWith('step.1') ? 8 : 6);

/** A judge's answer about one candidate, as the second judge gives it. */
function verdict(request: ModelRequest, said: object): string | undefined {
  const data = thoughtData(request.data);
  if (data.purpose !== 'evaluate' || !data.isVerdict) return undefined;
  return output({ evaluations: data.message.payload.candidates.map(({ id }) => ({ id, ...said })) });
}

async function searched(given: ThoughtSimulationOptions): Promise<ThoughtSimulation> {
  const simulation = await simulateThoughts({ strategy: 'depth-first', options: OPTIONS, ...given });
  await simulation.run();
  return simulation;
}

describe('a thought that a judge calls a solution', () => {
  it('is one once a second judge says so, who is told nothing of the first one', async () => {
    const prompts: string[] = [];
    const instead = (request: ModelRequest): undefined => {
      if (isVerdict(request)) prompts.push(request.prompt);
    };
    const simulation = await searched({ model: { score: claims, instead } });
    assert.equal(prompts.length, 1);
    assert.match(prompts[0] ?? '', /Somebody says that this is a complete solution[\s\S]*Do not believe it/);
    assert.doesNotMatch(prompts[0] ?? '', /What judges said/);
    const solved = node(simulation, 'node_1/node_1_1');
    assert.deepEqual(
      [solved.leafReason, solved.evaluation?.confirmed, solved.evaluation?.votes],
      ['solved', true, [9.6, 9.6]],
    );
    assert.deepEqual(finished(simulation), ['node_1', 'node_1/node_1_1']);
  });

  it('is none if the second one refutes it: the search goes on, with what was found', async () => {
    const exact = output({ success_criteria: ['It holds'], solutions: 'exact' });
    const instead = (request: ModelRequest): string | undefined =>
      request.purpose === 'decompose'
        ? exact
        : verdict(request, { score: 3, confidence: 0.9, defects: ['13 is used twice.'] });
    const simulation = await searched({ model: { score: claims, instead } });
    const refuted = node(simulation, 'node_1/node_1_1');
    assert.deepEqual(
      [refuted.status, refuted.prunedBy, refuted.evaluation?.defects],
      ['pruned', 'evaluator', ['13 is used twice.']],
    );
    assert.equal(findingsIn(simulation.search.results, 'thoughts')?.solved, false);
    assert.notEqual(finished(simulation).at(-1), pathOf(refuted));
  });

  it('is none if the second one says that it is none, whatever its score', async () => {
    const instead = (request: ModelRequest): string | undefined =>
      verdict(request, { score: 10, confidence: 0.9, solution: false, defects: ['13 is used twice.'] });
    const simulation = await searched({ model: { score: claims, instead } });
    const refuted = node(simulation, 'node_1/node_1_1');
    assert.deepEqual([refuted.leafReason, refuted.evaluation?.confirmed], ['depth-limit', false]);
    assert.equal(findingsIn(simulation.search.results, 'thoughts')?.solved, false);
  });

  it('that is refuted before the last step is continued, and the next step mends what was found', async () => {
    const prompts = new Map<string, string>();
    const instead = (request: ModelRequest): string | undefined => {
      if (request.purpose === 'generate') prompts.set(request.node, request.prompt);
      const data = thoughtData(request.data);
      if (data.purpose === 'evaluate' && !data.isVerdict && data.message.payload.context.current_depth === 1)
        return output({
          evaluations: data.message.payload.candidates.map(({ id }) => ({ id, score: 8, solution: id === 'node_1' })),
        });
      return verdict(request, { score: 8, defects: ['The proof is missing.'] });
    };
    const simulation = await searched({ model: { score: () => 6, instead } });
    assert.equal(node(simulation, 'node_1').status, 'expanded');
    assert.match(prompts.get('node_1') ?? '', /mended some of it:\n- The proof is missing\./);
  });

  it('counts by the word of the first judge where there is no verdict, and the answer says so', async () => {
    const instead = (request: ModelRequest): Error | undefined =>
      isVerdict(request) ? new ThoughtTreeError('timed-out', foreign({ text: 'too slow' })) : undefined;
    const simulation = await searched({ model: { score: claims, instead } });
    const solved = node(simulation, 'node_1/node_1_1');
    assert.deepEqual(
      [solved.leafReason, solved.evaluation?.confirmed, solved.evaluation?.low_confidence],
      ['solved', undefined, true],
    );
    assert.match(
      findingsIn(simulation.search.results, 'thoughts')?.answer ?? '',
      /^1 of the 2 steps of this answer was judged less thoroughly/,
    );
  });

  it('needs no second judge where a task decides', async () => {
    const simulation = await searched({
      strategy: 'breadth-first',
      task: { name: 'first', defaults: {}, solved: ({ thoughts }) => thoughts.length === 2 },
      model: { score: claims },
    });
    assert.equal(findingsIn(simulation.search.results, 'thoughts')?.solved, true);
    assert.equal(
      simulation.model.log.filter(({ purpose, about }) => purpose === 'evaluate' && about.startsWith('node_1_1 '))
        .length,
      0,
    );
  });
});

describe('whole solutions, where one can be better than another', () => {
  const graded: ThoughtSimulationOptions = { model: { graded: true, score: claims } };

  for (const strategy of ['depth-first', 'breadth-first', 'best-first'])
    it(`are compared in both orders, and the best parts of the other are taken over: ${strategy}`, async () => {
      const pairs: [string, string][] = [];
      const asked: string[] = [];
      const instead = ({ data: sent, prompt }: ModelRequest): undefined => {
        const data = thoughtData(sent);
        if (data.purpose === 'generate' && data.sources.length > 0) asked.push(prompt);
        if (data.purpose === 'compare-solutions')
          pairs.push([data.a.at(-1)?.content ?? '', data.b.at(-1)?.content ?? '']);
      };
      const options = { ...OPTIONS, beam: 1 };
      const simulation = await searched({ strategy, options, model: { ...graded.model, instead } });
      const [[a, b] = ['', ''], turned] = pairs;
      assert.deepEqual([pairs.length, turned], [2, [b, a]]);
      assert.deepEqual([a, b], ['step.1.1', 'step.2!'], 'another way from the first step on, completed in one thought');
      assert.match(asked[0] ?? '', /wants taken over from node_\w+:\n- the best of step\./);
      const combined = node(simulation, finished(simulation).at(-1) ?? '');
      assert.equal(combined.parent, simulation.search.tree.root, 'below what both have in common');
      const from = sourcesOf(simulation.search.tree, combined).map(({ title }) => title);
      assert.deepEqual(new Set(from), new Set(['step.1.1', 'step.2!']));
      assert.deepEqual([combined.leafReason, combined.evaluation?.confirmed], ['solved', true]);
      const report = (await simulation.store.readReport()) ?? '';
      assert.match(report, /Made from \[/);
      assert.match(report, /Compared with node_1_1: because of/);
    });

  it('that lost are alternatives, and one that won stands before one with a higher score', async () => {
    const instead = (request: ModelRequest): string | undefined => {
      const data = thoughtData(request.data);
      if (data.purpose !== 'compare-solutions') return undefined;
      const isA = data.a.at(-1)?.content === 'step.2!';
      return output({ better: isA ? 'A' : 'B', why: 'it is dated', defects: { [isA ? 'B' : 'A']: ['No dates.'] } });
    };
    const simulation = await searched({ model: { ...graded.model, instead } });
    assert.deepEqual(finished(simulation), ['node_2', 'node_2/node_2_1']);
    const winner = node(simulation, 'node_2/node_2_1');
    assert.deepEqual(
      comparisonsOf(winner).map(({ with: other, result }) => [other, result]),
      [['node_1_1', 'better']],
    );
    assert.equal(winner.evaluation?.confirmed, true, 'a winner is checked as well');
    assert.deepEqual(node(simulation, 'node_1/node_1_1').evaluation?.defects, ['No dates.']);
    assert.equal(simulation.search.tree.root.children.length, 2, 'nothing is to be taken over');
  });

  it('count as equal where the answers to both orders contradict each other', async () => {
    const instead = ({ data }: ModelRequest): string | undefined =>
      thoughtData(data).purpose === 'compare-solutions' ? output({ better: 'A', why: 'it comes first' }) : undefined;
    const simulation = await searched({ model: { ...graded.model, instead } });
    assert.deepEqual(finished(simulation), ['node_1', 'node_1/node_1_1']);
    assert.equal(comparisonsOf(node(simulation, 'node_2/node_2_1'))[0]?.result, 'even');
  });

  it('are compared once, also if no answer can be read, and the search ends', async () => {
    const instead = ({ data }: ModelRequest): string | undefined =>
      thoughtData(data).purpose === 'compare-solutions' ? 'I like both.' : undefined;
    const store = createMemoryStore(thoughtFile({ strategy: 'depth-first', options: OPTIONS }));
    const simulation = await searched({ store, model: { ...graded.model, instead } });
    assert.equal(comparisonsOf(node(simulation, 'node_2/node_2_1'))[0]?.result, 'even');
    const again = await searched({ store, model: graded.model ?? {} });
    assert.deepEqual(again.model.log, []);
  });

  it('are not compared where a solution is right or wrong, nor in searches from before', async () => {
    for (const solutions of ['exact', undefined]) {
      const instead = ({ purpose }: ModelRequest): string | undefined =>
        purpose === 'decompose' ? output({ success_criteria: 'done', solutions }) : undefined;
      const simulation = await searched({ model: { score: claims, instead } });
      assert.deepEqual([purposes(simulation, 'compare-solutions'), purposes(simulation, 'generate')], [0, 2]);
    }
  });

  it('account in the answer for the defects of everything that they were made from', async () => {
    const asked: string[] = [];
    const instead = (request: ModelRequest): string | undefined => {
      if (request.purpose === 'synthesize') asked.push(request.prompt);
      const data = thoughtData(request.data);
      if (data.purpose !== 'evaluate') return undefined;
      return output({
        evaluations: data.message.payload.candidates.map(({ id, content }) => ({
          id,
          score: claims(content),
          confidence: 0.9,
          defects: [`Against ${content}.`],
          solution: content.endsWith('!'),
        })),
      });
    };
    await searched({ model: { ...graded.model, instead } });
    for (const content of ['step.1', 'step.1.1', 'step.2', 'step.2!', '(step'])
      assert.match(asked[0] ?? '', new RegExp(`\\d\\. Against ${content.replace(/[.(!]/g, '\\$&')}`), content);
  });

  it('go on after an export and an import as if nothing had happened', async () => {
    const done = await searched(graded);
    const copy = await imported(JSON.parse((await exported(done.store)).text));
    const again = await simulateThoughts({ store: copy, model: graded.model ?? {} });
    await again.run();
    assert.deepEqual(
      again.model.log.map(({ purpose }) => purpose),
      ['synthesize', 'review', 'synthesize'],
    );
    assert.deepEqual(finished(again), finished(done));
    const combined = node(again, finished(again).at(-1) ?? '');
    assert.equal(sourcesOf(again.search.tree, combined).length, 2);
  });
});

describe('combining thoughts', () => {
  /** Whether the next answer has no thought. */
  let isEmptyOnce = false;

  async function ended(): Promise<ThoughtSimulation & { prompts: ModelRequest[] }> {
    const prompts: ModelRequest[] = [];
    isEmptyOnce = false;
    const instead = (request: ModelRequest): string | undefined => {
      prompts.push(request);
      if (!isEmptyOnce || request.purpose !== 'generate') return undefined;
      isEmptyOnce = false;
      return output([]);
    };
    const options = { ...OPTIONS, candidates: 3, maxDepth: 3, beam: 2 };
    const simulation = await searched({ strategy: 'breadth-first', options, model: { score: () => 7, instead } });
    return { ...simulation, prompts };
  }

  it('is one thought below the nearest one above all of them, made from the paths of all', async () => {
    const simulation = await ended();
    const { search, clock, prompts } = simulation;
    await clock.run(search.act({ action: 'combine', node: 'node_1/node_1_1/node_1_1_1', with: 'node_1_2' }, 'me'));
    const made = node(simulation, 'node_1/node_1_4');
    assert.deepEqual([made.status, made.document], ['unexpanded', undefined]);
    await simulation.run();
    assert.equal(made.title, '(step.1.1.1 + step.1.2)!');
    assert.deepEqual(sourcesOf(search.tree, made).map(pathOf), ['node_1/node_1_1/node_1_1_1', 'node_1/node_1_2']);
    assert.ok(made.evaluation, 'it is judged like others, though the search had its answer');
    const asked = prompts.find(({ prompt }) => prompt.includes('Make one thought of these'))?.prompt ?? '';
    for (const step of ['step.1', 'step.1.1', 'step.1.1.1', 'step.1.2'])
      assert.ok(asked.includes(`<step>\n${step}\n</step>`), step);
    assert.match(asked, /The path so far:\n<path>\n<step>\nstep\.1\n<\/step>\n<\/path>/);
  });

  it('is asked for again where an answer holds none', async () => {
    const simulation = await ended();
    const { search, clock, prompts } = simulation;
    const before = prompts.length;
    isEmptyOnce = true;
    await clock.run(search.act({ action: 'combine', node: 'node_1', with: 'node_2' }, 'me'));
    await simulation.run();
    assert.equal(node(simulation, 'node_4').title, '(step.1 + step.2)!');
    assert.equal(prompts.slice(before).filter(({ purpose }) => purpose === 'generate').length, 2);
  });

  it('of different first steps is a first step', async () => {
    const simulation = await ended();
    const { search, clock } = simulation;
    await clock.run(search.act({ action: 'combine', node: 'node_1', with: 'node_2, node_3' }, 'me'));
    await simulation.run();
    assert.equal(node(simulation, 'node_4').title, '(step.1 + step.2 + step.3)!');
  });

  it('is refused for one alone, for more than four, for one above another, and for what is not there', async () => {
    const { search, clock } = await ended();
    const refused = (path: string, others: string, why: RegExp): Promise<void> =>
      assert.rejects(clock.run(search.act({ action: 'combine', node: path, with: others }, 'me')), why);
    await refused('node_1', 'node_1', /one to three other thoughts/);
    await refused('node_1', 'node_2 node_3 node_1_1 node_1_2', /one to three other thoughts/);
    await refused('node_1', 'node_1/node_1_1', /above or below/);
    await refused('node_1', 'node_9', /node_9/);
    assert.equal(
      [...walk(search.tree.root)].some(({ links }) => links.length > 0),
      false,
    );
  });
});
