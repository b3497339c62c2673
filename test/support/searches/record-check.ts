import assert from 'node:assert/strict';
import type { JournalEvent } from '../../../src/core/search/events.ts';
import { NodeFile, nodeDataOf } from '../../../src/core/tree/node-file.ts';
import { isWithin, joinedPath, parentPath } from '../../../src/core/tree/slug.ts';
import { pathOf, type TreeNode, walk } from '../../../src/core/tree/tree.ts';
import type { TreeRecord } from '../../../src/core/tree/tree-record.ts';
import { KeptTexts } from '../../../src/store/objects/kept-texts.ts';
import { textHash } from '../../../src/store/system-ports.ts';
import type { MemoryFiles } from '../memory-store.ts';
import { parsed, pathsOn } from './hand-editor.ts';

function listOf(files: MemoryFiles, path: string): string[] | undefined {
  const text = files.readNow(joinedPath(path, 'children.json'));
  return text === undefined ? undefined : (JSON.parse(text) as { slug: string }[]).map(({ slug }) => slug);
}

/**
 * Asserts that a record says what the disk holds.
 * @param isOpen whether what is at a path may differ now: it is being written, or nobody has seen an edit yet
 */
export function assertRecorded(
  record: TreeRecord,
  files: MemoryFiles,
  isOpen: (path: string) => boolean,
  where: string,
): void {
  const nodes = new Map([...walk(record.tree.root)].map((node) => [pathOf(node), node]));
  for (const [path, node] of nodes) {
    if (path !== '' && !isOpen(path)) assertNode(node, path, files, where);
    const list = listOf(files, path);
    if (!list || isOpen(path)) continue;
    const order = node.children.map(({ slug }) => slug);
    const isSettled = (slug: string): boolean => !isOpen(joinedPath(path, slug));
    const listed = list.filter((slug) => isSettled(slug) && order.includes(slug));
    const told = order.filter((slug) => isSettled(slug) && list.includes(slug));
    assert.deepEqual(told, listed, `${where}: the order below "${path}"`);
  }
  for (const path of pathsOn(files))
    assert.ok(nodes.has(path) || isOpen(path) || isOpen(parentPath(path)), `${where}: ${path} is on disk alone`);
}

function assertNode(node: TreeNode, path: string, files: MemoryFiles, where: string): void {
  const text = files.readNow(`${path}/node.json`);
  assert.ok(text !== undefined, `${where}: ${path} is in the record alone`);
  const data = dataIn(text);
  assert.ok(data, `${where}: ${path} is damaged, and stays so`);
  assert.deepEqual({ ...node.file }, data, `${where}: ${path}`);
  const document = files.readNow(`${path}/document.md`);
  assert.equal(node.document, document === undefined ? undefined : textHash(document), `${where}: document of ${path}`);
}

/**
 * The texts that were on disk at any event, by hash: with the record, they are all that it takes to make the files of that
 * event again.
 */
export class TextsSeen {
  readonly #seen = new Map<string, string>();

  /** At an event, after which the record says what the disk holds. */
  see(record: TreeRecord, files: MemoryFiles, isOpen: (path: string) => boolean): void {
    for (const node of walk(record.tree.root)) {
      const path = pathOf(node);
      if (node.document === undefined || isOpen(path) || this.#seen.has(node.document)) continue;
      this.#seen.set(node.document, files.readNow(`${path}/document.md`) ?? '');
    }
  }

  /** A process was killed: what it noticed and had no time to journal is known to nobody. */
  keepOnly(journal: readonly JournalEvent[]): void {
    const told = new Set(
      journal.flatMap((event) => {
        if (event.type === 'node-status') return [event.document];
        return event.type === 'node-added' ? event.children.map(({ document }) => document) : [];
      }),
    );
    for (const hash of this.#seen.keys()) if (!told.has(hash)) this.#seen.delete(hash);
  }

  /** Asserts that each of them is kept to its last byte. */
  async assertKept(files: MemoryFiles, where: string): Promise<void> {
    const texts = new KeptTexts(files);
    for (const [hash, text] of this.#seen) {
      const kept = await texts.read(hash);
      assert.ok(kept instanceof Uint8Array, `${where}: ${hash} is not kept: ${text}`);
      assert.equal(Buffer.from(kept).toString(), text, where);
    }
  }
}

/** Asserts that the journal says which version of each text of the search as a whole is there, and that it is kept. */
export async function assertTexts(
  texts: ReadonlyMap<string, string>,
  files: MemoryFiles,
  where: string,
): Promise<void> {
  const names = ['search.json', 'notes.md', 'plan.yaml', 'report.md', 'decomposition.json'];
  for (const name of names) {
    const text = files.readNow(name);
    assert.equal(texts.get(name), text === undefined ? undefined : textHash(text), `${where}: ${name}`);
    if (text === undefined) continue;
    const kept = await new KeptTexts(files).read(textHash(text));
    assert.equal(Buffer.from((kept ?? '') as Uint8Array).toString(), text, `${where}: ${name}`);
  }
}

/** What texts of node.json say; most are read again at the next event, and a search has few. */
const read = new Map<string, object | undefined>();

function dataIn(text: string): object | undefined {
  if (!read.has(text)) {
    if (read.size > 1000) read.clear();
    const file = parsed(text);
    read.set(text, file && nodeDataOf(NodeFile.parse(file)));
  }
  return read.get(text);
}

/** What may differ at some moment: what is written now, and where a person's edit was not seen. */
export class Unsettled {
  readonly #written = new Set<string>();
  readonly #edited: string[] = [];

  /** A file was written by the search. */
  write(file: string): void {
    if (!file.startsWith('.search')) this.#written.add(parentPath(file));
  }

  /** An event told of a node, or of the children of one. */
  told(...paths: readonly string[]): void {
    for (const path of paths) this.#written.delete(path);
  }

  edit(...paths: readonly string[]): void {
    this.#edited.push(...paths);
  }

  /** Everything was looked at: what was edited is known now. */
  seen(): void {
    this.#edited.length = 0;
    this.#written.clear();
  }

  get edited(): readonly string[] {
    return this.#edited;
  }

  isOpen(path: string): boolean {
    if (this.#edited.some((each) => isWithin(path, each) || isWithin(each, path))) return true;
    return this.#written.has(path);
  }
}
