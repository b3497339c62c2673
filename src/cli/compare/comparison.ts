import { isDeepStrictEqual } from 'node:util';
import { kept } from '../../core/messages/kept.ts';
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

/** A search that a comparison consists of. */
export interface Entry {
  readonly strategy: string;
  readonly problem: string;
  readonly line: number;
  readonly place: Place;
  /** The search as it is made where none stands. */
  readonly file: SearchFile;
}

type OpenModel = Parameters<typeof openSearch>[0]['openModel'];

export interface ComparisonOptions {
  readonly kinds: Kinds;
  readonly limits: NonNullable<SearchParts['limits']>;
  /** They hold for all searches together. */
  readonly guards: Guards;
  readonly concurrency: number | undefined;
  readonly timeoutMs: number | undefined;
  /** A new one for each search, so that none depends on what another one asked. */
  readonly openModel: OpenModel;
  /** What scores, where it is another one. */
  readonly openJudge: OpenModel | undefined;
  readonly findHooks: FindHooks;
  /** Whether a search that its model cannot answer is the model's last word on it, as with a recording. */
  readonly isRecording: boolean;
  /** Told of each search that has ended. */
  readonly onEnd: (compared: Compared) => void;
}

/** Why a comparison ended. */
export type ComparisonEnd = 'complete' | 'user' | 'budget' | 'person' | 'store';

/**
 * Runs searches one after the other, so that their times can be compared. What stands already counts as it stands: a
 * finished one is not run again, one that was stopped is gone on with.
 */
export class Comparison {
  readonly compared: Compared[] = [];
  /** Says why it ended before all searches were run. */
  message: string | undefined;
  readonly #options: ComparisonOptions;
  /** What was spent before, by searches that are still to be gone on with, by folder. */
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

  /** Stops it: the search under way is paused, and none is begun any more. */
  pause(now = false): void {
    this.#isStopped = true;
    this.#current?.pause(now);
  }

  /**
   * @throws ThoughtTreeError `exists` where another search lies in the folder of one of these; nothing is run then
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
        this.message = `The limit of ${used} for the whole comparison is reached.`;
        return 'budget';
      }
      const outcome = await this.#runOne(entry, guards);
      if (outcome === undefined) return 'user';
      this.#take(entry, outcome);
      if (outcome.state === 'finished') continue;
      isAnswered = false;
      if (outcome.reason === 'person' && this.#options.isRecording) continue;
      this.message = outcome.message;
      return outcome.state === 'paused' ? outcome.reason : 'person';
    }
    return isAnswered ? 'complete' : 'person';
  }

  /** Takes in what an earlier comparison left in a folder; false where its search is still to be run. */
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

  /** What was spent counts, also where nobody came to go on with it. */
  #takeUnfinished(entry: Entry): void {
    const results = this.#earlier.get(entry.place.folder);
    const message = kept(notContinued());
    if (results) this.#take(entry, { state: 'paused', reason: 'user', ...message, results });
  }

  /** What the guards leave for one search, what it spent itself before included. */
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

  /** Undefined where a person stopped it before it ran. */
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
    const message = outcome.state === 'paused' ? { message: outcome.message } : {};
    const compared: Compared = { strategy, problem, line, end, ...message, results };
    this.#earlier.delete(place.folder);
    this.compared.push(compared);
    this.#options.onEnd(compared);
  }
}

/**
 * The search that stands in a folder already.
 * @throws ThoughtTreeError `exists` where it is another one
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
