import type { Price, Rates, Thinking } from '../../core/ports/model.ts';
import type { LeaderRegistration, ServedModel, WorkerRegistration } from '../protocol.ts';

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
export function servedBy(workers: readonly WorkerRegistration[], queue: string, known: Price | undefined): Served {
  const of = (worker: WorkerRegistration): ServedModel[] => worker.models.filter((model) => model.queue === queue);
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

/** Works something out once for the same registrations: it is asked for many times a call, and they change every few seconds. */
export function onceForEach<T>(
  workOut: (registrations: readonly WorkerRegistration[]) => T,
): (registrations: readonly WorkerRegistration[]) => T {
  let known: { readonly registrations: readonly WorkerRegistration[]; readonly value: T } | undefined;
  return (registrations) => {
    if (known?.registrations !== registrations) known = { registrations, value: workOut(registrations) };
    return known.value;
  };
}

/** Returns the price that is at least as high as each of them, for whatever is asked. */
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

/**
 * Counts the fleet's slots that a search asks for: an equal part, and what others leave of theirs, so that none is idle
 * and nobody's calls wait in the queue for slots of others, since those were chosen too early.
 * @param slots of the workers that serve its models
 * @param own the id of its registration
 * @param others searches that ask for the same models
 */
export function shareOf(slots: number, own: string, others: readonly LeaderRegistration[]): number {
  let left = slots;
  let asking = others.filter(wantsMore);
  // Whoever asks for less than an equal part leaves the rest to all that could use more.
  const modest = others.filter((each) => !wantsMore(each)).sort((a, b) => a.underWay - b.underWay);
  for (const [index, each] of modest.entries()) {
    const part = left / (modest.length - index + asking.length + 1);
    if (each.underWay > part) {
      asking = [...asking, ...modest.slice(index)];
      break;
    }
    left -= each.underWay;
  }
  const part = Math.floor(left / (asking.length + 1));
  const before = asking.filter(({ id }) => id < own).length;
  // All know the same registrations, so that they agree on who has what cannot be divided.
  return Math.max(1, part + (before < left % (asking.length + 1) ? 1 : 0));
}

/** Tells whether it has all that it asks for under way, and so may have use for more. */
function wantsMore({ underWay, share }: LeaderRegistration): boolean {
  return share === undefined || underWay >= share;
}
