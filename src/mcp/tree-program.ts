import { formatUsd } from '../core/money/figures.ts';
import type { Model, Price } from '../core/ports/model.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import type { LimitReached } from '../core/search/record/search-state.ts';
import type { Kinds } from '../engine/kind.ts';
import { providerOf } from '../models/open-model.ts';
import type {
  AgentFolder,
  AgentHost,
  Permit,
  ToolAnswer,
  ToolCall,
  Wanted,
} from '../searches/agent-tools/agent-host.ts';
import type { DocumentChange, SearchDocument } from '../searches/agent-tools/documents.ts';
import type { TreeToolName } from '../searches/agent-tools/tool-descriptors.ts';
import { isFreeModel } from '../searches/models/choose-model.ts';
import { openWithEnvironment, readEnvironment } from '../searches/models/environment.ts';
import { priceOf } from '../searches/models/own-prices.ts';
import * as say from './messages.ts';
import { modelOfEditor, needsCommands } from './messages.ts';

/** The decisions of a person about searches, on the server's command line. */
export interface TreeProgramParts {
  readonly kinds: Kinds;
  readonly workspace: string;
  /** The folder that holds the searches. */
  readonly folder: string;
  readonly model?: string | undefined;
  readonly judge?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly price?: Price | undefined;
  readonly judgePrice?: Price | undefined;
  /** Those of single models among several. */
  readonly prices?: Readonly<Record<string, Price>> | undefined;
  /** The amount that all searches of this server may spend where nobody can be asked, in US dollars. */
  readonly allowUsd: number;
  readonly allowDelete: boolean;
  /** True if the commands of plans may run that this person did not agree to elsewhere. */
  readonly allowCommands?: boolean | undefined;
  /** Rounds before which an investigation cannot end; as its rules say if undefined. */
  readonly minRounds?: number | undefined;
}

/** The models of an editor answer in its window only. */
const IN_EDITOR = 'vscode/';

type AgentTools = typeof import('../searches/agent-tools/agent-tools.ts')['agentTools'];

interface Loaded {
  readonly tools: AgentTools;
  readonly runs: InstanceType<AgentTools['OwnRuns']>;
  readonly changes: InstanceType<AgentTools['DocumentChanges']>;
}

/** The searches of one server process: those it runs, and those of its folder. The engine is loaded when a tool is called. */
export class TreeProgram {
  readonly allowance: Allowance;
  readonly #parts: TreeProgramParts;
  readonly #tell: (text: string) => void;
  readonly #listeners = new Set<(change: DocumentChange) => void>();
  #loaded: Promise<Loaded> | undefined;

  /** @param tell tells a person, in one line, what no client hears */
  constructor(parts: TreeProgramParts, tell: (text: string) => void) {
    this.#parts = parts;
    this.#tell = tell;
    this.allowance = new Allowance(parts.allowUsd, parts.allowDelete);
  }

  get kinds(): Kinds {
    return this.#parts.kinds;
  }

  get folders(): readonly [AgentFolder] {
    const { workspace, folder } = this.#parts;
    return [{ workspace, searches: folder }];
  }

  /** @throws ThoughtTreeError saying why not; whatever `permit` throws */
  async call(
    name: TreeToolName,
    args: unknown,
    call: ToolCall,
    permit: (wanted: Wanted) => Promise<Permit>,
  ): Promise<ToolAnswer> {
    const { tools, runs, changes } = await this.#load();
    const answer = await tools.run(this.#host(runs, permit), name, args, call);
    if (typeof answer.data['search'] === 'string') await changes.follow(answer.data['search']);
    return answer;
  }

  /**
   * Answers a question from the documents of a search.
   * @param tell is given the answer by whole paragraphs, as they come
   */
  async ask(
    search: string,
    question: string,
    call: ToolCall,
    permit: (wanted: Wanted) => Promise<Permit>,
    tell: (text: string) => void,
  ): Promise<Awaited<ReturnType<AgentTools['askSearch']>>> {
    const { tools, runs } = await this.#load();
    const openModel = (model: string) => this.#open(model);
    return await tools.askSearch(this.#host(runs, permit), search, question, { ...call, openModel, tell });
  }

  /** Returns the spend limit that a search rests at; undefined if it rests at none. @throws ThoughtTreeError `not-found` */
  async limitReached(search: string): Promise<LimitReached | undefined> {
    return await (await this.#load()).tools.limitReached(this, search);
  }

  #host(runs: AgentHost['runs'], permit: AgentHost['permit']): AgentHost {
    const { kinds, folders } = this;
    const models: AgentHost['models'] = { usual: () => this.#usual(), facts: (model) => this.#facts(model) };
    const { minRounds } = this.#parts;
    const newSearches = (kind: string) => (kind === 'investigation' && minRounds !== undefined ? { minRounds } : {});
    const mayRun = (): void => void this.#mayRunCommands();
    return { kinds, folders, models, newSearches, mayRun, runs, permit };
  }

  #open(name: string): Promise<Model> {
    const { workspace, baseUrl } = this.#parts;
    const env = readEnvironment(process.env);
    const { price } = this.#facts(name);
    return openWithEnvironment(name, {
      workspace,
      env,
      baseUrl: this.#addressOf(name, baseUrl ?? env.baseUrl),
      price,
    });
  }

  async documents(): Promise<SearchDocument[]> {
    const { tools } = await this.#load();
    return await tools.listDocuments(this);
  }

  async searchNames(): Promise<string[]> {
    const { tools } = await this.#load();
    return await tools.searchNames(this);
  }

  async documentPaths(search: string, typed: string): Promise<string[]> {
    const { tools } = await this.#load();
    return await tools.documentPaths(this, search, typed);
  }

  /** @throws ThoughtTreeError `not-found` */
  async readDocument(search: string, path: string): Promise<string> {
    const { tools, changes } = await this.#load();
    const text = await tools.readDocument(this, search, path);
    await changes.follow(search);
    return text;
  }

  /** Follows a search, so that listeners hear of its changes. */
  async follow(search: string): Promise<void> {
    await (await this.#load()).changes.follow(search);
  }

  /** Calls back when documents of searches that somebody asked for have changed; returns a function that ends it. */
  listen(listener: (change: DocumentChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Pauses what this server runs; the folders of what was paused. */
  async close(): Promise<string[]> {
    if (!this.#loaded) return [];
    const { runs, changes } = await this.#loaded;
    changes.close();
    return (await runs.close()).map(({ folder }) => folder);
  }

  #load(): Promise<Loaded> {
    this.#loaded ??= import('../searches/searches.ts').then(({ searches: { agentTools: tools } }) => {
      const { kinds } = this.#parts;
      const changes = new tools.DocumentChanges(this, (change) => {
        for (const listener of this.#listeners) listener(change);
      });
      const runs = new tools.OwnRuns({
        kinds,
        by: 'agent',
        work: { consent: async () => this.#mayRunCommands() },
        tell: this.#tell,
        onChange: (place) => void changes.followPlace(place),
        openModel: (name) => this.#open(name),
      });
      return { tools, runs, changes };
    });
    return this.#loaded;
  }

  /** @throws ThoughtTreeError `declined`, naming the flag that would allow it */
  #mayRunCommands(): true {
    if (this.#parts.allowCommands) return true;
    throw new ThoughtTreeError('declined', needsCommands());
  }

  /** Returns the models that the person chose for this server. */
  #usual(): ReturnType<AgentHost['models']['usual']> {
    const env = readEnvironment(process.env);
    return { model: this.#parts.model ?? env.model, judge: this.#parts.judge ?? env.judge };
  }

  /** @throws ThoughtTreeError `bad-input` if there is no such model, before anybody is asked about it */
  #facts(name: string): ReturnType<AgentHost['models']['facts']> {
    if (name.startsWith(IN_EDITOR)) throw new ThoughtTreeError('bad-input', modelOfEditor());
    providerOf(name);
    const { model, judge } = this.#usual();
    const { price, judgePrice, prices } = this.#parts;
    const given = prices?.[name] ?? (name === model ? price : name === judge ? judgePrice : undefined);
    const known = given ?? priceOf(name);
    return { name, free: isFreeModel(name), ...(known && { price: known }) };
  }

  /** The given address is that of the person's own model: keys of other providers are not sent there. */
  #addressOf(name: string, baseUrl: string | undefined): string | undefined {
    const own = this.#usual().model;
    return own === undefined || own.split('/')[0] === name.split('/')[0] ? baseUrl : undefined;
  }
}

/** Less than this buys nothing; sums are not more exact. */
const LEAST_USD = 0.000_1;

/** The permissions that a person gave on the server's own command line, for clients that cannot ask. */
export class Allowance {
  readonly #usd: number;
  readonly #mayDelete: boolean;
  /** The amounts that permissions under way may spend, and that were spent, in US dollars. */
  #reserved = 0;
  #spent = 0;

  /**
   * @param usd what all searches of this server may spend together, in US dollars
   * @param mayDelete whether something may be removed
   */
  constructor(usd: number, mayDelete: boolean) {
    this.#usd = usd;
    this.#mayDelete = mayDelete;
  }

  /**
   * Permits what the person allowed, as far as it goes.
   * @throws ThoughtTreeError `declined`, naming the flag that would allow it
   */
  permit(wanted: Wanted): Permit {
    if (wanted.removes && !this.#mayDelete) throw refused(say.needsDelete());
    return wanted.spends ? this.#spend(wanted) : {};
  }

  #spend({ isElsewhere, areModelsOwn, isPriced, isFree, models = [], mostUsd = 0 }: Wanted): Permit {
    const model = models.join(', ');
    if (isElsewhere && !isFree) throw refused(say.runsElsewhere());
    if (!areModelsOwn) throw refused(say.needsModel({ model }));
    if (isFree) return {};
    if (this.#usd === 0) throw refused(say.needsMoney());
    if (!isPriced) throw refused(say.needsPrice({ model }));
    if (mostUsd <= 0) throw refused(say.limitReached());
    const left = this.#usd - this.#reserved - this.#spent;
    if (left < LEAST_USD) throw refused(say.moneyGone({ allowed: formatUsd(this.#usd) }));
    return this.#reserve(Math.min(left, mostUsd));
  }

  #reserve(mostUsd: number): Permit {
    this.#reserved += mostUsd;
    let isOver = false;
    const settle = (usd: number): void => {
      if (isOver) return;
      isOver = true;
      this.#reserved -= mostUsd;
      this.#spent += usd;
    };
    return { mostUsd, settle };
  }
}

function refused(why: ReturnType<typeof say.needsDelete>): ThoughtTreeError {
  return new ThoughtTreeError('declined', why);
}
