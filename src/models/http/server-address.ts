import { ThoughtTreeError } from '../../core/search/errors.ts';
import * as say from '../messages.ts';

/** The address of a server. */
export interface ServerAddress {
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
export function readServerAddress(text: string | undefined): ServerAddress {
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
