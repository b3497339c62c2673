import type { ModelRequest } from '../../core/ports/model.ts';
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
  const texts = [request.system, ...request.turns.map(({ text }) => text), request.prompt];
  const prompt = texts.reduce((sum, text) => sum + Math.ceil(utf8Length(text) / BYTES_A_TOKEN) + TOKENS_A_MESSAGE, 0);
  let size = SMALLEST;
  while (size < prompt + request.maxOutputTokens) size *= 2;
  return Math.min(size, longest ?? size);
}
