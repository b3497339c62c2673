import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, posix, resolve, sep } from 'node:path';
import type { ActionCall } from '../core/actions/action-call.ts';
import { foreign } from '../core/messages/message.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../core/search/errors.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import { decodeAddress } from '../core/text/text.ts';
import { childSlug } from '../core/tree/slug.ts';
import type { Kinds } from '../engine/kind.ts';
import { investigationDescriptor } from '../kinds/investigation/descriptor.ts';
import type { AgentFindings } from '../kinds/investigation/protocol/evidence.ts';
import { sourcesOf } from '../kinds/investigation/protocol/evidence.ts';
import type { Investigation } from '../kinds/investigation/protocol/investigation.ts';
import { type ProfileName, profileOf } from '../kinds/investigation/protocol/profiles.ts';
import type { Reply } from '../kinds/investigation/protocol/replies.ts';
import { end, endReply } from '../kinds/investigation/protocol/replies.ts';
import { type StartArgs, setupFor, startReply } from '../kinds/investigation/protocol/start.ts';
import { investigationIn, readFindings, setupIn } from '../kinds/investigation/run/read-investigation.ts';
import { type ActionOutcome, actOnSearch, silentModel } from '../searches/act-on-search.ts';
import { findAgents } from '../searches/agent-sessions.ts';
import { FREE_MODEL } from '../searches/models/choose-model.ts';
import { newSearch } from '../searches/new-search.ts';
import { lazyWorkspaceText } from '../searches/open-search.ts';
import { titleFrom } from '../searches/place.ts';
import { overviewOf, type SearchOverview } from '../searches/reader/search-overview.ts';
import { openDiskFiles } from '../store/files/disk/disk-files.ts';
import { stringifyJson } from '../store/json/json-file.ts';
import { createSearch, findSearches } from '../store/open-store.ts';
import { systemClock, systemRandom } from '../store/system-ports.ts';
import { fewerRounds, needsAgents } from './messages.ts';

/** The time that a call waits for others that write the same investigation, and the interval of its looks, in ms. */
const PATIENCE_MS = 30_000;
const LOOK_MS = 50;
/** New investigations of the same name that may begin at once. */
const ATTEMPTS = 20;
const SESSION_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The parts of a server: what it keeps, and where. */
export interface InvestigationsParts {
  /** The folder that agents work in. */
  readonly workspace: string;
  /** The folder that holds the investigations. */
  readonly folder: string;
  readonly profile: ProfileName;
  readonly minRounds?: number | undefined;
  readonly requireAgents: boolean;
}

/** An investigation on disk. */
export interface FoundInvestigation {
  readonly folder: string;
  readonly file: SearchFile;
}

/** The investigations of one folder. Nothing is kept in memory, so that a server can be started again at any time. */
export class Investigations {
  readonly #parts: InvestigationsParts;

  constructor(parts: InvestigationsParts) {
    this.#parts = parts;
  }

  get profile(): ProfileName {
    return this.#parts.profile;
  }

  /** Begins an investigation. */
  async start(asked: StartArgs): Promise<Reply> {
    const { profile, minRounds, requireAgents, workspace } = this.#parts;
    const person = { sessionId: systemRandom.id(), minRounds, requireAgents, projectDir: workspace };
    const setup = setupFor(profile, asked, person);
    const { query: prompt, projectDir, ...options } = setup;
    const all = { ...options, ...(projectDir !== '' && { projectDir }) };
    const title = titleFrom(prompt);
    const file = await newSearch(MCP_KINDS, { kind: 'investigation', title, prompt, options: all, model: FREE_MODEL });
    for (let attempt = 1; ; attempt++)
      try {
        await createSearch(await this.#freeFolder(title), file);
        return startReply(setup);
      } catch (error) {
        // Another server was faster with a folder of the same name.
        if (!isThoughtTreeError(error, 'exists') || attempt >= ATTEMPTS) throw error;
      }
  }

  /** Returns those of this server's profile, by the names of their folders. */
  async list(): Promise<FoundInvestigation[]> {
    const all = await findSearches(this.#parts.folder);
    return all.flatMap(({ folder, search: file }) =>
      file?.kind === 'investigation' && file.options['profile'] === this.profile ? { folder, file } : [],
    );
  }

  /** Returns an investigation by its id; undefined if there is none. */
  async find(sessionId: string): Promise<FoundInvestigation | undefined> {
    if (!SESSION_ID.test(sessionId)) return undefined;
    return (await this.list()).find(({ file }) => file.options['sessionId'] === sessionId);
  }

  /** Returns an investigation as it is now, whoever writes it. */
  async read(found: FoundInvestigation): Promise<Investigation> {
    return await readWhole(found, async (at) => at);
  }

  /** Returns the agents that the other investigations of the folder used, of whatever profile. */
  async agentsOfOthers({ folder }: FoundInvestigation): Promise<ReadonlySet<string>> {
    const all = await findSearches(this.#parts.folder);
    const used = new Set<string>();
    for (const { folder: other, search: file } of all) {
      if (file?.kind !== 'investigation' || other === folder) continue;
      const at = await readWhole({ folder: other, file }, async (each) => each).catch(() => undefined);
      for (const agent of at?.usedAgents ?? []) used.add(agent);
    }
    return used;
  }

  /** Tells what an end would say, without ending it. */
  async wouldEnd(found: FoundInvestigation, minRounds: number | undefined): Promise<Reply> {
    return await readWhole(found, async (at, { store, tree, record }) =>
      endReply(at, end(at, minRounds), await readFindings(store, tree, record), minRounds),
    );
  }

  /**
   * Makes a call of the protocol; waits while somebody else makes one.
   * @throws ThoughtTreeError `held` if the investigation is held all the time, `bad-input` if the call cannot be made at all
   */
  async call({ folder, file }: FoundInvestigation, call: ActionCall): Promise<Reply> {
    this.#checkRules(file);
    const until = systemClock.monotonic() + PATIENCE_MS;
    for (;;)
      try {
        const outcome = await this.#act(folder, call);
        if (!outcome.ok) throw new ThoughtTreeError('bad-input', outcome.say);
        return outcome.value as Reply;
      } catch (error) {
        if (!isThoughtTreeError(error, 'held') || systemClock.monotonic() > until) throw error;
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS * (1 + systemRandom.next())));
      }
  }

  /** Writes the graph of the latest original next to an investigation; its names. */
  async writeGraph({ folder }: FoundInvestigation, { sessionId, graph, finalDot }: Reply): Promise<Reply> {
    const [json, dot] = [`${sessionId}.tot-graph.json`, `${sessionId}.tot-graph.dot`];
    const files = await openDiskFiles(folder);
    await files.writeAtomic(json, stringifyJson(graph));
    await files.writeAtomic(dot, `${finalDot}\n`);
    return { graphPath: join(folder, json), dotPath: join(folder, dot) };
  }

  /** Agents can write files, search.json too: what it says makes the rules of this server stricter, never weaker. */
  #checkRules(file: SearchFile): void {
    const { profile, minRounds, requireAgents } = this.#parts;
    if (profile !== 'strict') return;
    const found = setupIn(file);
    const least = minRounds ?? profileOf({ profile }).minRounds;
    if (found.minRounds < least)
      throw new ThoughtTreeError('bad-input', fewerRounds({ rounds: found.minRounds, least: String(least) }));
    if (requireAgents && !found.requireAgents) throw new ThoughtTreeError('bad-input', needsAgents());
  }

  #act(folder: string, call: ActionCall): Promise<ActionOutcome> {
    const { workspace } = this.#parts;
    const openModel = async (name: string): Promise<ReturnType<typeof silentModel>> => silentModel(name);
    return actOnSearch({ folder, workspace }, call, { kinds: MCP_KINDS, by: 'mcp', openModel });
  }

  async #freeFolder(title: string): Promise<string> {
    const { folder } = this.#parts;
    const taken = new Set(await readdir(folder).catch(() => []));
    return join(folder, childSlug(title, '', taken));
  }
}

/**
 * Reads an investigation between two calls of others. A call is in the journal before any file is made from it: where the
 * journal is the same before and after reading, every file belongs to a call that the journal tells of.
 */
async function readWhole<T>(
  { folder, file }: FoundInvestigation,
  read: (at: Investigation, overview: SearchOverview) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const overview = await overviewOf(MCP_KINDS, folder);
    const { tree, record, store } = overview;
    const { seq } = record;
    const result = await read(investigationIn(file, tree, record), overview);
    const last = (await store.readJournal()).at(-1)?.seq ?? 0;
    if (last === seq) return result;
    if (attempt >= ATTEMPTS) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    if (attempt >= 2 * ATTEMPTS)
      throw new ThoughtTreeError('held', foreign({ text: 'Others change this investigation all the time.' }));
  }
}

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

/**
 * Returns what a cited path may mean: with or without the words behind it, its escapes, and the name of the folder
 * itself.
 */
function readingsOf(cited: string, folder: string): string[] {
  const own = cited.startsWith(`${folder}/`) ? [cited.slice(folder.length + 1)] : [];
  return [cited, ...own].flatMap((path) => {
    const words = path.split(' ').slice(0, MOST_WORDS);
    const readings = words.map((_, i) => words.slice(0, i + 1).join(' '));
    return path.includes('%') ? [...readings, decodeAddress(path)] : readings;
  });
}

/** The kinds that this server's tools are about. */
export const MCP_KINDS: Kinds = [
  {
    descriptor: investigationDescriptor,
    load: async () => (await import('../kinds/investigation/investigation.ts')).investigation,
  },
];
