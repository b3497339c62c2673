import * as z from 'zod';
import { MOST_ROUNDS } from '../descriptor.ts';
import { AGENT_FINDINGS } from '../protocol/evidence.ts';

/** The most that one node's findings may have, in characters. */
const LONGEST_FINDINGS = 100_000;
/** All findings of a commit together: what an answer to an offer may have. */
const LONGEST_CALL = 900_000;
/** Cited paths at which there is nothing: as many as such a call has room for. */
const MOST_ABSENT = LONGEST_CALL / 4;
/** The longest planned action of a node, in characters. */
export const LONGEST_ACTION = 10_000;
/** The texts of a node that are kept in its node.json, as JSON, in characters. */
const LONGEST_OWN = 15_000;

const Id = z.string().max(100);
const Findings = z.string().max(LONGEST_FINDINGS);

/** A node as it is proposed. */
export const ProposedNode = z
  .object({
    id: Id,
    parent: Id.nullable(),
    title: z.string().max(1000),
    plannedAction: z.string().max(LONGEST_ACTION),
  })
  .refine((node) => JSON.stringify(node).length <= LONGEST_OWN, 'title and planned action are too long');

/** The nodes of one proposal. */
const ProposedNodes = z.array(ProposedNode).max(200);

/** The results of one commit. @param state checks a state */
export function resultsOf<S extends z.ZodType<string>>(state: S) {
  const result = z.object({
    nodeId: Id.describe('Id of a proposed node.'),
    state,
    findings: Findings.describe('Markdown that ends with ## References.'),
    agentId: z.string().max(100).nullish().describe('Id of the agent that researched it.'),
  });
  return z
    .array(result)
    .max(200)
    .describe('What was found, by node.')
    .refine((results) => JSON.stringify(results).length <= LONGEST_CALL, 'the findings are too long for one commit');
}

/** Rounds that a caller may ask for. */
export const Rounds = z.int().min(1).max(MOST_ROUNDS);

/** The findings about agents, by their ids. */
const Agents = z.record(z.string().max(100), z.enum(AGENT_FINDINGS));

/** The arguments of the calls that change an investigation. */
export const ProposeArgs = z.object({ nodes: ProposedNodes, quiet: z.boolean().optional() });
export const CommitArgs = z.object({
  results: resultsOf(z.string().max(20)),
  agents: Agents.optional(),
  absent: z.array(z.string()).max(MOST_ABSENT).optional(),
  minRounds: Rounds.optional(),
  allowEarlyTerminal: z.boolean().optional(),
});
export const ReclassifyArgs = z.object({ id: Id, state: z.string().max(20) });
export const ConcludeArgs = z.object({ minRounds: Rounds.optional() });

/** A call of the protocol as data: what the offer of an investigation is answered with. */
export const Call = z.discriminatedUnion('do', [
  ProposeArgs.extend({ do: z.literal('propose') }),
  CommitArgs.extend({ do: z.literal('commit') }),
  ReclassifyArgs.extend({ do: z.literal('reclassify') }),
  ConcludeArgs.extend({ do: z.literal('end') }),
]);
export type Call = z.infer<typeof Call>;
