import { ThoughtTreeError } from '../../core/search/errors.ts';

/** Where a server answers. */
export interface ServerAddress {
  /** Without a query and a final slash, as in `http://127.0.0.1:8080/v1`; safe to show. */
  readonly url: string;
  /** What some gateways want behind every path, as in `?api-version=2`. */
  readonly query: Readonly<Record<string, string>>;
}

const HOW = 'Set it with --base-url or THOUGHT_TREE_BASE_URL, as in http://127.0.0.1:8080/v1';

/**
 * Checks a base URL from a person.
 *
 * @throws ThoughtTreeError `bad-input`; its message repeats nothing that could be a secret.
 */
export function readServerAddress(text: string | undefined): ServerAddress {
  const given = text?.trim() ?? '';
  if (given === '') throw new ThoughtTreeError('bad-input', `The model needs the base URL of a server. ${HOW}.`);
  const url = URL.parse(given);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new ThoughtTreeError('bad-input', `The base URL must begin with http:// or https://. ${HOW}.`);
  if (url.username !== '' || url.password !== '')
    throw new ThoughtTreeError(
      'bad-input',
      'The base URL must not hold a user name or password. Give the key as THOUGHT_TREE_API_KEY.',
    );
  return {
    url: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    query: Object.fromEntries(url.searchParams),
  };
}
