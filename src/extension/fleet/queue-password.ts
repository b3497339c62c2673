import type * as vscode from 'vscode';

const KEY = 'thoughtTree.queuePassword';

/** The password of the queue, in the editor's own secret storage; it belongs to the address that it was entered for. */
export class QueuePassword {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  /** @param address the whole setting: whatever of it changes, it may lead elsewhere, or there in a weaker way */
  async get(address: string): Promise<string | undefined> {
    const kept = await this.#secrets.get(KEY);
    if (kept === undefined) return undefined;
    try {
      const { of, password } = JSON.parse(kept) as { of?: unknown; password?: unknown };
      return of === address && typeof password === 'string' ? password : undefined;
    } catch {
      return undefined;
    }
  }

  async set(address: string, password: string): Promise<void> {
    await this.#secrets.store(KEY, JSON.stringify({ of: address, password }));
  }

  /** @returns whether there was one */
  async remove(): Promise<boolean> {
    const kept = await this.#secrets.get(KEY);
    await this.#secrets.delete(KEY);
    return kept !== undefined;
  }
}

/** The address with a password, for the connection alone. */
export function withPassword(address: string, password: string | undefined): string {
  const url = URL.parse(address);
  if (!url || password === undefined) return address;
  url.password = encodeURIComponent(password);
  return url.href;
}
