import * as z from 'zod';
import { EngineReceipt } from '../../../core/search/receipt.ts';
import { PROFILES, profileOf, type State, statesOf } from '../protocol/profiles.ts';

const STATES = [...new Set(PROFILES.flatMap((profile) => statesOf(profileOf({ profile }))))] as [State, ...State[]];

/** Every state that some profile knows. */
export const OwnState = z.enum(STATES);

/** The outcome of a lead that the engine had looked into, or of a check: more than the protocol has states for. */
export const Outcome = z.enum([
  'settled',
  'open',
  'nothing',
  'quoted',
  'confirmed',
  'in part',
  'refuted',
  'not checked',
]);
export type Outcome = z.infer<typeof Outcome>;

/** A finding of a lead by its number, from 1. */
const ClaimAt = z.object({ node: z.string().max(100), claim: z.int().min(1).max(100) });

/** Where an investigation that the engine leads stands, as its last plan says; kept with the question itself. */
const Standing = z.object({
  answer: z.string().max(4000),
  weakest: z.string().max(1000),
  /** The facts that the answer still needs. */
  open: z.array(z.string().max(500)).max(10),
  /** Findings that cannot both be true. */
  contradictions: z.array(z.tuple([ClaimAt, ClaimAt])).max(20),
});

/** The fields that an investigation keeps of a node: `own` in its node.json. */
export const OwnFields = z
  .object({
    /** Its id in the protocol, such as `R2.A1`. */
    nodeId: z.string().max(100),
    round: z.int().min(0),
    plannedAction: z.string(),
    /** The evidence that would show that a lead is wrong. */
    wrongIf: z.string().max(2000).optional(),
    /** In milliseconds since 1970. */
    proposedAt: z.number(),
    /** Its purpose, where the engine leads. */
    role: z.enum(['lead', 'check']).optional(),
    /** Missing as long as it is proposed. */
    state: OwnState.optional(),
    outcome: Outcome.optional(),
    /** The number of findings that its document names; the other is true if it names something that is still open. */
    findings: z.int().min(0).optional(),
    isIncomplete: z.boolean().optional(),
    /** Its place among all committed nodes, from 0, and the commit that it came with, from 1. */
    order: z.int().min(0).optional(),
    commit: z.int().min(0).optional(),
    agentId: z.string().max(100).optional(),
    /** Its agent was found. */
    isVerified: z.boolean().optional(),
    /** Its origin, where the engine asked a model. */
    receipt: EngineReceipt.optional().catch(undefined),
    /** The number of plans when it was committed. */
    plans: z.int().min(0).optional(),
    /** The number of plans that were taken from the model, where the engine leads; kept with the question itself. */
    lists: z.int().min(0).optional(),
    /** The leads of another plan are being added. */
    isPlacing: z.boolean().optional(),
    standing: Standing.optional().catch(undefined),
    /** The title as it was given, if node.json cannot have it. */
    title: z.string().max(1000).optional(),
  })
  .catchall(z.json());
export type OwnFields = z.infer<typeof OwnFields>;

/** Returns the fields that an investigation keeps of a node; undefined if it is none of its nodes. */
export function ownFieldsOf(own: unknown): OwnFields | undefined {
  return OwnFields.safeParse(own).data;
}
