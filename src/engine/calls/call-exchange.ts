import type { Message } from '../../core/messages/message.ts';
import type { Turn } from '../../core/ports/model.ts';
import type { ReadStore } from '../../core/ports/store.ts';
import { wordsOf } from '../../core/ports/tool-turns.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import type { KeptWords } from '../../core/search/kept-words.ts';
import type { RecordedCall } from '../../core/search/recorded-call.ts';
import * as say from '../messages.ts';
import type { CallStory, NodeStory } from './node-story.ts';

export interface CallExchange {
  readonly system: string;
  readonly turns: readonly Turn[];
  readonly prompt: string;
  /** Undefined if there was none. */
  readonly answer: string | undefined;
}

/** An exchange, or why it is unknown. */
export type FoundExchange = { readonly exchange: CallExchange } | { readonly unknown: Message };

/** Where exchanges are looked for. */
export interface ExchangeSource {
  readonly store: Pick<ReadStore, 'readCall' | 'readConversation'>;
  readonly journal: readonly JournalEvent[];
  readonly story: NodeStory;
}

/**
 * The exact words of one call: as recorded, else from where the journal says that they are kept. A call without an answer
 * has the words of a later one that sent the same.
 */
export async function exchangeOf(source: ExchangeSource, call: CallStory): Promise<FoundExchange> {
  const own = await wordsFor(source, call);
  if (own) return own;
  for (const next of sameWords(source.story, call)) {
    const found = await wordsFor(source, next);
    if (found && 'exchange' in found) return { exchange: { ...found.exchange, answer: undefined } };
  }
  return { unknown: say.wordsLost() };
}

/** Returns the beginning of every request; empty for a kind that has none. */
function systemIn(journal: readonly JournalEvent[]): string {
  const event = journal.find(({ type }) => type === 'system-text');
  return event?.type === 'system-text' ? event.text : '';
}

/** Undefined if nothing of the call itself was kept. */
async function wordsFor(source: ExchangeSource, call: CallStory): Promise<FoundExchange | undefined> {
  const recorded = await source.store.readCall(call.call);
  if (recorded) return { exchange: fromRecord(recorded, call) };
  if (call.outcome !== 'ok' && call.outcome !== 'tools') return undefined;
  return call.kept && (await wordsKept(source, call, call.kept));
}

function fromRecord({ system, turns, prompt, answer }: RecordedCall, { outcome }: CallStory): CallExchange {
  return { system, turns, prompt, answer: outcome === 'ok' || answer !== '' ? answer : undefined };
}

/** Undefined if the process ended before it kept the answer. */
async function wordsKept(
  { store, journal }: ExchangeSource,
  { call }: CallStory,
  { conversation: id, turn, after = [] }: KeptWords,
): Promise<FoundExchange | undefined> {
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
