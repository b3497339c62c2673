import type * as z from 'zod';
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
import { withPresentPaths } from '../../core/search/record/nodes-seen.ts';
import { withoutMissing } from '../../core/search/search-file.ts';
import { oneLine } from '../../core/text/text.ts';
import { joinedPath } from '../../core/tree/slug.ts';
import { toolPrompt } from '../../engine/tools.ts';
import { askedInWords, nodeStory, transcriptOf, usesIn } from '../../engine-parts/transcripts/transcript.ts';
import { requestKey } from '../../models/replay/recording.ts';
import * as say from '../history/messages.ts';
import type { SearchOverview } from '../reader/search-overview.ts';

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

/** The answers that it gave since it began anew, and the questions that it had none for. */
export interface Told {
  /** Answers that were recorded in these very words. */
  readonly recorded: number;
  /** Those made of what was said of the same things: their cost is estimated, too. */
  readonly estimated: number;
  /** The questions that nobody was asked, in the order in which they were missed. */
  readonly neverAsked: readonly { readonly purpose: string; readonly node: string }[];
}

/** The time, in milliseconds, after which answers that wait for what does not happen again come in any order. */
const STALLED_MS = 3000;

/** The answers that a search got, as a model that gives them again: by the words that asked, else by what they were about. */
export class RecordedAnswers {
  readonly #byWords = new Map<string, RecordedCall[]>();
  readonly #byNode = new Map<string, RecordedCall[]>();
  readonly #calls: readonly RecordedCall[];
  readonly #effects: readonly Effect[];
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
    this.#effects = journal.flatMap((event) => effectOf(event) ?? []);
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
    this.#order = isSame ? new AnswersInOrder(this.#calls, this.#effects) : undefined;
    [this.#recorded, this.#estimated, this.#neverAsked] = [0, 0, []];
  }

  /** Hears each event of the search that is given these answers. */
  hear(event: JournalEvent): void {
    this.#order?.hear(event);
  }

  get told(): Told {
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

/** The beginning of prompts that offer tools. */
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

/** An effect of an answer: a ranking, or a change of a node. */
interface Effect {
  readonly seq: number;
  readonly what: string;
}

/** Returns what the search itself did then; what a person did is not done again, nor what an end of the process undid. */
function effectOf(event: JournalEvent): Effect | undefined {
  const { type, seq } = event;
  if (type === 'picked') return { seq, what: `${type} ${event.ranking.join()}` };
  if ((type !== 'node-added' && type !== 'node-status') || event.by !== undefined) return undefined;
  if (type === 'node-added') return { seq, what: `${type} ${event.node}` };
  const { node, status, document } = event;
  return status === 'unexpanded' ? undefined : { seq, what: `${type} ${status} ${document !== undefined} ${node}` };
}

/** Lets answers come in the order in which they came, each after all that had been asked, and had come of others, by then. */
class AnswersInOrder {
  readonly #calls: readonly RecordedCall[];
  readonly #effects: readonly Effect[];
  readonly #done = new Set<string>();
  #nextEffect = 0;
  readonly #asked = new Set<string>();
  readonly #waiting = new Map<string, () => void>();
  #next = 0;
  #isOver = false;
  #stalled: NodeJS.Timeout | undefined;

  /** @param calls in the order of their answers */
  constructor(calls: readonly RecordedCall[], effects: readonly Effect[]) {
    this.#calls = calls;
    this.#effects = effects;
  }

  hear(event: JournalEvent): void {
    const effect = effectOf(event);
    if (this.#isOver || !effect) return;
    this.#done.add(effect.what);
    this.#goOn();
  }

  /** Waits for the turn of an answer. */
  async turn({ call }: RecordedCall, signal: AbortSignal): Promise<void> {
    if (this.#isOver || this.#asked.has(call)) return;
    this.#asked.add(call);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(call, resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    this.#goOn();
    await promise;
  }

  #goOn(): void {
    clearTimeout(this.#stalled);
    this.#stalled = setTimeout(() => this.#letGo(), STALLED_MS);
    this.#look();
  }

  /** Waits for questions alone, then for nothing: what a person or a kill had a part in does not happen again. */
  #letGo(): void {
    const isEnd = this.#nextEffect === this.#effects.length;
    this.#nextEffect = this.#effects.length;
    if (isEnd) this.end();
    else this.#goOn();
  }

  #look(): void {
    for (let next = this.#calls[this.#next]; next; next = this.#calls[++this.#next]) {
      const { ended, call } = next;
      if (!this.#waiting.has(call)) return;
      if (this.#calls.some((each) => each.began < ended && !this.#asked.has(each.call))) return;
      if (!this.#isDone(ended)) return;
      this.#waiting.get(call)?.();
      this.#waiting.delete(call);
    }
    clearTimeout(this.#stalled);
  }

  /** Tells whether all that had come of answers before an event has come of them again. */
  #isDone(event: number): boolean {
    for (let next = this.#effects[this.#nextEffect]; next && next.seq < event; next = this.#effects[++this.#nextEffect])
      if (!this.#done.has(next.what)) return false;
    return true;
  }

  /** What was asked then is not asked now: all answers come at once from here on. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#stalled);
    for (const resolve of this.#waiting.values()) resolve();
    this.#waiting.clear();
  }
}
