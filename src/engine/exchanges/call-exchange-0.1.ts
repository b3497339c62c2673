import type { Turn } from '../../core/ports/model.ts';
import { wordsOf } from '../../core/ports/tool-turns.ts';
import { type Conversation, isAnswer, turnsOf } from '../../core/search/conversation.ts';
import { ROOT_SESSION } from '../calls/root-session.ts';
import * as say from '../messages.ts';
import type { ExchangeSource, FoundExchange } from './call-exchange.ts';
import { type CallStory, type NodeStory, nodeStory } from './node-story.ts';

/**
 * The words of a call in a journal of version 0.1, which does not say where they are kept: derived from where its answer
 * is in the conversations, cut to their length when the call was made.
 */
export async function wordsKept01(source: ExchangeSource, call: CallStory): Promise<FoundExchange> {
  if (!source.purposes01.includes(call.purpose)) return { unknown: say.wordsNotKept() };
  const id = source.path === '' ? ROOT_SESSION : (call.sessions.at(-1) ?? source.sessionId);
  const conversation = id === undefined ? undefined : await source.store.readConversation(id);
  if (!conversation) return { unknown: say.conversationGone() };
  const places = await placesOf(source, source.story, conversation, call.sessions.at(-1));
  const place =
    call.outcome === 'tools' ? placeOfUse(source.story, conversation, call, places) : places.get(call.number);
  const prompt = place === undefined ? undefined : conversation.turns[place - 1];
  if (place === undefined || !prompt) return { unknown: say.notInConversation() };
  const above = await turnsAboveAt(source, call);
  if (!above) return { unknown: say.conversationAboveGone() };
  const before = source.path === '' ? [] : [...above, ...turnsOf(conversation).slice(0, place - 1)];
  const turns = before.map((turn) => ({ role: turn.role, text: wordsOf(turn) }));
  const given = conversation.turns[place];
  const answer = given && wordsOf(given);
  return { exchange: { system: source.system, turns, prompt: wordsOf(prompt), answer } };
}

/** Later calls that sent the same: of the same question, else the first one after the process was killed. */
export function successors01({ calls }: NodeStory, call: CallStory): CallStory[] {
  const same = calls.filter(({ question, number }) => question === call.question && number > call.number);
  if (same.length > 0) return same;
  if (call.outcome !== 'killed' || call.attempt > 1) return [];
  const again = calls.find(({ purpose, number }) => purpose === call.purpose && number > call.number);
  const isSame = again?.sessions.at(-1) === call.sessions.at(-1);
  return again && isSame ? calls.filter(({ question }) => question === again.question) : [];
}

/**
 * Where the answers of a node's calls are in its conversation, by the calls' numbers. Each answered question left one
 * exchange; a person's text may come before them, so they are counted from the end.
 */
async function placesOf(
  { store, purposes01 }: Pick<ExchangeSource, 'store' | 'purposes01'>,
  { calls }: NodeStory,
  { turns }: Conversation,
  session: string | undefined,
): Promise<Map<number, number>> {
  const places = new Map<number, number>();
  for (const wanted of purposes01) {
    const answers = turns.flatMap((turn, at) => (isAnswer(turn) && turn.purpose === wanted ? [at] : []));
    const isLast = (call: CallStory): boolean =>
      call.purpose === wanted && call.outcome === 'ok' && !call.isFollowed && call.sessions.at(-1) === session;
    for (const call of calls.filter(isLast).reverse()) {
      const recorded = await store.readCall(call.call);
      const place = answers.at(-1);
      // An answer that was rejected to the end was recorded, and left no exchange.
      if (place === undefined || (recorded && recorded.answer !== turns[place]?.text)) continue;
      places.set(call.number, place);
      answers.pop();
    }
  }
  return places;
}

/** The index of the question whose answer is at a place; infinite if there is no such place. */
function questionAt({ turns }: Conversation, place: number | undefined): number {
  if (place === undefined) return Number.POSITIVE_INFINITY;
  return turns.slice(0, place).findLastIndex(({ role, toolResults }) => role === 'user' && !toolResults);
}

/** The index of the use of tools that a call asked for: the rounds of a question are in order before its answer. */
function placeOfUse(
  { calls }: NodeStory,
  conversation: Conversation,
  { question, number }: CallStory,
  places: ReadonlyMap<number, number>,
): number | undefined {
  const same = calls.filter((each) => each.question === question);
  const answered = same.find((each) => places.has(each.number));
  const end = answered ? places.get(answered.number) : conversation.turns.length;
  const start = questionAt(conversation, end);
  const uses = conversation.turns.flatMap(({ toolCalls }, at) => (toolCalls && at > start ? [at] : []));
  const round = same.filter(({ outcome }) => outcome === 'tools').findIndex((each) => each.number === number);
  return uses[round];
}

/** The turns of the nodes above when a call was made; undefined if a conversation is gone. */
async function turnsAboveAt(source: ExchangeSource, call: CallStory): Promise<Turn[] | undefined> {
  const slugs = source.path.split('/');
  const turns: Turn[] = [];
  for (const [index, id] of call.sessions.slice(0, -1).entries()) {
    const conversation = id === undefined ? undefined : await source.store.readConversation(id);
    if (!conversation) return undefined;
    const story = nodeStory(source.journal, slugs.slice(0, index + 1).join('/'), true);
    const places = await placesOf(source, story, conversation, id);
    const later = story.calls.filter(({ to }) => to === undefined || to > call.from);
    const end = Math.min(...later.map(({ number }) => questionAt(conversation, places.get(number))));
    turns.push(...turnsOf(conversation).slice(0, Math.min(end, conversation.turns.length)));
  }
  return turns;
}
