import type { Model, ModelRequest } from '../../src/core/ports/model.ts';
import { openHeldSearch } from '../../src/engine-parts/opening/open-held-search.ts';
import { KINDS } from '../../src/kinds/kinds.ts';
import type { Task } from '../../src/kinds/thoughts/tasks/task.ts';
import { createMemoryStore } from '../../test/support/memory-store.ts';
import { thoughtData } from '../../test/support/searches/thought-data.ts';
import { chance } from '../../test/support/servers/server-random.ts';
import { seededRandom, stillClock } from '../../test/support/virtual-clock.ts';
import { FANOUTS, nodesOf } from '../trees/even-tree.ts';

/** The cost of one node in a search for a solution. */
export interface ThoughtScaleResult {
  readonly nodes: number;
  /** Microseconds of processor time. */
  readonly microseconds: number;
}

/** Nodes worked on before anything is measured, so that the compiler has seen the code. */
const WARM_UP = 5000;
/** Nothing is a solution, so that the whole tree is searched. */
const never: Task = { name: 'never', defaults: {}, solved: () => false };

/** Returns a model that proposes as many thoughts as the tree has children there, and judges them by their names. */
function leanThoughts(fanouts: readonly number[]): Model & { readonly own: number } {
  let own = 0;
  const answer = (request: ModelRequest): unknown => {
    const data = thoughtData(request.data);
    if (data.purpose === 'generate') {
      const { id, depth } = data.message.payload.parent_node;
      return Array.from({ length: fanouts[depth] ?? 0 }, (_, i) => ({ content: `Part ${i + 1} of ${id}` }));
    }
    if (data.purpose !== 'evaluate') return [];
    const { candidates } = data.message.payload;
    return { evaluations: candidates.map(({ id }) => ({ id, score: 5 + Math.round(40 * chance(id)) / 10 })) };
  };
  return {
    name: 'simulated/thoughts',
    label: 'Simulated',
    free: true,
    get own(): number {
      return own;
    },
    generate: async (request) => {
      const begun = performance.now();
      const text = `<output>\n${JSON.stringify(answer(request))}\n</output>`;
      own += performance.now() - begun;
      return { text, finish: 'stop', usage: { prompt: 1, cached: 0, completion: 1 } };
    },
  };
}

/** Milliseconds of processor time for searching a whole tree, without the model's own. */
async function searched(strategy: string, fanouts: readonly number[], seed: number): Promise<number> {
  const options = { task: 'never', candidates: Math.max(...fanouts), maxDepth: fanouts.length, beam: 4, tries: 1 };
  const file = { version: 1, kind: 'thoughts', title: 'Parts', prompt: 'Which part?', strategy, options };
  const store = createMemoryStore({ ...file, options: { ...options, threshold: 0 } });
  const decomposition = { thought_granularity: 'part', intermediate_steps: [], depth_estimate: 4, constraints: [] };
  await store.writeDecomposition({ ...decomposition, success_criteria: 'none' });
  const model = leanThoughts(fanouts);
  const ports = { clock: stillClock, random: seededRandom(seed), findHooks: () => never };
  const search = await openHeldSearch({
    kinds: KINDS,
    ...ports,
    store,
    model,
    folder: 'a/b',
    limits: { size: 'all', guards: {} },
  });
  const before = process.cpuUsage();
  const outcome = await search.run();
  const { user, system } = process.cpuUsage(before);
  if (search.tree.size !== nodesOf(fanouts)) throw new Error(`${search.tree.size} nodes: ${JSON.stringify(outcome)}`);
  await search.close();
  return (user + system) / 1000 - model.own;
}

const [, , strategy = '', size = ''] = process.argv;
const fanouts = FANOUTS[Number(size)] as readonly number[];
const small = FANOUTS[100] as readonly number[];
for (let done = 0; done < WARM_UP; done += nodesOf(small)) await searched(strategy, small, done);
const nodes = nodesOf(fanouts);
const repeats = Math.max(1, Math.round(6000 / nodes));
let ms = 0;
for (let i = 0; i < repeats; i++) ms += await searched(strategy, fanouts, i);
const result: ThoughtScaleResult = { nodes, microseconds: (1000 * ms) / (repeats * nodes) };
console.log(JSON.stringify(result));
