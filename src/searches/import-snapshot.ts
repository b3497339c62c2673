import { isUtf8 } from 'node:buffer';
import { mkdtemp, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Message } from '../core/messages/message.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import type { Format, IncomingSearch, IncomingWishes } from '../engine/kind/kind-format.ts';
import { type Kinds, loadKind } from '../engine/kind/kinds.ts';
import { toFileError } from '../store/files/file-error.ts';
import { makeFolders } from '../store/files/make-folders.ts';
import { parseJson } from '../store/json/json-file.ts';
import { createSearch, openForWriting } from '../store/open-store.ts';
import { systemClock, systemRandom } from '../store/system-ports.ts';
import { readsJson } from './import-json.ts';
import * as say from './messages.ts';
import { type Place, placeFor, titleFrom } from './place.ts';

const LARGEST_FILE = 256 * 1024 * 1024;

export interface ImportRequest {
  /** The kinds that this program knows; the one whose format the file has reads it. Every kind's JSON is read. */
  readonly kinds: Kinds;
  readonly file: string;
  readonly workspace: string;
  /** The search's folder; by default made from its title. */
  readonly dir?: string | undefined;
  readonly title?: string | undefined;
  /** The folder in the workspace that holds its searches, and the names in it that are taken. */
  readonly searches?: string | undefined;
  readonly taken?: ReadonlySet<string> | undefined;
  /** Stops the import, with its reason; nothing is left behind. */
  readonly signal?: AbortSignal | undefined;
}

interface Imported {
  readonly place: Place;
  readonly nodes: number;
  readonly notes: readonly Message[];
}

/**
 * Makes a search from a snapshot. Its folder appears whole or not at all.
 * @returns its place, its number of nodes, including the root as in the snapshot, and what a person has to know
 * @throws ThoughtTreeError `not-found`, `damaged` saying what is wrong with the snapshot; `exists`, `not-writable`,
 *   `disk-full`
 */
export async function importSnapshot(request: ImportRequest): Promise<Imported> {
  const { workspace, dir, title, searches, taken, signal } = request;
  const formats = await formatsIn(request.kinds);
  const incoming = incomingFrom(await readBytes(request.file), request.file, formats, {
    title,
    titleFrom,
    now: systemClock.now(),
    newId: systemRandom.id,
  });
  const place = placeFor(workspace, incoming.file.title, dir, searches, taken);
  await checkFree(place.folder);
  const parent = dirname(place.folder);
  try {
    await makeFolders(parent);
  } catch (error) {
    throw toFileError(error, parent, 'write');
  }
  // One folder deeper than searches are looked for, so that half a search is not found.
  const building = await mkdtemp(join(parent, '.importing-'));
  try {
    const folder = join(building, 'search');
    await writeSearch(folder, incoming, signal);
    await moveTo(folder, place.folder);
  } finally {
    await rm(building, { recursive: true, force: true, maxRetries: 3 });
  }
  return { place, nodes: incoming.nodes + 1, notes: incoming.notes ?? [] };
}

/** A search from a file in one of some formats. @throws ThoughtTreeError `damaged` saying what is wrong */
function incomingFrom(bytes: Buffer, file: string, formats: readonly Format[], wishes: IncomingWishes): IncomingSearch {
  const text = bytes.toString('utf8');
  const asText = formats.flatMap(({ readsText }) => readsText ?? []).find(({ is }) => is(text));
  if (asText) {
    checkUtf8(bytes, file);
    return asText.read(text, file, wishes);
  }
  const asValue = formats.flatMap(({ reads }) => reads ?? []);
  const value = parseJson(text, file);
  // Our own export is looked for first: formats of other programs look less closely.
  const found = [readsJson, ...asValue].find(({ is }) => is(value));
  // A file in no known format is a damaged one of the first format, which says what is missing.
  return (found ?? asValue[0] ?? readsJson).read(value, wishes);
}

/** @throws ThoughtTreeError `damaged` naming the first line that is not UTF-8 */
function checkUtf8(bytes: Buffer, file: string): void {
  if (isUtf8(bytes)) return;
  let start = 0;
  for (let line = 1; ; line++) {
    const next = bytes.indexOf(10, start);
    const end = next < 0 ? bytes.length : next;
    if (!isUtf8(bytes.subarray(start, end)) || next < 0)
      throw new ThoughtTreeError('damaged', say.notUtf8({ file, line: String(line) }), { file, line });
    start = next + 1;
  }
}

/** All formats of kinds that can be read. */
async function formatsIn(kinds: Kinds): Promise<Format[]> {
  const named = kinds.filter(({ face }) => face.formats?.length);
  const loaded = await Promise.all(named.map(({ face }) => loadKind(kinds, { kind: face.name })));
  return loaded.flatMap(({ formats = [] }) => formats.filter(({ reads, readsText }) => reads ?? readsText));
}

async function readBytes(file: string): Promise<Buffer> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new ThoughtTreeError('not-found', say.noFile({ file }));
  if (found.size > LARGEST_FILE)
    throw new ThoughtTreeError('damaged', say.fileTooLarge({ file, megabytes: LARGEST_FILE / 1024 / 1024 }));
  return await readFile(file);
}

/** An empty folder may already exist. */
async function checkFree(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw toFileError(error, folder, 'read');
  });
  if (entries.length > 0) throw taken(folder);
}

async function moveTo(from: string, to: string): Promise<void> {
  try {
    await rmdir(to).catch(() => undefined); // removes an empty folder; any other stays, and the rename fails
    await rename(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ENOTEMPTY' || code === 'EEXIST' ? taken(to) : toFileError(error, to, 'write');
  }
}

function taken(folder: string): ThoughtTreeError {
  return new ThoughtTreeError('exists', say.placeTaken({ folder }));
}

async function writeSearch(folder: string, incoming: IncomingSearch, signal: AbortSignal | undefined): Promise<void> {
  await createSearch(folder, incoming.file);
  const store = await openForWriting(folder, { clock: systemClock, random: systemRandom });
  try {
    await incoming.writeTo(store, signal);
  } finally {
    await store.close();
  }
}
