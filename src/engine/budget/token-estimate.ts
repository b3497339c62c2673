import type { ModelRequest } from '../../core/ports/model.ts';
import { utf8Length } from '../../core/text/text.ts';

/** Tokens per byte of a prompt as long as nothing is known: dense code, or Chinese. English has 0.25. */
const UNKNOWN = 0.4;
/** The learned value is an average: a prompt of other words may have this much more. */
const MARGIN = 1.15;
/** Bytes that must have been counted before an average is used. */
const ENOUGH_BYTES = 4000;
/** With every tokenizer in use a token represents at least one byte; few represent more than ten. */
const RANGE = { least: 0.1, most: 1 };

/**
 * Estimates the tokens of a prompt from its bytes: `tokens = bytes × 1.15 × (reported tokens ÷ sent bytes)`, from what a
 * model's server reported in this run; `bytes × 0.4` before 4,000 bytes were reported. Never above one token per byte.
 */
export class TokenEstimate {
  readonly #told = new Map<string, { bytes: number; tokens: number }>();

  /** Learns from the tokens that a model's server reported for a prompt. */
  learn(model: string, bytes: number, tokens: number): void {
    const told = this.#told.get(model) ?? { bytes: 0, tokens: 0 };
    this.#told.set(model, { bytes: told.bytes + bytes, tokens: told.tokens + tokens });
  }

  /** The tokens for so many bytes with a model, near the upper end. */
  tokens(model: string, bytes: number): number {
    const told = this.#told.get(model);
    const ratio = told && told.bytes >= ENOUGH_BYTES ? (MARGIN * told.tokens) / told.bytes : UNKNOWN;
    return Math.ceil(bytes * Math.min(RANGE.most, Math.max(RANGE.least, ratio)));
  }
}

/** The bytes of everything that a request sends as text, including tools and their results. */
export function bytesOf(sent: Sent): number {
  const known = COUNTED.get(sent);
  if (known !== undefined) return known;
  const { system, turns, prompt, tools, toolResults, schema } = sent;
  const said = turns.reduce((sum, turn) => sum + utf8Length(turn.text) + bytesOfTools(turn), 0);
  const bytes =
    utf8Length(system) + utf8Length(prompt) + said + bytesOfTools({ tools, toolResults }) + bytesOfSchema(schema);
  COUNTED.set(sent, bytes);
  return bytes;
}

/** Requests never change, and each is counted several times. */
const COUNTED = new WeakMap<Sent, number>();

type Sent = Pick<ModelRequest, 'system' | 'turns' | 'prompt' | 'tools' | 'toolResults' | 'schema'>;

/** The overhead of a provider's own JSON around a tool, a call or a result, beyond ours, in bytes. */
const AROUND_ONE = 200;

/** Providers put it into the prompt. */
function bytesOfSchema(schema: object | undefined): number {
  return schema ? utf8Length(JSON.stringify(schema)) + AROUND_ONE : 0;
}

function bytesOfTools(parts: { [K in 'tools' | 'toolCalls' | 'toolResults']?: readonly object[] | undefined }): number {
  const { tools = [], toolCalls = [], toolResults = [] } = parts;
  const count = tools.length + toolCalls.length + toolResults.length;
  return count === 0 ? 0 : utf8Length(JSON.stringify({ tools, toolCalls, toolResults })) + AROUND_ONE * count;
}
