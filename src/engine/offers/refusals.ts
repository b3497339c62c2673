import type { Message } from '../../core/messages/message.ts';
import { isLate, type OfferBook, takingAt } from '../../core/offers/offer-book.ts';
import type { AnswerProblem } from '../../core/offers/verdict.ts';
import { type Reason, ThoughtTreeError } from '../../core/search/errors.ts';
import * as say from './messages.ts';

/** Why somebody cannot take or answer an offer. */
export interface OfferRefusal {
  readonly reason: Reason;
  readonly say: Message;
}

/**
 * Why somebody may not take an offer, give it back or answer it; undefined if they may.
 * @param now milliseconds since 1970
 * @param isAnswer whether they answer it, for which it may be too late
 */
export function refusalOf(
  book: OfferBook,
  offer: string,
  by: string,
  now: number,
  isAnswer: boolean,
): OfferRefusal | undefined {
  const open = book.find(offer);
  if (!open) return settled(book, offer);
  const taking = takingAt(open, now);
  if (taking && taking.by !== by) {
    const until = taking.expiresAt === undefined ? undefined : new Date(taking.expiresAt).toISOString();
    const taken =
      until === undefined
        ? say.offerTaken({ offer, by: taking.by })
        : say.offerTakenUntil({ offer, by: taking.by, until });
    return { reason: 'offer-taken', say: taken };
  }
  return isAnswer && isLate(open, by, now) ? { reason: 'offer-expired', say: say.offerTooLate({ offer }) } : undefined;
}

function settled(book: OfferBook, offer: string): OfferRefusal {
  const as = book.settled(offer);
  if (as === 'answered') return { reason: 'offer-answered', say: say.offerAnswered({ offer }) };
  return { reason: 'offer-gone', say: as === 'withdrawn' ? say.offerWithdrawn({ offer }) : say.noSuchOffer({ offer }) };
}

/** The error for rejected answers: each problem is in the details. */
export function answersRefused(problems: readonly AnswerProblem[]): ThoughtTreeError {
  const [first] = problems;
  const why =
    problems.length > 1 ? say.answersWrong({ count: problems.length }) : say.answerWrong({ why: first?.say ?? '' });
  return new ThoughtTreeError(reasonOf(first), why, { problems });
}

const REASONS: readonly Reason[] = ['offer-gone', 'offer-answered', 'offer-taken', 'offer-expired'];

/** A kind may have its own codes for problems; as ours, they are invalid input. */
function reasonOf(problem: AnswerProblem | undefined): Reason {
  return REASONS.find((reason) => reason === problem?.reason) ?? 'bad-input';
}
