import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { ActionFace } from '../core/actions/action-face.ts';
import type { KindFace } from '../core/kind/kind-face.ts';
import { type Message, textOf } from '../core/messages/message.ts';
import { toThoughtTreeError } from '../core/search/errors.ts';
import { pathOf, type TreeNode } from '../core/tree/tree.ts';
import { faceOf } from '../engine/kind/kinds.ts';
import type { GraphAction, GraphNode } from '../protocol/graph-node.ts';
import { placeNamed } from '../searches/agent-tools/find-place.ts';
import { offeredActions } from '../searches/agent-tools/offered-actions.ts';
import { detailsOf, graphExchange } from '../searches/graph/graph-details.ts';
import { graphNodeOf, graphSearchOf } from '../searches/graph/graph-of-search.ts';
import { receiptLine } from '../searches/graph/receipt-line.ts';
import { overviewOf, type SearchOverview } from '../searches/reader/search-overview.ts';
import type { Investigations } from './investigations/investigations.ts';
import type { TreeProgram } from './tree-program.ts';

/** The most nodes that a page in the chat gets: whole levels first. */
const MOST_NODES = 2000;
/** The longest document that it gets, in characters. */
const LONGEST_DOCUMENT = 50_000;

const Input = z.object({
  /** A search by its name, or an investigation by its id. */
  search: z.string().min(1).max(300),
  /** The version that the page shows: what has not changed since is not sent again. */
  since: z.string().max(100).optional(),
  /** The selected node; its details and actions are sent as well. */
  node: z.string().max(10_000).optional(),
  /** One of its calls, whose exact words are asked for. */
  call: z.int().min(1).max(100_000).optional(),
});
type Input = z.infer<typeof Input>;

const Output = z.looseObject({ version: z.string() });

/**
 * Adds the tool with which the panel in the chat asks for what it draws. It is for the page alone.
 */
export function addPanelTool(
  server: McpServer,
  program: TreeProgram,
  investigations: Investigations,
  isReadOnly: boolean,
): void {
  server.registerTool(
    'panel_changes',
    {
      title: 'What the panel draws',
      description: 'For the panel in the chat: a search as it draws it, if it has changed.',
      inputSchema: Input,
      outputSchema: Output,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      _meta: { ui: { visibility: ['app'] } },
    },
    async (asked: Input): Promise<CallToolResult> => {
      try {
        // Tools of investigations know one by its id; all others by the name of its folder.
        const found = await investigations.find(asked.search);
        const search = found ? basename(found.folder) : asked.search;
        const data = { ...(await changesOf(program, { ...asked, search }, isReadOnly)), name: search };
        return { content: [{ type: 'text', text: `Version ${data.version}` }], structuredContent: data };
      } catch (error) {
        return { isError: true, content: [{ type: 'text', text: toThoughtTreeError(error).message }] };
      }
    },
  );
}

const show = (message: Message): string => textOf(message);

async function changesOf(
  program: TreeProgram,
  { search, since, node, call }: Input,
  isReadOnly: boolean,
): Promise<{ readonly version: string }> {
  const { folder } = await placeNamed(program, search);
  const { kinds } = program;
  const overview = await overviewOf(kinds, folder);
  const actions = await panelActions(program, overview, '', isReadOnly);
  const drawn = {
    search: { ...graphSearchOf(overview.reader, overview.tree, { kinds, show }), actions },
    nodes: nodesOf(overview, faceOf(kinds, overview.file.kind)),
  };
  const version = createHash('sha256').update(JSON.stringify(drawn)).digest('hex').slice(0, 16);
  const selected = node === undefined ? undefined : await selectedOf(program, overview, node, isReadOnly);
  const exchange =
    node !== undefined && call !== undefined ? await graphExchange(overview.reader, node, call, show) : undefined;
  return plain({ version, ...(version !== since && drawn), ...selected, ...(exchange && { exchange }) });
}

async function selectedOf(
  program: TreeProgram,
  overview: SearchOverview,
  path: string,
  isReadOnly: boolean,
): Promise<object> {
  const details = await detailsOf(overview.reader, program.kinds, path, show);
  const { document } = details;
  const isCut = details.isCut === true || (document?.length ?? 0) > LONGEST_DOCUMENT;
  const receipt = receiptLine(overview, path, show);
  const cut = {
    ...details,
    ...(receipt !== undefined && { receipt }),
    ...(document !== undefined && { document: document.slice(0, LONGEST_DOCUMENT) }),
  };
  return {
    details: isCut ? { ...cut, isCut } : cut,
    actions: await panelActions(program, overview, path, isReadOnly),
  };
}

/** Whole levels, as far as they fit. */
function nodesOf(
  { tree: { root, links }, receiptOf, reader }: SearchOverview,
  face: KindFace | undefined,
): GraphNode[] {
  const nodes: GraphNode[] = [];
  for (let level: readonly TreeNode[] = [root]; level.length > 0; level = level.flatMap(({ children }) => children)) {
    if (nodes.length + level.length > MOST_NODES) break;
    for (const node of level) {
      const spend = reader.spentOn(pathOf(node));
      nodes.push(graphNodeOf(node, face, show, { links, receipt: receiptOf(node)?.by, spend }));
    }
  }
  return nodes;
}

/** Lists what a click alone can do: the page has no forms for arguments. */
async function panelActions(
  { kinds }: TreeProgram,
  overview: SearchOverview,
  path: string,
  isReadOnly: boolean,
): Promise<GraphAction[]> {
  if (isReadOnly) return [];
  const offered = await offeredActions(kinds, overview, path);
  const direct = offered.filter(({ args }) => !args.some(({ required }) => required));
  return direct.map(({ name, title }: ActionFace) => ({ name, title: title.replace(/…$/, '') }));
}

function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
