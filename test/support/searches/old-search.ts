import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, readdir, readFile, rename, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServerCall } from '../servers/server-call.ts';
import { endsWith, TestSearch } from './e2e-search.ts';
import type { OldScript } from './old-scripts.ts';

const KEPT = fileURLToPath(new URL('../../fixtures/v0.1/', import.meta.url));

/** One node as `status --json` tells of it. */
interface OldNode {
  readonly path: string;
  readonly title: string;
  readonly status: string;
}

/** What a kept search comes to. */
export interface OldEnd {
  readonly state: string;
  readonly nodes: readonly OldNode[];
  /** Digests of the text below the front matter of each document, by slug path. */
  readonly documents: Readonly<Record<string, string>>;
  /** Slug paths of documents that existed before, and were rewritten. */
  readonly rewritten: readonly string[];
  /** What had been answered before and was asked once more, as often as it was. */
  readonly askedAgain: readonly string[];
}

/** What 0.1 said of a kept search. */
export interface OldSaid {
  readonly status: { readonly nodes: readonly OldNode[] } & Readonly<Record<string, unknown>>;
  /** `show NODE --json` by node, each call with its exact words. */
  readonly shown: Readonly<Record<string, { readonly calls: readonly OldCall[] } & Readonly<Record<string, unknown>>>>;
  /** What had been answered: see `askedFor`. */
  readonly paid: readonly string[];
  readonly after: OldEnd;
}

interface OldCall {
  readonly number: number;
  readonly words?: Readonly<Record<string, unknown>>;
}

export async function readSaid(name: string): Promise<OldSaid> {
  return JSON.parse(await readFile(join(KEPT, name, 'expected.json'), 'utf8')) as OldSaid;
}

/** A copy of a kept search, in a workspace of its own, as it lay there when its process had ended. */
export async function openOld(name: string, { answer }: OldScript): Promise<TestSearch> {
  const search = await TestSearch.make({ answer });
  const kept = join(KEPT, name);
  if (existsSync(join(kept, 'workspace'))) await cp(join(kept, 'workspace'), search.workspace, { recursive: true });
  await cp(join(kept, 'search'), search.folder, { recursive: true });
  const state = join(search.folder, '.search');
  await rename(join(search.folder, 'search-state'), state);
  await rename(join(state, 'gitignore'), join(state, '.gitignore'));
  // A file that was copied just now would say that its holder lives.
  for (const lease of (await readdir(state)).filter((file) => file.startsWith('lease-'))) {
    const { heartbeat } = JSON.parse(await readFile(join(state, lease), 'utf8')) as { heartbeat: string };
    await utimes(join(state, lease), new Date(heartbeat), new Date(heartbeat));
  }
  return search;
}

/** What `status --json` says, without forecast, limits in force, and why it rests in words. */
export async function statusOf(search: TestSearch): Promise<OldSaid['status']> {
  const {
    left: _,
    limits: __,
    holder: ___,
    reason: ____,
    ...status
  } = await json<Record<string, unknown>>(search, 'status');
  return status as OldSaid['status'];
}

/** What `show` says of a node, and the exact words of each of its calls. */
export async function shownOf(search: TestSearch, node: string): Promise<OldSaid['shown'][string]> {
  const { files: _, ...shown } = await json<OldSaid['shown'][string] & { files?: unknown }>(search, 'show', node);
  const withWords = async (call: OldCall): Promise<OldCall> => {
    const more = await json<{ call: Record<string, unknown> }>(search, 'show', node, '--call', String(call.number));
    const { number: __, ...words } = more.call;
    return { ...call, words };
  };
  return { ...shown, calls: await Promise.all(shown.calls.map(withWords)) };
}

/** Continues a search to its end, and returns the result. */
export async function goOn(
  search: TestSearch,
  name: string,
  script: OldScript,
  paid: OldSaid['paid'],
): Promise<OldEnd> {
  const before = await documentsOf(search.folder);
  const hooks = script.hooks ? ['--hooks', join(KEPT, name, 'hooks.mjs')] : [];
  for (const [command = '', ...rest] of script.goOn) {
    const further = command === 'resume' ? [...hooks, '--json'] : [];
    await endsWith(0, search.command(command, search.folder, ...rest, ...further));
  }
  const { state, nodes } = (await statusOf(search)) as unknown as OldEnd;
  const documents = await documentsOf(search.folder);
  const rewritten = Object.keys(before).filter((path) => documents[path] !== before[path]);
  const wasPaid = new Set(paid);
  const askedAgain = search.server.log.map(askedFor).filter((each) => wasPaid.has(each));
  const told = nodes.map(({ path, title, status }) => ({ path, title, status }));
  return { state, nodes: told, documents, rewritten, askedAgain: askedAgain.sort() };
}

/**
 * What a request asks for, however it is worded. Rankings and the report's opening are left out: what they are asked
 * depends on what was there at that moment.
 */
function askedFor({ purpose, node, prompt }: ServerCall): string {
  if (purpose === 'pick' || purpose === 'synthesize') return '';
  if (purpose !== 'generate' && purpose !== 'evaluate') return `${purpose} ${node}`;
  const { payload } = JSON.parse(prompt.split('\n\n')[0] as string) as {
    payload: { candidates?: { id: string }[]; context: { earlier?: string[] } };
  };
  const about = payload.candidates?.map(({ id }) => id).join(' ') ?? `after ${payload.context.earlier?.length}`;
  return `${purpose} ${node}: ${about}`;
}

/** Leaves out of a value what another one has no field for, so that whatever was added later is not compared. */
export function cutTo(shape: unknown, value: unknown): unknown {
  if (Array.isArray(shape) && Array.isArray(value))
    return value.map((each, index) => (index < shape.length ? cutTo(shape[index], each) : each));
  if (!isObject(shape) || !isObject(value)) return value;
  const names = Object.keys(shape).filter((name) => Object.hasOwn(value, name));
  return Object.fromEntries(names.map((name) => [name, cutTo(shape[name], value[name])]));
}

/** Fields whose text may be worded otherwise later: that there is one is all that is compared. */
const WORDED = new Set(['message', 'noAnswer', 'unknown']);

/** A value with the wording of its messages taken out. */
export function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, each]) => {
    return [name, WORDED.has(name) && typeof each === 'string' ? '…' : comparable(each)];
  });
  return Object.fromEntries(entries);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function json<T>(search: TestSearch, command: string, ...rest: string[]): Promise<T> {
  const { stdout } = await endsWith(0, search.command(command, search.folder, ...rest, '--json'));
  return JSON.parse(stdout) as T;
}

async function documentsOf(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const path of await readdir(folder, { recursive: true })) {
    if (!/(^|[/\\])document\.md$/.test(path) || path.startsWith('.search')) continue;
    const text = (await readFile(join(folder, path), 'utf8')).replace(/^---\n.*?\n---\n/s, '').trim();
    const node = path.replaceAll('\\', '/').replace(/\/document\.md$/, '');
    found[node] = createHash('sha256').update(text).digest('hex').slice(0, 16);
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}
