import type { Store } from '../../../src/core/ports/store.ts';
import type { SearchFile } from '../../../src/core/search/search-file.ts';
import type { Kinds } from '../../../src/engine/kind.ts';
import { investigationDescriptor } from '../../../src/kinds/investigation/descriptor.ts';
import { type Simulation, simulate } from '../searches/simulated-search.ts';

const WITH_INVESTIGATION: Kinds = [
  {
    descriptor: investigationDescriptor,
    load: async () => (await import('../../../src/kinds/investigation/investigation.ts')).investigation,
  },
];

/** search.json of an investigation. */
export function investigationFile(options: object = {}): SearchFile {
  const all = { profile: 'strict', sessionId: 'played', ...options };
  return { version: 1, kind: 'investigation', title: 'Why?', prompt: 'Why?', options: all };
}

/** Returns an investigation in memory, in virtual time. */
export async function simulateInvestigation(store: Store, seed = 1): Promise<Simulation> {
  return await simulate({ store, seed, search: { kinds: WITH_INVESTIGATION, concurrency: 1 } });
}
