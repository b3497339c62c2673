import * as z from 'zod';
import type { Fold, JournalEvent } from '../search/events.ts';
import { isWithin, movedPath } from '../tree/slug.ts';
import { Offer } from './offer.ts';

/** Who works on an offer. */
export interface Taking {
  readonly by: string;
  /** A person, for whom it does not expire. */
  readonly isPerson: boolean;
  /** When it becomes available to others again, in milliseconds since 1970; undefined for never. */
  readonly expiresAt: number | undefined;
}

/** An offer that nobody has answered yet. */
export interface OpenOffer {
  readonly offer: Offer;
  /** Undefined while it is free. */
  readonly taking: Taking | undefined;
  /** Who took it and let it expire: they have to take it again before they answer. */
  readonly lateOnes: ReadonlySet<string>;
}

/** Answers that were kept together and may not have been written to the files yet. */
export interface AnswerBatch {
  readonly answers: readonly { readonly offer: Offer; readonly result: unknown }[];
  readonly by: string;
}

/** The way in which an offer was closed. */
export type Settled = 'answered' | 'withdrawn';

const BookState = z.object({
  open: z.array(
    z.object({
      offer: Offer,
      taking: z.object({ by: z.string(), isPerson: z.boolean(), expiresAt: z.number().optional() }).optional(),
      lateOnes: z.array(z.string()),
    }),
  ),
  settled: z.array(z.tuple([z.string(), z.enum(['answered', 'withdrawn'])])),
  unapplied: z.array(z.object({ answers: z.array(z.object({ offer: Offer, result: z.unknown() })), by: z.string() })),
});

type Told<T extends JournalEvent['type']> = Extract<JournalEvent, { type: T }>;

/** The offers of a search, according to its journal. It has no clock: callers pass the time. */
export class OfferBook implements Fold {
  readonly #open = new Map<string, OpenOffer>();
  readonly #settled = new Map<string, Settled>();
  #unapplied: AnswerBatch[] = [];

  apply(event: JournalEvent): void {
    if (event.type === 'offer-made') this.#make(event.offer);
    else if (event.type === 'offer-taken') this.#take(event);
    else if (event.type === 'offer-given-back') this.#free(event.offer);
    else if (event.type === 'offer-expired') this.#expire(event.offer);
    else if (event.type === 'offers-withdrawn') for (const id of event.offers) this.#settle(id, 'withdrawn');
    else if (event.type === 'offers-answered') this.#answer(event);
    else if (event.type === 'offers-applied') this.#applied(new Set(event.offers));
    else if (event.type === 'node-moved') this.#move(event);
  }

  get state(): z.infer<typeof BookState> {
    const open = this.open.map(({ offer, taking, lateOnes }) => ({
      offer,
      ...(taking && { taking }),
      lateOnes: [...lateOnes],
    }));
    const unapplied = this.#unapplied.map(({ answers, by }) => ({ answers: [...answers], by }));
    return { open, settled: [...this.#settled], unapplied };
  }

  restore(state: unknown): void {
    const { open, settled, unapplied } = BookState.parse(state);
    for (const { offer, taking, lateOnes } of open)
      this.#open.set(offer.id, {
        offer,
        taking: taking && { ...taking, expiresAt: taking.expiresAt },
        lateOnes: new Set(lateOnes),
      });
    for (const [id, as] of settled) this.#settled.set(id, as);
    this.#unapplied = unapplied;
  }

  /** The unanswered ones, oldest first. */
  get open(): readonly OpenOffer[] {
    return [...this.#open.values()];
  }

  /** The number of unanswered ones. */
  get size(): number {
    return this.#open.size;
  }

  /** Returns an unanswered offer; undefined if there is none of that name. */
  find(id: string): OpenOffer | undefined {
    return this.#open.get(id);
  }

  /** Returns how an offer was closed; undefined if it is open, or never existed. */
  settled(id: string): Settled | undefined {
    return this.#settled.get(id);
  }

  /** Answers that are kept but not applied, oldest first. */
  get unapplied(): readonly AnswerBatch[] {
    return this.#unapplied;
  }

  #make(offer: Offer): void {
    this.#open.set(offer.id, { offer, taking: undefined, lateOnes: new Set() });
  }

  /** An offer follows the nodes that it is about. */
  #move({ from, node: to }: Told<'node-moved'>): void {
    const follow = (offer: Offer): Offer =>
      offer.nodes.some((path) => isWithin(path, from))
        ? { ...offer, nodes: offer.nodes.map((path) => movedPath(path, from, to)) }
        : offer;
    for (const [id, open] of this.#open) this.#open.set(id, { ...open, offer: follow(open.offer) });
    this.#unapplied = this.#unapplied.map((batch) => ({
      ...batch,
      answers: batch.answers.map((answer) => ({ ...answer, offer: follow(answer.offer) })),
    }));
  }

  #take({ offer: id, by, person, expiresAt }: Told<'offer-taken'>): void {
    const found = this.#open.get(id);
    if (!found) return;
    const until = expiresAt === undefined ? undefined : Date.parse(expiresAt) || 0; // a damaged time counts as over
    const lateOnes = new Set(found.lateOnes);
    lateOnes.delete(by);
    this.#open.set(id, { ...found, lateOnes, taking: { by, isPerson: person === true, expiresAt: until } });
  }

  #free(id: string): void {
    const found = this.#open.get(id);
    if (found) this.#open.set(id, { ...found, taking: undefined });
  }

  #expire(id: string): void {
    const found = this.#open.get(id);
    if (!found?.taking) return;
    this.#open.set(id, { ...found, taking: undefined, lateOnes: new Set(found.lateOnes).add(found.taking.by) });
  }

  #settle(id: string, as: Settled): void {
    if (this.#open.delete(id)) this.#settled.set(id, as);
  }

  #answer({ answers, by }: Told<'offers-answered'>): void {
    const known = answers.flatMap(({ offer: id, result }) => {
      const found = this.#open.get(id);
      return found ? [{ offer: found.offer, result }] : [];
    });
    for (const { offer } of known) this.#settle(offer.id, 'answered');
    if (known.length > 0) this.#unapplied = [...this.#unapplied, { answers: known, by }];
  }

  #applied(ids: ReadonlySet<string>): void {
    this.#unapplied = this.#unapplied.filter(({ answers }) => !answers.every(({ offer }) => ids.has(offer.id)));
  }
}

/** The kept answers by the slug paths of the nodes they are about, as they were then; applied or not, oldest first. */
export function answersByNode(journal: readonly JournalEvent[]): Map<string, unknown[]> {
  const book = new OfferBook();
  const byNode = new Map<string, unknown[]>();
  for (const event of journal) {
    book.apply(event);
    if (event.type !== 'offers-answered') continue;
    for (const { offer, result } of book.unapplied.at(-1)?.answers ?? [])
      for (const path of offer.nodes) byNode.set(path, [...(byNode.get(path) ?? []), result]);
  }
  return byNode;
}

/**
 * Returns who works on an offer at a given time, in milliseconds since 1970; undefined if it is free, or has expired.
 */
export function takingAt({ taking }: Pick<OpenOffer, 'taking'>, now: number): Taking | undefined {
  return taking?.expiresAt !== undefined && now >= taking.expiresAt ? undefined : taking;
}

/** Tells whether somebody let an offer expire, so that an answer of theirs comes too late. */
export function isLate({ taking, lateOnes }: OpenOffer, by: string, now: number): boolean {
  if (taking?.by !== by) return lateOnes.has(by);
  return taking.expiresAt !== undefined && now >= taking.expiresAt;
}
