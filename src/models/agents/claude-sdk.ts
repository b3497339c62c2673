import type { ChildProcess } from 'node:child_process';
import { readFile, realpath } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as z from 'zod';
import type { Toolbox } from '../../core/ports/tool.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import * as say from '../messages.ts';
import type { AgentOptions } from './agent.ts';

/** The options of a query that are used, as in the SDK's types. */
export interface QueryOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly model?: string;
  readonly systemPrompt: string;
  readonly tools: readonly string[];
  readonly allowedTools: readonly string[];
  readonly permissionMode: 'default';
  readonly settingSources: readonly 'user'[];
  readonly strictMcpConfig: true;
  /** Servers in this process, by name. */
  readonly mcpServers?: Readonly<Record<string, SdkServer>>;
  readonly maxTurns: number;
  readonly maxBudgetUsd: number;
  readonly includePartialMessages: true;
  readonly persistSession: boolean;
  readonly resume?: string;
  readonly forkSession?: true;
  /** A UUID for the new session. */
  readonly sessionId?: string;
  readonly canUseTool: (
    tool: string,
    input: Readonly<Record<string, unknown>>,
    how: { signal: AbortSignal },
  ) => Promise<Permission>;
  readonly spawnClaudeCodeProcess: (how: SpawnOptions) => ChildProcess;
}

export type Permission =
  | { readonly behavior: 'allow'; readonly updatedInput: Readonly<Record<string, unknown>> }
  | { readonly behavior: 'deny'; readonly message: string };

export interface SpawnOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The part of the SDK that is used. Its types are not: it is installed by the user, not with us. */
export interface ClaudeSdk {
  query(question: { readonly prompt: string; readonly options: QueryOptions }): AsyncIterable<unknown>;
}

/** @throws ThoughtTreeError `bad-input` if it is not such a module */
export async function loadSdk(url: string): Promise<ClaudeSdk> {
  try {
    const loaded: unknown = await import(url);
    if (typeof loaded === 'object' && loaded !== null && 'query' in loaded && typeof loaded.query === 'function')
      return loaded as ClaudeSdk;
    throw new Error('it has no function "query"');
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new ThoughtTreeError('bad-input', say.sdkNotLoaded({ why: said.slice(0, 300) }), {
      cause: error,
    });
  }
}

const PACKAGE = '@anthropic-ai/claude-agent-sdk';
/** The variable that names its folder. */
const PATH_VARIABLE = 'THOUGHT_TREE_CLAUDE_SDK';

const Manifest = z.looseObject({ name: z.literal(PACKAGE), main: z.string().max(200) });

/**
 * Finds the module of the Claude Agent SDK that the user has installed: in the place that the user names, next to this
 * program, globally, or in the workspace and above it. Those last ones may have come with a clone, of which the workspace may
 * be a part: they run only if the person agrees to exactly that folder.
 * @returns the URL of the module
 * @throws ThoughtTreeError `bad-input`, saying how to get it
 */
export async function findSdk(workspace: string, options: AgentOptions, env: NodeJS.ProcessEnv): Promise<string> {
  const named = options.path ?? env[PATH_VARIABLE]?.trim();
  if (named) {
    const found = (await moduleIn(named)) ?? (await moduleIn(packageIn(named))) ?? (await moduleIn(below(named)));
    if (found) return found;
    throw new ThoughtTreeError('bad-input', say.noSdkThere({ folder: named, variable: PATH_VARIABLE, how: HOW }));
  }
  for (const folder of placesFor(workspace, env)) {
    const found = await moduleIn(packageIn(folder));
    if (found === undefined) continue;
    const isForeign = isBrought(folder, workspace) || isBrought(fileURLToPath(found), await realPath(workspace));
    if (!isForeign || (await options.mayLoad?.(packageIn(folder)))) return found;
    throw new ThoughtTreeError('bad-input', say.sdkInWorkspace({ variable: PATH_VARIABLE, folder: packageIn(folder) }));
  }
  throw new ThoughtTreeError('bad-input', say.noSdk({ how: HOW }));
}

const HOW = say.howToInstallSdk({ package: PACKAGE, variable: PATH_VARIABLE });

function packageIn(modules: string): string {
  return join(modules, ...PACKAGE.split('/'));
}

function below(folder: string): string {
  return packageIn(join(folder, 'node_modules'));
}

/** Returns where packages may be; those that may have come with the workspace are last. */
function placesFor(workspace: string, env: NodeJS.ProcessEnv): string[] {
  const own = above(dirname(fileURLToPath(import.meta.url)));
  // Where npm installs global packages: next to the folder of its programs, or in it on Windows.
  const programs = [dirname(process.execPath), ...(env['PATH'] ?? '').split(delimiter).filter(isAbsolute)];
  const global = programs.flatMap((folder) => [
    join(folder, '..', 'lib', 'node_modules'),
    join(folder, 'node_modules'),
  ]);
  const all = [...new Set([...own, ...global, ...above(workspace)])];
  const isForeign = (folder: string): boolean => isBrought(folder, workspace);
  return [...all.filter((folder) => !isForeign(folder)), ...all.filter(isForeign)];
}

/** Tells whether a folder may have come with the workspace: it is in it, or in the packages of a folder above it. */
export function isBrought(folder: string, workspace: string): boolean {
  return isWithin(folder, workspace) || above(workspace).some((modules) => isWithin(folder, modules));
}

/** Returns the `node_modules` of a folder and of all above it, as Node looks for packages. */
function above(folder: string): string[] {
  const parent = dirname(folder);
  return [join(folder, 'node_modules'), ...(parent === folder ? [] : above(parent))];
}

async function realPath(folder: string): Promise<string> {
  return await realpath(folder).catch(() => folder);
}

function isWithin(path: string, folder: string): boolean {
  const between = relative(folder, path);
  return !isAbsolute(between) && !between.startsWith('..');
}

/** Returns the main module according to a package's package.json; undefined if there is no such package. */
async function moduleIn(folder: string): Promise<string | undefined> {
  try {
    const { main } = Manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
    const file = await realpath(join(folder, main));
    return isWithin(file, await realpath(folder)) ? pathToFileURL(file).href : undefined;
  } catch {
    return undefined;
  }
}

// Our own tools for Claude Code: a server of the Model Context Protocol in this process, which speaks to the SDK over an
// object that it hands us. The part of the protocol that lists and calls tools is all that it needs.

/** The other end, as the SDK makes it. */
interface Transport {
  onmessage?: (message: unknown) => void;
  start(): Promise<void>;
  send(message: object): Promise<void>;
}

/** A server in this process, as the SDK takes it. */
interface SdkServer {
  readonly type: 'sdk';
  readonly name: string;
  /** The longest use of a tool, in milliseconds. */
  readonly timeout: number;
  readonly instance: { connect(transport: Transport): Promise<void> };
}

/** A command has its own time limit, an hour at most. */
const LONGEST_WAIT_MS = 3_660_000;

/** The name of our server there: its tools are `mcp__checkout__NAME`. */
export const OWN_SERVER = 'checkout';

/** Tells whether it is one of our tools, by the agent's name for it: they look after themselves. */
export function isOwnTool(name: string): boolean {
  return name.startsWith(`mcp__${OWN_SERVER}__`);
}

const AskedMessage = z.looseObject({
  id: z.union([z.string(), z.number()]),
  method: z.string(),
  params: z.looseObject({}).optional(),
});
const CalledTool = z.looseObject({ name: z.string(), arguments: z.unknown() });
const Initialize = z.looseObject({ protocolVersion: z.string() });

const UNKNOWN_METHOD = -32_601;
const FAILED = -32_603;

/** Returns our tools as a server; a use of one is stopped with the question. */
export function ownServer(toolbox: Toolbox, signal: AbortSignal): SdkServer {
  return {
    type: 'sdk',
    name: OWN_SERVER,
    timeout: LONGEST_WAIT_MS,
    instance: {
      async connect(transport) {
        transport.onmessage = (message) => {
          const asked = AskedMessage.safeParse(message).data;
          if (asked)
            void reply(toolbox, asked, signal).then(
              (answer) => transport.send(answer),
              () => undefined,
            );
        };
        await transport.start();
      },
    },
  };
}

async function reply(toolbox: Toolbox, asked: z.infer<typeof AskedMessage>, signal: AbortSignal): Promise<object> {
  const { id, method, params } = asked;
  const head = { jsonrpc: '2.0' as const, id };
  try {
    const result = await resultOf(toolbox, { id: String(id), method, params }, signal);
    return result
      ? { ...head, result }
      : { ...head, error: { code: UNKNOWN_METHOD, message: `There is no ${method}.` } };
  } catch (error) {
    return { ...head, error: { code: FAILED, message: error instanceof Error ? error.message : 'It failed.' } };
  }
}

async function resultOf(
  toolbox: Toolbox,
  { id, method, params }: { readonly id: string; readonly method: string; readonly params: unknown },
  signal: AbortSignal,
): Promise<object | undefined> {
  switch (method) {
    case 'initialize': {
      const { protocolVersion } = Initialize.parse(params);
      return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: OWN_SERVER, version: '1' } };
    }
    case 'ping':
      return {};
    case 'tools/list':
      return {
        tools: toolbox.tools.map(({ name, description, parameters }) => {
          // There are few, and they are needed: not to be looked for first.
          return { name, description, inputSchema: parameters, _meta: { 'anthropic/alwaysLoad': true } };
        }),
      };
    case 'tools/call': {
      const { name, arguments: input } = CalledTool.parse(params);
      const { text, isRefused } = await toolbox.use({ id, name, input }, signal);
      return { content: [{ type: 'text', text }], isError: isRefused };
    }
    default:
      return undefined;
  }
}
