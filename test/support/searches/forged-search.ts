import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { realPath, writeUse } from '../../../src/searches/trust/search-use.ts';

/** What a folder says that came from somebody else. */
export interface Forged {
  /** Beyond a search for "Why?" that names no model. */
  readonly search?: object;
  readonly options?: object;
  /** Events of its journal, without number and time. */
  readonly journal?: readonly object[];
  /** Further files by path, as JSON or as text. */
  readonly files?: Readonly<Record<string, object | string>>;
}

/** The most that limits can say. */
export const NO_LIMITS = { size: 'all', maxDepth: 64, guards: { calls: 1e9, tokens: 1e12, usd: 1e6, minutes: 1e6 } };

/** Writes the folder of a search as a clone, a zip or a shared drive may bring it. */
export async function forgeSearch(
  folder: string,
  { search, options = {}, journal, files = {} }: Forged,
): Promise<void> {
  const file = { version: 1, kind: 'research', title: 'Why', prompt: 'Why?', options, ...search };
  const time = new Date().toISOString();
  const lines = (journal ?? []).map((event, index) => JSON.stringify({ seq: index + 1, time, ...event }));
  const all = {
    'search.json': file,
    ...(journal && { '.search/journal.jsonl': `${lines.join('\n')}\n` }),
    ...files,
  };
  for (const [path, content] of Object.entries(all)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
}

/** Remembers a search as one that this user ran. */
export async function makeOwn(folder: string): Promise<void> {
  const id = randomUUID();
  await writeFile(join(folder, '.search', 'id'), `${id}\n`);
  writeUse(id, { version: 1, path: await realPath(folder) });
}

/** Returns what a call of a forged journal used. */
export function forgedCall(call: string, usage: { prompt: number; completion: number; usd?: number }): object[] {
  const about = { call, node: '', purpose: 'document' };
  return [
    { type: 'call-started', ...about, model: 'openai-compatible/m', attempt: 1, worst: { tokens: 1 } },
    { type: 'call-ended', ...about, outcome: 'ok', ms: 1, usage: { cached: 0, ...usage }, charged: true },
  ];
}
