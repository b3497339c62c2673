import type { ModelRequest, Turn } from '../../core/ports/model.ts';
import { utf8Length } from '../../core/text/text.ts';

/** The number of bytes per token, at the least that prose and code usually have. */
const BYTES_A_TOKEN = 3;
/** Tokens that a model's template may add to a message. */
const TOKENS_A_MESSAGE = 16;
const SMALLEST = 4096;

/**
 * The context size that a request needs, in tokens: an estimate of its prompt, plus the longest answer, rounded up to a
 * power of two, so that the server need not reload the model for every few tokens more.
 *
 * @param longest what the model accepts; undefined if unknown
 */
export function contextSize(request: ModelRequest, longest: number | undefined): number {
  const { system, turns, prompt: text, tools, toolsAreOver, toolResults } = request;
  const offered = tools && !toolsAreOver ? [JSON.stringify(tools)] : [];
  const texts = [
    system,
    ...offered,
    ...turns.flatMap(saidIn),
    ...saidIn({ text, ...(toolResults && { toolResults }) }),
  ];
  const prompt = texts.reduce((sum, text) => sum + Math.ceil(utf8Length(text) / BYTES_A_TOKEN) + TOKENS_A_MESSAGE, 0);
  let size = SMALLEST;
  while (size < prompt + request.maxOutputTokens) size *= 2;
  return Math.min(size, longest ?? size);
}

/** All that a turn says: what tools are asked for, and what they gave, too. */
function saidIn({ text, toolCalls = [], toolResults = [] }: Omit<Turn, 'role'>): string[] {
  return [text, ...toolCalls.map((call) => JSON.stringify(call)), ...toolResults.map((result) => result.text)];
}
