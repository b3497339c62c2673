import * as z from 'zod';
import { EngineReceipt } from '../../../core/search/receipt.ts';
import { PROFILES, profileOf, type State, statesOf } from '../protocol/profiles.ts';

const STATES = [...new Set(PROFILES.flatMap((profile) => statesOf(profileOf({ profile }))))] as [State, ...State[]];

/** Every state that some profile knows. */
export const OwnState = z.enum(STATES);

/** What an investigation keeps of a node: `own` in its node.json. */
export const OwnFields = z
  .object({
    /** Its id in the protocol, such as `R2.A1`. */
    nodeId: z.string().max(100),
    round: z.int().min(0),
    plannedAction: z.string(),
    /** In milliseconds since 1970. */
    proposedAt: z.number(),
    /** Missing as long as it is proposed. */
    state: OwnState.optional(),
    /** Its place among all committed nodes, from 0, and the commit that it came with, from 1. */
    order: z.int().min(0).optional(),
    commit: z.int().min(0).optional(),
    agentId: z.string().max(100).optional(),
    /** Whether its agent was found. */
    isVerified: z.boolean().optional(),
    /** How it came about, where the engine asked a model. */
    receipt: EngineReceipt.optional().catch(undefined),
    /** How many lists of leads below it were taken from the model, where the engine leads. */
    lists: z.int().min(0).optional(),
    /** Whether the leads of another list are being added below it. */
    isPlacing: z.boolean().optional(),
    /** Whether it was a solution that checks refuted, or a branch that was opened again. */
    refuted: z.boolean().optional(),
    reopened: z.boolean().optional(),
    /** The title as it was given, if node.json cannot have it. */
    title: z.string().max(1000).optional(),
  })
  .catchall(z.json());
export type OwnFields = z.infer<typeof OwnFields>;

/** What an investigation keeps of a node; undefined if it is none of its nodes. */
export function ownFieldsOf(own: unknown): OwnFields | undefined {
  return OwnFields.safeParse(own).data;
}
