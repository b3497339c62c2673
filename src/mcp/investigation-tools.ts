import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { ActionCall } from '../core/actions/action-call.ts';
import { whyNotEnd } from '../kinds/investigation/protocol/ending.ts';
import { type ProfileName, profileOf, statesOf } from '../kinds/investigation/protocol/profiles.ts';
import { noSessionReply, type Reply, statusReply } from '../kinds/investigation/protocol/replies.ts';
import type { StartArgs } from '../kinds/investigation/protocol/start.ts';
import { ProposedNode, Rounds, resultsOf } from '../kinds/investigation/run/call-schemas.ts';
import type { FoundInvestigation, Investigations } from './investigations.ts';
import { type Committed, evidenceOf } from './investigations.ts';
import type { AppResource } from './resources.ts';

type Args = Readonly<Record<string, unknown>>;

/** One tool: what it takes, what it does, and what clients may rely on. */
interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input?: z.ZodObject;
  readonly output: z.ZodObject;
  readonly isReadOnly?: true;
  readonly run: (args: Args) => Promise<Reply>;
}

/** Adds the tools of an investigation to a server, always in the same order. */
export function addInvestigationTools(
  server: McpServer,
  at: Investigations,
  isReadOnly: boolean,
  apps: readonly AppResource[],
): void {
  const tools = [...(isReadOnly ? [] : writingTools(at)), ...readingTools(at, isReadOnly)];
  for (const { name, title, description, input, output, isReadOnly: reads = false, run } of tools) {
    const app = apps.find(({ tools: shown }) => shown.includes(name));
    server.registerTool(
      name,
      {
        title,
        description,
        ...(input && { inputSchema: input }),
        outputSchema: output,
        annotations: { readOnlyHint: reads, destructiveHint: false, idempotentHint: reads, openWorldHint: false },
        ...(app && { _meta: { ui: { resourceUri: app.uri } } }),
      },
      async (args: unknown) => resultOf(await run((input ? args : {}) as Args)),
    );
  }
}

/** Returns the data twice: as text for models, and as data for programs. */
function resultOf(reply: Reply): CallToolResult {
  const plain = JSON.parse(JSON.stringify(reply)) as Record<string, unknown>;
  return { content: [{ type: 'text', text: JSON.stringify(plain, null, 2) }], structuredContent: plain };
}

function writingTools(at: Investigations): Tool[] {
  const { profile } = at;
  return [
    {
      name: 'tot_start',
      title: 'Start an investigation',
      description: 'Starts an investigation of a question; its instructions say how to lead it.',
      input: startInput(profile),
      output: StartedShape,
      run: async (args) => await at.start(args as unknown as StartArgs),
    },
    {
      name: 'tot_propose',
      title: 'Propose nodes',
      description:
        'Proposes the next nodes: all of them, or none. Research each with a fresh agent, whose task names the id of its node.',
      input: proposeInput(profile),
      output: AnswerShape,
      run: async ({ sessionId, nodes, suppressBreadthWarnings }) => {
        const quiet = suppressBreadthWarnings === true;
        return await call(at, 'propose', sessionId, () => ({ action: 'propose', nodes, ...(quiet && { quiet }) }));
      },
    },
    {
      name: 'tot_commit',
      title: 'Commit findings',
      description: 'Commits what was found about proposed nodes: all of it, or nothing.',
      input: commitInput(profile),
      output: AnswerShape,
      run: async ({ sessionId, results, ...more }) =>
        await call(at, 'commit', sessionId, async (found) => {
          const seen = await evidenceOf(at, found, results as Committed[], process.env);
          return { action: 'commit', results, ...seen, ...more };
        }),
    },
    {
      name: 'tot_reclassify',
      title: 'Reclassify a node',
      description: 'Gives a committed node another state.',
      input: reclassifyInput(profile),
      output: AnswerShape,
      run: async ({ sessionId, nodeId: id, newState: state }) =>
        await call(at, 'reclassify', sessionId, () => ({ action: 'reclassify', id, state })),
    },
  ];
}

function readingTools(at: Investigations, isReadOnly: boolean): Tool[] {
  return [
    {
      name: 'tot_status',
      title: 'Status',
      description: 'Says how far an investigation is, what it needs next, and whether it may end.',
      input: StatusInput,
      output: AnswerShape,
      isReadOnly: true,
      run: async ({ sessionId }) => {
        const found = await at.find(String(sessionId));
        return found ? statusReply(await at.read(found)) : noSessionReply('status', String(sessionId));
      },
    },
    {
      name: 'tot_end',
      title: 'End the investigation',
      description:
        'Ends an investigation if its rules allow it, and gives its results. Present nothing before it says OK.',
      input: endInput(at.profile),
      output: AnswerShape,
      ...(isReadOnly && { isReadOnly }),
      run: async ({ sessionId, minRounds }) =>
        await endOf(at, String(sessionId), minRounds as number | undefined, isReadOnly),
    },
    {
      name: 'tot_list',
      title: 'List investigations',
      description: 'Lists the investigations of this folder, so that one of them can be continued.',
      output: ListedShape,
      isReadOnly: true,
      run: async () => ({ investigations: await Promise.all((await at.list()).map((each) => rowOf(at, each))) }),
    },
  ];
}

/** Makes a call of the protocol; one without an investigation breaks a rule like any other. */
async function call(
  at: Investigations,
  tool: Parameters<typeof noSessionReply>[0],
  sessionId: unknown,
  callFor: (found: FoundInvestigation) => ActionCall | Promise<ActionCall>,
): Promise<Reply> {
  const found = await at.find(String(sessionId));
  return found ? await at.call(found, await callFor(found)) : noSessionReply(tool, String(sessionId));
}

async function endOf(
  at: Investigations,
  sessionId: string,
  minRounds: number | undefined,
  isReadOnly: boolean,
): Promise<Reply> {
  const found = await at.find(sessionId);
  if (!found) return noSessionReply('end', sessionId);
  if (isReadOnly) return await at.wouldEnd(found, minRounds);
  const reply = await at.call(found, { action: 'conclude', ...(minRounds !== undefined && { minRounds }) });
  return at.profile === 'g3' ? { ...reply, ...(await at.writeGraph(found, reply)) } : reply;
}

async function rowOf(at: Investigations, found: FoundInvestigation): Promise<Reply> {
  const { currentRound, nodes, pending, query, sessionId, ...read } = await at.read(found);
  const canEnd = whyNotEnd({ currentRound, nodes, pending, query, sessionId, ...read }) === undefined;
  const { createdAt } = found.file;
  const counts = { currentRound, totalNodes: nodes.size, pendingProposals: pending.size, canEnd };
  return { sessionId, query, folder: found.folder, ...(createdAt !== undefined && { createdAt }), ...counts };
}

const sessionId = z.string().max(200).describe('The id that tot_start gave.');
const Query = z.string().min(1).max(100_000).describe('The question to investigate.');
const ProjectDir = z.string().max(1000).describe('The folder that agents work in, as an absolute path.');

const MoreRounds = Rounds.optional().describe('Rounds it has at least, if more.');

/** The input of `tot_start`. */
function startInput(profile: ProfileName): z.ZodObject {
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

/** Returns the input of `tot_propose`. */
function proposeInput(profile: ProfileName): z.ZodObject {
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

/** Returns the input of `tot_commit`. */
function commitInput(profile: ProfileName): z.ZodObject {
  const more = { minRounds: Rounds.optional(), allowEarlyTerminal: z.boolean().optional() };
  const results = resultsOf(stateOf(profile).describe('What the findings amount to.'));
  return z.object({ sessionId, results, ...(profile === 'g3' && more) });
}

/** Returns the input of `tot_reclassify`. */
function reclassifyInput(profile: ProfileName): z.ZodObject {
  const nodeId = z.string().max(100).describe('Id of a committed node.');
  return z.object({ sessionId, nodeId, newState: stateOf(profile).describe('The state it gets instead.') });
}

const StatusInput = z.object({ sessionId });

/** The input of `tot_end`. */
function endInput(profile: ProfileName): z.ZodObject {
  return z.object({ sessionId, ...(hasWideShapes(profile) && { minRounds: MoreRounds }) });
}

/** The answer of a tool: more than these fields, by profile. */
const AnswerShape = z.looseObject({ status: z.enum(['OK', 'REJECTED']) });
const StartedShape = z.looseObject({
  sessionId: z.string(),
  query: z.string(),
  currentRound: z.number(),
  instructions: z.string(),
});
const ListedShape = z.object({
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

function stateOf(profile: ProfileName): z.ZodType<string> {
  return z.enum(statesOf(profileOf({ profile })));
}

/** Ours has the shapes of the latest original. */
function hasWideShapes(profile: ProfileName): boolean {
  return profile === 'g3' || profile === 'strict';
}
