import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { type CallToolResult, completable, type McpRequestContext, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import type { ActionDescriptor } from '../core/actions/action-descriptor.ts';
import type { KindDescriptor } from '../core/kind/kind-descriptor.ts';
import { type Message, textOf } from '../core/messages/message.ts';
import { toThoughtTreeError } from '../core/search/errors.ts';
import { jsonInText } from '../core/text/loose-json.ts';
import { pathOf, type TreeNode } from '../core/tree/tree.ts';
import { descriptorOf } from '../engine/kind.ts';
import { instructionsFor, setupFor } from '../kinds/investigation/protocol/start.ts';
import type { GraphAction, GraphNode } from '../protocol/graph-node.ts';
import { placeNamed } from '../searches/agent-tools/find-place.ts';
import { offeredActions } from '../searches/agent-tools/status-of.ts';
import { overviewOf, type SearchOverview } from '../searches/reader/search-overview.ts';
import { detailsOf, graphNodeOf, graphSearchOf, graphTranscript, receiptLine } from '../searches/search-graph.ts';
import { addAtomTools } from './atom-tools.ts';
import { addInvestigationTools } from './investigation-tools.ts';
import type { Investigations, InvestigationsParts } from './investigations.ts';
import { type AppResource, addDocuments, tellChanges } from './resources.ts';
import type { TreeProgram } from './tree-program.ts';
import { addTreeTools, hidesFromModels } from './tree-tools.ts';

/** The state that every server of a process shares: all its state is there, or on disk. */
export interface ServerParts {
  readonly investigations: Investigations;
  readonly rules: Pick<InvestigationsParts, 'profile' | 'minRounds' | 'requireAgents'>;
  readonly program: TreeProgram;
  readonly apps: readonly AppResource[];
  readonly isReadOnly: boolean;
  /** True if the client's window offers tools and prompts of ours itself: no agent is to have one twice. */
  readonly besideWindow?: boolean | undefined;
}

const ABOUT_TREES = [
  'Searches: tree_start begins one in the background, tree_wait waits for it, tree_status and tree_read say what it found, tree_act steers it.',
  'Goals: atom_next lists pieces of work that you may do, atom_take gives you one with its checkout, atom_done hands it in; it counts only once its checks were run here.',
  'What may cost money, or removes something, needs the permission of a person; without it nothing happens, and the refusal says what would help.',
];

/**
 * One server; a client may be answered by several of them.
 * @param tells whether it tells its client of changes itself
 */
export function buildServer(parts: ServerParts, { era }: Pick<McpRequestContext, 'era'>, tells = true): McpServer {
  const { investigations, rules, program, apps, isReadOnly, besideWindow } = parts;
  const { profile, minRounds, requireAgents } = rules;
  const protocol = instructionsFor(setupFor(profile, { query: '' }, { sessionId: '', minRounds, requireAgents }));
  const info = { name: 'tree-of-thoughts', title: 'Thought Tree', version: packageJson.version };
  const instructions = [`Investigations in rounds: ${protocol}`, ...ABOUT_TREES].join('\n');
  // Over HTTP, clients of the older protocol are served without a session that could tell them anything later.
  const tellsLater = tells || era === 'modern';
  const capabilities = { resources: { subscribe: tellsLater, listChanged: tellsLater } };
  const server = hidesFromModels(takesText(new McpServer(info, { instructions, capabilities })));
  addInvestigationTools(server, investigations, isReadOnly, apps);
  addTreeTools(server, program, isReadOnly, apps, besideWindow);
  addAtomTools(server, program, isReadOnly);
  if (apps.length > 0) addPanelTool(server, program, investigations, isReadOnly);
  addDocuments(server, program, apps);
  if (!besideWindow) addPrompts(server, program, protocol, isReadOnly);
  if (tells) tellChanges(server, program, era === 'legacy');
  return server;
}

const LONGEST_QUESTION = 20_000;

const DO_WORK = [
  'Do the pieces of work that wait in this folder, one at a time, until atom_next lists none:',
  '1. atom_next lists them; take the first with atom_take.',
  '2. Its answer has what is to be done, the checks that decide, what came about before it, and a folder. Work in that folder only, and do not commit.',
  '3. Run its checks there yourself. If they hold, hand it in with atom_done: a summary, and the paths of what came about. If it cannot be done, hand it in with success false, and say what you found.',
  '4. Our own checks decide. If they disagree, its evidence says what was seen: take it again and put it right, at most twice.',
].join('\n');

/** Adds the prompts that a person picks in a client. */
function addPrompts(server: McpServer, program: TreeProgram, instructions: string, isReadOnly: boolean): void {
  if (!isReadOnly)
    server.registerPrompt(
      'investigate',
      {
        title: 'Investigate a question',
        description:
          'Leads an investigation in rounds: leads, a fresh agent for each, checks, and an end by its rules.',
        argsSchema: z.object({ question: z.string().min(1).max(LONGEST_QUESTION).describe('What to find out.') }),
      },
      ({ question }) =>
        asUser(
          `Investigate this question with tot_start and the other tot_ tools.\n\n${instructions}\n\nThe question: ${question}`,
        ),
    );
  if (!isReadOnly)
    server.registerPrompt(
      'do-work',
      {
        title: 'Do pieces of work',
        description: 'Does the pieces of work of goals that wait for somebody outside, one after the other.',
      },
      () => asUser(DO_WORK),
    );
  server.registerPrompt(
    'explain-node',
    {
      title: 'Explain a node',
      description: 'Explains what one node of a search found, from its document and its sources.',
      argsSchema: z.object({
        search: completable(z.string().max(300), async (typed) => startsWith(await program.searchNames(), typed)),
        node: completable(z.string().max(1000), async (typed, context) => {
          const paths = await program.documentPaths(context?.arguments?.['search'] ?? '', typed);
          return paths.flatMap((path) =>
            path.endsWith('/document.md') ? [path.slice(0, -'/document.md'.length)] : [],
          );
        }),
      }),
    },
    ({ search, node }) =>
      asUser(
        `Explain the node ${JSON.stringify(node)} of the search ${JSON.stringify(search)}. Read it with tree_read ("node"), and what it quotes in the files themselves. Say what it found, how well its quotations support that, what is uncertain, and which of its children to read next.`,
      ),
  );
}

function startsWith(names: readonly string[], typed: string): string[] {
  return names.filter((name) => name.startsWith(typed)).slice(0, 100);
}

function asUser(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}

/** The part of a schema that the library needs: it checks values, and says where they are wrong. */
interface Checked {
  readonly '~standard': {
    readonly validate: (value: unknown) => Promise<Result> | Result;
  };
}
type Path = readonly (PropertyKey | { readonly key: PropertyKey })[];

interface Issue {
  readonly path?: Path | undefined;
  readonly code?: string;
}

interface Result {
  readonly issues?: readonly Issue[] | undefined;
}

/** The issues of a value of another type than is wanted. */
const OF_TYPE: ReadonlySet<string | undefined> = new Set(['invalid_type', 'invalid_union']);

/** Lists within lists that come as text. */
const MOST_PASSES = 4;

/**
 * A server whose tools take lists, numbers and truth values that come as text: some clients write all arguments of a call
 * so. What a tool takes as text stays text.
 */
export function takesText(server: McpServer): McpServer {
  const register = server.registerTool.bind(server) as (name: string, config: object, call: unknown) => unknown;
  const lenient = (name: string, config: { inputSchema?: Checked }, call: unknown): unknown =>
    register(name, config.inputSchema ? { ...config, inputSchema: lenientInput(config.inputSchema) } : config, call);
  server.registerTool = lenient as McpServer['registerTool'];
  return server;
}

/** Returns the schema, which then also takes a text where the JSON in it is what is wanted. */
export function lenientInput<T extends Checked>(schema: T): T {
  const standard = schema['~standard'];
  const validate = async (value: unknown): Promise<Result> => {
    let result = await standard.validate(value);
    let given: unknown = value;
    for (let pass = 0; result.issues && pass < MOST_PASSES; pass++) {
      given = meant(given, result.issues);
      if (given === undefined) break;
      result = await standard.validate(given);
    }
    return result;
  };
  const lenient = Object.create(standard, { validate: { value: validate } }) as typeof standard;
  return new Proxy(schema, {
    get: (target, key) => (key === '~standard' ? lenient : (Reflect.get(target, key, target) as unknown)),
  });
}

/**
 * Returns a value with what its texts say in the places that are wrong; undefined if none of them says anything else.
 */
function meant(value: unknown, issues: readonly Issue[]): unknown {
  const copy: unknown = structuredClone(value);
  let isOther = false;
  for (const { path = [], code } of issues) {
    if (!OF_TYPE.has(code)) continue;
    const keys = path.map((part) => (typeof part === 'object' ? part.key : part));
    const parent = keys.slice(0, -1).reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), copy);
    const last = keys.at(-1);
    const said = isObject(parent) && last !== undefined && Object.hasOwn(parent, last) ? parent[last] : undefined;
    const read = typeof said === 'string' ? jsonInText(said) : undefined;
    if (read === undefined || !isObject(parent) || last === undefined) continue;
    parent[last] = read;
    isOther = true;
  }
  return isOther ? copy : undefined;
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null;
}

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
  /** One of its calls, whose transcript is asked for. */
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
    nodes: nodesOf(overview, descriptorOf(kinds, overview.file.kind)),
  };
  const version = createHash('sha256').update(JSON.stringify(drawn)).digest('hex').slice(0, 16);
  const selected = node === undefined ? undefined : await selectedOf(program, overview, node, isReadOnly);
  const exchange =
    node !== undefined && call !== undefined ? await graphTranscript(overview.reader, node, call, show) : undefined;
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
  descriptor: KindDescriptor | undefined,
): GraphNode[] {
  const nodes: GraphNode[] = [];
  for (let level: readonly TreeNode[] = [root]; level.length > 0; level = level.flatMap(({ children }) => children)) {
    if (nodes.length + level.length > MOST_NODES) break;
    for (const node of level) {
      const spend = reader.spentOn(pathOf(node));
      nodes.push(graphNodeOf(node, descriptor, show, { links, receipt: receiptOf(node)?.by, spend }));
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
  return direct.map(({ name, title }: ActionDescriptor) => ({ name, title: title.replace(/…$/, '') }));
}

function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
