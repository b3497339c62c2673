import type { Message } from '../../core/messages/message.ts';
import type { ModelRequest } from '../../core/ports/model.ts';
import { type Reason, ThoughtTreeError } from '../../core/search/errors.ts';
import * as say from '../messages.ts';

/** Advice on a failure, by reason. */
export type Advice = Readonly<Partial<Record<Reason, Message>>>;

/** A part of requests that some servers do not take as it usually is. */
export type Refused = 'max_tokens' | 'system';

/** A server: what messages name, and what they must not contain. */
export interface Server {
  /** Safe to show. */
  readonly url: string;
  /** The query that some gateways require after every path, such as `?api-version=2`. */
  readonly query: Readonly<Record<string, string>>;
  readonly model: string;
  readonly apiKey?: string | undefined;
  /** The environment variable for its key. */
  readonly keyVariable: string;
  /** The server's advice where it differs from the usual one. */
  readonly advice?: Advice;
  /** Remembers what it refused; returns whether a request that was sent like this is sent in another form from now on. */
  readonly otherwise?: (refused: Refused, sent: string) => boolean;
}

export interface HttpModelOptions {
  /** The server's address, if it is not the provider's own. */
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  /** The environment variable for the key, for messages; `THOUGHT_TREE_API_KEY` by default. */
  readonly keyVariable?: string | undefined;
  /**
   * The longest that one call may take, in milliseconds; ten minutes by default.
   */
  readonly timeoutMs?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 600_000;
/** Timers accept at most 2^31 - 1; there has to be room for loading times. */
const MAX_TIMEOUT_MS = 2 ** 30;
/** The maximum length of a name in a message, in characters. */
const MAX_NAME = 120;

/**
 * Checks the address of a model's server, and its key.
 *
 * @throws ThoughtTreeError `bad-input`: the base URL or the key is missing or wrong.
 */
export function readServer(modelName: string, options: HttpModelOptions): Server {
  const { keyVariable = 'THOUGHT_TREE_API_KEY' } = options;
  const { url, query } = readServerAddress(options.baseUrl);
  return { url, query, model: modelName.slice(0, MAX_NAME), apiKey: readKey(options.apiKey, keyVariable), keyVariable };
}

/** Returns the server's name in messages: short, however long its address. */
export function nameOf({ url }: Server): string {
  return url.slice(0, MAX_NAME);
}

/** @throws ThoughtTreeError `bad-input`: zero or less */
export function readTimeout(ms = DEFAULT_TIMEOUT_MS): number {
  if (!(ms > 0)) throw new ThoughtTreeError('bad-input', say.noTime());
  return Math.min(ms, MAX_TIMEOUT_MS);
}

function readKey(key: string | undefined, variable: string): string | undefined {
  const trimmed = key?.trim() ?? '';
  if (!/^[\x21-\x7e]*$/.test(trimmed)) throw new ThoughtTreeError('bad-input', say.oddKey({ variable }));
  return trimmed === '' ? undefined : trimmed;
}

/** The address of a server. */
interface ServerAddress {
  /** Without a query and a final slash, as in `http://127.0.0.1:8080/v1`; safe to show. */
  readonly url: string;
  /** The query that some gateways require after every path, such as `?api-version=2`. */
  readonly query: Readonly<Record<string, string>>;
}

/** The endpoints that people paste along with a base URL. */
const ENDPOINT = /\/(?:chat\/completions|completions|responses|messages|embeddings|models)$/;

/**
 * Checks a base URL from a person.
 *
 * @throws ThoughtTreeError `bad-input`; its message repeats nothing that could be a secret.
 */
function readServerAddress(text: string | undefined): ServerAddress {
  const given = text?.trim() ?? '';
  if (given === '') throw new ThoughtTreeError('bad-input', say.baseUrlNeeded());
  const url = URL.parse(given);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new ThoughtTreeError('bad-input', say.baseUrlScheme());
  if (url.username !== '' || url.password !== '') throw new ThoughtTreeError('bad-input', say.baseUrlPassword());
  return {
    url: `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '').replace(ENDPOINT, '')}`,
    query: Object.fromEntries(url.searchParams),
  };
}

/** Information about a request for gateways. */
export function callHeaders({ purpose, node }: ModelRequest): Record<string, string> {
  return { 'x-thought-tree-call': purpose, 'x-thought-tree-node': headerOf(node) };
}

/** Returns a slug path as a header: slugs may be in any script, headers are ASCII. */
function headerOf(node: string): string {
  return node
    .split('/')
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join('/');
}

/** Returns the headers of every JSON request that is authorized by a bearer token. */
export function jsonHeaders({ apiKey }: Server): Record<string, string> {
  return { 'content-type': 'application/json', ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) };
}
