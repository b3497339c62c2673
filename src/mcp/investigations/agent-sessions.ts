import { lstat, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentFinding, AgentFindings } from '../../kinds/investigation/protocol/agents.ts';
import type { Setup } from '../../kinds/investigation/protocol/investigation.ts';

/** Sessions of a project that are looked at: the newest ones. */
const NEWEST = 5;
/** Longer names of projects are cut, and get a hash. */
const LONGEST_NAME = 200;

/** An agent's client writes its files some time after the agent has answered: how long they are waited for, in milliseconds. */
const PATIENCE_MS = 2000;
const LOOK_MS = 100;

/** What the session files of agents in this user's own folder say about their ids. */
export async function findAgents(
  setup: Pick<Setup, 'profile' | 'projectDir'>,
  ids: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<AgentFindings> {
  for (let waited = 0; ; waited += LOOK_MS) {
    const found = await lookForAgents(setup, ids, env);
    if (waited >= PATIENCE_MS || !Object.values(found).includes('missing')) return found;
    await sleep(LOOK_MS);
  }
}

async function lookForAgents(
  { profile, projectDir }: Pick<Setup, 'profile' | 'projectDir'>,
  ids: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<AgentFindings> {
  const named = ids.filter((id) => /^[a-z0-9]{1,40}$/.test(id));
  if (named.length === 0 || projectDir === '') return {};
  const projects = join(env['CLAUDE_CONFIG_DIR'] || join(env['HOME'] || homedir(), '.claude'), 'projects');
  const folders = await foldersOf(projects, projectDir, profile === 'g2');
  const sessions = (await Promise.all(folders.map(newestSessions))).flat();
  const found = named.map(async (id): Promise<[string, AgentFinding]> => {
    if (sessions.length === 0) return [id, 'no-sessions'];
    const looked = sessions.map((session) => isFile(join(session, 'subagents', `agent-${id}.jsonl`)));
    return [id, (await Promise.all(looked)).some(Boolean) ? 'found' : 'missing'];
  });
  return Object.fromEntries(await Promise.all(found));
}

/** The folders of a project's sessions: by the older encoding of its path, and by today's. */
async function foldersOf(projects: string, projectDir: string, isOld: boolean): Promise<string[]> {
  const names = new Set([projectDir.replaceAll('/', '-')]);
  const now = projectDir.replace(/[^a-zA-Z0-9]/g, '-');
  if (!isOld && now.length <= LONGEST_NAME) names.add(now);
  if (!isOld && now.length > LONGEST_NAME) {
    const begin = `${now.slice(0, LONGEST_NAME)}-`;
    const all = await readdir(projects).catch(() => []);
    for (const name of all) if (name.startsWith(begin) && /^[\w-]{6}$/.test(name.slice(begin.length))) names.add(name);
  }
  // A name that means the folder itself, or the one above it, belongs to no project.
  return [...names]
    .filter((name) => !/^\.{0,2}$/.test(name) && !name.includes('\\'))
    .map((name) => join(projects, name));
}

/** The folders of the newest sessions of a project. */
async function newestSessions(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.jsonl'));
  const dated = await Promise.all(
    names.map(async (name) => ({ name, at: (await lstat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  const newest = dated.sort((a, b) => b.at - a.at).slice(0, NEWEST);
  return newest.map(({ name }) => join(folder, name.slice(0, -'.jsonl'.length)));
}

async function isFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isFile() === true;
}
