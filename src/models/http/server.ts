import type { Message } from '../../core/messages/message.ts';
import { type Reason, ThoughtTreeError } from '../../core/search/errors.ts';
import * as say from '../messages.ts';
import { readServerAddress } from './server-address.ts';

/** What to do about a failure, by reason. */
export type Advice = Readonly<Partial<Record<Reason, Message>>>;

/** Whom we talk to: what messages name, and what they must not hold. */
export interface Server {
  /** Safe to show. */
  readonly url: string;
  /** What some gateways want behind every path, as in `?api-version=2`. */
  readonly query: Readonly<Record<string, string>>;
  readonly model: string;
  readonly apiKey?: string | undefined;
  /** The environment variable that people put its key into. */
  readonly keyVariable: string;
  /** What to do where it is not the same as everywhere. */
  readonly advice?: Advice;
}

/** How a model behind HTTP is opened. */
export interface HttpModelOptions {
  /** Where the server answers, where it is not the provider's own. */
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  /** The environment variable that people put the key into, for messages; `THOUGHT_TREE_API_KEY` by default. */
  readonly keyVariable?: string | undefined;
  /**
   * The longest that one call may take, in milliseconds; ten minutes by default. A server that sends nothing at all for
   * five minutes is given up earlier, by Node's own fetch.
   */
  readonly timeoutMs?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 600_000;
/** Timers take no more than 2^31 - 1; there has to be room for what loading adds. */
const MAX_TIMEOUT_MS = 2 ** 30;
/** Characters of a name in a message. */
const MAX_NAME = 120;

/**
 * Checks where a model is served and with which key.
 *
 * @throws ThoughtTreeError `bad-input`: the base URL or the key is missing or wrong.
 */
export function readServer(modelName: string, options: HttpModelOptions): Server {
  const { keyVariable = 'THOUGHT_TREE_API_KEY' } = options;
  const { url, query } = readServerAddress(options.baseUrl);
  return { url, query, model: modelName.slice(0, MAX_NAME), apiKey: readKey(options.apiKey, keyVariable), keyVariable };
}

/** How messages name the server: short, whatever its address. */
export function nameOf({ url }: Server): string {
  return url.slice(0, MAX_NAME);
}

/** @throws ThoughtTreeError `bad-input`: no time at all. */
export function readTimeout(ms = DEFAULT_TIMEOUT_MS): number {
  if (!(ms > 0)) throw new ThoughtTreeError('bad-input', say.noTime());
  return Math.min(ms, MAX_TIMEOUT_MS);
}

function readKey(key: string | undefined, variable: string): string | undefined {
  const trimmed = key?.trim() ?? '';
  if (!/^[\x21-\x7e]*$/.test(trimmed)) throw new ThoughtTreeError('bad-input', say.oddKey({ variable }));
  return trimmed === '' ? undefined : trimmed;
}
