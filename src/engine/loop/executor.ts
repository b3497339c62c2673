import type { Move, MoveResult } from '../../core/kind/strategy.ts';
import type { OfferingExecutor } from '../offers/offer-protocol.ts';

/** Carries out the moves of one kind itself. */
interface RunningExecutor {
  readonly needsSlot: boolean;
  /** True if it works on its nodes although it takes no slot, so that it is stopped where they are released. */
  readonly isWork?: boolean;
  /** True if it works on its node until that has children or is a leaf; a success ends a row of failures. */
  readonly expands?: true;
  readonly run: (move: Move, signal: AbortSignal) => Promise<MoveResult>;
}

/** Carries out the moves of one kind, or lets somebody outside do so. */
export type Executor = RunningExecutor | OfferingExecutor;

/** The executors of moves, by their kind. */
export type Executors = Readonly<Record<string, Executor>>;
