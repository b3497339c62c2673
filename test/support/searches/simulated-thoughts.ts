import type { Store } from '../../../src/core/ports/store.ts';
import type { JournalEvent } from '../../../src/core/search/events.ts';
import type { SearchFile, SearchOptions } from '../../../src/core/search/search-file.ts';
import type { Outcome } from '../../../src/engine/loop.ts';
import type { Search } from '../../../src/engine/search.ts';
import { openHeldSearch, type SearchParts } from '../../../src/engine-parts/opening/open-held-search.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { findTask } from '../../../src/kinds/thoughts/tasks/find-task.ts';
import type { Task } from '../../../src/kinds/thoughts/tasks/task.ts';
import { createMemoryStore } from '../memory-store.ts';
import { type ThoughtModel, type ThoughtModelOptions, thoughtModel } from '../models/thought-model.ts';
import { seededRandom, VirtualClock } from '../virtual-clock.ts';

export interface ThoughtSimulationOptions {
  readonly strategy?: string;
  readonly prompt?: string;
  readonly options?: Partial<SearchOptions>;
  readonly model?: ThoughtModelOptions;
  readonly task?: Task;
  readonly search?: Partial<SearchParts>;
  readonly store?: Store;
  readonly seed?: number;
}

export interface ThoughtSimulation {
  readonly clock: VirtualClock;
  readonly store: Store;
  readonly model: ThoughtModel;
  readonly search: Search;
  readonly events: JournalEvent[];
  readonly run: () => Promise<Outcome>;
}

/** search.json of a search for a solution. */
export function thoughtFile({
  strategy,
  prompt = 'Reach the end.',
  options,
  task,
}: ThoughtSimulationOptions): SearchFile {
  return {
    version: 1,
    kind: 'thoughts',
    title: prompt,
    prompt,
    ...(strategy === undefined ? {} : { strategy }),
    options: { maxDepth: 3, size: 'all', ...(task ? { task: task.name } : {}), ...options },
  };
}

/** Returns a whole search for a solution in memory: scripted model, virtual time, seeded chance. */
export async function simulateThoughts(given: ThoughtSimulationOptions = {}): Promise<ThoughtSimulation> {
  const clock = new VirtualClock();
  const store = given.store ?? (await createMemoryStore(thoughtFile(given)));
  const model = thoughtModel({ clock, ...given.model });
  const own = given.task;
  const search = await openHeldSearch({
    kinds: KINDS,
    store,
    model,
    clock,
    random: seededRandom(given.seed ?? 1),
    folder: 'thought-trees/problem',
    findHooks: (name) => (own?.name === name ? own : findTask(name)),
    ...given.search,
  });
  const events: JournalEvent[] = [];
  search.listen((event) => events.push(event));
  return { clock, store, model, search, events, run: () => clock.run(search.run()) };
}
