import * as z from 'zod';
import { ProposedNode, Rounds, resultsOf } from '../../kinds/investigation/calls.ts';
import { type ProfileName, profileOf, statesOf } from '../../kinds/investigation/protocol/profiles.ts';

const sessionId = z.string().max(200).describe('The id that tot_start gave.');
const Query = z.string().min(1).max(100_000).describe('The question to investigate.');
const ProjectDir = z.string().max(1000).describe('The folder that agents work in, as an absolute path.');

/** The input of `tot_start`. */
export function startInput(profile: ProfileName): z.ZodObject {
  if (profile === 'g1') return z.object({ query: Query, minRoots: z.int().min(1).max(1000).optional() });
  if (profile === 'g2') return z.object({ query: Query, projectDir: ProjectDir });
  return z.object({
    query: Query,
    projectDir: ProjectDir.optional(),
    mode: z.enum(['smoke', 'deep', 'exhaustive']).optional(),
    minRounds: Rounds.optional(),
    allowEarlyTerminal: z.boolean().optional(),
  });
}

/** The input of `tot_propose`. */
export function proposeInput(profile: ProfileName): z.ZodObject {
  const isWide = hasWideShapes(profile);
  const title = isWide ? z.string().min(1).max(1000) : z.string().max(1000);
  const node = z
    .object({ ...ProposedNode.shape, title })
    .refine((each) => ProposedNode.safeParse(each).success, 'too long');
  return z.object({
    sessionId,
    nodes: z.array(node).max(200),
    ...(isWide && { suppressBreadthWarnings: z.boolean().optional() }),
  });
}

/** The input of `tot_commit`. */
export function commitInput(profile: ProfileName): z.ZodObject {
  const more = { minRounds: Rounds.optional(), allowEarlyTerminal: z.boolean().optional() };
  return z.object({ sessionId, results: resultsOf(stateOf(profile)), ...(hasWideShapes(profile) && more) });
}

/** The input of `tot_reclassify`. */
export function reclassifyInput(profile: ProfileName): z.ZodObject {
  return z.object({ sessionId, nodeId: z.string().max(100), newState: stateOf(profile) });
}

export const StatusInput = z.object({ sessionId });

/** The input of `tot_end`. */
export function endInput(profile: ProfileName): z.ZodObject {
  return z.object({ sessionId, ...(hasWideShapes(profile) && { minRounds: Rounds.optional() }) });
}

/** What a tool answers: more than these fields, by profile. */
export const Answer = z.looseObject({ status: z.enum(['OK', 'REJECTED']) });
export const Started = z.looseObject({
  sessionId: z.string(),
  query: z.string(),
  currentRound: z.number(),
  instructions: z.string(),
});
export const Listed = z.object({
  investigations: z.array(
    z.object({
      sessionId: z.string(),
      query: z.string(),
      folder: z.string(),
      createdAt: z.string().optional(),
      currentRound: z.number(),
      totalNodes: z.number(),
      pendingProposals: z.number(),
      canEnd: z.boolean(),
    }),
  ),
});

function stateOf(profile: ProfileName): z.ZodEnum<Record<string, string>> {
  return z.enum(statesOf(profileOf({ profile })) as [string, ...string[]]) as never;
}

/** Ours has the shapes of the latest original. */
function hasWideShapes(profile: ProfileName): boolean {
  return profile === 'g3' || profile === 'strict';
}
