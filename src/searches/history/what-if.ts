import { copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type * as z from 'zod';
import type { Message } from '../../core/messages/message.ts';
import type {
  AnswersByData,
  Candidate,
  Model,
  ModelAnswer,
  ModelRequest,
  Purposes,
  Usage,
} from '../../core/ports/model.ts';
import type { ToolCall } from '../../core/ports/tool.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { JournalEvent, UsageRecord } from '../../core/search/events.ts';
import type { SpendLimits } from '../../core/search/limits.ts';
import { withPresentPaths } from '../../core/search/record/nodes-seen.ts';
import { SearchFile, type SearchOptions, withoutMissing } from '../../core/search/search-file.ts';
import { oneLine } from '../../core/text/text.ts';
import { joinedPath } from '../../core/tree/slug.ts';
import { type Kinds, loadKind, optionsOf } from '../../engine/kind.ts';
import { toolPrompt } from '../../engine/tools.ts';
import type { SearchParts } from '../../engine-parts/opening/open-held-search.ts';
import { askedInWords, nodeStory, transcriptOf, usesIn } from '../../engine-parts/transcripts/transcript.ts';
import { requestKey } from '../../models/replay/recording.ts';
import { findSearch, readSearchId, UNFINISHED } from '../../store/open-store.ts';
import { momentIn } from '../../store/past/moment.ts';
import { systemRandom } from '../../store/system-ports.ts';
import { isFreeModel } from '../models/choose-model.ts';
import { openSearch } from '../open-search.ts';
import type { Place } from '../place.ts';
import type { SearchOverview } from '../reader/search-overview.ts';
import { forgetUse } from '../trust/search-use.ts';
import { compareSides, type SearchComparison } from './compare-searches.ts';
import * as say from './messages.ts';
import { overviewAt } from './past-overview.ts';

/** What is otherwise when a search is played again. */
export interface Otherwise {
  /** Options of its kind, by name. */
  readonly options: SearchOptions;
  readonly strategy?: string | undefined;
  readonly limits: NonNullable<SearchParts['limits']>;
}

/** A search as it was, and as it would have been. */
export interface WhatIf {
  /** A is the search, B what it would have been. */
  readonly comparison: SearchComparison;
  /** Answers that were recorded in these very words. */
  readonly recorded: number;
  /** Those made of what was said of the same things: their cost is estimated, too. */
  readonly estimated: number;
  /** What nobody was asked, in the order in which it was missed. */
  readonly neverAsked: readonly { readonly purpose: string; readonly node: string }[];
  /** Why it came to no end, if so. */
  readonly stopped: Message | undefined;
}

/**
 * Plays a search again on the answers that it got, with other options or limits: nobody is asked, and nothing is spent. What
 * nobody asked fails there. The played search is in a folder beside it, which is removed, unless `keep` names one for it.
 * @param signal ends it at once
 * @throws ThoughtTreeError `bad-input` for a search that changes files, or options that its kind does not know; `exists` if there
 *   is a search in `keep`
 */
export async function playAgain(
  kinds: Kinds,
  place: Place,
  { options, strategy, limits }: Otherwise,
  { keep, signal }: { readonly keep?: string | undefined; readonly signal?: AbortSignal } = {},
): Promise<WhatIf> {
  // Nothing of a search that is there is written over.
  if (keep !== undefined && (await findSearch(keep)))
    throw new ThoughtTreeError('exists', say.forkExists({ folder: keep }));
  const before = await overviewAt(kinds, place.folder);
  const kind = await loadKind(kinds, before.file);
  if (kind.descriptor.work) throw new ThoughtTreeError('bad-input', say.workNotPlayed());
  const isSame = Object.keys(options).length === 0 && strategy === undefined && isUnlimited(limits);
  const byData = kind.extras.hooks?.byData;
  const answers = await RecordedAnswers.of(before, kind.descriptor.purposes, byData);
  const playing = { kinds, place, before, answers, signal };
  // What answers say of the same things is known once they were given to the same questions.
  if (byData && !isSame) {
    answers.begin(true);
    await play({ ...playing, file: before.file, limits: {} }, undefined);
  }
  answers.begin(isSame);
  const changed = { ...before.file, options: { ...before.file.options, ...options } };
  const file = SearchFile.parse({ ...changed, createdAt: new Date().toISOString(), forkedFrom: undefined });
  const begun =
    strategy === undefined
      ? {}
      : kind.begin({ prompt: file.prompt, options: optionsOf(kind, file), strategy, findHooks: undefined });
  return await play({ ...playing, file: { ...file, ...begun }, limits }, keep);
}

function isUnlimited({ guards = {}, ...others }: Otherwise['limits']): boolean {
  return Object.keys(guards).length + Object.keys(others).length === 0;
}

interface Playing {
  readonly kinds: Kinds;
  readonly place: Place;
  readonly before: SearchOverview;
  readonly answers: RecordedAnswers;
  readonly file: SearchFile;
  readonly limits: Otherwise['limits'];
  readonly signal: AbortSignal | undefined;
}

async function play(
  { kinds, place, before, answers, file, limits, signal }: Playing,
  keep: string | undefined,
): Promise<WhatIf> {
  const origin = momentIn(place.folder)?.folder ?? place.folder;
  // Beside it, since what is quoted of files has their paths from there.
  const folder = keep ?? join(dirname(origin), `${UNFINISHED}${systemRandom.id()}`);
  const { model: name } = before;
  try {
    await copyPrompts(join(origin, 'prompts'), join(folder, 'prompts'));
    // Nothing is spent: what its journal says of limits may come from anybody.
    const { size, maxDepth, guards } = before.record.limits ?? before.limits;
    const { search } = await openSearch({
      kinds,
      place: { folder, workspace: place.workspace },
      create: file,
      read: before.read,
      concurrency: answers.concurrency,
      limits: { size, maxDepth, ...limits, guards: { ...guards, ...limits.guards } as SpendLimits },
      openModel: async () => answers.model(name === undefined ? false : isFreeModel(name)),
      openMember: async () => answers.model(false),
    });
    // The system's timers keep no process alive while a search waits.
    const alive = setInterval(() => undefined, 60_000);
    const stop = (): void => search.pause(true);
    signal?.addEventListener('abort', stop, { once: true });
    let hasEnded = false;
    try {
      const running = search.run();
      if (signal?.aborted) stop(); // while it was opened
      hasEnded = (await running).state === 'finished';
    } finally {
      signal?.removeEventListener('abort', stop);
      clearInterval(alive);
      await search.close();
    }
    const after = await overviewAt(kinds, folder);
    const sides = { a: { overview: before, node: before.tree.root }, b: { overview: after, node: after.tree.root } };
    const { recorded, estimated, neverAsked } = answers.told;
    const stopped = hasEnded ? undefined : after.reason;
    return { comparison: await compareSides(sides), recorded, estimated, neverAsked, stopped };
  } finally {
    if (keep === undefined) {
      // What was only played says nothing of models, or of what this person did.
      const id = await readSearchId(folder);
      if (id !== undefined) forgetUse(id);
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** Copies a person's prompts, which replace none; nothing but plain files, of which a folder may hold anything. */
async function copyPrompts(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter((each) => each.isFile()).slice(0, MOST_PROMPTS)) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if ((await stat(source)).size > LONGEST_PROMPT || (await stat(target).catch(() => undefined))) continue;
    await mkdir(to, { recursive: true });
    await copyFile(source, target);
  }
}

/** Files of prompts, and the bytes of one, at most. */
const [MOST_PROMPTS, LONGEST_PROMPT] = [100, 1_000_000];

/** One call of the search, with its words. */
interface RecordedCall {
  readonly call: string;
  readonly purpose: string;
  readonly node: string;
  readonly text: string;
  /** The uses of tools that it asked for, if it was no answer yet. */
  readonly toolCalls?: readonly ToolCall[] | undefined;
  readonly usage: Usage | undefined;
  readonly began: number;
  readonly ended: number;
}

/** A ranking of leaves that a picker gave, by their slug paths. */
interface Ranking {
  readonly event: number;
  readonly places: ReadonlyMap<string, number>;
}

/** The time, in milliseconds, after which answers that wait for a question that nobody asks come in any order. */
const STALLED_MS = 3000;

/** The answers that a search got: by the words that asked, else by what they were about. */
class RecordedAnswers {
  readonly #byWords = new Map<string, RecordedCall[]>();
  readonly #byNode = new Map<string, RecordedCall[]>();
  readonly #calls: readonly RecordedCall[];
  readonly #rankings: readonly Ranking[];
  /** When a leaf came, and when it was no longer open, by the numbers of events. */
  readonly #open: ReadonlyMap<string, { readonly from: number; readonly to: number }>;
  readonly #byData: AnswersByData | undefined;
  /** The models of then were offered tools, which prompts say. */
  readonly #hasTools: boolean;
  readonly #said = new Map<string, string[]>();
  #turns = new Map<string, number>();
  #order: AnswersInOrder | undefined;
  #recorded = 0;
  #estimated = 0;
  #neverAsked: { readonly purpose: string; readonly node: string }[] = [];
  /** As many calls in slots as there were at the same time. */
  readonly concurrency: number;

  static async of(
    { store }: SearchOverview,
    purposes: Purposes,
    byData: AnswersByData | undefined,
  ): Promise<RecordedAnswers> {
    const journal = withPresentPaths(await store.readJournal());
    const nodes = new Set(journal.flatMap((event) => (event.type === 'call-started' ? [event.node] : [])));
    const seqs = seqsIn(journal);
    const found: (RecordedCall & { readonly key: string })[] = [];
    let hasTools = false;
    for (const node of nodes) {
      const story = nodeStory(journal, node, false);
      for (const call of story.calls) {
        const { began, ended, isOf } = seqs.get(call.call) ?? {};
        // A call about several nodes is told with each of them.
        if (began === undefined || ended === undefined || isOf !== node) continue;
        const words = await transcriptOf({ store, journal, story }, call);
        if (!('exchange' in words) || words.exchange.answer === undefined) continue;
        const { answer, ...asked } = words.exchange;
        const { purpose, usage, outcome } = call;
        const given = outcome === 'tools' ? await usesIn(store, call) : { text: answer };
        if (!given) continue;
        hasTools ||= outcome === 'tools' || asked.prompt.includes(OFFERS_TOOLS);
        const key = requestKey({ purpose, ...asked });
        found.push({ key, call: call.call, purpose, node, ...given, usage: usage && usageOf(usage), began, ended });
      }
    }
    const slots = mostAtOnce(found.filter(({ purpose }) => purposes[purpose]?.when === 'slot'));
    return new RecordedAnswers(found, journal, { concurrency: Math.max(1, slots), hasTools, byData });
  }

  private constructor(
    calls: readonly (RecordedCall & { readonly key: string })[],
    journal: readonly JournalEvent[],
    {
      concurrency,
      hasTools,
      byData,
    }: Pick<RecordedAnswers, 'concurrency'> & {
      readonly hasTools: boolean;
      readonly byData: AnswersByData | undefined;
    },
  ) {
    this.#calls = calls.toSorted((a, b) => a.ended - b.ended);
    for (const call of calls.toSorted((a, b) => a.began - b.began)) {
      put(this.#byWords, call.key, call);
      if (!call.toolCalls) put(this.#byNode, `${call.purpose} ${call.node}`, call);
    }
    this.#rankings = journal.flatMap((event): Ranking[] =>
      event.type === 'picked'
        ? [{ event: event.seq, places: new Map(event.ranking.map((path, place) => [path, place])) }]
        : [],
    );
    this.#open = openTimes(journal);
    this.concurrency = concurrency;
    this.#hasTools = hasTools;
    this.#byData = byData;
  }

  /** Begins anew. @param isSame whether the same is asked as then, so that answers come in the order of then */
  begin(isSame: boolean): void {
    this.#turns = new Map();
    this.#order?.end();
    this.#order = isSame ? new AnswersInOrder(this.#calls) : undefined;
    [this.#recorded, this.#estimated, this.#neverAsked] = [0, 0, []];
  }

  get told(): Pick<WhatIf, 'recorded' | 'estimated' | 'neverAsked'> {
    return { recorded: this.#recorded, estimated: this.#estimated, neverAsked: this.#neverAsked };
  }

  /** @param isRule whether the answers came from a model that writes no words of its own */
  model(isRule: boolean): Model {
    return {
      name: 'replay/what-if',
      label: 'what-if',
      free: true,
      ...(isRule && { prose: false }),
      ...(this.#hasTools && { tools: true }),
      generate: async (request, { signal, onText }) => {
        const answer = await this.#answer(request, signal);
        onText?.(answer.text);
        return answer;
      },
    };
  }

  async #answer(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
    const words = this.#next(this.#byWords, requestKey(askedInWords(request)));
    if (words) {
      await this.#order?.turn(words, signal);
      this.#recorded++;
      this.#learn(request, words.text);
      return answerOf(words);
    }
    const made = this.#made(request);
    if (made) {
      this.#estimated++;
      return made;
    }
    const { purpose, node } = request;
    this.#neverAsked.push({ purpose, node });
    throw new ThoughtTreeError('not-found', say.neverAskedThen({ purpose, node: oneLine(node, 200) || '.' }), {
      charged: false,
    });
  }

  #next(calls: ReadonlyMap<string, readonly RecordedCall[]>, key: string): RecordedCall | undefined {
    const known = calls.get(key);
    if (!known) return undefined;
    const turn = this.#turns.get(key) ?? 0;
    this.#turns.set(key, turn + 1);
    return known[turn % known.length];
  }

  #learn({ data }: ModelRequest, text: string): void {
    for (const { about, said } of this.#byData?.says(data, text) ?? []) put(this.#said, about, said);
  }

  /** Makes an answer of what was said of the same things. */
  #made(request: ModelRequest): ModelAnswer | undefined {
    const { data, purpose, node } = request;
    const text = this.#byData?.answer(data, (about) => this.#said.get(about) ?? []);
    if (typeof text === 'string') return { text, finish: 'stop', usage: this.#usageLike(request, text) };
    if (text !== undefined) return undefined;
    if (data.rule?.by === 'expectation') {
      const order = this.#ranked(data.rule.candidates, data.rule.limit);
      if (order.length === 0) return undefined;
      const ranking = `<output>\n${order.join('\n')}\n</output>`;
      return { text: ranking, finish: 'stop', usage: this.#usageLike(request, ranking) };
    }
    const other = this.#next(this.#byNode, `${purpose} ${node}`);
    return other && answerOf(other);
  }

  /** Returns as many of the leaves as are wanted, the one first that the picker of then would have chosen. */
  #ranked(candidates: readonly Candidate[], limit: number): string[] {
    const left = [...candidates];
    const order: string[] = [];
    while (order.length < limit && left.length > 0) {
      let best = 0;
      for (let at = 1; at < left.length; at++)
        if (this.#isBefore(left[at] as Candidate, left[best] as Candidate)) best = at;
      order.push((left.splice(best, 1)[0] as Candidate).path);
    }
    return order;
  }

  /** The latest ranking of both says it, or one of a moment at which both were open; else what was expected, else their order. */
  #isBefore(a: Candidate, b: Candidate): boolean {
    for (let at = this.#rankings.length - 1; at >= 0; at--) {
      const { event, places } = this.#rankings[at] as Ranking;
      const [first, second] = [places.get(a.path), places.get(b.path)];
      if (first !== undefined && second !== undefined) return first < second;
      if (first !== undefined && this.#wasOpen(b.path, event)) return true;
      if (second !== undefined && this.#wasOpen(a.path, event)) return false;
    }
    return (a.score ?? -1) > (b.score ?? -1);
  }

  #wasOpen(path: string, event: number): boolean {
    const { from, to } = this.#open.get(path) ?? { from: Number.POSITIVE_INFINITY, to: 0 };
    return from < event && event < to;
  }

  /** Estimates what an answer would have used, at what the answers of then cost. */
  #usageLike({ system, turns, prompt, purpose }: ModelRequest, text: string): Usage {
    const alike = this.#calls.filter((call) => call.purpose === purpose && call.usage);
    const some = alike.length > 0 ? alike : this.#calls.filter(({ usage }) => usage);
    const sum = (of: (usage: Usage) => number): number =>
      some.reduce((all, { usage }) => all + (usage ? of(usage) : 0), 0);
    const asked = system.length + prompt.length + turns.reduce((all, turn) => all + turn.text.length, 0);
    const [promptTokens, completion] = [Math.ceil(asked / 4), Math.ceil(text.length / 4)];
    const tokens = sum((usage) => usage.prompt + usage.completion);
    // Answers by rule use nothing.
    if (some.length > 0 && tokens === 0) return { prompt: 0, cached: 0, completion: 0 };
    const usd = some.some(({ usage }) => usage?.usd !== undefined) ? sum((usage) => usage.usd ?? 0) : undefined;
    const share = tokens > 0 ? (promptTokens + completion) / tokens : 0;
    return { prompt: promptTokens, cached: 0, completion, ...(usd !== undefined && { usd: usd * share }) };
  }
}

function answerOf({ text, toolCalls, usage }: RecordedCall): ModelAnswer {
  return { text, finish: toolCalls ? 'tools' : 'stop', ...(toolCalls && { toolCalls }), ...(usage && { usage }) };
}

/** How prompts begin to offer tools. */
const OFFERS_TOOLS = toolPrompt([{ name: '', description: '', parameters: {} }]).split(':', 1)[0] as string;

function usageOf({ prompt, cached, completion, written, usd }: z.infer<typeof UsageRecord>): Usage {
  return { prompt, cached, completion, ...withoutMissing({ written, usd }) };
}

function put<V>(map: Map<string, V[]>, key: string, value: V): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

/** Returns the numbers of the events between which each call was made that was answered, and the node that it was for. */
function seqsIn(
  journal: readonly JournalEvent[],
): ReadonlyMap<string, { readonly began: number; readonly ended?: number; readonly isOf: string }> {
  const seqs = new Map<string, { began: number; ended?: number; isOf: string }>();
  for (const event of journal) {
    if (event.type === 'call-started') seqs.set(event.call, { began: event.seq, isOf: event.node });
    const begun = event.type === 'call-ended' ? seqs.get(event.call) : undefined;
    if (begun) begun.ended = event.seq;
  }
  return seqs;
}

function mostAtOnce(calls: readonly RecordedCall[]): number {
  const steps = calls.flatMap(({ began, ended }) => [
    { at: began, by: 1 },
    { at: ended, by: -1 },
  ]);
  let [now, most] = [0, 0];
  for (const { by } of steps.sort((a, b) => a.at - b.at)) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}

function openTimes(journal: readonly JournalEvent[]): ReadonlyMap<string, { from: number; to: number }> {
  const times = new Map<string, { from: number; to: number }>();
  for (const event of journal) {
    if (event.type === 'node-added')
      for (const { slug } of event.children)
        times.set(joinedPath(event.node, slug), { from: event.seq, to: Number.POSITIVE_INFINITY });
    const time = event.type === 'node-status' && event.status !== 'unexpanded' ? times.get(event.node) : undefined;
    if (time) time.to = Math.min(time.to, (event as JournalEvent).seq);
  }
  return times;
}

/** Lets answers come in the order in which they came, each after all questions that had been asked by then. */
class AnswersInOrder {
  readonly #calls: readonly RecordedCall[];
  readonly #asked = new Set<string>();
  readonly #waiting = new Map<string, () => void>();
  #next = 0;
  #isOver = false;
  #stalled: NodeJS.Timeout | undefined;

  /** @param calls in the order of their answers */
  constructor(calls: readonly RecordedCall[]) {
    this.#calls = calls;
  }

  /** Waits for the turn of an answer. */
  async turn({ call }: RecordedCall, signal: AbortSignal): Promise<void> {
    if (this.#isOver || this.#asked.has(call)) return;
    this.#asked.add(call);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(call, resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    clearTimeout(this.#stalled);
    this.#stalled = setTimeout(() => this.end(), STALLED_MS);
    this.#look();
    await promise;
  }

  #look(): void {
    for (let next = this.#calls[this.#next]; next; next = this.#calls[++this.#next]) {
      const { ended, call } = next;
      if (!this.#waiting.has(call)) return;
      if (this.#calls.some((each) => each.began < ended && !this.#asked.has(each.call))) return;
      this.#waiting.get(call)?.();
      this.#waiting.delete(call);
    }
    clearTimeout(this.#stalled);
  }

  /** What was asked then is not asked now: all answers come at once from here on. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#stalled);
    for (const resolve of this.#waiting.values()) resolve();
    this.#waiting.clear();
  }
}
