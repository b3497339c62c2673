import { randomUUID } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { type AgentContext, agent, ndJsonStream, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
import * as z from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import type { Message } from '../core/messages/message.ts';
import { isThoughtTreeError } from '../core/search/errors.ts';
import type { Listed } from '../searches/agent-tools/tool-descriptors.ts';
import { StateFolder } from '../searches/trust/state-folder.ts';
import { Conversation, nobody, ownSearches, wordsOf } from './acp-conversation.ts';
import { TreeProgram, type TreeProgramParts } from './tree-program.ts';

// Thought Tree as an agent of the Agent Client Protocol: an editor begins a search as a conversation, watches and steers it.

/** The decisions of a person about such an agent, on its command line. */
export interface ServeAcpRequest extends Omit<TreeProgramParts, 'workspace' | 'folder' | 'allowUsd' | 'allowDelete'> {
  /** A message in the person's language. */
  readonly inWords: (message: Message) => string;
  /** Tells the person, in one line, what no client hears. */
  readonly tell: (text: string) => void;
}

/**
 * Serves one client over standard streams until it goes away, or somebody ends the process.
 * @returns the folders of the searches that it ran, which are paused now
 */
export async function serveAcp(request: ServeAcpRequest): Promise<string[]> {
  const sessions = new Sessions(request);
  const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
  const connection = agent({ name: 'thought-tree' })
    .onRequest('initialize', () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'thought-tree', title: 'Thought Tree', version: packageJson.version },
      agentCapabilities: { loadSession: true, sessionCapabilities: { list: {} } },
      authMethods: [],
    }))
    .onRequest('session/new', async ({ params: { cwd }, client }) => {
      const { id } = await sessions.open(cwd, client);
      return { sessionId: id };
    })
    .onRequest('session/load', async ({ params: { sessionId, cwd }, client }) => {
      await sessions.load(sessionId, cwd, client);
      return {};
    })
    .onRequest('session/list', async ({ params: { cwd } }) => ({
      sessions: cwd ? await sessions.inFolder(cwd) : [],
    }))
    .onRequest('session/prompt', ({ params: { sessionId, prompt }, signal }) =>
      sessions.named(sessionId).prompt(wordsOf(prompt), signal),
    )
    .onNotification('session/cancel', ({ params: { sessionId } }) => sessions.named(sessionId).cancel())
    .connect(ndJsonStream(Writable.toWeb(process.stdout) as WritableStream<Uint8Array>, input));
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  await Promise.race([ended, connection.closed]);
  return await sessions.close();
}

/** The conversations of a client. */
class Sessions {
  readonly #request: ServeAcpRequest;
  readonly #sessions = new Map<string, Conversation>();
  /** Those of one folder share a program, which knows what runs here. */
  readonly #programs = new Map<string, TreeProgram>();

  constructor(request: ServeAcpRequest) {
    this.#request = request;
  }

  /** @throws RequestError if there is no such folder */
  async open(workspace: string, client: AgentContext): Promise<Conversation> {
    const program = await this.#program(workspace);
    const id = randomUUID();
    return this.#add(new Conversation(id, program, client, this.#request.inWords, remembering(id)));
  }

  /**
   * Shows a search as a conversation. One that is there already goes on.
   * @throws RequestError if there is none of that id, which stays unknown, or while something is under way in it
   */
  async load(id: string, workspace: string, client: AgentContext): Promise<void> {
    this.#sessions.get(id)?.assertIdle();
    const program = await this.#program(workspace);
    const known = this.#sessions.get(id);
    const isHere = known?.isOf(program) === true;
    const own = rememberedIn(program).find((each) => each.id === id)?.search;
    const remember = own === undefined ? undefined : remembering(id);
    const session = isHere ? known : new Conversation(id, program, client, this.#request.inWords, remember);
    // One that has no search yet has nothing to show.
    if (!isHere) await session.replay(own ?? id);
    else if (session.search !== undefined) await session.replay(session.search);
    // Meanwhile another may have been begun under this id.
    this.#sessions.get(id)?.assertIdle();
    this.#add(session);
  }

  #add(session: Conversation): Conversation {
    this.#sessions.set(session.id, session);
    // The client knows the session only once it has its answer; it may be gone by then.
    setImmediate(() => void session.tellCommands().catch(() => undefined));
    return session;
  }

  /** @throws RequestError if there is none of that id */
  named(id: string): Conversation {
    const session = this.#sessions.get(id);
    if (session) return session;
    throw RequestError.resourceNotFound(id);
  }

  /** Lists the searches of a folder as sessions that can be loaded: by the id that was given, else by the search's name. */
  async inFolder(workspace: string) {
    const program = await this.#program(workspace);
    const { data } = await program.call('tree_list', {}, { signal: new AbortController().signal }, nobody);
    const ids = new Map(rememberedIn(program).map(({ search, id }) => [search, id]));
    return (data as Listed).searches.map(({ search, title, created }) => ({
      sessionId: ids.get(search) ?? search,
      cwd: workspace,
      title,
      ...(created !== undefined && { updatedAt: created }),
    }));
  }

  async #program(cwd: string): Promise<TreeProgram> {
    const isThere = isAbsolute(cwd) && (await stat(cwd).catch(() => undefined))?.isDirectory();
    if (!isThere) throw RequestError.invalidParams({ cwd });
    // A folder is one, however it is spelled.
    const workspace = await realpath(cwd);
    const { inWords, tell, ...parts } = this.#request;
    const folder = searchesFor(workspace, inWords);
    const known = this.#programs.get(workspace);
    if (known) return known;
    const program = new TreeProgram({ ...parts, workspace, folder, allowUsd: 0, allowDelete: false }, tell);
    this.#programs.set(workspace, program);
    return program;
  }

  async close(): Promise<string[]> {
    for (const session of this.#sessions.values()) session.cancel();
    return (await Promise.all([...this.#programs.values()].map((program) => program.close()))).flat();
  }
}

/** @throws RequestError if a link leads elsewhere from where they belong */
function searchesFor(workspace: string, inWords: ServeAcpRequest['inWords']): string {
  try {
    return ownSearches(workspace);
  } catch (error) {
    if (!isThoughtTreeError(error)) throw error;
    throw RequestError.invalidParams({ cwd: workspace }, inWords(error.say));
  }
}

/** The file of this user that keeps which search a session is about; as many sessions, the latest. */
const FILE = 'acp-sessions.json';
const MOST_KEPT = 2000;

const Kept = z.object({
  version: z.literal(1),
  /** Each with the folder of its search. */
  sessions: z.array(z.object({ id: z.string().max(100), folder: z.string().max(10_000) })).max(MOST_KEPT),
});

function kept(): z.infer<typeof Kept>['sessions'] {
  try {
    return Kept.safeParse(JSON.parse(StateFolder.open()?.read(FILE) ?? '')).data?.sessions ?? [];
  } catch {
    return [];
  }
}

/** Returns what remembers the search of a session, so that the session can be loaded again. */
function remembering(id: string): (folder: string) => void {
  return (folder) => {
    const sessions = [...kept().filter((each) => each.id !== id), { id, folder }].slice(-MOST_KEPT);
    StateFolder.open()?.write(FILE, `${JSON.stringify({ version: 1, sessions })}\n`);
  };
}

/** Returns the sessions that are about searches of a folder, with the names of these. */
function rememberedIn({ folders: [{ searches }] }: TreeProgram): { readonly id: string; readonly search: string }[] {
  return kept().flatMap(({ id, folder }) => (dirname(folder) === searches ? [{ id, search: basename(folder) }] : []));
}
