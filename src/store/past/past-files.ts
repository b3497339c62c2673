import { ThoughtTreeError } from '../../core/search/errors.ts';
import { SearchRecord } from '../../core/search/record/search-record.ts';
import { nameOf, parentPath } from '../../core/tree/slug.ts';
import { listOf, pathOf, walk } from '../../core/tree/tree.ts';
import { TreeRecord } from '../../core/tree/tree-record.ts';
import { checkPath } from '../files/file-path.ts';
import {
  type Entry,
  type FileStat,
  type FolderLook,
  LONGEST_FILE,
  type ReadFiles,
  toFileError,
} from '../files/files.ts';
import { lookAt } from '../files/folders.ts';
import { JOURNAL, JOURNAL_START, walkJournal } from '../journal/journal-reader.ts';
import { stringifyJson } from '../json/json-file.ts';
import { nodeJsonText, nodePath } from '../json/node-json.ts';
import * as say from '../messages.ts';
import { KeptTexts } from '../objects/kept-texts.ts';
import { CALLS, CONVERSATIONS, documentPath, fileIn } from '../store-paths.ts';
import { textHash } from '../system-ports.ts';
import { type Instant, resolveMoment } from './moment.ts';

/**
 * The files of a search as they were right after an event: node.json and lists from the journal, texts from what is kept by
 * hash, the journal cut off there; conversations and calls are today's, which only grow. Nothing is written, no lease taken.
 */
export class PastFiles implements ReadFiles {
  readonly root: string;
  /** The event. */
  readonly at: Instant;
  readonly #real: ReadFiles;
  /** Texts that are kept by hash are empty here. */
  readonly #made: MadeFiles;
  readonly #hashes: ReadonlyMap<string, string>;
  /** What was written over, then or later. */
  readonly texts: KeptTexts;
  /** The bytes of the journal up to then. */
  readonly #end: number;

  private constructor(real: ReadFiles, at: Instant, end: number, told: TreeRecord, texts: ReadonlyMap<string, string>) {
    this.root = `${real.root}@${at.seq}`;
    this.at = at;
    this.#real = real;
    this.#end = end;
    this.texts = new KeptTexts(real);
    this.#made = new MadeFiles(this.root);
    const hashes = new Map(texts);
    for (const node of walk(told.tree.root)) {
      const path = pathOf(node);
      if (node.parent)
        this.#made.put(nodePath(path), nodeJsonText(path, node.file ?? { title: node.title, status: node.status }));
      if (node.document !== undefined) hashes.set(documentPath(path), node.document);
      if (node.listed || (node.parent && node.children.length > 0))
        this.#made.put(fileIn(path, 'children.json'), stringifyJson(listOf(node)));
    }
    for (const file of hashes.keys()) this.#made.put(file, '');
    this.#hashes = hashes;
  }

  /**
   * Opens a search as it was.
   * @param moment the number of an event, an age such as `2h`, or a name
   * @param now in milliseconds since 1970
   * @throws ThoughtTreeError `not-found`
   */
  static async open(real: ReadFiles, moment: string, now: number): Promise<PastFiles> {
    const instants: Instant[] = [];
    const offsets: number[] = [];
    const { position } = await walkJournal(real, JOURNAL_START, ({ seq, time }, offset) => {
      instants.push({ seq, time });
      offsets.push(offset);
    });
    const at = await resolveMoment(real, instants, moment, now);
    const told = new TreeRecord();
    const record = new SearchRecord();
    await walkJournal(real, JOURNAL_START, (event) => {
      if (event.seq > at.seq) return;
      told.apply(event);
      if (event.type === 'text-written') record.apply(event);
    });
    const end = offsets[instants.findIndex(({ seq }) => seq > at.seq)] ?? position.offset;
    return new PastFiles(real, at, end, told, await withSearch(real, record.texts));
  }

  async read(path: string): Promise<string | undefined> {
    if (path === JOURNAL) return Buffer.from(await this.readBytes(path, 0, LONGEST_FILE)).toString();
    if (isToday(path)) return await this.#real.read(path);
    if (!this.#hashes.has(path)) return this.#made.read(path);
    return Buffer.from(await this.readBytes(path, 0, LONGEST_FILE)).toString();
  }

  async readBytes(path: string, offset: number, length: number, into?: Uint8Array): Promise<Uint8Array> {
    if (path === JOURNAL)
      return await this.#real.readBytes(path, offset, Math.max(0, Math.min(length, this.#end - offset)), into);
    if (isToday(path)) return await this.#real.readBytes(path, offset, length, into);
    const hash = this.#hashes.get(path);
    if (hash === undefined) return Buffer.from(this.#made.read(path) ?? '').subarray(offset, offset + length);
    return (await this.#kept(path, hash)).subarray(offset, offset + length);
  }

  /** Returns a file of today. */
  async readToday(path: string): Promise<string | undefined> {
    return await this.#real.read(path);
  }

  /** @throws ThoughtTreeError `damaged` for a text that nobody kept */
  async #kept(path: string, hash: string): Promise<Uint8Array> {
    const kept = hash === TODAY ? await this.#real.readBytes(path, 0, LONGEST_FILE) : await this.texts.read(hash);
    if (kept instanceof Uint8Array) return kept;
    // Nobody kept it, since it is as it was.
    const today = await this.#real.readBytes(path, 0, LONGEST_FILE).catch(() => undefined);
    if (today && textHash(today) === hash) return today;
    const file = `${this.root}/${path}`;
    throw new ThoughtTreeError('damaged', kept === 'too-long' ? say.textTooLong({ file }) : say.textNotKept({ file }), {
      file,
    });
  }

  async stat(path: string): Promise<FileStat | undefined> {
    if (isToday(path)) return await this.#real.stat(path);
    if (path !== JOURNAL) return this.#made.stat(path);
    return { kind: 'file', size: this.#end, modified: Date.parse(this.at.time) };
  }

  async list(path: string): Promise<Entry[]> {
    return isToday(path) ? await this.#real.list(path) : this.#made.list(path);
  }

  async look(path: string, names: readonly string[], held: string): Promise<FolderLook> {
    const quick = {
      text: (file: string) => this.#made.read(file),
      isFile: (file: string) => this.#made.stat(file)?.kind === 'file',
    };
    return lookAt(quick, path, await this.list(path), names, held);
  }

  stampNow(): undefined {}
}

/** Files that the journal tells, in memory. */
class MadeFiles {
  readonly #root: string;
  readonly #texts = new Map<string, string>();
  /** The names in each folder. */
  readonly #folders = new Map<string, Set<string>>([['', new Set()]]);
  readonly #modified = Date.now();

  constructor(root: string) {
    this.#root = root;
  }

  /** Sets a file's text and makes the folders above it. */
  put(path: string, text: string): void {
    checkPath(path);
    this.#texts.set(path, text);
    for (let at = path; at !== ''; at = parentPath(at)) {
      const folder = parentPath(at);
      if (this.#texts.has(folder)) throw toFileError({ code: 'ENOTDIR' }, `${this.#root}/${path}`, 'write');
      const names = this.#folders.get(folder);
      this.#folders.set(folder, (names ?? new Set()).add(nameOf(at)));
      if (names) return;
    }
  }

  read(path: string): string | undefined {
    checkPath(path);
    if (this.#folders.has(path)) throw toFileError({ code: 'EISDIR' }, `${this.#root}/${path}`, 'read');
    return this.#texts.get(path);
  }

  stat(path: string): FileStat | undefined {
    checkPath(path);
    if (this.#folders.has(path)) return { kind: 'folder', size: 0, modified: 0 };
    const text = this.#texts.get(path);
    return text === undefined ? undefined : { kind: 'file', size: Buffer.byteLength(text), modified: this.#modified };
  }

  list(path: string): Entry[] {
    checkPath(path);
    const kindOf = (name: string): Entry['kind'] =>
      this.#folders.has(path === '' ? name : `${path}/${name}`) ? 'folder' : 'file';
    return Array.from(this.#folders.get(path) ?? [], (name) => ({ name, kind: kindOf(name) }));
  }
}

/** Stands for a file as it is today, of which the journal does not say what it was. */
const TODAY = 'today';

/** Searches from before have no history of search.json. */
async function withSearch(real: ReadFiles, texts: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> {
  const file = 'search.json';
  return texts.has(file) || !(await real.stat(file)) ? texts : new Map([...texts, [file, TODAY]]);
}

function isToday(path: string): boolean {
  return [CONVERSATIONS, CALLS].some((folder) => path === folder || path.startsWith(`${folder}/`));
}
