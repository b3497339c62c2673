import * as z from 'zod';
import type { JournalEvent } from '../search/events.ts';

const CallSums = z.object({
  /** Answers that could be used. */
  answers: z.number(),
  /** All calls that cost something, including wrong answers and those cut off. */
  calls: z.number(),
  prompt: z.number(),
  cached: z.number(),
  completion: z.number(),
  /** Sum of the squares of prompt and completion together. */
  squares: z.number(),
  /** Milliseconds of usable answers. */
  ms: z.number(),
  /** For answers whose cost the server reported: their number, their tokens, and US dollars. */
  paid: z.number(),
  paidTokens: z.number(),
  usd: z.number(),
});

/** Sums over calls of one purpose at one depth; tokens of successful answers only. */
export type CallSums = z.infer<typeof CallSums>;

/** The number of child lists given at one depth, and the children in them. */
const ListSums = z.object({ lists: z.number(), children: z.number() });
type ListSums = z.infer<typeof ListSums>;

const StatisticsState = z.object({
  /** By purpose, then by depth. */
  calls: z.array(z.tuple([z.string(), z.array(z.tuple([z.number(), CallSums]))])),
  lists: z.array(z.tuple([z.number(), ListSums])),
  finished: z.number(),
  searches: z.number(),
});

const NOTHING: CallSums = {
  answers: 0,
  calls: 0,
  prompt: 0,
  cached: 0,
  completion: 0,
  squares: 0,
  ms: 0,
  paid: 0,
  paidTokens: 0,
  usd: 0,
};

const MONEY: ReadonlySet<keyof CallSums> = new Set(['paid', 'paidTokens', 'usd']);

/** Sums of what calls used, by purpose and depth, according to journals: the basis of forecasts. They only grow. */
export class CallStatistics {
  readonly #calls = new Map<string, Map<number, CallSums>>();
  readonly #lists = new Map<number, ListSums>();
  /** Nodes worked on. */
  #finished = 0;
  #searches = 0;

  /** Takes one event of a journal into account. */
  apply(event: JournalEvent): void {
    if (event.type === 'call-ended') this.#add(event);
    else if (event.type === 'search-started') this.#searches++;
    // A person's change to a node is not work on it.
    else if ('by' in event) return;
    else if (event.type === 'node-added') this.#addList(depthOf(event.node), event.children.length);
    else if (event.type === 'node-status' && (event.status === 'expanded' || event.status === 'leaf')) {
      this.#finished++;
      if (event.status === 'leaf' && event.leafReason === 'model') this.#addList(depthOf(event.node), 0);
    }
  }

  get state(): z.infer<typeof StatisticsState> {
    return {
      calls: Array.from(this.#calls, ([purpose, depths]) => [purpose, [...depths]]),
      lists: [...this.#lists],
      finished: this.#finished,
      searches: this.#searches,
    };
  }

  restore(state: unknown): void {
    const { calls, lists, finished, searches } = StatisticsState.parse(state);
    for (const [purpose, depths] of calls) this.#calls.set(purpose, new Map(depths));
    for (const [depth, sums] of lists) this.#lists.set(depth, sums);
    this.#finished = finished;
    this.#searches = searches;
  }

  /**
   * Adds the sums of others.
   * @param withMoney false for those of another model, whose costs say nothing about this one's
   */
  include(other: CallStatistics, withMoney = true): void {
    const { calls, lists: listed, finished, searches } = other.state;
    for (const [purpose, depths] of calls)
      for (const [depth, sums] of depths) {
        const own = this.#sumsOf(purpose, depth);
        for (const key of Object.keys(own) as (keyof CallSums)[])
          if (withMoney || !MONEY.has(key)) own[key] += sums[key];
      }
    for (const [depth, { lists, children }] of listed) {
      const own = this.#listsAt(depth);
      own.lists += lists;
      own.children += children;
    }
    this.#finished += finished;
    this.#searches += searches;
  }

  /** Searches that were begun. */
  get searches(): number {
    return this.#searches;
  }

  get finished(): number {
    return this.#finished;
  }

  get purposes(): string[] {
    return [...this.#calls.keys()];
  }

  /** Calls that cost something, by purpose. */
  get callsByPurpose(): Record<string, number> {
    return Object.fromEntries(this.purposes.map((purpose) => [purpose, this.of(purpose).calls]));
  }

  /** Returns the sums for a purpose, by depth of the node; 0 is the search itself. */
  byDepth(purpose: string): ReadonlyMap<number, Readonly<CallSums>> {
    return this.#calls.get(purpose) ?? new Map();
  }

  /** Returns the sums for a purpose, over all depths. */
  of(purpose: string): Readonly<CallSums> {
    const total = { ...NOTHING };
    for (const sums of this.byDepth(purpose).values())
      for (const key of Object.keys(total) as (keyof CallSums)[]) total[key] += sums[key];
    return total;
  }

  /** Lists of children at a depth: how many, and with how many children in all. */
  lists(depth: number): Readonly<ListSums> {
    return this.#lists.get(depth) ?? { lists: 0, children: 0 };
  }

  #add({ purpose, node, usage, outcome, charged, ms }: Extract<JournalEvent, { type: 'call-ended' }>): void {
    if (!charged) return;
    const sums = this.#sumsOf(purpose, depthOf(node));
    sums.calls++;
    if (!usage || (outcome !== 'ok' && outcome !== 'tools')) return;
    sums.answers++;
    sums.prompt += usage.prompt;
    sums.cached += usage.cached;
    sums.completion += usage.completion;
    sums.squares += (usage.prompt + usage.completion) ** 2;
    sums.ms += ms;
    if (usage.usd === undefined) return;
    sums.paid++;
    sums.paidTokens += usage.prompt + usage.completion;
    sums.usd += usage.usd;
  }

  #addList(depth: number, children: number): void {
    const sums = this.#listsAt(depth);
    sums.lists++;
    sums.children += children;
  }

  #sumsOf(purpose: string, depth: number): CallSums {
    const depths = this.#calls.get(purpose) ?? new Map<number, CallSums>();
    this.#calls.set(purpose, depths);
    const sums = depths.get(depth) ?? { ...NOTHING };
    depths.set(depth, sums);
    return sums;
  }

  #listsAt(depth: number): ListSums {
    const sums = this.#lists.get(depth) ?? { lists: 0, children: 0 };
    this.#lists.set(depth, sums);
    return sums;
  }
}

/** Returns the depth of the node at a slug path; the root is 0. */
export function depthOf(path: string): number {
  return path === '' ? 0 : path.split('/').length;
}
