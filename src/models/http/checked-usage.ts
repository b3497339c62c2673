import * as z from 'zod';
import { BYTES_A_TOKEN, MOST_BYTES_A_TOKEN, type ServerDoubt } from '../../core/money/usage-doubt.ts';
import type { ModelRequest, Usage } from '../../core/ports/model.ts';
import { utf8Length } from '../../core/text/text.ts';

/** The figures of a server about an answer, beyond the usage that is counted. */
export interface ToldUsage extends Usage {
  /** Tokens of the answer's reasoning, which should be among those of `completion`. */
  readonly reasoning?: number;
  /** The tokens of prompt and answer together. */
  readonly total?: number;
}

/** The length of a text: in UTF-8, and in UTF-16 code units. */
export interface TextLength {
  readonly bytes: number;
  readonly characters: number;
}

/** The lengths of what arrived of an answer: its text and uses of tools, and the reasoning that was shown. */
export interface ReceivedText {
  readonly text: TextLength;
  readonly reasoning: TextLength;
}

export interface CheckedUsage {
  /** The usage that counts; undefined if nothing that the server said can be right. */
  readonly usage?: Usage;
  readonly doubts?: readonly ServerDoubt[];
}

/**
 * The most characters that a token of an answer, and of a prompt with its code and tables, stands for in a text of some
 * length, in whatever language.
 */
const USUAL = { answer: 6, prompt: 8 };
/** Tokens that end an answer, which some servers count besides those that were asked for. */
const END_TOKENS = 8;
/** The longest run of one character that counts: a line of blanks or dashes is a few tokens. */
const LONGEST_RUN = 4;
/** Shorter texts may consist of a few long words. */
const SOME_LENGTH = 200;

/**
 * Compares what a server says an answer used with what was sent and received. Where figures contradict each other, the
 * higher one counts; where there are fewer tokens than the text can have, none does.
 */
export function checkedUsage(told: ToldUsage | undefined, request: ModelRequest, received: ReceivedText): CheckedUsage {
  if (!told) return {};
  const { reasoning = 0, total: sum, ...usage } = told;
  const total = sum === 0 ? undefined : sum; // some leave it empty
  const doubts = new Set<ServerDoubt>();
  let { completion } = usage;
  if (isLeftOut(told, received)) {
    doubts.add('reasoning');
    completion += reasoning;
  }
  if (total !== undefined && total > usage.prompt + completion) completion = total - usage.prompt;
  if (total !== undefined && total !== usage.prompt + usage.completion)
    doubts.add(completion > usage.completion ? 'reasoning' : 'sums');
  const arrived = together(received.text, received.reasoning);
  if (completion < leastTokens(arrived, USUAL.answer))
    return { doubts: [completion > 0 && received.reasoning.bytes > received.text.bytes ? 'reasoning' : 'nothing'] };
  if (usage.prompt < leastTokens(sentIn(request), USUAL.prompt))
    return { doubts: [usage.prompt > 0 ? 'prompt' : 'nothing'] };
  if (Math.max(completion, leastTokens(arrived, USUAL.answer)) > request.maxOutputTokens + END_TOKENS) {
    doubts.add('length');
    completion = Math.max(completion, Math.ceil(arrived.bytes / BYTES_A_TOKEN));
  }
  return { usage: { ...usage, completion }, ...(doubts.size > 0 ? { doubts: [...doubts] } : {}) };
}

/** The fewest tokens that a text can have. */
function leastTokens({ bytes, characters }: TextLength, usual: number): number {
  const least = bytes / MOST_BYTES_A_TOKEN;
  return characters < SOME_LENGTH ? least : Math.max(least, characters / usual);
}

/** Tells whether the answer's tokens cannot include those of its reasoning. */
function isLeftOut({ completion, reasoning = 0, total, prompt }: ToldUsage, { text }: ReceivedText): boolean {
  if (reasoning === 0) return false;
  return completion - reasoning < leastTokens(text, USUAL.answer) || (total ?? 0) >= prompt + completion + reasoning;
}

/** The text that was sent; tools and their results are left out. */
function sentIn({ system, turns, prompt }: ModelRequest): TextLength {
  return [system, prompt, ...turns.map(({ text }) => text)].map(lengthOf).reduce(together);
}

export function lengthOf(text: string): TextLength {
  let characters = 0;
  for (let at = 0, run = 0; at < text.length; at++) {
    run = at > 0 && text.charCodeAt(at) === text.charCodeAt(at - 1) ? run + 1 : 1;
    if (run <= LONGEST_RUN) characters++;
  }
  return { bytes: utf8Length(text), characters };
}

export function together(a: TextLength, b: TextLength): TextLength {
  return { bytes: a.bytes + b.bytes, characters: a.characters + b.characters };
}

/** A number of tokens, as reported by servers. */
export const Tokens = z.int().nonnegative();

/** A number of tokens that some servers omit or get wrong, which then counts as zero. */
export const SomeTokens = Tokens.nullish()
  .transform((tokens) => tokens ?? 0)
  .catch(0);
