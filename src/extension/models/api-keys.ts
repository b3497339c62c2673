import type * as vscode from 'vscode';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { notAnAddress } from '../messages.ts';

const PREFIX = 'thoughtTree.apiKey:';

/** Keys for model servers, in the editor's own secret storage; each belongs to the server it was entered for. */
export class ApiKeys {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  /** Returns the key for the server at a base URL; undefined if none was entered for its scheme, host and port. */
  async keyFor(baseUrl: string): Promise<string | undefined> {
    return this.#secrets.get(PREFIX + originOf(baseUrl));
  }

  /** Returns the key for an address that may be missing or invalid. */
  async keyAt(baseUrl: string | undefined): Promise<string | undefined> {
    return baseUrl !== undefined && URL.canParse(baseUrl) ? this.keyFor(baseUrl) : undefined;
  }

  async set(baseUrl: string, key: string): Promise<void> {
    await this.#secrets.store(PREFIX + originOf(baseUrl), key);
  }

  async remove(baseUrl: string): Promise<void> {
    await this.#secrets.delete(PREFIX + originOf(baseUrl));
  }
}

/**
 * Scheme, host and port that a key is bound to: a key entered for https is not sent unencrypted.
 * @throws ThoughtTreeError `bad-input` if this is not an address
 */
export function originOf(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new ThoughtTreeError('bad-input', notAnAddress({ address: baseUrl }));
  return url.origin;
}
