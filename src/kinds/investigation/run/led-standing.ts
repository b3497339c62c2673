import type { Message } from '../../../core/messages/message.ts';
import type { SearchRecord } from '../../../core/search/record/search-record.ts';
import type { SearchFile } from '../../../core/search/search-file.ts';
import type { Tree } from '../../../core/tree/tree.ts';
import type { LedStanding } from '../../../engine/kind/kind.ts';
import { importedIn } from '../exchange/imported.ts';
import * as say from '../messages.ts';
import { whyNotEnd } from '../protocol/ending.ts';
import type { Investigation } from '../protocol/investigation.ts';
import { lacking } from '../protocol/missing-children.ts';
import { profileOf, ruleOf } from '../protocol/profiles.ts';
import { KeptCalls } from './kept-change.ts';
import { investigationIn } from './read-investigation.ts';

/** Says how far an investigation is that an agent leads: its round, and what it needs next. */
export function ledStanding(file: SearchFile, tree: Tree, record: SearchRecord): LedStanding {
  const at = investigationIn(file, tree, record);
  const { currentRound: round, minRounds: least } = at;
  // A clone has no journal to tell of an end: what could end counts as ended.
  const isKnown = record.part(KeptCalls)?.progress !== undefined || importedIn(file).progress !== undefined;
  const hasEnded = at.hasEnded || (!isKnown && whyNotEnd(at) === undefined);
  const rounds = round > least ? say.ledRound({ round }) : say.ledRoundOf({ round, least });
  return { hasEnded, say: say.ledByAgent({ rounds, needs: needsOf(at) }) };
}

function needsOf(at: Investigation): Message {
  const [pending, ...others] = at.pending.keys();
  if (pending !== undefined)
    return others.length === 0
      ? say.needsFindings({ id: pending })
      : say.needsMoreFindings({ count: 1 + others.length });
  if (at.nodes.size === 0) return say.needsFirst();
  const profile = profileOf(at);
  const [lack] = lacking(at, profile.endNeeds);
  if (lack) {
    const { node, needs, has } = lack;
    if (ruleOf(profile, node.state).asksFor === 'VERIFY') return say.needsCheck({ id: node.id });
    return needs - has === 1 ? say.needsOneLead({ id: node.id }) : say.needsTwoLeads({ id: node.id });
  }
  if (at.currentRound < at.minRounds) return say.needsRound({ round: at.currentRound + 1 });
  return whyNotEnd(at) === undefined ? say.mayEnd() : say.needsDeadEnds();
}
