import type { ModelRequest } from '../../../src/core/ports/model.ts';
import type { Store } from '../../../src/core/ports/store.ts';
import type { SearchFile } from '../../../src/core/search/search-file.ts';
import { createMemoryStore } from '../../../src/store/memory-store.ts';
import type { SimulatedModelOptions } from '../models/simulated-model.ts';
import { type Simulation, type SimulationOptions, simulate } from '../searches/simulated-search.ts';

/** How a scripted model leads an investigation. */
export interface LedManner {
  /** The state of a lead, by its id and the states that are possible. */
  readonly state?: (id: string, states: readonly string[]) => string;
  /** How many leads it proposes, if it is asked for some. */
  readonly leads?: (parent: string, least: number) => number;
  /** Another answer, or an error. */
  readonly instead?: (request: ModelRequest, attempt: number) => string | Error | undefined;
  readonly latencyMs?: (request: ModelRequest) => number;
}

/** search.json of an investigation that the engine leads. */
export function ledFile(options: SearchFile['options'] = {}): SearchFile {
  return { version: 1, kind: 'investigation', title: 'Why?', prompt: 'Why do requests time out?', options };
}

/** What of a finding is no business of whoever checks it. */
export const REASONING = 'For the timer was seen to fire twice';

/** The answer of a model that keeps to the rules. */
export function ledAnswer({ purpose, turns, prompt: last }: ModelRequest, { state, leads }: LedManner = {}): string {
  const prompt = turns[0]?.text ?? last;
  if (purpose === 'propose-leads') {
    const [, least = '2'] = /Propose (?:exactly )?(\d+)/.exec(prompt) ?? [];
    const parent = /leads below (R\S+) "/.exec(prompt)?.[1] ?? '';
    const ids = (/with the ids ([^.]+(?:\.\w+(?:, R\d+)?)*)\./.exec(prompt)?.[1] ?? '').split(', ');
    const count = leads?.(parent, Number(least)) ?? Number(least);
    const list = ids.slice(0, count).map((id) => ({ id, title: `Lead ${id}`, plannedAction: `Look at ${id}.` }));
    return `<output>${JSON.stringify(list)}</output>`;
  }
  const id = /(?:lead|looked into) (R\S+) "/.exec(prompt)?.[1] ?? '';
  const states = (/Possible states: ([A-Z, ]+)/.exec(prompt)?.[1] ?? '')
    .split(', ')
    .map((each) => each.split(' ')[0] ?? '');
  const chosen =
    purpose === 'verify-finding' ? (state?.(id, ['VERIFY', 'DEAD']) ?? 'VERIFY') : (state?.(id, states) ?? states[0]);
  return `---
title: About ${id}
summary: What ${id} is about.
state: ${chosen}
---

${REASONING} at ${id}, as src/timer.ts says.

## References
- src/timer.ts - the timer
`;
}

/** An investigation led by the engine, in memory and in virtual time. */
export async function simulateLed(
  manner: LedManner = {},
  options: SimulationOptions & { readonly model?: Partial<SimulatedModelOptions>; readonly store?: Store } = {},
): Promise<Simulation> {
  const store = options.store ?? (await createMemoryStore(ledFile(options.file?.options)));
  const model: Partial<SimulatedModelOptions> = {
    instead: (request, attempt) => manner.instead?.(request, attempt) ?? ledAnswer(request, manner),
    ...(manner.latencyMs && { latencyMs: manner.latencyMs }),
    ...options.model,
  };
  return await simulate({ ...options, store, model });
}
