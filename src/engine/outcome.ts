import type { Said } from '../core/messages/message.ts';
import type { Offer } from '../core/offers/offer.ts';
import type { PauseReason, Results } from '../core/search/events.ts';
import type { SearchEnd } from '../core/search/strategy.ts';

/** How a run ended. */
export type Outcome =
  | { readonly state: 'finished'; readonly reason: SearchEnd | 'finish-now'; readonly results: Results }
  | {
      readonly state: 'paused';
      readonly reason: PauseReason;
      readonly cause?: string;
      readonly message: string;
      readonly say: Said;
      readonly results: Results;
    }
  /** All that is left to do is outside: somebody has to answer these offers. */
  | {
      readonly state: 'waiting';
      readonly reason: 'offers';
      readonly offers: readonly Offer[];
      readonly message: string;
      readonly say: Said;
      readonly results: Results;
    };

/** How a run is to go. */
export interface RunOptions {
  /** Whether it stays while all that is left to do is outside; by default it ends as `waiting`. */
  readonly wait?: boolean | undefined;
}
