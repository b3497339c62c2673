import { ThoughtTreeError } from '../../core/search/errors.ts';
import { SearchRecord } from '../../core/search/record/search-record.ts';
import { oneLine } from '../../core/text/text.ts';
import { nameOf, parentPath } from '../../core/tree/slug.ts';
import { listOf, nodeAt, type Tree, type TreeNode } from '../../core/tree/tree.ts';
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
import { checkOrder, JOURNAL, JOURNAL_START, walkJournal } from '../journal/journal-reader.ts';
import { stringifyJson } from '../json/json-file.ts';
import { nodeJsonText } from '../json/node-json.ts';
import * as say from '../messages.ts';
import { KeptTexts } from '../objects/kept-texts.ts';
import { CALLS, CONVERSATIONS, DEEPEST } from '../store-paths.ts';
import { textHash } from '../system-ports.ts';
import { type Instant, resolveMoment } from './moment.ts';

/** A moment, as the journal tells it. */
interface Told {
  /** The last event. */
  readonly at: Instant;
  /** The bytes of the journal up to then. */
  readonly end: number;
  /** The tree, which nobody changes any more. */
  readonly tree: Tree;
  /** The hashes of the texts of the search as a whole, by file. */
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * The files of a search as they were right after an event: node.json and lists from the journal, texts from what is kept by
 * hash, the journal cut off there; conversations and calls are today's, which only grow. Nothing is written, no lease taken.
 */
export class PastFiles implements ReadFiles {
  readonly root: string;
  /** The event. */
  readonly at: Instant;
  readonly #real: ReadFiles;
  readonly #told: ToldFiles;
  /** What was written over, then or later. */
  readonly texts: KeptTexts;
  /** The bytes of the journal up to then. */
  readonly #end: number;

  private constructor(real: ReadFiles, { at, end, tree, texts }: Told, kept: KeptTexts) {
    this.root = `${real.root}@${at.seq}`;
    this.at = at;
    this.#real = real;
    this.#end = end;
    this.texts = kept;
    this.#told = new ToldFiles(this.root, tree, texts);
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
      checkOrder(instants.at(-1)?.seq ?? 0, { seq });
      instants.push({ seq, time });
      offsets.push(offset);
    });
    const { seq: last, time } = await resolveMoment(real, instants, moment, now);
    let isAdoptedLater = false;
    const told = new TreeRecord();
    const record = new SearchRecord();
    await walkJournal(real, JOURNAL_START, (event) => {
      isAdoptedLater ||= event.type === 'adopted' && event.seq > last;
      if (event.seq > last) return;
      told.apply(event);
      if (event.type === 'text-written') record.apply(event);
    });
    const end = offsets[instants.findIndex(({ seq }) => seq > last)] ?? position.offset;
    const at = { seq: last, time, ...(isAdoptedLater ? { isAdoptedLater } : {}) };
    return await PastFiles.of(real, { at, end, tree: told.tree, texts: record.texts });
  }

  /**
   * Opens a search as it was at a moment of which everything is known: nothing of the journal is read.
   * @param kept the texts of these files, where somebody has them open
   */
  static async of(real: ReadFiles, told: Told, kept = new KeptTexts(real)): Promise<PastFiles> {
    return new PastFiles(real, { ...told, texts: await withSearch(real, told.texts) }, kept);
  }

  async read(path: string): Promise<string | undefined> {
    if (path === JOURNAL) return Buffer.from(await this.readBytes(path, 0, LONGEST_FILE)).toString();
    if (isToday(path)) return await this.#real.read(path);
    if (this.#told.hashOf(path) === undefined) return this.#told.read(path);
    return Buffer.from(await this.readBytes(path, 0, LONGEST_FILE)).toString();
  }

  async readBytes(path: string, offset: number, length: number, into?: Uint8Array): Promise<Uint8Array> {
    if (path === JOURNAL)
      return await this.#real.readBytes(path, offset, Math.max(0, Math.min(length, this.#end - offset)), into);
    if (isToday(path)) return await this.#real.readBytes(path, offset, length, into);
    const hash = this.#told.hashOf(path);
    if (hash === undefined) return Buffer.from(this.#told.read(path) ?? '').subarray(offset, offset + length);
    return (await this.#kept(path, hash)).subarray(offset, offset + length);
  }

  /** Returns a file of today. */
  async readToday(path: string): Promise<string | undefined> {
    return await this.#real.read(path);
  }

  /** @throws ThoughtTreeError `damaged` for a text that nobody kept */
  async #kept(path: string, hash: string): Promise<Uint8Array> {
    // Most texts are as they were: looking there first spares the index of all that is kept.
    const today = await this.#real.readBytes(path, 0, LONGEST_FILE).catch(() => undefined);
    if (today && (hash === TODAY || textHash(today) === hash)) return today;
    const kept = hash === TODAY ? undefined : await this.texts.read(hash);
    if (kept instanceof Uint8Array) return kept;
    const file = `${this.root}/${path}`;
    throw new ThoughtTreeError('damaged', kept === 'too-long' ? say.textTooLong({ file }) : say.textNotKept({ file }), {
      file,
    });
  }

  async stat(path: string): Promise<FileStat | undefined> {
    if (isToday(path)) return await this.#real.stat(path);
    if (path !== JOURNAL) return this.#told.stat(path);
    return { kind: 'file', size: this.#end, modified: Date.parse(this.at.time) };
  }

  async list(path: string): Promise<Entry[]> {
    if (path.length > 2 * DEEPEST && path.split('/').length > DEEPEST)
      throw new ThoughtTreeError('damaged', say.tooDeep({ path: oneLine(path, 200), most: DEEPEST }));
    return isToday(path) ? await this.#real.list(path) : this.#told.list(path);
  }

  async look(path: string, names: readonly string[], held: string): Promise<FolderLook> {
    const quick = {
      text: (file: string) => this.#told.read(file),
      isFile: (file: string) => this.#told.has(file),
    };
    return lookAt(quick, path, await this.list(path), names, held);
  }

  stampNow(): undefined {}
}

/** The files that a tree and the names of texts tell. None is made before somebody asks for it. */
class ToldFiles {
  readonly #root: string;
  readonly #tree: Tree;
  readonly #texts: ReadonlyMap<string, string>;
  /** The entries of the folders that texts of the search as a whole are in. */
  readonly #around = new Map<string, Map<string, Entry['kind']>>();
  readonly #modified = Date.now();

  constructor(root: string, tree: Tree, texts: ReadonlyMap<string, string>) {
    this.#root = root;
    this.#tree = tree;
    this.#texts = texts;
    for (const file of texts.keys()) {
      checkPath(file);
      for (let at = file; at !== ''; at = parentPath(at)) {
        const entries = this.#around.get(parentPath(at)) ?? new Map<string, Entry['kind']>();
        this.#around.set(parentPath(at), entries.set(nameOf(at), at === file ? 'file' : 'folder'));
      }
    }
  }

  /** Returns the hash of a file's text, if it is kept by hash. */
  hashOf(path: string): string | undefined {
    const own = this.#texts.get(path);
    return own ?? (nameOf(path) === 'document.md' ? nodeAt(this.#tree, parentPath(path))?.document : undefined);
  }

  /** Tells whether there is a file. */
  has(path: string): boolean {
    return this.hashOf(path) !== undefined || this.#madeFor(path) !== undefined;
  }

  /** Returns a file's text, empty where it is kept by hash. @throws ThoughtTreeError for a folder */
  read(path: string): string | undefined {
    checkPath(path);
    if (this.#isFolder(path)) throw toFileError({ code: 'EISDIR' }, `${this.#root}/${path}`, 'read');
    if (this.hashOf(path) !== undefined) return '';
    const node = this.#madeFor(path);
    if (!node) return undefined;
    const { file, title, status } = node;
    if (nameOf(path) === 'children.json') return stringifyJson(listOf(node));
    return nodeJsonText(parentPath(path), file ?? { title, status });
  }

  stat(path: string): FileStat | undefined {
    checkPath(path);
    if (this.#isFolder(path)) return { kind: 'folder', size: 0, modified: 0 };
    const text = this.read(path);
    return text === undefined ? undefined : { kind: 'file', size: Buffer.byteLength(text), modified: this.#modified };
  }

  list(path: string): Entry[] {
    checkPath(path);
    const entries = new Map(this.#around.get(path));
    for (const name of OF_NODES) if (this.has(path === '' ? name : `${path}/${name}`)) entries.set(name, 'file');
    for (const { slug } of nodeAt(this.#tree, path)?.children ?? []) entries.set(slug, 'folder');
    return Array.from(entries, ([name, kind]) => ({ name, kind }));
  }

  #isFolder(path: string): boolean {
    return path === '' || nodeAt(this.#tree, path) !== undefined || this.#around.has(path);
  }

  /** Returns the node that a node.json or a list is made for. */
  #madeFor(path: string): TreeNode | undefined {
    const name = nameOf(path);
    const node = OF_NODES.has(name) ? nodeAt(this.#tree, parentPath(path)) : undefined;
    if (!node) return undefined;
    const isOfNode = name === 'node.json' && node.parent !== undefined;
    const isList = name === 'children.json' && (node.listed || (node.parent !== undefined && node.children.length > 0));
    return isOfNode || isList ? node : undefined;
  }
}

/** The files that a node can have. */
const OF_NODES: ReadonlySet<string> = new Set(['node.json', 'children.json', 'document.md']);

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
