import * as z from 'zod';
import { ProposedNode, Rounds, resultsOf } from '../../kinds/investigation/calls.ts';
import { type ProfileName, profileOf, statesOf } from '../../kinds/investigation/protocol/profiles.ts';

const sessionId = z.string().max(200).describe('The id that tot_start gave.');
const Query = z.string().min(1).max(100_000).describe('The question to investigate.');
const ProjectDir = z.string().max(1000).describe('The folder that agents work in, as an absolute path.');

const MoreRounds = Rounds.optional().describe('Rounds it has at least, if more.');

/** The input of `tot_start`. */
export function startInput(profile: ProfileName): z.ZodObject {
  if (profile === 'g1') return z.object({ query: Query, minRoots: z.int().min(1).max(1000).optional() });
  if (profile === 'g2') return z.object({ query: Query, projectDir: ProjectDir });
  if (profile === 'strict') return z.object({ query: Query, projectDir: ProjectDir.optional(), minRounds: MoreRounds });
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
  const { id, parent, plannedAction } = ProposedNode.shape;
  const node = z
    .object({
      id: id.describe('Its id, such as R2.A1.'),
      parent: parent.describe('Id of its committed parent, or null.'),
      title: title.describe('What it looks into.'),
      plannedAction: plannedAction.describe('What its agent will do.'),
    })
    .refine((each) => ProposedNode.safeParse(each).success, 'too long');
  return z.object({
    sessionId,
    nodes: z.array(node).max(200).describe('The nodes to research next.'),
    ...(profile === 'g3' && { suppressBreadthWarnings: z.boolean().optional() }),
  });
}

/** The input of `tot_commit`. */
export function commitInput(profile: ProfileName): z.ZodObject {
  const more = { minRounds: Rounds.optional(), allowEarlyTerminal: z.boolean().optional() };
  const results = resultsOf(stateOf(profile).describe('What the findings amount to.'));
  return z.object({ sessionId, results, ...(profile === 'g3' && more) });
}

/** The input of `tot_reclassify`. */
export function reclassifyInput(profile: ProfileName): z.ZodObject {
  const nodeId = z.string().max(100).describe('Id of a committed node.');
  return z.object({ sessionId, nodeId, newState: stateOf(profile).describe('The state it gets instead.') });
}

export const StatusInput = z.object({ sessionId });

/** The input of `tot_end`. */
export function endInput(profile: ProfileName): z.ZodObject {
  return z.object({ sessionId, ...(hasWideShapes(profile) && { minRounds: MoreRounds }) });
}

/** The answer of a tool: more than these fields, by profile. */
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
