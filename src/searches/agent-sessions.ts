import { lstat, open, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { repositoriesAt } from '../work/commands/secret-files.ts';

/** Sessions of a project that the original looks at: the newest ones. */
const NEWEST = 5;
/** Longer names of projects are cut, and get a hash. */
const LONGEST_NAME = 200;

/** An agent's client writes its files some time after the agent has answered: how long they are waited for, in milliseconds. */
const PATIENCE_MS = 2000;
const LOOK_MS = 100;

/** The result of a look for an agent. */
type AgentFinding = 'found' | 'missing' | 'no-sessions' | 'older' | 'unnamed' | 'under-way';
type AgentFindings = Readonly<Record<string, AgentFinding>>;

/** The project of agents, and whether all of its names are looked for. */
interface AgentProject {
  readonly profile: string;
  readonly projectDir: string;
}

/** An agent whose session is looked for. */
export interface AskedAgent {
  readonly id: string;
  /** The node that it researched, and when that was proposed, in milliseconds since 1970; not checked where missing. */
  readonly node?: { readonly id: string; readonly proposedAt: number } | undefined;
}

/** Reads what the session files of agents in this user's own folder say about them. */
export async function findAgents(
  setup: AgentProject,
  asked: readonly AskedAgent[],
  env: NodeJS.ProcessEnv,
): Promise<AgentFindings> {
  for (let waited = 0; ; waited += LOOK_MS) {
    const found = await lookForAgents(setup, asked, env);
    const isSettled = !Object.values(found).some((each) => each === 'missing' || each === 'under-way');
    if (waited >= PATIENCE_MS || isSettled) return found;
    await sleep(LOOK_MS);
  }
}

async function lookForAgents(
  { profile, projectDir }: AgentProject,
  asked: readonly AskedAgent[],
  env: NodeJS.ProcessEnv,
): Promise<AgentFindings> {
  const named = asked.filter(({ id }) => /^[a-z0-9]{1,40}$/.test(id));
  if (named.length === 0 || projectDir === '') return {};
  const projects = join(env['CLAUDE_CONFIG_DIR'] || join(env['HOME'] || homedir(), '.claude'), 'projects');
  const isStrict = profile === 'strict';
  const folders = isStrict ? await foldersLike(projectDir) : [];
  const places = isStrict ? await placesOfAgents(projects, folders) : await placesInOriginal(projects, projectDir);
  // A client may have been started above the folder that its agents work in.
  const above = await placesOfAgents(projects, folders.flatMap(foldersAbove));
  const found = named.map(async (agent): Promise<[string, AgentFinding]> => {
    const files = [...places, ...above].map((place) => join(place, `agent-${agent.id}.jsonl`));
    const there = await Promise.all(files.map(isFile));
    const file = files[there.indexOf(true)];
    if (file === undefined) return [agent.id, places.length === 0 ? 'no-sessions' : 'missing'];
    return [agent.id, isStrict ? await judged(file, agent) : 'found'];
  });
  return Object.fromEntries(await Promise.all(found));
}

/** Tells whether an agent began after its node was proposed, was asked about that, and is done. */
async function judged(file: string, { id, node }: AskedAgent): Promise<AgentFinding> {
  if (!node) return 'found';
  const { agentId = id, begunAt, asked, isUnderWay } = await readAgentSession(file);
  // One session under several names is one agent.
  if (agentId !== id) return 'missing';
  if (begunAt === undefined) return 'under-way';
  if (begunAt < node.proposedAt) return 'older';
  if (!asked.match(/R\d+\.[A-Za-z0-9]+/g)?.includes(node.id)) return 'unnamed';
  return isUnderWay ? 'under-way' : 'found';
}

/**
 * The folders that may have the files of agents of projects: one in each of their sessions, and the one beside those, where
 * older clients put them.
 */
async function placesOfAgents(projects: string, folders: readonly string[]): Promise<string[]> {
  const all = await readdir(projects).catch(() => []);
  const names = new Set(folders.flatMap((folder) => namesOf(folder, all)));
  const places: string[] = [];
  for (const name of names) {
    const folder = join(projects, name);
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const sessions = entries.filter((each) => each.isDirectory()).map((each) => join(folder, each.name, 'subagents'));
    if (entries.some((each) => each.isFile() && each.name.endsWith('.jsonl'))) places.push(folder, ...sessions);
  }
  return places;
}

/** Returns the names of a project among the folders of sessions: by the older encoding of its path, and by today's. */
function namesOf(projectDir: string, all: readonly string[]): string[] {
  const now = projectDir.replace(/[^a-zA-Z0-9]/g, '-');
  const begin = `${now.slice(0, LONGEST_NAME)}-`;
  const hashed = (name: string): boolean => name.startsWith(begin) && /^[\w-]{6}$/.test(name.slice(begin.length));
  const long = now.length > LONGEST_NAME ? all.filter(hashed) : [now];
  return [projectDir.replaceAll('/', '-'), ...long].filter(isName);
}

/** A name that means the folder itself, or the one above it, belongs to no project. */
function isName(name: string): boolean {
  return !/^\.{0,2}$/.test(name) && !name.includes('\\');
}

/** Where the original looks: in the newest sessions, by the older encoding of a path. */
async function placesInOriginal(projects: string, projectDir: string): Promise<string[]> {
  const name = projectDir.replaceAll('/', '-');
  return isName(name) ? await newestSessions(join(projects, name)) : [];
}

async function newestSessions(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.jsonl'));
  const dated = await Promise.all(
    names.map(async (name) => ({ name, at: (await lstat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  const newest = dated.sort((a, b) => b.at - a.at).slice(0, NEWEST);
  return newest.map(({ name }) => join(folder, name.slice(0, -'.jsonl'.length), 'subagents'));
}

/** A session that another one goes on from may have links to the files of its agents. */
async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

/** The number of bytes that are read of each end of a session: its lines have whole files in them. */
const MOST_READ = 1_000_000;

const Block = z.looseObject({ type: z.string(), text: z.string().optional() });
const Line = z.looseObject({
  type: z.string(),
  timestamp: z.string().optional(),
  agentId: z.string().optional(),
  message: z.looseObject({ content: z.union([z.string(), z.array(Block)]).optional() }).optional(),
});
type Line = z.infer<typeof Line>;

interface AgentSession {
  /** The agent that it is of; missing if it does not say. */
  readonly agentId: string | undefined;
  /** When it was first asked something, in milliseconds since 1970; missing if it does not say. */
  readonly begunAt: number | undefined;
  /** All texts that it was asked. */
  readonly asked: string;
  /** True if its last word is the use of a tool, or what came of one. */
  readonly isUnderWay: boolean;
}

/** Reads the session of an agent; lines of unknown form are passed over. */
async function readAgentSession(file: string): Promise<AgentSession> {
  const { head, tail } = await readEnds(file);
  // An agent that goes on from the conversation that spawned it begins with the call of that.
  const asked = head.filter(({ type }) => type === 'user');
  const times = asked.map(({ timestamp }) => Date.parse(timestamp ?? '')).filter(Number.isFinite);
  const last = tail.findLast(({ type }) => type === 'user' || type === 'assistant');
  return {
    agentId: asked.find(({ agentId }) => agentId !== undefined)?.agentId,
    begunAt: times[0],
    asked: asked.map(textOf).join('\n'),
    isUnderWay: !last || usesTools(last),
  };
}

function textOf({ message }: Line): string {
  const content = message?.content ?? '';
  return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('\n');
}

function usesTools({ message }: Line): boolean {
  const content = message?.content ?? '';
  return typeof content !== 'string' && content.some(({ type }) => type === 'tool_use' || type === 'tool_result');
}

async function readEnds(file: string): Promise<{ head: Line[]; tail: Line[] }> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const read = async (from: number): Promise<Line[]> => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(size, MOST_READ)), { position: from });
      return buffer.toString('utf8', 0, bytesRead).split('\n').flatMap(lineIn);
    };
    const head = await read(0);
    return { head, tail: size > MOST_READ ? await read(size - MOST_READ) : head };
  } finally {
    await handle.close();
  }
}

function lineIn(text: string): Line[] {
  try {
    return [Line.parse(JSON.parse(text))];
  } catch {
    return []; // cut off, or not ours to understand
  }
}

const MOST_WORKTREES = 100;

/**
 * A folder under all the names that an agent's client may have known it by: as it is given, without links, and the same
 * folder in every worktree of its repository.
 */
async function foldersLike(folder: string): Promise<string[]> {
  const real = await realpath(folder).catch(() => folder);
  return [...new Set([folder, real, ...(await inWorktrees(real))])];
}

/** Returns the folders that a folder is in, the nearest first. */
function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [] : [above, ...foldersAbove(above)];
}

async function inWorktrees(folder: string): Promise<string[]> {
  for (let top = folder; ; top = dirname(top)) {
    const common = (await repositoriesAt(join(top, '.git'))).at(-1);
    if (common !== undefined) return (await worktreesOf(common)).map((tree) => join(tree, relative(top, folder)));
    if (top === dirname(top)) return [];
  }
}

/**
 * Returns the folders of a repository's worktrees, the main one first. @param common what all of them share, usually
 * `.git`
 */
async function worktreesOf(common: string): Promise<string[]> {
  const names = await readdir(join(common, 'worktrees')).catch(() => []);
  const pointers = names.slice(0, MOST_WORKTREES).map((name) => join(common, 'worktrees', name, 'gitdir'));
  const texts = await Promise.all(pointers.map((file) => readFile(file, 'utf8').catch(() => '')));
  const further = texts.flatMap((text) => (text.trim() === '' ? [] : [dirname(text.trim())]));
  return basename(common) === '.git' ? [dirname(common), ...further] : further;
}
