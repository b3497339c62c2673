import type { Message } from '../../core/messages/message.ts';
import type { Ledger } from '../../core/money/ledger.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { WorstCase } from '../../core/search/events.ts';
import type { Guard, Guards } from '../../core/search/limits.ts';
import * as say from '../messages.ts';

const LIMITS = { calls: say.limitOfCalls, tokens: say.limitOfTokens, usd: say.limitOfUsd, minutes: say.limitOfMinutes };

/** The error for a call that a guard forbids; it says what is used, and what the call could use. */
export function limitInTheWay(
  guard: Guard,
  guards: Guards,
  ledger: Ledger,
  worst: WorstCase,
  kept: WorstCase | undefined,
): ThoughtTreeError {
  const limit = LIMITS[guard]({ limit: guards[guard] ?? 0 });
  return new ThoughtTreeError('budget', madeOf(limit, guard, ledger, worst, kept), { guard });
}

function madeOf(
  limit: Message,
  guard: Guard,
  { spend }: Ledger,
  worst: WorstCase,
  kept: WorstCase | undefined,
): Message {
  if (guard === 'minutes') return limit;
  if (guard === 'calls') return (kept ? say.keptCalls : say.usedCalls)({ limit, used: spend.calls });
  if (guard === 'usd') {
    const what = say.usedAndNextUsd({ limit, used: spend.usd, next: worst.usd ?? 0 });
    return kept?.usd ? say.keptUsd({ what, kept: kept.usd }) : what;
  }
  const used = spend.prompt + spend.completion + spend.worstCase;
  const what = say.usedAndNextTokens({ limit, used, next: worst.tokens });
  return kept?.tokens ? say.keptTokens({ what, kept: kept.tokens }) : what;
}
