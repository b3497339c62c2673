import { messageOf } from '../../core/messages/kept.ts';
import type { Evaluation } from '../../core/tree/node-status.ts';
import type { CallStory } from '../../engine/calls/node-story.ts';
import { faceOf, type Kinds } from '../../engine/kind/kinds.ts';
import type { GraphCall, GraphDetails, GraphExchange, GraphLink } from '../../protocol/graph-node.ts';
import * as say from '../messages.ts';
import type { NodeLink } from '../reader/node-details.ts';
import type { SearchReader } from '../reader/search-reader.ts';
import type { Show } from './graph-of-search.ts';

/** The longest document that is shown next to the drawing, in characters. */
const LONGEST_DOCUMENT = 200_000;
/** The longest text of an exchange, in characters; the prompt and the answer of a call stay whole far beyond it. */
const LONGEST_TEXT = 1_000_000;
/** The most recent calls; a search's root can have thousands. */
const MOST_CALLS = 300;
const MOST_DIMENSIONS = 50;

/** Everything about one node that is not part of the drawing. */
export async function detailsOf(search: SearchReader, kinds: Kinds, path: string, show: Show): Promise<GraphDetails> {
  if (!search.store) return { path, calls: [], steered: [] };
  const { file, document: text, note, quotations, links, story } = await search.details(path);
  const document = text === undefined ? undefined : withoutFrontMatter(text);
  return {
    path,
    ...(document === undefined ? {} : { document: document.slice(0, LONGEST_DOCUMENT) }),
    ...(document !== undefined && document.length > LONGEST_DOCUMENT ? { isCut: true } : {}),
    ...(quotations.length > 0 ? { citations: quotations } : {}),
    ...(await tablesOf(search, kinds, file?.own)),
    ...(links.length > 0 ? { links: links.map(graphLink) } : {}),
    ...reasonsOf(file?.evaluation),
    ...(file?.model ? { model: file.model } : {}),
    ...(note === undefined ? {} : { note }),
    calls: story.calls.slice(-MOST_CALLS).map((call) => graphCall(call, show)),
    steered: story.steered
      .slice(-MOST_CALLS)
      .map(({ time, by, message, say: kept }) => ({ time, by, message: show(messageOf(message, kept)) })),
  };
}

/** Returns the tables in which its kind describes it. */
async function tablesOf({ file }: SearchReader, kinds: Kinds, own: unknown): Promise<Pick<GraphDetails, 'tables'>> {
  const details = await (file && faceOf(kinds, file.kind)?.details?.());
  const tables = details?.of(own) ?? [];
  return tables.length > 0 ? { tables } : {};
}

function withoutFrontMatter(text: string): string {
  return text.replace(/^\ufeff?---[^\S\n]*\r?\n[\s\S]*?\r?\n---[^\S\n]*(?:\r?\n|$)/, '');
}

function reasonsOf(evaluation: Evaluation | undefined): Pick<GraphDetails, 'reasoning' | 'votes' | 'dimensions'> {
  const { reasoning, votes = [], dimension_scores = {} } = evaluation ?? {};
  const dimensions = Object.entries(dimension_scores).slice(0, MOST_DIMENSIONS);
  return {
    ...(reasoning ? { reasoning } : {}),
    ...(votes.length > 0 ? { votes } : {}),
    ...(dimensions.length > 0 ? { dimensions: dimensions.map(([name, score]) => ({ name, score })) } : {}),
  };
}

function graphLink({ type, isIncoming, other, id }: NodeLink): GraphLink {
  return { type, isIncoming, ...(other ?? { title: id }) };
}

function graphCall(
  { number, purpose, model, attempt, time, outcome, message, say: kept, ms, usage, worst, charged }: CallStory,
  show: Show,
): GraphCall {
  return {
    number,
    purpose,
    model,
    attempt,
    time,
    outcome,
    ...(message === undefined ? {} : { message: show(messageOf(message, kept)) }),
    ...(ms === undefined ? {} : { ms }),
    ...(usage ? { prompt: usage.prompt, cached: usage.cached, completion: usage.completion } : {}),
    ...(usage?.usd === undefined ? {} : { usd: usage.usd }),
    ...(!usage && charged && worst.tokens > 0 ? { worst: worst.tokens } : {}),
  };
}

/** The exact words of one call. */
export async function graphExchange(
  search: SearchReader,
  path: string,
  number: number,
  show: Show,
): Promise<GraphExchange> {
  const base = { path, call: number };
  if (!search.store || !search.file) return { ...base, unknown: show(say.cannotBeRead()) };
  const words = await search.exchange(path, number);
  if (!words) return { ...base, unknown: show(say.unknownCall()) };
  if ('unknown' in words.found) return { ...base, unknown: show(words.found.unknown) };
  const { system, turns, prompt, answer } = words.found.exchange;
  return {
    ...base,
    system: system.slice(0, LONGEST_TEXT),
    turns: turns.map(({ role, text }) => ({ role, text: text.slice(0, LONGEST_TEXT) })),
    prompt: prompt.slice(0, LONGEST_TEXT),
    ...(answer === undefined ? {} : { answer: answer.slice(0, LONGEST_TEXT) }),
  };
}
