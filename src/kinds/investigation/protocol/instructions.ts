import type { Setup } from './investigation.ts';
import { profileOf, ruleOf, statesOf } from './profiles.ts';

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
