import { readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import * as z from 'zod';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { AcpHost } from '../agents/agent.ts';
import { isBrought } from '../agents/claude-sdk.ts';
import * as say from '../messages.ts';

/** How an agent is started, and what it needs for that. */
export interface AcpCommand {
  readonly name: string;
  /** The program, without links on the way, and its arguments. */
  readonly program: string;
  readonly args: readonly string[];
  /** Identifies the program: another one has another version. */
  readonly version: string;
  /** Names of variables that it gets besides those of every program. */
  readonly env: readonly string[];
  /** Folders and files of its own, in which it may write in any role: its sessions and settings. */
  readonly state: readonly string[];
}

/** An agent that the product knows. */
interface KnownAgent {
  readonly line: readonly [string, ...string[]];
  readonly env: readonly string[];
  /** Below the person's home. */
  readonly state: readonly string[];
}

const CLAUDE = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL', 'CLAUDE_CODE_OAUTH_TOKEN'];

const KNOWN: Readonly<Record<string, KnownAgent>> = {
  claude: { line: ['claude-agent-acp'], env: [...CLAUDE, 'CLAUDE_CONFIG_DIR'], state: ['.claude', '.claude.json'] },
  codex: {
    line: ['codex-acp'],
    env: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'CODEX_API_KEY', 'CODEX_HOME'],
    state: ['.codex'],
  },
  copilot: { line: ['copilot', '--acp'], env: ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN'], state: ['.copilot'] },
  gemini: {
    line: ['gemini', '--acp'],
    env: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GEMINI_BASE_URL'],
    state: ['.gemini'],
  },
  opencode: {
    line: ['opencode', 'acp'],
    env: [...CLAUDE.slice(0, 1), 'OPENAI_API_KEY', 'GEMINI_API_KEY'],
    state: ['.local/share/opencode', '.local/state/opencode', '.config/opencode', '.cache/opencode'],
  },
};

/**
 * Finds the command of an agent: as the user's own settings say, else as the product knows it. Programs that may have come
 * with the workspace are not looked at.
 * @throws ThoughtTreeError `bad-input` if there is none, saying how to get it
 */
export async function findAcpCommand(
  name: string,
  workspace: string,
  host: AcpHost,
  env: NodeJS.ProcessEnv,
): Promise<AcpCommand> {
  const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
  const own = host.commandOf(name);
  const [program, ...args] = own?.command ?? known?.line ?? [];
  if (program === undefined)
    throw new ThoughtTreeError('bad-input', say.noAcpAgent({ name, known: Object.keys(KNOWN).join(', ') }));
  const path = await findProgram(program, workspace, env);
  if (path === undefined) throw new ThoughtTreeError('bad-input', say.noAcpProgram({ name, program }));
  const ofHome = (known?.state ?? []).map((each) => join(homedir(), each));
  return {
    name,
    program: path,
    args,
    version: await versionOf(path),
    env: [...(known?.env ?? []), ...(own?.env ?? [])],
    state: [...ofHome, ...(own?.writes ?? [])],
  };
}

/** Returns the real path of a program; undefined if there is none, or it may have come with the workspace. */
async function findProgram(named: string, workspace: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const real = await realpath(workspace).catch(() => workspace);
  const folders = isAbsolute(named) ? [''] : (env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  // A name alone, or a whole path: what lies between would be looked for in whatever folder this runs in.
  if (!isAbsolute(named) && basename(named) !== named) return undefined;
  for (const folder of folders) {
    const place = folder === '' ? named : join(folder, named);
    const found = await realpath(place).catch(() => undefined);
    if (found === undefined || !(await stat(found)).isFile()) continue;
    if ([place, found].some((path) => isBrought(path, workspace) || isBrought(path, real))) continue;
    return found;
  }
  return undefined;
}

const Manifest = z.looseObject({ version: z.string().max(100) });
/** The folders above a program in which its package may be described. */
const MOST_ABOVE = 5;

/** Returns the version of the package that a program is in, with its size: a program outside of any is known by its age. */
async function versionOf(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  for (let folder = dirname(path), above = 0; above < MOST_ABOVE; folder = dirname(folder), above++)
    try {
      const { version } = Manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
      return `${version} (${size} bytes)`;
    } catch {
      // none here
    }
  return `${new Date(mtimeMs).toISOString()} (${size} bytes)`;
}
