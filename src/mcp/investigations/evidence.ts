import { realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { AgentFindings } from '../../kinds/investigation/protocol/agents.ts';
import { sourcesOf } from '../../kinds/investigation/protocol/references.ts';
import { setupIn } from '../../kinds/investigation/run/read-investigation.ts';
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

/** Those of some paths at which there is nothing in a folder; none where the folder itself cannot be looked at. */
async function absentIn(folder: string, paths: readonly string[]): Promise<string[]> {
  const real = folder === '' ? undefined : await realpath(folder).catch(() => undefined);
  if (real === undefined) return [];
  const isThere = async (path: string): Promise<boolean> => {
    const at = resolve(folder, path);
    const isWithin = [folder, real].some((top) => at === top || at.startsWith(top.endsWith(sep) ? top : top + sep));
    return isWithin && (await stat(at).catch(() => undefined)) !== undefined;
  };
  const all = [...new Set(paths)];
  const there = await Promise.all(all.map(isThere));
  return all.filter((_, i) => !there[i]);
}
