import type { ModelRequest } from '../../core/ports/model.ts';
import { utf8Length } from '../../core/text/text.ts';

/** Tokens that a byte of a prompt stands for, as long as nothing is known: dense code, or Chinese. English has 0.25. */
const UNKNOWN = 0.4;
/** What is learned is an average: a prompt of other words may have so much more. */
const MARGIN = 1.15;
/** Bytes that must have been counted before an average is believed. */
const ENOUGH_BYTES = 4000;
/** With every tokenizer in use a token stands for at least one byte; few stand for more than ten. */
const RANGE = { least: 0.1, most: 1 };

/**
 * Estimates the tokens of a prompt from its bytes: `tokens = bytes × 1.15 × (tokens told ÷ bytes sent)`, from what a
 * model's server told of this run's calls; `bytes × 0.4` before it told of 4,000 bytes. Never above one token a byte.
 */
export class TokenEstimate {
  readonly #told = new Map<string, { bytes: number; tokens: number }>();

  /** Takes in what the server of a model told of a prompt. */
  learn(model: string, bytes: number, tokens: number): void {
    const told = this.#told.get(model) ?? { bytes: 0, tokens: 0 };
    this.#told.set(model, { bytes: told.bytes + bytes, tokens: told.tokens + tokens });
  }

  /** Tokens that so many bytes are for a model, at about the most. */
  tokens(model: string, bytes: number): number {
    const told = this.#told.get(model);
    const ratio = told && told.bytes >= ENOUGH_BYTES ? (MARGIN * told.tokens) / told.bytes : UNKNOWN;
    return Math.ceil(bytes * Math.min(RANGE.most, Math.max(RANGE.least, ratio)));
  }
}

/** The bytes of everything that a request sends as text, tools and what they gave included. */
export function bytesOf({ system, turns, prompt, tools, toolResults }: Sent): number {
  const said = turns.reduce((sum, turn) => sum + utf8Length(turn.text) + bytesOfTools(turn), 0);
  return utf8Length(system) + utf8Length(prompt) + said + bytesOfTools({ tools, toolResults });
}

type Sent = Pick<ModelRequest, 'system' | 'turns' | 'prompt' | 'tools' | 'toolResults'>;

/** Providers write them as JSON of their own, with names of fields that are no longer than ours twice over. */
function bytesOfTools(parts: { [K in 'tools' | 'toolCalls' | 'toolResults']?: readonly object[] | undefined }): number {
  const { tools, toolCalls, toolResults } = parts;
  if (!tools && !toolCalls && !toolResults) return 0;
  return 2 * utf8Length(JSON.stringify({ tools, toolCalls, toolResults }));
}
