import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActionCall } from '../../core/actions/action-call.ts';
import { foreign } from '../../core/messages/message.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import { childSlug } from '../../core/tree/slug.ts';
import { end, endReply } from '../../kinds/investigation/protocol/end.ts';
import type { Investigation } from '../../kinds/investigation/protocol/investigation.ts';
import { type ProfileName, profileOf } from '../../kinds/investigation/protocol/profiles.ts';
import type { Reply } from '../../kinds/investigation/protocol/replies.ts';
import { type StartArgs, setupFor, startReply } from '../../kinds/investigation/protocol/start.ts';
import { readFindings } from '../../kinds/investigation/run/findings.ts';
import { investigationIn, setupIn } from '../../kinds/investigation/run/read-investigation.ts';
import { type ActionOutcome, actOnSearch } from '../../searches/act-on-search.ts';
import { FREE_MODEL } from '../../searches/models/choose-model.ts';
import { silentModel } from '../../searches/models/silent-model.ts';
import { newSearch } from '../../searches/new-search.ts';
import { titleFrom } from '../../searches/place.ts';
import { overviewOf, type SearchOverview } from '../../searches/reader/search-overview.ts';
import { openDiskFiles } from '../../store/files/disk/disk-files.ts';
import { stringifyJson } from '../../store/json/json-file.ts';
import { createSearch, findSearches } from '../../store/open-store.ts';
import { systemClock, systemRandom } from '../../store/system-ports.ts';
import { MCP_KINDS } from '../mcp-kinds.ts';
import { fewerRounds, needsAgents } from '../messages.ts';

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

  /** Those of this server's profile, by the names of their folders. */
  async list(): Promise<FoundInvestigation[]> {
    const all = await findSearches(this.#parts.folder);
    return all.flatMap(({ folder, search: file }) =>
      file?.kind === 'investigation' && file.options['profile'] === this.profile ? { folder, file } : [],
    );
  }

  /** An investigation by its id; undefined if there is none. */
  async find(sessionId: string): Promise<FoundInvestigation | undefined> {
    if (!SESSION_ID.test(sessionId)) return undefined;
    return (await this.list()).find(({ file }) => file.options['sessionId'] === sessionId);
  }

  /** An investigation as it is now, whoever writes it. */
  async read(found: FoundInvestigation): Promise<Investigation> {
    return await readWhole(found, async (at) => at);
  }

  /** The agents that the other investigations of the folder used, of whatever profile. */
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
