import type { SearchEnd } from '../../core/kind/strategy.ts';
import { kept } from '../../core/messages/kept.ts';
import type { Said } from '../../core/messages/message.ts';
import type { Offer } from '../../core/offers/offer.ts';
import { toThoughtTreeError } from '../../core/search/errors.ts';
import type { PauseReason } from '../../core/search/events.ts';
import type { Consequence } from './consequence.ts';

/** Why the loop ended. */
export type Stop =
  | {
      readonly kind: 'finished';
      readonly reason: SearchEnd | 'finish-now';
      readonly message?: string;
      readonly say?: Said;
    }
  | {
      readonly kind: 'paused';
      readonly reason: PauseReason;
      readonly cause?: string;
      readonly message: string;
      readonly say: Said;
    }
  /** All remaining work is outside. */
  | { readonly kind: 'waiting'; readonly offers: readonly Offer[] }
  | { readonly kind: 'lost'; readonly error: unknown };

/** Tells how to stop after an error with this consequence; returns undefined if its work was stopped on purpose. */
export function stopAfter(error: unknown, consequence: Consequence): Stop | undefined {
  if (consequence === 'stopped') return undefined;
  if (consequence === 'lost') return { kind: 'lost', error };
  const { reason, say, details } = toThoughtTreeError(error);
  // An error of one node stops the search only where it belongs to none: then a person has to look at it.
  const why = consequence === 'fail' ? 'person' : consequence;
  return { kind: 'paused', reason: why, cause: details.guard ?? reason, ...kept(say) };
}

/** Tells how to stop if the files cannot be written. */
export function stopUnwritable(error: unknown): Stop {
  const isLost = toThoughtTreeError(error).reason === 'lease-lost';
  return stopAfter(error, isLost ? 'lost' : 'store') as Stop;
}

/** Tells whether work under way has no use any more, since its results could not be written. */
export function stopsAtOnce(stop: Stop): boolean {
  return stop.kind === 'lost' || (stop.kind === 'paused' && stop.reason === 'store');
}
