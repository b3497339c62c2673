import type { Store } from '../../../src/core/ports/store.ts';
import type { JournalEvent } from '../../../src/core/search/events.ts';
import type { SearchFile } from '../../../src/core/search/search-file.ts';
import type { Outcome } from '../../../src/engine/loop.ts';
import type { Search } from '../../../src/engine/search.ts';
import { openHeldSearch, type SearchParts } from '../../../src/engine-parts/opening/open-held-search.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { createMemoryStore } from '../memory-store.ts';
import { type SimulatedModel, type SimulatedModelOptions, simulatedModel } from '../models/simulated-model.ts';
import { type ScriptedTreeOptions, scriptedTree } from '../servers/server-tree.ts';
import { seededRandom, VirtualClock } from '../virtual-clock.ts';

export const QUESTION: SearchFile = {
  version: 1,
  kind: 'research',
  title: 'Why is the build slow?',
  prompt: 'Why is the build slow?',
  options: {},
};

export interface SimulationOptions {
  readonly tree?: ScriptedTreeOptions;
  readonly model?: Partial<SimulatedModelOptions>;
  readonly search?: Partial<SearchParts>;
  readonly file?: Partial<SearchFile>;
  readonly store?: Store;
  readonly seed?: number;
}

export interface Simulation {
  readonly clock: VirtualClock;
  readonly store: Store;
  readonly model: SimulatedModel;
  readonly search: Search;
  readonly events: JournalEvent[];
  /** Runs the search to its end in virtual time. */
  readonly run: () => Promise<Outcome>;
}

/** Returns a whole search in memory: scripted model, virtual time, seeded chance. */
export async function simulate(options: SimulationOptions = {}): Promise<Simulation> {
  const clock = new VirtualClock();
  const store = options.store ?? (await createMemoryStore({ ...QUESTION, ...options.file }));
  const model = simulatedModel({ tree: scriptedTree(options.tree), clock, ...options.model });
  const random = seededRandom(options.seed ?? 1);
  const search = await openHeldSearch({
    kinds: KINDS,
    store,
    model,
    clock,
    random,
    folder: 'thought-trees/build',
    ...options.search,
  });
  const events: JournalEvent[] = [];
  search.listen((event) => events.push(event));
  return { clock, store, model, search, events, run: () => clock.run(search.run()) };
}
