import type { Message } from '../../../core/messages/message.ts';
import type { CheckItem } from '../plan/plan.ts';
import type { Evidence } from '../run/tree/own-fields.ts';
import * as say from './messages.ts';

const WORDS = {
  verified: say.holds,
  contradicted: say.contradicted,
  uncheckable: say.cannotCheck,
  checked: say.onlySaid,
  reported: say.onlySaid,
} as const;

/** Says how sure something is. */
export function wordSaid(evidence: Evidence | undefined): Message {
  return evidence ? WORDS[evidence.word]() : say.unknown();
}

/** Says how an item is known: by an exit code, votes, a person, files, its parts; each at a commit. */
export function howKnown({ exitCode, votes, by, commit: at }: Evidence, item: CheckItem | undefined): Message {
  const commit = at?.slice(0, 10) ?? '–';
  if (by !== undefined) return say.bySaying({ by, commit });
  if (votes) return say.byVotes({ votes: votes.map((vote) => vote.toFixed(1)).join(', '), commit });
  if (item && !item.check) return say.byParts({ commit });
  return exitCode === undefined ? say.byFiles({ commit }) : say.byCommand({ code: exitCode, commit });
}
