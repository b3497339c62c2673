import * as say from '../messages/answers.ts';
import { ThoughtTreeError } from '../search/errors.ts';
import { looseJson } from './loose-json.ts';

/** The most blocks that are tried, from the last on: what a list says of the tag is none. */
const MOST_TRIED = 8;
const TAG = /<(\/?)output>/gi;
/** Where data may begin that is not JSON to the letter; links, marks and boxes of prose do not look like that. */
const BEGINNING = /\[\s*(?:[{["'“‘]|\/[/*])|\{\s*(?:["'“‘}]|\/[/*]|[\w$-]{1,40}\s*:)/;

/** Returns the text inside the last `<output>…</output>` of an answer, without a fence around it; undefined if there is none. */
export function lastOutput(answer: string): string | undefined {
  const tags = [...answer.matchAll(TAG)];
  const end = tags.findLastIndex(([, slash]) => slash === '/');
  const start = tags.slice(0, Math.max(0, end)).findLast(([, slash]) => slash === '');
  if (!start) return undefined;
  return withoutFence(answer.slice(start.index + start[0].length, tags[end]?.index).trim());
}

/** Returns an answer in prose, without the block that some put it into; a block elsewhere is part of what it says. */
export function proseIn(answer: string): string {
  return (/<\/output>\s*$/i.test(answer) ? lastOutput(answer) : undefined) ?? answer;
}

/** An answer in parts: a text, and the block at its end, tags included. A block elsewhere is part of the text. */
export interface EndedByBlock {
  readonly text: string;
  readonly block: string | undefined;
}

/** Takes the block off with which an answer ends, whose last tag may be missing. */
export function withoutBlockAtEnd(answer: string): EndedByBlock {
  const whole = answer.trimEnd().replace(/<\/output>\s*(?:`{3,}|~{3,})$/i, '</output>');
  const isClosed = /<\/output>$/i.test(whole);
  const tags = [...whole.matchAll(TAG)];
  const before = (isClosed ? tags.slice(0, -1) : tags).findLastIndex(([, slash]) => slash === '/');
  const starts = tags.slice(before + 1).filter(([, slash]) => slash === '');
  // A mention of the tag in the text or the list stands within a line.
  const start =
    starts.find(({ index }) => /(?:^|\n)[^\S\n]*$/.test(whole.slice(Math.max(0, index - 9), index))) ?? starts.at(-1);
  if (!start) return { text: answer, block: undefined };
  const block = whole.slice(start.index);
  const isAtEnd =
    isClosed || (/^<output>\s*(?:`{3,}\w*\s*)?[[{]/i.test(block) && /[\]}]\s*`{0,5}$/.test(block.slice(-99)));
  if (!isAtEnd) return { text: answer, block: undefined };
  return { text: whole.slice(0, start.index).replace(/\n(?:`{3,}|~{3,})(?:json|xml)?\s*$/i, '\n'), block };
}

/** Tells whether an answer has come to its end: its last block is closed, or it is data to the letter. */
export function isWhole(answer: string): boolean {
  const text = answer.trimEnd();
  if (/<\/output>(?:\s{0,9}(?:`{3,9}|~{3,9}))?$/i.test(text.slice(-40))) return true;
  return wholeOf(text) !== undefined;
}

/**
 * Reads the data of an answer that was asked for some: in its last `<output>` block, else in its last fence, else wherever
 * brackets begin. What a person reads at a glance is read, be it JSON to the letter or not.
 * @throws ThoughtTreeError `bad-answer` if there is none
 */
export function dataIn(answer: string): unknown {
  const whole = wholeOf(answer);
  if (whole) return whole.data;
  const blocks = [...answer.matchAll(TAG)]
    .filter(([, slash]) => slash === '')
    .slice(-MOST_TRIED)
    .reverse()
    .map(({ index, 0: tag }) => answer.slice(index + tag.length));
  // A mention of the tag in a list is no block.
  const likely = blocks.filter((rest) => /^\s*(?:`{3,}\w*\s*)?[[{]/.test(rest));
  for (const rest of [...likely, ...blocks]) {
    const found = strictOf(rest) ?? dataOf(rest.split(/<\/output>/i, 1)[0] ?? '') ?? dataOf(rest);
    if (found) return found.data;
  }
  if (blocks.length > 0) throw new ThoughtTreeError('bad-answer', say.notJson());
  const found = dataOf(lastFence(answer)) ?? dataOf(answer);
  if (found) return found.data;
  throw new ThoughtTreeError('bad-answer', say.noJson());
}

/** Returns the list in what an answer holds: itself, or the only one within it; undefined if there is none. */
export function listIn(data: unknown): unknown[] | undefined {
  if (Array.isArray(data)) return data;
  if (typeof data !== 'object' || data === null) return undefined;
  const inside = Object.values(data);
  const lists = inside.filter((each) => Array.isArray(each));
  if (lists.length > 0) return lists.length === 1 ? lists[0] : undefined;
  return inside.length === 1 ? listIn(inside[0]) : undefined;
}

/** Returns an answer that is nothing but data to the letter. */
function wholeOf(answer: string): { readonly data: unknown } | undefined {
  const text = answer.trim();
  try {
    return /^[[{]/.test(text) ? { data: JSON.parse(text) } : undefined;
  } catch {
    return undefined;
  }
}

function dataOf(text: string): { readonly data: unknown } | undefined {
  const whole = withoutFence(text.trim());
  const strict = strictOf(whole);
  if (strict) return strict;
  const start = whole.search(BEGINNING);
  if (start < 0) return undefined;
  const rest = whole.slice(start);
  try {
    return strictOf(rest) ?? { data: looseJson(rest) };
  } catch {
    return undefined; // nested without end
  }
}

/** Reads the text between the first bracket and the last that closes such, or all of it, as strict JSON. */
function strictOf(text: string): { readonly data: unknown } | undefined {
  const start = text.search(/[[{]/);
  try {
    if (start < 0) return { data: JSON.parse(text) };
    return { data: JSON.parse(text.slice(start, text.lastIndexOf(text[start] === '[' ? ']' : '}') + 1)) };
  } catch {
    return undefined;
  }
}

/** Returns the text inside the last Markdown fence of an answer; empty if it has none. */
function lastFence(answer: string): string {
  const lines = answer.split('\n');
  let inside: string[] | undefined;
  let last = '';
  for (const line of lines) {
    if (!/^\s{0,3}(?:`{3}|~{3})/.test(line)) inside?.push(line);
    else if (inside) {
      last = inside.join('\n');
      inside = undefined;
    } else inside = [];
  }
  return inside ? inside.join('\n') : last;
}

/** Returns the text inside a Markdown code fence, if the whole text is one. */
export function withoutFence(text: string): string {
  const fence = /^(?:`{3,}|~{3,})/.exec(text)?.[0];
  const closed = text.trimEnd();
  const begin = text.indexOf('\n') + 1;
  if (!fence || begin === 0 || !closed.endsWith(fence) || closed.length - fence.length < begin) return text;
  return closed.slice(begin, -fence.length).trim();
}

/** The beginning of an answer that contains the model's reasoning: a tag of XML or in brackets, or a channel. */
const OPENING = /^\s*(?:<(?:think|thinking|thoughts?|reasoning)>|\[think\]|<\|channel\|?>(?:thought|analysis)\b)/i;
/** The marks that may end it, and the fences in which they are only quoted. */
const ENDS =
  /^[^\S\n]{0,3}(?:`{3}|~{3})|<\/(?:think|thinking|thoughts?|reasoning)>|\[\/think\]|<channel\|>|<\|channel\|?>final\b(?:<\|message\|>)?/gim;
/** Where a document has begun, so that what it says of such tags is its own. */
const DOCUMENT = /^(?:---[^\S\n]*\n|#{1,6}\s)/m;
/** The text that may follow the end of reasoning that has no beginning: a new line, or what an answer begins with. */
const ANSWER = /^[^\S\n]*(?:\n|<output>|---|#|[[{])/i;
/** Some think in several blocks. */
const MOST_BLOCKS = 9;

/** An answer, and what its model thought before it. */
export interface Thought {
  readonly text: string;
  readonly reasoning: string;
}

/**
 * Takes the reasoning off that a server left at the beginning of an answer, also where only its end is marked. Whatever
 * stands in the answer itself stays as it is.
 */
export function withoutReasoning(answer: string): Thought {
  let at = 0;
  for (let blocks = 0; blocks < MOST_BLOCKS; blocks++) {
    const end = endOfReasoning(answer.slice(at));
    if (end === 0) break;
    at += end;
  }
  return { text: at === 0 ? answer : answer.slice(at).trimStart(), reasoning: answer.slice(0, at) };
}

/** Returns where the reasoning ends that a text begins with; 0 if it begins with none. */
function endOfReasoning(text: string): number {
  const opening = OPENING.exec(text)?.[0];
  const { free, first } = endsIn(text);
  const end = opening === undefined ? free : (free ?? first);
  if (!end) {
    // It never came to an end, unless the tag is the first word of a text.
    return opening !== undefined && /^[^\S\n]*(?:\n|$)/.test(text.slice(opening.length)) ? text.length : 0;
  }
  const after = end.index + end[0].length;
  return opening !== undefined || isEnd(text.slice(0, end.index), text.slice(after)) ? after : 0;
}

/** Tells whether the tag between two texts is the end of reasoning, rather than something that a document says. */
function isEnd(before: string, after: string): boolean {
  const isInCode = before.split('`').length % 2 === 0;
  return !isInCode && !DOCUMENT.test(before) && ANSWER.test(after) && after.trim() !== '';
}

/** Returns the first end in a text, and the first one that is in no fence. */
function endsIn(text: string): { readonly free?: RegExpExecArray; readonly first?: RegExpExecArray } {
  let first: RegExpExecArray | undefined;
  let isFenced = false;
  for (const each of text.matchAll(ENDS)) {
    if (/[`~]$/.test(each[0])) isFenced = !isFenced;
    else if (!isFenced) return { free: each, first: first ?? each };
    else first ??= each;
  }
  return first ? { first } : {};
}
