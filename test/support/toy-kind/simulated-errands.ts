import type { Store } from '../../../src/core/ports/store.ts';
import type { SearchFile } from '../../../src/core/search/search-file.ts';
import type { Outcome, RunOptions } from '../../../src/engine/loop.ts';
import type { Search } from '../../../src/engine/search.ts';
import type { SearchParts } from '../../../src/engine-parts/opening/open-held-search.ts';
import { type Simulation, simulate } from '../searches/simulated-search.ts';
import { WITH_ERRANDS } from './errands.ts';
import type { Hands } from './errands-client.ts';

export const MOVE_HOUSE: SearchFile = {
  version: 1,
  kind: 'errands',
  title: 'Move house',
  prompt: 'Move house',
  options: {},
};

export interface ErrandsSimulation extends Simulation {
  /** Runs until all is done, or all that is left to do is outside. */
  readonly run: (options?: RunOptions) => Promise<Outcome>;
}

/** Errands in memory, in virtual time. */
export async function simulateErrands(
  store?: Store,
  seed?: number,
  parts: Partial<SearchParts> = {},
): Promise<ErrandsSimulation> {
  // One slot: offers take none.
  const search = { kinds: WITH_ERRANDS, concurrency: 1, ...parts };
  const simulation = await simulate({
    file: MOVE_HOUSE,
    search,
    ...(store && { store }),
    ...(seed !== undefined && { seed }),
  });
  return { ...simulation, run: (options) => simulation.clock.run(simulation.search.run(options)) };
}

/** Whoever does errands in the process that runs the search. */
export function handsOf(search: Search, run: () => Promise<Outcome>, by = 'client'): Hands {
  return {
    next: async () => {
      const outcome = await run();
      return outcome.state === 'waiting' ? outcome.offers : [];
    },
    act: async (call) => (await search.act(call, by)).value,
  };
}
