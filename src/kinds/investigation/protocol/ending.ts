import { childrenOf, type Investigation } from './investigation.ts';
import { lackInWords, lacking } from './missing-children.ts';
import { type Profile, profileOf, ruleOf } from './profiles.ts';

/** The rules besides the investigation by which an end is decided. */
interface EndRules {
  /** Rounds before which it cannot end; by default the investigation's. */
  readonly minRounds?: number | undefined;
  /** An investigation with few rounds may have leads with a single child. */
  readonly isLenient?: boolean | undefined;
}

/** Why an investigation cannot end now, in words; undefined if it can. */
export function whyNotEnd(at: Investigation, rules: EndRules = {}): string | undefined {
  const profile = profileOf(at);
  const { minRounds = at.minRounds, isLenient = isShort(profile, minRounds) } = rules;
  if (at.currentRound < minRounds) return tooFewRounds(at, profile, minRounds);
  const lacks = lacking(at, profile.endNeeds, { isLenient });
  if (lacks.length > 0)
    return `BLOCKED: ${lacks.length} ${lacks.length === 1 ? 'node needs' : 'nodes need'} more children: ${lacks.map((lack) => lackInWords(at, lack)).join(', ')}`;
  return openExhaust(at, profile) ?? notCommitted(at);
}

/** Tells whether so few rounds are asked for that `g3` is content with less. */
export function isShort({ leadsOnlyAt }: Profile, minRounds: number): boolean {
  return leadsOnlyAt !== undefined && minRounds < 4;
}

function tooFewRounds(at: Investigation, profile: Profile, minRounds: number): string {
  const rounds = `round ${at.currentRound} of at least ${minRounds}`;
  if (!isStuck(at, profile)) return `BLOCKED: this is ${rounds}. Continue with nodes of the next round.`;
  if (!profile.hasStrictIds)
    return `RECOVERY_REQUIRED: all nodes are terminal in ${rounds}. Propose new roots: R1.F, R1.G and so on.`;
  const ended = [...at.nodes.values()].filter(({ state }) => state === 'DEAD').map(({ id }) => id);
  const which = ended.length > 0 ? `, such as ${ended.at(-1)},` : '';
  return `RECOVERY_REQUIRED: nothing is left open in ${rounds}. Reclassify a branch${which} with tot_reclassify to EXPLORE, and propose children for it.`;
}

/** Tells whether nothing is left that would lead to another round. */
function isStuck(at: Investigation, profile: Profile): boolean {
  if (at.nodes.size === 0) return false;
  const states = [...at.nodes.values()];
  if (!profile.hasStrictIds) return states.every(({ state }) => ruleOf(profile, state).isTerminal);
  return at.pending.size === 0 && lacking(at, profile.endNeeds).length === 0;
}

function openExhaust(at: Investigation, profile: Profile): string | undefined {
  if (!profile.states.EXHAUST) return undefined;
  const open = [...at.nodes.values()].filter(
    (node) => node.state === 'EXHAUST' && childrenOf(at, node).some(({ state }) => state !== 'DEAD'),
  );
  if (open.length === 0) return undefined;
  return `BLOCKED: EXHAUST nodes have children that are not DEAD: ${open.map(({ id }) => id).join(', ')}`;
}

function notCommitted({ pending }: Investigation): string | undefined {
  if (pending.size === 0) return undefined;
  return `BLOCKED: proposals are not committed: ${[...pending.keys()].join(', ')}`;
}
