import { emptyInvestigation, type Investigation, type Setup } from './investigation.ts';
import { type ProfileName, profileOf, ruleOf, statesOf } from './profiles.ts';
import type { Reply } from './replies.ts';

/** The arguments with which a client starts an investigation. */
export interface StartArgs {
  readonly query: string;
  readonly projectDir?: string | undefined;
  readonly minRoots?: number | undefined;
  readonly mode?: 'smoke' | 'deep' | 'exhaustive' | undefined;
  readonly minRounds?: number | undefined;
  readonly allowEarlyTerminal?: boolean | undefined;
}

/** The rules of the person who runs the server; no client can lower them. */
export interface PersonsRules {
  readonly sessionId: string;
  readonly minRounds?: number | undefined;
  readonly requireAgents?: boolean | undefined;
  /** Where agents work, if the client does not say. */
  readonly projectDir?: string | undefined;
}

const SMOKE_ROUNDS = 2;

/** Returns the setup of a new investigation. */
export function setupFor(profile: ProfileName, asked: StartArgs, person: PersonsRules): Setup {
  const rules = profileOf({ profile });
  const { query, mode = 'deep' } = asked;
  const isG3 = profile === 'g3';
  const usual = isG3 && mode === 'smoke' ? SMOKE_ROUNDS : rules.minRounds;
  const minRounds = isG3 ? (asked.minRounds ?? usual) : leastRounds(rules.minRounds, profile, asked, person);
  const usualDir = profile === 'strict' ? (person.projectDir ?? '') : '';
  return {
    profile,
    sessionId: person.sessionId,
    query,
    projectDir: asked.projectDir ?? usualDir,
    minRoots: asked.minRoots ?? rules.minRoots ?? 1,
    mode,
    minRounds,
    allowEarlyTerminal: isG3 && (asked.allowEarlyTerminal ?? minRounds < 4),
    requireAgents: profile === 'strict' && person.requireAgents === true,
  };
}

/** Ours takes the person's number, and a client may ask for more; the originals know one. */
function leastRounds(usual: number, profile: ProfileName, asked: StartArgs, person: PersonsRules): number {
  if (profile !== 'strict') return usual;
  return Math.max(person.minRounds ?? usual, asked.minRounds ?? 0);
}

/** Returns the answer to a start. */
export function startReply(at: Setup): Reply {
  const begun: Investigation = emptyInvestigation(at);
  const { sessionId, query, currentRound, minRoots, mode, minRounds, allowEarlyTerminal } = begun;
  const isG3 = at.profile === 'g3' || at.profile === 'strict';
  return {
    sessionId,
    query,
    currentRound,
    ...(at.profile === 'g1' && { minRoots }),
    ...(isG3 && { mode, minRounds, allowEarlyTerminal }),
    instructions: instructionsFor(at),
  };
}

/** The instructions of every agent that leads an investigation, whatever the dialect. */
const ADVICE = [
  'Spawn a fresh agent for every proposed node, never one that worked on another node, and commit what it found.',
  'Ask each agent to end its answer with a section "## References": one line each for the pages and files it looked at, as "- path/to/file.ts - what it found".',
  'Present nothing as a result before tot_end has answered with status OK.',
  'A call that breaks a rule is REJECTED and changes nothing; every error says how to put it right.',
];

/** Tells the agent that started an investigation how to lead it. */
export function instructionsFor(at: Pick<Setup, 'profile' | 'minRounds' | 'minRoots' | 'requireAgents'>): string {
  const { minRounds, minRoots } = at;
  const profile = profileOf(at);
  const states = statesOf(profile).map((state) => {
    const { isTerminal, needs = [], asksFor, from } = ruleOf(profile, state);
    const counts = needs.map(({ from: since, children }) => `${children}${since > 0 ? ` from round ${since} on` : ''}`);
    const children = needs.length === 1 && needs[0]?.children === 1 ? 'child' : 'children';
    const what = isTerminal
      ? 'ends its branch'
      : `needs ${counts.join(', ')} ${asksFor ? `${asksFor} ` : ''}${children}`;
    return `${state} ${what}${from === undefined || from < 3 ? '' : `, from round ${from} on`}`;
  });
  const begin =
    profile.minRoots === undefined
      ? 'Propose the single root R1.A (parent: null), research and commit it, then propose 3 to 5 children at R2.'
      : `Propose at least ${minRoots} roots R1.A, R1.B, … (parent: null), at most ${profile.batchLimit} nodes at once.`;
  const agents =
    profile.agents === 'required' || at.requireAgents ? ['Every result needs the agentId of its agent.'] : [];
  if (profile.agents === 'optional')
    agents.push(
      "Propose a node before its agent is spawned, and name the node's id in the agent's task: otherwise its agentId does not count.",
    );
  return [
    '1. tot_propose nodes, 2. research each, 3. tot_commit the results; repeat until canEnd, then 4. tot_end.',
    begin,
    "Ids are R[round].[suffix]; a child is one round further and its suffix extends its parent's: R1.A, R2.A1, R3.A1a.",
    `States: ${states.join('; ')}.`,
    `It cannot end before round ${minRounds}.`,
    ...agents,
    ...ADVICE,
  ].join('\n');
}
