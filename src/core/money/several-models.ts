import * as z from 'zod';
import { type JournalEvent, type KeptFold, WorstCase } from '../search/events.ts';

/** One of several models that share the work of a search. */
export interface Member {
  readonly name: string;
  /** The most that it may spend in the search, in US dollars. */
  readonly most?: number;
}

/** The most models that share the work of one search. */
export const MOST_MEMBERS = 8;

/** The option of a kind that names several models, as `a/b,c/d=0.50`; and the one that keeps what earlier searches tell of them. */
export const MODELS_OPTION = 'models';
export const WORTH_OPTION = 'modelsBefore';

const MEMBER = /^([^\s,=]{1,300})(?:=(\d{1,9}(?:\.\d{1,9})?))?$/;

/** Returns the models that such an option names, each with its limit; undefined if it names none, too many, or one twice. */
export function membersIn(text: unknown): readonly Member[] | undefined {
  if (typeof text !== 'string') return undefined;
  const found = text.split(',').map((each) => MEMBER.exec(each.trim()));
  const members = found.flatMap((each) => {
    if (!each) return [];
    const [, name = '', most] = each;
    return [{ name, ...(most !== undefined && { most: Number(most) }) }];
  });
  const areSeveral = new Set(members.map(({ name }) => name)).size === found.length && found.length <= MOST_MEMBERS;
  return areSeveral ? members : undefined;
}

/** Returns a model as such an option names it. */
export function memberText({ name, most }: Member): string {
  // Numbers below are written with an exponent, which no option takes.
  return most === undefined ? name : `${name}=${most < 1e-6 ? most.toFixed(9) : most}`;
}

/** Returns the cause of a pause before the limit of one of several models, as the journal keeps it. */
export function causeOfLimit(model: string): string {
  return `usd of ${model}`;
}

const Sum = z.number().min(0).max(1e9);

/** The worth of a model: its thoughts that were judged, the sum of their scores from 0 to 1, and the cost of its answers. */
export const ModelWorth = z
  .object({ model: z.string().max(300), calls: Sum, usd: Sum, judged: Sum, good: Sum })
  // Sums of fractions are a little off.
  .refine(({ judged, good }) => good <= judged * (1 + 1e-9));
export type ModelWorth = z.infer<typeof ModelWorth>;

/** Returns what was brought, each model once. */
export function sumOfWorth(worths: readonly ModelWorth[]): ModelWorth[] {
  const sums = new Map<string, ModelWorth>();
  for (const each of worths) {
    const before = sums.get(each.model);
    const sum = (name: 'calls' | 'usd' | 'judged' | 'good'): number => (before?.[name] ?? 0) + each[name];
    sums.set(each.model, {
      model: each.model,
      ...{ calls: sum('calls'), usd: sum('usd'), judged: sum('judged'), good: sum('good') },
    });
  }
  return [...sums.values()];
}

const Spent = z.object({ calls: z.number(), usd: z.number() });
const SpendState = z.object({
  spent: z.array(z.tuple([z.string(), Spent])),
  open: z.array(z.tuple([z.string(), z.object({ model: z.string(), worst: WorstCase })])),
});

/** The spend of each model of a search, as its journal tells; a call that never ended counts at its worst case. */
export class ModelSpend implements KeptFold {
  static readonly part = 'model-spend';
  readonly name = ModelSpend.part;
  readonly #spent = new Map<string, { calls: number; usd: number }>();
  readonly #open = new Map<string, { model: string; worst: WorstCase }>();

  apply(event: JournalEvent): void {
    if (event.type === 'call-started') this.#open.set(event.call, { model: event.model, worst: event.worst });
    else if (event.type === 'forked') this.#startAnew();
    else if (event.type === 'call-ended') {
      const begun = this.#open.get(event.call);
      this.#open.delete(event.call);
      if (!begun || (!event.usage && !event.charged)) return;
      this.#add(begun.model, event.usage?.usd ?? Math.max(begun.worst.usd ?? 0, event.booked?.usd ?? 0));
    } else if (event.type === 'search-started' || event.type === 'search-resumed') {
      for (const { model, worst } of this.#open.values()) this.#add(model, worst.usd ?? 0);
      this.#open.clear();
    }
  }

  #startAnew(): void {
    this.#spent.clear();
    this.#open.clear();
  }

  #add(model: string, usd: number): void {
    const { calls, usd: before } = this.of(model);
    this.#spent.set(model, { calls: calls + 1, usd: before + usd });
  }

  /** Returns the settled spend of a model. */
  of(model: string): { readonly calls: number; readonly usd: number } {
    return this.#spent.get(model) ?? { calls: 0, usd: 0 };
  }

  /** Tells whether a limit leaves a model room for one more call: now, once those under way have ended, or not at all. */
  roomIn(limit: number, model: string, next: number): 'now' | 'later' | undefined {
    if (this.of(model).usd + next > limit) return undefined;
    return this.atMost(model) + next > limit ? 'later' : 'now';
  }

  /** Returns its spend with calls under way at their worst case. */
  atMost(model: string): number {
    let { usd } = this.of(model);
    for (const { model: asked, worst } of this.#open.values()) if (asked === model) usd += worst.usd ?? 0;
    return usd;
  }

  get state(): z.infer<typeof SpendState> {
    return { spent: [...this.#spent], open: [...this.#open] };
  }

  restore(state: unknown): void {
    const { spent, open } = SpendState.parse(state);
    for (const [model, sum] of spent) this.#spent.set(model, sum);
    for (const [call, begun] of open) this.#open.set(call, begun);
  }
}
