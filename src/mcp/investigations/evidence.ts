import { realpath, stat } from 'node:fs/promises';
import { basename, posix, resolve, sep } from 'node:path';
import type { AgentFindings } from '../../kinds/investigation/protocol/agents.ts';
import { sourcesOf } from '../../kinds/investigation/protocol/references.ts';
import { setupIn } from '../../kinds/investigation/run/read-investigation.ts';
import { lazyWorkspaceText } from '../../searches/lazy-workspace-text.ts';
import { findAgents } from './agent-sessions.ts';
import type { FoundInvestigation, Investigations } from './investigations.ts';

/** A result as it is committed. */
export interface Committed {
  readonly nodeId: string;
  readonly findings: string;
  readonly agentId?: string | null | undefined;
}

/** The observations of the agents and sources of a commit: the rules decide what follows from it. */
interface Evidence {
  readonly agents: AgentFindings;
  /** Cited paths of files that are not in the folder. */
  readonly absent?: readonly string[];
}

/** Looks at what the results of a commit refer to, outside the investigation. */
export async function evidenceOf(
  investigations: Investigations,
  found: FoundInvestigation,
  results: readonly Committed[],
  env: NodeJS.ProcessEnv,
): Promise<Evidence> {
  const setup = setupIn(found.file);
  const given = new Map(results.flatMap((each) => (each.agentId ? [[each.agentId, each.nodeId] as const] : [])));
  if (setup.profile !== 'strict')
    return {
      agents: await findAgents(
        setup,
        [...given.keys()].map((id) => ({ id })),
        env,
      ),
    };
  const absent = await absentIn(
    setup.projectDir,
    results.flatMap(({ findings }) => sourcesOf(findings).paths),
  );
  if (given.size === 0) return { agents: {}, absent };
  const { pending } = await investigations.read(found);
  const asked = [...given].map(([id, node]) => ({ id, node: pending.get(node) }));
  const [agents, used] = await Promise.all([findAgents(setup, asked, env), investigations.agentsOfOthers(found)]);
  const elsewhere = [...given.keys()].filter((id) => used.has(id)).map((id) => [id, 'used'] as const);
  return { agents: { ...agents, ...Object.fromEntries(elsewhere) }, absent };
}

/** The words behind a path that may be part of it. */
const MOST_WORDS = 20;

/**
 * Those of some paths at which there is nothing in a folder; none where the folder itself cannot be looked at. Agents cite
 * files as seen from where they work: that may be somewhere below it.
 */
async function absentIn(folder: string, paths: readonly string[]): Promise<string[]> {
  const real = folder === '' ? undefined : await realpath(folder).catch(() => undefined);
  if (real === undefined) return [];
  const files = lazyWorkspaceText(real);
  const isAt = async (path: string): Promise<boolean> => {
    const at = resolve(folder, path);
    const isWithin = [folder, real].some((top) => at === top || at.startsWith(top.endsWith(sep) ? top : top + sep));
    return isWithin && (await stat(at).catch(() => undefined)) !== undefined;
  };
  const isBelow = async (path: string): Promise<boolean> =>
    (await files.named(posix.basename(path))).some((each) => each.endsWith(`/${posix.normalize(path)}`));
  const isThere = async (path: string): Promise<boolean> => {
    const all = readingsOf(path, basename(real));
    for (const look of [isAt, isBelow]) for (const each of all) if (await look(each)) return true;
    return false;
  };
  const all = [...new Set(paths)];
  const there = await Promise.all(all.map(isThere));
  return all.filter((_, i) => !there[i]);
}

/** What a cited path may mean: with or without the words behind it, its escapes, and the name of the folder itself. */
function readingsOf(cited: string, folder: string): string[] {
  const own = cited.startsWith(`${folder}/`) ? [cited.slice(folder.length + 1)] : [];
  return [cited, ...own].flatMap((path) => {
    const words = path.split(' ').slice(0, MOST_WORDS);
    const readings = words.map((_, i) => words.slice(0, i + 1).join(' '));
    return path.includes('%') ? [...readings, unescaped(path)] : readings;
  });
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
