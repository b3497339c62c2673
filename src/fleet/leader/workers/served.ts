import type { Price, Rates, Thinking } from '../../../core/ports/model.ts';
import type { ServedModel, WorkerCard } from '../../protocol.ts';

/** A model as a leader knows it, from all workers that serve it together. */
export interface Served {
  readonly slots: number;
  readonly price: Price | undefined;
  readonly contextTokens: number | undefined;
  readonly thinking: Thinking | undefined;
  readonly free: boolean;
  readonly tools: boolean;
  readonly warmsCache: boolean;
  readonly changesWorkspace: boolean;
}

/** Sums up what workers say, on the careful side: the dearest price, the shortest context, the most room for reasoning. */
export function servedBy(workers: readonly WorkerCard[], queue: string, known: Price | undefined): Served {
  const of = (worker: WorkerCard): ServedModel[] => worker.models.filter((model) => model.queue === queue);
  const live = workers.filter((worker) => worker.state === 'working' && of(worker).length > 0);
  const models = workers.flatMap(of);
  const contexts = models.flatMap(({ contextTokens }) => contextTokens ?? []);
  const rooms = models.flatMap(({ thinking }) => thinking ?? []);
  return {
    slots: live.reduce((sum, { slots }) => sum + slots, 0),
    price: dearest([known, ...models.map(({ price }) => price as Price | undefined)]),
    contextTokens: contexts.length > 0 ? Math.min(...contexts) : undefined,
    thinking:
      rooms.length > 0
        ? { usual: Math.max(...rooms.map(({ usual }) => usual)), low: Math.max(...rooms.map(({ low }) => low)) }
        : undefined,
    free: models.length > 0 && models.every(({ free }) => free),
    tools: models.every(({ tools }) => tools),
    warmsCache: models.some(({ warmsCache }) => warmsCache),
    changesWorkspace: models.some(({ changesWorkspace }) => changesWorkspace),
  };
}

/** Works something out once for the same cards: it is asked for many times a call, and they change every few seconds. */
export function onceForEach<T>(workOut: (cards: readonly WorkerCard[]) => T): (cards: readonly WorkerCard[]) => T {
  let known: { readonly cards: readonly WorkerCard[]; readonly value: T } | undefined;
  return (cards) => {
    if (known?.cards !== cards) known = { cards, value: workOut(cards) };
    return known.value;
  };
}

/** The price that is at least as high as each of them, for whatever is asked. */
function dearest(prices: readonly (Price | undefined)[]): Price | undefined {
  const given = prices.filter((price) => price !== undefined);
  if (given.length === 0) return undefined;
  const longs = given.flatMap(({ long }) => long ?? []);
  const rates = highest(given);
  if (longs.length === 0) return rates;
  return { ...rates, long: { ...highest([...given, ...longs]), above: Math.min(...longs.map(({ above }) => above)) } };
}

function highest(rates: readonly Rates[]): Rates {
  const most = (of: (rates: Rates) => number): number => Math.max(...rates.map(of));
  const writes = rates.some(({ cacheWrite }) => cacheWrite !== undefined);
  const cacheWrite = most((each) => each.cacheWrite ?? 0);
  return {
    prompt: most((each) => each.prompt),
    cached: most((each) => each.cached),
    completion: most((each) => each.completion),
    ...(writes && { cacheWrite }),
  };
}
