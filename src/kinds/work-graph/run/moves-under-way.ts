import type { Move, MoveResult } from '../../../core/kind/strategy.ts';
import type { AtomName } from '../graph/graph.ts';
import type { AtRest } from '../graph/ready.ts';

/** The number of times in a row that a move may be dropped. A pause of the search drops what is under way, too. */
const MOST_REFUSALS = 3;

/** The moves of a graph that are under way, and those that were not carried out so often that they are not asked for again. */
export class MovesUnderWay {
  readonly #underWay = new Map<string, GraphMove>();
  /** The atoms that they are about. */
  readonly #busy = new Set<AtomName>();
  /** The number of times in a row that a move was not carried out, by topic: asked for ever, it would never rest. */
  readonly #refused = new Map<string, number>();
  #begun = 0;

  [Symbol.iterator](): Iterator<GraphMove> {
    return this.#underWay.values();
  }

  begin(move: Omit<GraphMove, 'id'>): GraphMove {
    const begun = { id: `${move.kind}-${++this.#begun}`, ...move };
    this.#underWay.set(begun.id, begun);
    if (move.about !== undefined) this.#busy.add(move.about);
    return begun;
  }

  end(move: Move, result: MoveResult): void {
    const told: Pick<GraphMove, 'kind' | 'about'> = this.#underWay.get(move.id) ?? (move as GraphMove);
    this.#underWay.delete(move.id);
    if (told.about !== undefined) this.#busy.delete(told.about);
    const topic = topicOf(told.kind, told.about);
    if (result.outcome === 'dropped' && !result.isReleased)
      this.#refused.set(topic, (this.#refused.get(topic) ?? 0) + 1);
    else this.#refused.delete(topic);
    if (told.kind === 'rest') this.#refused.clear();
  }

  count(isMeant: (kind: GraphMoveKind) => boolean): number {
    return [...this.#underWay.values()].filter(({ kind }) => isMeant(kind)).length;
  }

  has(wanted: GraphMoveKind): boolean {
    return this.count((kind) => kind === wanted) > 0;
  }

  /** Tells whether anything is done here. */
  get areHere(): boolean {
    return this.count((kind) => kind !== 'offer-work' && kind !== 'rest') > 0;
  }

  /** Tells whether a move may be asked for: nothing is done about the same, and it was not dropped too often. */
  mayAsk(kind: GraphMoveKind, about?: AtomName): boolean {
    const isBusy = about !== undefined && this.#busy.has(about);
    return !isBusy && (this.#refused.get(topicOf(kind, about)) ?? 0) < MOST_REFUSALS;
  }

  /** Returns the atoms of moves that are not asked for any more. */
  get refused(): AtomName[] {
    return [...this.#refused].flatMap(([topic, count]) =>
      count < MOST_REFUSALS ? [] : topic.slice(topic.indexOf(' ') + 1),
    );
  }
}

function topicOf(kind: GraphMoveKind, about = ''): string {
  return `${kind} ${about}`;
}

/** Tells, by its kind, whether a move takes one of the search's slots. */
export const TAKES_SLOT = {
  'lay-out': false,
  probe: true,
  work: true,
  'offer-work': false,
  join: false,
  switch: false,
  decompose: true,
  verify: true,
  extend: true,
  rest: false,
} as const;
export type GraphMoveKind = keyof typeof TAKES_SLOT;

/** A move of a work graph. */
export interface GraphMove extends Move {
  readonly kind: GraphMoveKind;
  /** The atom it is about; of `switch`, the group. */
  readonly about?: AtomName;
  /** The iteration that its try belongs to; of `work`, `probe`, `decompose`, `verify` and `extend`. */
  readonly iteration?: number;
  /** Of `switch`: the alternative to select, and whether the one before failed or was given up since nothing moved. */
  readonly to?: AtomName;
  readonly isStall?: boolean;
  /** Of `rest`: why a person has to do something. */
  readonly why?: AtRest;
}

/** The moves that are tries of an atom. */
export const TRIES: ReadonlySet<GraphMoveKind> = new Set(['probe', 'work', 'decompose']);
