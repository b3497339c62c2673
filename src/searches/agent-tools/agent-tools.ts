import { wrongField } from '../../core/messages/wrong-field.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { withoutCommands } from '../../core/text/text.ts';
import type { AgentHost, ToolAnswer, ToolCall, Wanted } from './agent-host.ts';
import { DocumentChanges } from './document-changes.ts';
import { documentPaths, listDocuments, readDocument, searchNames } from './documents.ts';
import { placeNamed } from './find-place.ts';
import { wrongArguments } from './messages.ts';
import { OwnRuns } from './own-runs.ts';
import type { Plan } from './plan.ts';
import { statusAnswer } from './status-of.ts';
import {
  type ActArgs,
  type ReadArgs,
  type StartArgs,
  type StatusArgs,
  TREE_TOOLS,
  type TreeToolName,
  type WaitArgs,
} from './tools/tool-faces.ts';
import { planAct } from './tools/tree-act.ts';
import { listAnswer } from './tools/tree-list.ts';
import { readAnswer } from './tools/tree-read.ts';
import { planStart } from './tools/tree-start.ts';
import { waitFor } from './tools/tree-wait.ts';

type Planner = (host: AgentHost, args: never, call: ToolCall) => Promise<Plan>;

/** A tool that asks nobody. */
function plainly<A>(run: (host: AgentHost, args: A, call: ToolCall) => Promise<ToolAnswer>) {
  return async (host: AgentHost, args: A, call: ToolCall): Promise<Plan> => ({ carryOut: () => run(host, args, call) });
}

const PLANNERS: Readonly<Record<TreeToolName, Planner>> = {
  tree_start: planStart,
  tree_wait: plainly(async (host, { search, seconds }: WaitArgs, call) => {
    const place = await placeNamed(host, search);
    await waitFor(host, place, seconds, call);
    return await statusAnswer(host, place);
  }),
  tree_status: plainly(
    async (host, { search }: StatusArgs) => await statusAnswer(host, await placeNamed(host, search)),
  ),
  tree_read: plainly(async (host, args: ReadArgs) => await readAnswer(host, args)),
  tree_act: planAct satisfies (host: AgentHost, args: ActArgs, call: ToolCall) => Promise<Plan>,
  tree_list: plainly(async (host) => await listAnswer(host)),
} satisfies Record<
  TreeToolName,
  (host: AgentHost, args: StartArgs & WaitArgs & ReadArgs & ActArgs, call: ToolCall) => Promise<Plan>
>;

async function planFor(host: AgentHost, name: TreeToolName, args: unknown, call: ToolCall): Promise<Plan> {
  const face = TREE_TOOLS.find((each) => each.name === name);
  const checked = face?.input.safeParse(args ?? {});
  if (checked?.success) return await PLANNERS[name](host, checked.data as never, call);
  const why = checked ? wrongField(checked.error) : '';
  throw new ThoughtTreeError('bad-input', wrongArguments({ tool: name, why }));
}

/**
 * Calls a tool. Asks for permission first where it is needed; nothing is written or spent without it.
 * @throws ThoughtTreeError saying why not, and what to do; whatever the host's `permit` throws
 */
async function run(host: AgentHost, name: TreeToolName, args: unknown, call: ToolCall): Promise<ToolAnswer> {
  const { wanted, carryOut } = await planFor(host, name, args, call);
  const answer = await carryOut(wanted ? await host.permit(wanted, call) : {});
  return { ...answer, text: withoutCommands(answer.text) };
}

/**
 * Returns what a person has to allow before a call, which changes nothing: for hosts that ask before they call.
 * @throws ThoughtTreeError if the call is not possible
 */
async function wanted(host: AgentHost, name: TreeToolName, args: unknown): Promise<Wanted | undefined> {
  return (await planFor(host, name, args, { signal: new AbortController().signal })).wanted;
}

/** The tools over searches for agents: a part of `searches`, which is loaded when the first of them is called. */
export const agentTools = {
  run,
  wanted,
  OwnRuns,
  DocumentChanges,
  listDocuments,
  searchNames,
  documentPaths,
  readDocument,
};
