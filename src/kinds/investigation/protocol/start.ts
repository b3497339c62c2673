import { instructionsFor } from './instructions.ts';
import { emptyInvestigation, type Investigation, type Setup } from './investigation.ts';
import { type ProfileName, profileOf } from './profiles.ts';
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

/** The answer to a start. */
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
