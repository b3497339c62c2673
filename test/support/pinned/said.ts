import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { someOf } from '../effort.ts';
import type { Place } from './place.ts';
import { type PinnedScript, type PinnedServer, SEARCH } from './scripts.ts';

/** What `status --json` says, as far as it is read here. */
export interface PinnedStatus {
  readonly state: string;
  readonly results: { readonly calls: number };
  readonly nodes: readonly { readonly path: string; readonly title: string; readonly status: string }[];
}

/** What a pinned search came to when the version that made it went on. */
export interface PinnedEnd {
  /** What had been answered before. */
  readonly paid: readonly string[];
  readonly state: string;
  readonly nodes: PinnedStatus['nodes'];
  /** Digests of the text below the front matter of each document, by slug path. */
  readonly documents: Readonly<Record<string, string>>;
  /** Slug paths of documents that existed before, and were rewritten. */
  readonly rewritten: readonly string[];
  /** What had been answered before and was asked once more. */
  readonly askedAgain: readonly string[];
}

/** Returns what `status --json` says, without the forecast, who holds it, and why it rests in words. */
export async function statusOf(place: Place): Promise<PinnedStatus> {
  const { left: _, holder: __, reason: ___, ...status } = await json(place, 'status');
  return status as unknown as PinnedStatus;
}

/** Returns what `show` says of the search and of its first node, and the exact words of each of their calls. */
export async function shownOf(place: Place): Promise<object[]> {
  const first = (await statusOf(place)).nodes[0]?.path ?? '.';
  const shown = async (node: string): Promise<object> => {
    const { files: _, ...said } = await json(place, 'show', node);
    const calls: object[] = [];
    for (const call of said['calls'] as { number: number }[]) {
      const { call: words } = await json(place, 'show', node, '--call', String(call.number));
      calls.push({ ...call, words });
    }
    return { node, ...said, calls };
  };
  return [await shown('.'), await shown(first)];
}

async function json(place: Place, command: string, ...rest: string[]): Promise<Record<string, unknown>> {
  return JSON.parse(await place.ends(0, command, SEARCH, ...rest, '--json')) as Record<string, unknown>;
}

/** Returns a search in each of its formats for programs, and as Markdown, by the names of files. */
export async function exportsOf(place: Place, { formats }: PinnedScript): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const format of someOf(['json', ...formats], 1))
    found[`export.${format}`] = await place.ends(0, 'export', SEARCH, '--format', format);
  found['export.md'] = await place.ends(0, 'export', SEARCH, '--markdown');
  return found;
}

/** Returns the report, made anew. */
export async function reportOf(place: Place): Promise<string> {
  await place.ends(0, 'report', SEARCH, '--json');
  return await readFile(join(place.workspace, SEARCH, 'report.md'), 'utf8');
}

/** Goes on with a search; returns what it came to, and its status then. */
export async function endOf(
  place: Place,
  goOn: PinnedScript['goOn'],
  { asked }: PinnedServer,
  paid: PinnedEnd['paid'],
): Promise<{ end: PinnedEnd; status: PinnedStatus }> {
  const before = await documentsOf(place);
  for (const [code, command, ...rest] of goOn) await place.ends(code, command, SEARCH, ...rest, '--json');
  const status = await statusOf(place);
  const { state, nodes } = status;
  const documents = await documentsOf(place);
  const rewritten = Object.keys(before).filter((path) => documents[path] !== before[path]);
  const wasPaid = new Set(paid);
  const askedAgain = asked().filter((each) => each !== '' && wasPaid.has(each));
  const told = nodes.map(({ path, title, status }) => ({ path, title, status }));
  return { end: { paid, state, nodes: told, documents, rewritten, askedAgain: askedAgain.toSorted() }, status };
}

async function documentsOf(place: Place): Promise<Record<string, string>> {
  const below = `workspace/${SEARCH}/`;
  const found = Object.entries(await place.files()).flatMap(([path, text]) => {
    if (!path.startsWith(below) || !path.endsWith('/document.md') || path.includes('/.search/')) return [];
    const whole = String(text)
      .replace(/^---\n.*?\n---\n/s, '')
      .trim();
    // Commits are named by when they were made.
    const words = whole.replace(/\b[\da-f]{10,40}\b/g, 'COMMIT');
    const digest = createHash('sha256').update(words).digest('hex').slice(0, 16);
    return [[path.slice(below.length, -'/document.md'.length), digest] as const];
  });
  return Object.fromEntries(found);
}
