import type { SearchEnd } from '../core/kind/strategy.ts';
import type { Said } from '../core/messages/message.ts';
import type { Offer } from '../core/offers/offer.ts';
import type { PauseReason, Results } from '../core/search/events.ts';

export type Outcome =
  | {
      readonly state: 'finished';
      readonly reason: SearchEnd | 'finish-now';
      /** Why there is nothing to show, if there is not. */
      readonly message?: string;
      readonly say?: Said;
      readonly results: Results;
    }
  | {
      readonly state: 'paused';
      readonly reason: PauseReason;
      readonly cause?: string;
      readonly message: string;
      readonly say: Said;
      readonly results: Results;
    }
  /** All remaining work is outside: somebody has to answer these offers. */
  | {
      readonly state: 'waiting';
      readonly reason: 'offers';
      readonly offers: readonly Offer[];
      readonly message: string;
      readonly say: Said;
      readonly results: Results;
    };

export interface RunOptions {
  /** True if it stays while all remaining work is outside; by default it ends as `waiting`. */
  readonly wait?: boolean | undefined;
}
