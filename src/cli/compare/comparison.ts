import { isDeepStrictEqual } from 'node:util';
import { kept, messageOf } from '../../core/messages/kept.ts';
import type { Message } from '../../core/messages/message.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import type { Results } from '../../core/search/events.ts';
import { findingsIn } from '../../core/search/findings.ts';
import type { Guards } from '../../core/search/limits.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import type { FindHooks } from '../../engine/kind/kind-hooks.ts';
import type { Kinds } from '../../engine/kind/kinds.ts';
import type { Outcome } from '../../engine/outcome.ts';
import type { Search } from '../../engine/search.ts';
import type { SearchParts } from '../../engine/search-parts.ts';
import { type OpenedSearch, openSearch } from '../../searches/open-search.ts';
import type { Place } from '../../searches/place.ts';
import { overviewOf, type SearchOverview } from '../../searches/reader/search-overview.ts';
import { notContinued, otherSearchThere } from '../messages.ts';
import { shownPath } from '../options/search-place.ts';
import type { Compared } from './compare-sums.ts';
import { limitForAll } from './messages.ts';

/** One search of a comparison. */
export interface Entry {
  readonly strategy: string;
  readonly problem: string;
  readonly line: number;
  readonly place: Place;
  /** The search to create if it does not exist. */
  readonly file: SearchFile;
}

type OpenModel = Parameters<typeof openSearch>[0]['openModel'];

export interface ComparisonOptions {
  readonly kinds: Kinds;
  readonly limits: NonNullable<SearchParts['limits']>;
  /** They apply to all searches together. */
  readonly guards: Guards;
  readonly concurrency: number | undefined;
  readonly timeoutMs: number | undefined;
  /** A new one for each search, so that none depends on requests of another. */
  readonly openModel: OpenModel;
  /** The model that scores, if different. */
  readonly openJudge: OpenModel | undefined;
  readonly findHooks: FindHooks;
  /** True if a search ends when its model cannot answer, as with a recording. */
  readonly isRecording: boolean;
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
      const outcome = await this.#runOne(entry, guards);
      if (outcome === undefined) return 'user';
      this.#take(entry, outcome);
      if (outcome.state === 'finished') continue;
      isAnswered = false;
      if (outcome.reason === 'person' && this.#options.isRecording) continue;
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
      this.#take(entry, { state: 'finished', reason: turn.reason, results: turn.results });
      return true;
    }
    this.#earlier.set(entry.place.folder, turn?.type === 'search-paused' ? turn.results : found.results);
    return false;
  }

  /** Takes the results of a search that was never continued: they count. */
  #takeUnfinished(entry: Entry): void {
    const results = this.#earlier.get(entry.place.folder);
    const message = kept(notContinued());
    if (results) this.#take(entry, { state: 'paused', reason: 'user', ...message, results });
  }

  /** Returns what the guards leave for one search, including what it spent itself before. */
  #guardsLeft({ place }: Entry): Guards {
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
  async #runOne({ place, file }: Entry, guards: Guards): Promise<Outcome | undefined> {
    const { kinds, limits, concurrency, timeoutMs, openModel, openJudge, findHooks } = this.#options;
    const create = this.#earlier.has(place.folder) ? undefined : file;
    const all = { limits: { ...limits, guards }, concurrency, timeoutMs, findHooks };
    const { search }: OpenedSearch = await openSearch({ kinds, ...all, place, create, openModel, openJudge });
    try {
      if (this.#isStopped) return undefined;
      this.#current = search;
      return await search.run();
    } finally {
      this.#current = undefined;
      await search.close();
    }
  }

  #take({ strategy, problem, line, place, file }: Entry, outcome: Outcome): void {
    const { results } = outcome;
    const end = outcome.state === 'paused' ? 'stopped' : findingsIn(results, file.kind)?.solved ? 'solved' : 'unsolved';
    const why = outcome.state === 'paused' ? { why: messageOf(outcome.message, outcome.say) } : {};
    const compared: Compared = { strategy, problem, line, end, ...why, results };
    this.#earlier.delete(place.folder);
    this.compared.push(compared);
    this.#options.onEnd(compared);
  }
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
