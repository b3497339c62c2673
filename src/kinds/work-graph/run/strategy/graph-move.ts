import type { Move } from '../../../../core/kind/strategy.ts';
import type { AtRest } from '../../graph/why-at-rest.ts';
import type { AtomName } from '../../graph/work-graph.ts';

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
