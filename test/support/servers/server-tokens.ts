import { createHash } from 'node:crypto';
import type { WireMessage } from './server-call.ts';

/** Returns the server's rule: a token is four bytes of UTF-8, rounded up for each message. */
export function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

/** Remembers the beginnings of earlier requests, by whole messages, as a prompt cache does. */
export class PrefixCache {
  readonly #seen = new Set<string>();

  /** Counts the tokens of a request and how many of them are in an earlier prefix; then remembers it. */
  take(messages: readonly WireMessage[]): { prompt: number; cached: number } {
    let prompt = 0;
    let cached = 0;
    let key = '';
    for (const { role, content } of messages) {
      key = createHash('sha256').update(`${key}\n${role}\n${content}`).digest('base64');
      prompt += countTokens(content);
      if (this.#seen.has(key)) cached = prompt;
      this.#seen.add(key);
    }
    return { prompt, cached };
  }
}
