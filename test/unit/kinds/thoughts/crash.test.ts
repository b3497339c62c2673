import assert from 'node:assert/strict';
import { foreign } from '../../../../src/core/messages/message.ts';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { CrashingFiles, killsIn } from '../../../support/crashing-files.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { chanceTask } from '../../../support/models/thought-model.ts';
import { snapshotOf } from '../../../support/searches/search-snapshot.ts';
import {
  simulateThoughts,
  type ThoughtSimulation,
  type ThoughtSimulationOptions,
  thoughtFile,
} from '../../../support/searches/simulated-thoughts.ts';
import { thoughtData } from '../../../support/searches/thought-data.ts';

const CONCURRENCY = 3;
const right = { check: () => undefined, release: async () => undefined };
let runs = 0; // no two runs of a process draw the same ids

const CASES: Record<string, ThoughtSimulationOptions> = {
  'breadth-first, one sample': {
    strategy: 'breadth-first',
    options: { candidates: 3, beam: 2, maxDepth: 2, threshold: 3 },
  },
  'breadth-first, drawn one by one, judged by parents, two samples': {
    strategy: 'breadth-first',
    options: {
      candidates: 2,
      beam: 2,
      maxDepth: 3,
      threshold: 2,
      samples: 2,
      generation: 'independent_sampling',
      judge: 'parent',
    },
  },
  'breadth-first, judged by simpler criteria only': {
    strategy: 'breadth-first',
    options: { candidates: 2, beam: 1, maxDepth: 2, threshold: 1 },
    model: {
      instead: (request) => {
        const data = thoughtData(request.data);
        if (data.purpose !== 'evaluate' || data.isSimple) return undefined;
        return new ThoughtTreeError('refused', foreign({ text: 'I cannot.' }));
      },
    },
  },
  'breadth-first, a solution among what several calls judge': {
    strategy: 'breadth-first',
    options: { candidates: 2, beam: 2, maxDepth: 2, threshold: 2, judge: 'parent' },
    model: { score: (content) => (content === 'step.1.1' ? 9.8 : 6) },
  },
  'depth-first, whole solutions compared and combined': {
    strategy: 'depth-first',
    options: { candidates: 2, maxDepth: 2, threshold: 0 },
    model: {
      graded: true,
      score: (content) => (content.endsWith('.1.1') ? 9.8 : content.startsWith('step.1') ? 8 : 6),
    },
  },
  'depth-first with a task': {
    strategy: 'depth-first',
    task: chanceTask,
    options: { candidates: 2, maxDepth: 2, tries: 2 },
  },
  'best-first with a task, merging and further tries': {
    strategy: 'best-first',
    task: chanceTask,
    options: { candidates: 3, beam: 2, maxDepth: 2, threshold: 1, tries: 2, samples: 2 },
  },
  // With one slot: what several would have begun depends on when answers come.
  'adaptive, asked again in conversations of their own': {
    strategy: 'adaptive',
    task: chanceTask,
    options: { candidates: 2, maxDepth: 3, threshold: 1, tries: 3, seed: 7 },
    search: { concurrency: 1 },
  },
  'whole drafts, written again and compared': {
    strategy: 'drafts',
    options: { size: 'small', candidates: 2, maxDepth: 12, repairs: 1 },
    model: { score: (content) => content.length % 10 },
  },
  'uct, drawn one by one': {
    strategy: 'uct',
    options: { candidates: 2, maxDepth: 3, threshold: 3, tries: 2, generation: 'independent_sampling' },
    model: { score: (content) => (content.endsWith('2') ? 7 : 2.5) },
    search: { concurrency: 1 },
  },
};

function emptyFiles(given: ThoughtSimulationOptions): MemoryFiles {
  const files = new MemoryFiles();
  createMemoryStore(thoughtFile(given), files);
  return files;
}

async function runOn(
  given: ThoughtSimulationOptions,
  files: MemoryFiles,
  crashAt?: number,
  made?: boolean,
): Promise<ThoughtSimulation & { changes: number }> {
  const crashing = new CrashingFiles(files, crashAt, made);
  const dead = { simulation: undefined as ThoughtSimulation | undefined };
  const latencyMs = ({ node }: { node: string }): number => 100 + (node.length % 7) * 30;
  const work = (async () => {
    const store = new SearchStore(crashing, right);
    const search = { concurrency: CONCURRENCY, ...given.search };
    const simulation = await simulateThoughts({
      ...given,
      store,
      seed: ++runs,
      model: { ...given.model, latencyMs },
      search,
    });
    dead.simulation = simulation;
    await simulation.run();
  })();
  await crashing.ended(work);
  dead.simulation?.clock.stop();
  return { ...(dead.simulation as ThoughtSimulation), changes: crashing.changes };
}

const answered = (simulation: ThoughtSimulation): string[] =>
  (simulation.model?.log ?? []).map(({ purpose, about }) => `${purpose} ${about}`);
const billed = (simulation: ThoughtSimulation): number =>
  (simulation.model?.log ?? []).reduce((sum, { tokens }) => sum + tokens, 0);

describe('a search for a solution killed at any of its writes', () => {
  for (const [name, given] of Object.entries(CASES))
    it(`${name}: the same tree, nothing asked again that was kept, nothing understated`, async () => {
      const whole = emptyFiles(given);
      const undisturbed = await runOn(given, whole);
      const expected = await snapshotOf(whole);
      assert.ok(undisturbed.changes > 40, `${undisturbed.changes} changes`);
      const kinds = new Set(undisturbed.model.log.map(({ purpose }) => purpose));
      const [makes, judges] = given.strategy === 'drafts' ? ['write-draft', 'read-draft'] : ['generate', 'evaluate'];
      assert.ok(kinds.has(makes) && kinds.has(judges));
      for (const { crashAt, made, where } of killsIn(undisturbed.changes)) {
        const files = emptyFiles(given);
        const first = await runOn(given, files, crashAt, made);
        const second = await runOn(given, files);
        assert.deepEqual(await snapshotOf(files), expected, where);
        const known = new Set(answered(first).filter((call) => !call.startsWith('synthesize')));
        const repeated = answered(second).filter((call) => known.has(call));
        assert.ok(repeated.length <= CONCURRENCY, `${where}: ${repeated.join(', ')} asked again`);
        const { tokens } = second.search.results;
        const spent = tokens.prompt + tokens.completion + tokens.worstCase;
        assert.ok(spent >= billed(first) + billed(second), `${where}: ${spent} tokens said to be spent`);
      }
    });
});
