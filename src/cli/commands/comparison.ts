import { isDeepStrictEqual } from 'node:util';
import type { FindHooks } from '../../core/kind/kind-hooks.ts';
import { kept, type Message, messageOf } from '../../core/messages/message.ts';
import { type Model, wrappedModel } from '../../core/ports/model.ts';
import { type Calibration, calibrationOf } from '../../core/search/calibration.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import type { Results } from '../../core/search/events.ts';
import type { SpendLimits } from '../../core/search/limits.ts';
import { findingsIn } from '../../core/search/record/search-state.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import type { Kinds } from '../../engine/kind.ts';
import type { Outcome } from '../../engine/loop.ts';
import type { Search } from '../../engine/search.ts';
import type { SearchParts } from '../../engine-parts/opening/open-held-search.ts';
import { type OpenedSearch, openSearch } from '../../searches/open-search.ts';
import type { Place } from '../../searches/place.ts';
import { overviewOf, type SearchOverview } from '../../searches/reader/search-overview.ts';
import { endWords, limitForAll, notContinued, otherSearchThere } from '../messages.ts';
import { shownPath } from '../options/options.ts';
import { callsText } from '../terminal/figures.ts';
import { inWords } from '../terminal/translation.ts';
import type { Setup } from './setups.ts';

/** One search of a comparison. */
export interface Entry {
  readonly setup: Setup;
  readonly problem: string;
  readonly line: number;
  /** Which try of the problem it is, from 1. */
  readonly seed: number;
  readonly place: Place;
  /** The search to create if it does not exist. */
  readonly file: SearchFile;
}

export interface ComparisonOptions {
  readonly kinds: Kinds;
  readonly limits: NonNullable<SearchParts['limits']>;
  /** They apply to all searches together. */
  readonly guards: SpendLimits;
  readonly concurrency: number | undefined;
  readonly timeoutMs: number | undefined;
  /** Opens a new model for each search, so that none depends on requests of another. */
  readonly openModel: (setup: Setup) => Promise<Model>;
  /** Opens the model that scores; called only for set-ups that have one. */
  readonly openJudge: (setup: Setup) => Promise<Model>;
  /** Opens one of several models that share the work. */
  readonly openMember: (setup: Setup, name: string) => Promise<Model>;
  readonly findHooks: FindHooks;
  /** Called for each search that has ended. */
  readonly onEnd: (compared: Compared) => void;
}

/** Why a comparison ended. */
export type ComparisonEnd = 'complete' | 'user' | 'budget' | 'person' | 'store';

/**
 * Runs searches one after the other, so that their times can be compared. Existing ones are kept: a finished one is not
 * run again, a stopped one is continued.
 */
export class Comparison {
  readonly compared: Compared[] = [];
  /** Why it ended before all searches were run. */
  why: Message | undefined;
  readonly #options: ComparisonOptions;
  /** The results of earlier runs of still unfinished searches, by folder. */
  readonly #earlier = new Map<string, Results>();
  #current: Search | undefined;
  #isStopped = false;

  constructor(options: ComparisonOptions) {
    this.#options = options;
  }

  get state(): Search['state'] {
    return this.#current?.state ?? 'paused';
  }

  get running(): Search['running'] {
    return this.#current?.running ?? [];
  }

  /** Stops it: the current search is paused, and no other is begun. */
  pause(now = false): void {
    this.#isStopped = true;
    this.#current?.pause(now);
  }

  /**
   * @throws ThoughtTreeError `exists` if the folder of one of these contains another search; nothing is run then
   */
  async run(entries: readonly Entry[]): Promise<ComparisonEnd> {
    const open: Entry[] = [];
    for (const entry of entries) if (!(await this.#takeStanding(entry))) open.push(entry);
    try {
      return await this.#runAll(open);
    } finally {
      for (const entry of open) this.#takeUnfinished(entry);
    }
  }

  async #runAll(open: readonly Entry[]): Promise<ComparisonEnd> {
    let isAnswered = true;
    for (const entry of open) {
      if (this.#isStopped) return 'user';
      const guards = this.#guardsLeft(entry);
      const used = Object.entries(guards).find(([, left]) => left === 0)?.[0];
      if (used !== undefined) {
        this.why = limitForAll({ guard: used });
        return 'budget';
      }
      const ran = await this.#runOne(entry, guards);
      if (ran === undefined) return 'user';
      const { outcome, unasked } = ran;
      this.#take(entry, ran);
      if (outcome.state === 'finished' || unasked) continue;
      isAnswered = false;
      this.why = messageOf(outcome.message, outcome.say);
      return outcome.state === 'paused' ? outcome.reason : 'person';
    }
    return isAnswered ? 'complete' : 'person';
  }

  /** Reads the result of an earlier comparison from a folder; false if the search still has to be run. */
  async #takeStanding(entry: Entry): Promise<boolean> {
    const found = await standing(entry, this.#options.kinds);
    if (!found) return false;
    const { turn } = found.record;
    if (turn?.type === 'search-finished') {
      const outcome = { state: 'finished' as const, reason: turn.reason, results: turn.results };
      this.#take(entry, { outcome, calibration: calibrationOf(found.tree) });
      return true;
    }
    this.#earlier.set(entry.place.folder, turn?.type === 'search-paused' ? turn.results : found.results);
    return false;
  }

  /** Takes the results of a search that was never continued: they count. */
  #takeUnfinished(entry: Entry): void {
    const results = this.#earlier.get(entry.place.folder);
    const message = kept(notContinued());
    if (results) this.#take(entry, { outcome: { state: 'paused', reason: 'user', ...message, results } });
  }

  /** Returns what the spend limits leave for one search, including what it spent itself before. */
  #guardsLeft({ place }: Entry): SpendLimits {
    const others = [...this.#earlier].filter(([folder]) => folder !== place.folder).map(([, results]) => results);
    const spent = [...this.compared.map(({ results }) => results), ...others];
    const own = this.#earlier.get(place.folder);
    const left = (limit: number | undefined, of: (results: Results) => number): number | undefined => {
      if (limit === undefined) return undefined;
      const rest = limit - spent.reduce((sum, each) => sum + of(each), 0);
      return own && rest <= of(own) ? 0 : Math.max(0, rest);
    };
    const { guards } = this.#options;
    const tokens = ({ tokens: used }: Results): number => used.prompt + used.completion + used.worstCase;
    const all = {
      calls: left(guards.calls, ({ calls }) => calls),
      tokens: left(guards.tokens, tokens),
      usd: left(guards.usd, ({ usd }) => usd),
      minutes: left(guards.minutes, ({ minutes }) => minutes),
    };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  }

  /** Undefined if a person stopped it before it ran. */
  async #runOne({ setup, place, file }: Entry, guards: SpendLimits): Promise<Ran | undefined> {
    const { kinds, limits, timeoutMs, openModel, openJudge, openMember, findHooks } = this.#options;
    const create = this.#earlier.has(place.folder) ? undefined : file;
    // Answers to equal requests come in the order of the requests: sequential runs make it deterministic.
    const concurrency = this.#options.concurrency ?? (setup.isRecording ? 1 : undefined);
    let unasked: Message | undefined;
    const watched = (model: Model): Model =>
      watchedFor(model, (why) => {
        unasked ??= why;
        this.#current?.pause(true);
      });
    const opened = setup.isRecording ? watched : (model: Model): Model => model;
    const { search }: OpenedSearch = await openSearch({
      kinds,
      limits: { ...limits, guards },
      concurrency,
      timeoutMs,
      findHooks,
      place,
      create,
      openModel: async () => opened(await openModel(setup)),
      openJudge: setup.judge === undefined ? undefined : async () => opened(await openJudge(setup)),
      openMember: async (name) => opened(await openMember(setup, name)),
    });
    try {
      if (this.#isStopped) return undefined;
      this.#current = search;
      const outcome = await search.run();
      return { outcome, unasked, calibration: calibrationOf(search.tree) };
    } finally {
      this.#current = undefined;
      await search.close();
    }
  }

  /** Takes the result of a search; what a recording was never asked ends its problem as unsolved. */
  #take({ setup, problem, line, seed, place, file }: Entry, { outcome, unasked, calibration }: Ran): void {
    const { results } = outcome;
    const isStopped = outcome.state === 'paused' && !unasked;
    const isSolved = outcome.state === 'finished' && findingsIn(results, file.kind)?.solved;
    const end = isStopped ? 'stopped' : isSolved ? 'solved' : 'unsolved';
    const why =
      outcome.state !== 'paused'
        ? {}
        : unasked
          ? { why: unasked, isUnasked: true }
          : { why: messageOf(outcome.message, outcome.say) };
    const about = { setup: setup.name, strategy: file.strategy ?? '', problem, line, seed };
    const compared: Compared = { ...about, end, ...why, results, ...(calibration && { calibration }) };
    this.#earlier.delete(place.folder);
    this.compared.push(compared);
    this.#options.onEnd(compared);
  }
}

/** One search that was run. */
interface Ran {
  readonly outcome: Outcome;
  /** The first question that a recording holds no answer to. */
  readonly unasked?: Message | undefined;
  /** Missing where it was not opened. */
  readonly calibration?: Calibration;
}

/** Returns a model that tells of questions to which its recording has no answer. */
function watchedFor(model: Model, tell: (why: Message) => void): Model {
  const generate: Model['generate'] = async (request, call) => {
    try {
      return await model.generate(request, call);
    } catch (error) {
      if (isThoughtTreeError(error, 'not-found')) tell(error.say);
      throw error;
    }
  };
  return wrappedModel(model, { generate });
}

/**
 * The existing search in a folder.
 * @throws ThoughtTreeError `exists` if it is another one
 */
async function standing({ place, file }: Entry, kinds: Kinds): Promise<SearchOverview | undefined> {
  const found = await overviewOf(kinds, place.folder).catch((error: unknown) => {
    if (isThoughtTreeError(error, 'not-found')) return undefined;
    throw error;
  });
  if (!found) return undefined;
  const { prompt, strategy, options, model } = found.file;
  const isSame = isDeepStrictEqual(
    [prompt, strategy, options, model],
    [file.prompt, file.strategy, file.options, file.model],
  );
  if (isSame) return found;
  throw new ThoughtTreeError('exists', otherSearchThere({ folder: shownPath(place.folder) }));
}

/** The result of one search of a comparison. */
export interface Compared {
  /** The name of its set-up. */
  readonly setup: string;
  readonly strategy: string;
  readonly problem: string;
  /** The problem's line in its file, from 1. */
  readonly line: number;
  /** Which try of the problem it is, from 1. */
  readonly seed: number;
  /** `stopped` before its end: by a spend limit, by a person, or by something that only a person can fix. */
  readonly end: 'solved' | 'unsolved' | 'stopped';
  /** Why it stopped, or what its recording was never asked. */
  readonly why?: Message;
  /** True if it ended at a question that its recording holds no answer to. */
  readonly isUnasked?: boolean;
  /** Includes all calls, even of a stopped search. */
  readonly results: Results;
  /** What the scores of its nodes were worth; missing for a search that was not opened. */
  readonly calibration?: Calibration;
}

/** The results of several searches. */
export interface Sums {
  readonly searches: number;
  readonly solved: number;
  readonly stopped: number;
  /** Unsolved at a question that a recording holds no answer to. */
  readonly unasked: number;
  readonly calls: number;
  readonly callsByPurpose: Readonly<Record<string, number>>;
  readonly tokens: Results['tokens'];
  readonly usd: number;
  /** True if every call's price was known. */
  readonly usdComplete: boolean;
  readonly minutes: number;
}

/** @param kind of all these searches */
export function sumsOf(compared: readonly Compared[], kind: string): Sums {
  const results = compared.map((each) => each.results);
  const sum = (of: (each: Results) => number): number => results.reduce((total, each) => total + of(each), 0);
  const callsByPurpose: Record<string, number> = {};
  for (const each of results)
    for (const [purpose, count] of Object.entries(findingsIn(each, kind)?.callsByPurpose ?? {}))
      callsByPurpose[purpose] = (callsByPurpose[purpose] ?? 0) + count;
  const count = (end: Compared['end']): number => compared.filter((each) => each.end === end).length;
  return {
    searches: compared.length,
    solved: count('solved'),
    stopped: count('stopped'),
    unasked: compared.filter(({ isUnasked }) => isUnasked).length,
    calls: sum(({ calls }) => calls),
    callsByPurpose,
    tokens: {
      prompt: sum(({ tokens }) => tokens.prompt),
      cached: sum(({ tokens }) => tokens.cached),
      completion: sum(({ tokens }) => tokens.completion),
      worstCase: sum(({ tokens }) => tokens.worstCase),
    },
    usd: sum(({ usd }) => usd),
    usdComplete: results.every(({ usdComplete }) => usdComplete),
    minutes: sum(({ minutes }) => minutes),
  };
}

/** Returns one search of a comparison as a line, once it has ended. */
export function comparedText({ setup, problem, end, results, why }: Compared): string {
  const said = [setup, problem, inWords(endWords[end]()), ...(why ? [inWords(why)] : [])].join(': ');
  return `${said} (${callsText(results.calls)})`;
}
