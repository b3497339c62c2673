import type * as z from 'zod';
import { kept, type Message, type Said } from '../../core/messages/message.ts';
import { isOfRun, Ledger, type Spend } from '../../core/money/ledger.ts';
import type { ModelRequest, Turn } from '../../core/ports/model.ts';
import type { ReadStore } from '../../core/ports/store.ts';
import { type ToolCall, wordsOf } from '../../core/ports/tool.ts';
import type { RecordedCall } from '../../core/search/conversation.ts';
import type { JournalEvent, KeptTranscript, UsageRecord, WorstCase } from '../../core/search/events.ts';
import { withPresentPaths } from '../../core/search/record/nodes-seen.ts';
import { movedPath } from '../../core/tree/slug.ts';
import * as say from './messages.ts';
import { callCutOff } from './messages.ts';

/** One call for a node, according to the journal. */
export interface CallStory {
  /** The slug path of the node that it is made for. */
  readonly node: string;
  /** From 1, in the order in which those of the node, and about it, began. */
  readonly number: number;
  readonly call: string;
  readonly purpose: string;
  readonly model: string;
  /** From 1, over the retries and corrections of one question. */
  readonly attempt: number;
  /** ISO 8601: when it was begun. */
  readonly time: string;
  /** `ok`, the reason of its failure, `under-way`, or `killed` if its process ended first. */
  readonly outcome: string;
  readonly message?: string | undefined;
  readonly say?: Said | undefined;
  /** Its duration in milliseconds; unknown if it never ended. */
  readonly ms?: number | undefined;
  readonly usage?: z.infer<typeof UsageRecord> | undefined;
  /** The amount that is booked if its usage is unknown. */
  readonly worst: WorstCase;
  /** False if it cannot have cost anything. */
  readonly charged: boolean;
  /** Which question it belongs to, shared by retries and corrections. From 1. */
  readonly question: number;
  /** The question's id. */
  readonly questionId: string | undefined;
  /** A hash of what was sent. */
  readonly sent: string | undefined;
  /** Where its words are kept, if its answer was usable. */
  readonly kept?: KeptTranscript | undefined;
  /** ISO 8601: the last thing that happened before it was cut off. */
  readonly cutOff?: string | undefined;
}

/** A change that a person made to a node. */
interface SteeringStory {
  readonly time: string;
  readonly by: string;
  readonly action: string;
  readonly message: string;
  readonly say?: Said | undefined;
}

/** A journal's events about one node, in order; for the root, about the search as a whole. */
export interface NodeStory {
  readonly calls: readonly CallStory[];
  readonly spend: Spend;
  readonly steered: readonly SteeringStory[];
  /** When something above it was shortened because its model accepts no more. */
  readonly shortened: readonly Extract<JournalEvent, { type: 'context-shortened' }>[];
}

/**
 * Tells what a journal says about a node: every call made for it or about it, the cost of those made for it, and what a
 * person did to it.
 * @param path slug path, empty for the root: its own list, picks, the report's opening
 * @param isHeld whether a living process works on the search, so that calls without an end are under way
 */
export function nodeStory(journal: readonly JournalEvent[], path: string, isHeld: boolean): NodeStory {
  const ledger = new Ledger();
  const calls = new Calls(path);
  const steered: SteeringStory[] = [];
  const shortened: Extract<JournalEvent, { type: 'context-shortened' }>[] = [];
  for (const event of withPresentPaths(journal)) {
    if (!isCall(event) || event.node === path) ledger.apply(event);
    calls.apply(event);
    if (event.type === 'context-shortened' && event.node === path) shortened.push(event);
    if (event.type !== 'steered' || (event.node ?? '') !== path) continue;
    const { time, by, action, message, say } = event;
    steered.push({ time, by, action, message, say });
  }
  return { calls: calls.told(isHeld), spend: isHeld ? ledger.spend : ledger.spendAtWorst, steered, shortened };
}

function isCall(event: JournalEvent): event is Extract<JournalEvent, { type: 'call-started' | 'call-ended' }> {
  return event.type === 'call-started' || event.type === 'call-ended';
}

/** Tells whether a call is made for a node, or about it: thoughts are judged together, in a call for their parent. */
function concerns(
  { node, about }: { readonly node: string; readonly about?: readonly string[] | undefined },
  path: string,
): boolean {
  return node === path || about?.includes(path) === true;
}

type Changing = { -readonly [K in keyof CallStory]: CallStory[K] } & {
  about: readonly string[] | undefined;
  /** Which of all changes to any call was its last one. */
  change: number;
};

/** Collects calls, event by event: those of one node, or all of a search. */
export class Calls {
  readonly #path: string | undefined;
  readonly #all: Changing[] = [];
  readonly #begun = new Map<string, Changing>();
  /** The numbers of questions by their ids. */
  readonly #questions = new Map<string, number>();
  /** The number of calls of each node. */
  readonly #counts = new Map<string, number>();
  #changes = 0;
  #last = '';

  /** @param path of the only node whose calls are collected */
  constructor(path?: string) {
    this.#path = path;
  }

  apply(event: JournalEvent): void {
    // Calls under way in an earlier run were cut off with it; the next process notes its lease before it runs anything.
    if (event.type === 'lease-taken' || event.type === 'search-started' || event.type === 'search-resumed')
      this.#cutOff();
    else if (event.type === 'node-moved') this.#move(event.from, event.node);
    else if (isCall(event) && (this.#path === undefined || concerns(event, this.#path))) {
      if (event.type === 'call-started') this.#begin(event);
      else this.#end(event);
    }
    if (isOfRun(event)) this.#last = event.time;
  }

  told(isHeld: boolean): CallStory[] {
    if (!isHeld) this.#cutOff();
    return this.#all;
  }

  /** The number of changes to any of them. */
  get changes(): number {
    return this.#changes;
  }

  /**
   * Returns those that began or changed after so many changes, with their places; who reads them knows whether they are under way.
   * @param most how many of the latest calls are looked at
   */
  since(changes: number, most: number): { readonly at: number; readonly call: CallStory }[] {
    const first = Math.max(0, this.#all.length - most);
    return this.#all.slice(first).flatMap((call, at) => (call.change > changes ? [{ at: first + at, call }] : []));
  }

  #begin(event: Extract<JournalEvent, { type: 'call-started' }>): void {
    const { call, question, purpose, node, about, model, attempt, time, worst, sent } = event;
    const asked = question ?? call;
    this.#questions.set(asked, this.#questions.get(asked) ?? this.#questions.size + 1);
    const story: Changing = {
      node,
      about,
      number: this.#countAt(node, about),
      call,
      purpose,
      model,
      attempt,
      time,
      outcome: 'under-way',
      worst,
      charged: true,
      question: this.#questions.get(asked) as number,
      questionId: question,
      sent,
      change: ++this.#changes,
    };
    this.#all.push(story);
    this.#begun.set(call, story);
  }

  /** Ends a call, also one that was cut off: its answer may have come to a later process. */
  #end(event: Extract<JournalEvent, { type: 'call-ended' }>): void {
    const story = this.#begun.get(event.call);
    if (!story) return;
    this.#begun.delete(event.call);
    const { outcome, message, say, ms, usage, charged, kept } = event;
    Object.assign(story, { outcome, message, say, ms, usage, charged, kept, change: ++this.#changes });
  }

  #cutOff(): void {
    for (const story of this.#begun.values())
      if (story.outcome === 'under-way')
        Object.assign(story, {
          outcome: 'killed',
          cutOff: this.#last,
          ...kept(callCutOff()),
          change: ++this.#changes,
        });
  }

  /** Counts a call at each node that it concerns. @returns its number at its own */
  #countAt(node: string, about: readonly string[] = []): number {
    for (const path of new Set([node, ...about])) this.#counts.set(path, (this.#counts.get(path) ?? 0) + 1);
    return this.#counts.get(this.#path ?? node) as number;
  }

  /** Lets the calls of a node follow it when it is moved. */
  #move(from: string, to: string): void {
    this.#counts.clear();
    for (const story of this.#all) {
      const node = movedPath(story.node, from, to);
      const about = story.about?.map((path) => movedPath(path, from, to));
      const number = this.#countAt(node, about);
      const isSame = node === story.node && number === story.number;
      Object.assign(story, { node, about, number, change: isSame ? story.change : ++this.#changes });
    }
  }
}

export interface Transcript {
  readonly system: string;
  readonly turns: readonly Turn[];
  readonly prompt: string;
  /** Undefined if there was none. */
  readonly answer: string | undefined;
}

/** A transcript, or why it is unknown. */
export type FoundTranscript = { readonly exchange: Transcript } | { readonly unknown: Message };

/** Where exchanges are looked for. */
export interface TranscriptSource {
  readonly store: Pick<ReadStore, 'readCall' | 'readConversation'>;
  readonly journal: readonly JournalEvent[];
  readonly story: NodeStory;
}

/**
 * The transcript of one call: as recorded, else from where the journal says that it is kept. A call without an answer
 * has the words of a later one that sent the same.
 */
export async function transcriptOf(source: TranscriptSource, call: CallStory): Promise<FoundTranscript> {
  const own = await wordsFor(source, call);
  if (own) return own;
  for (const next of sameWords(source.story, call)) {
    const found = await wordsFor(source, next);
    if (found && 'exchange' in found) return { exchange: { ...found.exchange, answer: undefined } };
  }
  return { unknown: say.wordsLost() };
}

/** Returns a request as the words of a transcript: uses of tools and their results as text. */
export function askedInWords({ purpose, system, turns, prompt, toolResults }: ModelRequest): Omit<
  Transcript,
  'answer'
> & {
  readonly purpose: string;
} {
  const said = turns.map((turn) => ({ role: turn.role, text: wordsOf(turn) }));
  return { purpose, system, turns: said, prompt: wordsOf({ text: prompt, toolResults }) };
}

/** Returns the uses of tools that a call asked for; undefined if nothing but their words is kept. */
export async function usesIn(
  store: TranscriptSource['store'],
  { call, kept: place }: CallStory,
): Promise<{ readonly text: string; readonly toolCalls: readonly ToolCall[] } | undefined> {
  const turn = place && (await store.readConversation(place.conversation))?.turns[place.turn];
  return turn?.call === call && turn.toolCalls ? { text: turn.text, toolCalls: turn.toolCalls } : undefined;
}

/** Returns the beginning of every request; empty for a kind that has none. */
function systemIn(journal: readonly JournalEvent[]): string {
  const event = journal.find(({ type }) => type === 'system-text');
  return event?.type === 'system-text' ? event.text : '';
}

/** Undefined if nothing of the call itself was kept. */
async function wordsFor(source: TranscriptSource, call: CallStory): Promise<FoundTranscript | undefined> {
  const recorded = await source.store.readCall(call.call);
  if (recorded) return { exchange: fromRecord(recorded, call) };
  if (call.outcome !== 'ok' && call.outcome !== 'tools') return undefined;
  return call.kept && (await wordsKept(source, call, call.kept));
}

function fromRecord({ system, turns, prompt, answer }: RecordedCall, { outcome }: CallStory): Transcript {
  return { system, turns, prompt, answer: outcome === 'ok' || answer !== '' ? answer : undefined };
}

/** Undefined if the process ended before it kept the answer. */
async function wordsKept(
  { store, journal }: TranscriptSource,
  { call }: CallStory,
  { conversation: id, turn, after = [] }: KeptTranscript,
): Promise<FoundTranscript | undefined> {
  const [kept, ...before] = await Promise.all(
    [id, ...after.map((each) => each.conversation)].map((each) => store.readConversation(each)),
  );
  if (!kept) return { unknown: say.conversationGone() };
  const [prompt, answer] = [kept.turns[turn - 1], kept.turns[turn]];
  if (!prompt || answer?.call !== call) return undefined;
  if (!before.every((each) => each !== undefined)) return { unknown: say.conversationAboveGone() };
  const turns = before.flatMap((each, index) => each.turns.slice(0, after[index]?.turns));
  return {
    exchange: {
      system: systemIn(journal),
      turns: turns.map((each) => ({ role: each.role, text: wordsOf(each) })),
      prompt: wordsOf(prompt),
      answer: wordsOf(answer),
    },
  };
}

/** Later calls of the same question that sent the same. */
function sameWords(story: NodeStory, call: CallStory): CallStory[] {
  return story.calls.filter(
    ({ questionId, sent, number }) => questionId === call.questionId && sent === call.sent && number > call.number,
  );
}
