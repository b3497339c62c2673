import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckedCitation, CitationMark, FileLines } from '../core/citations/citation.ts';
import { type CitationRecord, recordsIn } from '../core/citations/citation-marks.ts';
import type { WorkspaceText } from '../core/ports/workspace-text.ts';
import { parseDocument } from '../core/text/document.ts';
import { withoutMarks } from '../core/text/short-label.ts';
import { oneLine } from '../core/text/text.ts';
import { pathOf, walk } from '../core/tree/tree.ts';
import { type Checked, checkedIn } from '../engine-parts/citations/check-citations.ts';
import { mendsOf } from '../engine-parts/citations/mark-document.ts';
import { bringUpToDate, nothingOld, outOfDate, priceOfOld, whyOld } from './history/out-of-date.ts';
import { folderInWorkspace, type Place } from './place.ts';
import type { SearchReader } from './reader/search-reader.ts';

/** A part of a text: lines, and the places in them, from 0; the end is not included. */
export interface TextSpan {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** A citation of a document according to the files as they are now: its path and lines are where it is. */
export interface CitationNow extends FileLines {
  readonly mark: CitationMark;
  /** The file can be opened. */
  readonly opens: boolean;
  /** It quotes lines, rather than naming a place in a sentence. */
  readonly isQuoted: boolean;
  readonly at: TextSpan;
  /** The words of the document at it, as one line of plain text. */
  readonly said: string;
  /** The edits that put it right, label and link alike; none where it is, or where nobody knows its place. */
  readonly mends: readonly (TextSpan & { readonly text: string })[];
}

/** A document of a search that cites a file. */
export interface Finding extends CitationNow {
  /** Slug path of its node. */
  readonly node: string;
  readonly title: string;
  readonly summary: string;
  readonly document: string;
}

/** As much of a search as its citations need. */
export type CitingSearch = Place & Pick<SearchReader, 'toldTree' | 'tree' | 'store' | 'record'>;

/** A node whose document cites files, with the results of the last check. */
interface CitingNode {
  readonly title: string;
  readonly summary: string;
  readonly records: readonly CitationRecord[];
}

interface CitingNodes {
  readonly nodes: ReadonlyMap<string, CitingNode>;
  /** Slug paths by the file that is cited. */
  readonly byFile: ReadonlyMap<string, ReadonlySet<string>>;
  /** Those whose results have no room in node.json: they may cite any file. */
  readonly unnamed: readonly string[];
}

interface Kept {
  readonly text: string;
  readonly versions: string;
  readonly found: readonly CitationNow[];
}

/** The documents of one search that are checked for one file, and at once, at most. */
const MOST_FOR_FILE = 100;
const MOST_DOCUMENTS = 300;
/** The results that are kept, at most. */
const MOST_KEPT = 2000;
const LONGEST_SAID = 300;

/**
 * The citations of searches as the files are now. A search is read when it is first asked about, and again once its journal has grown. A
 * document is checked again when it, or a file that it cites, is another one.
 */
export class CitationsNow {
  readonly #texts = new Map<string, Promise<WorkspaceText>>();
  /** By folder, with the last event that was read. */
  readonly #indexes = new Map<string, { readonly seq: number; readonly reading: Promise<CitingNodes> }>();
  readonly #kept = new Map<string, Kept>();

  /** Returns what the documents of a search cite of a file, given by its path below the workspace, with `/`. */
  async of(search: CitingSearch, file: string): Promise<readonly Finding[]> {
    const { nodes, byFile, unnamed } = await this.#index(search);
    const citing = [...(byFile.get(file) ?? []), ...unnamed].slice(0, MOST_FOR_FILE);
    const found: Finding[] = [];
    for (const node of new Set(citing)) {
      const { title = node, summary = '' } = nodes.get(node) ?? {};
      const document = join(search.folder, ...node.split('/'), 'document.md');
      for (const citation of await this.in(search, node))
        if (citation.path === file && (citation.mark !== 'not_found' || citation.mends.length > 0))
          found.push({ ...citation, node, title, summary, document });
    }
    return found;
  }

  /** Returns the paths of the documents of a search that cite anything, with the report, as an empty path. */
  async citing(search: CitingSearch): Promise<readonly string[]> {
    const { nodes } = await this.#index(search);
    return ['', ...nodes.keys()].slice(0, MOST_DOCUMENTS);
  }

  /**
   * Returns the citations of a document.
   * @param path slug path of its node; empty for the report
   * @param text as an editor has it; by default that of the file
   */
  async in(search: CitingSearch, path: string, text?: string): Promise<readonly CitationNow[]> {
    const { store } = search;
    const document = text ?? (await (path === '' ? store?.readReport() : store?.readDocument(path)));
    if (document === undefined) return [];
    const { nodes } = await this.#index(search);
    const key = `${search.folder}\n${path}`;
    const kept = this.#kept.get(key);
    if (kept?.text === document && kept.versions === (await versionsOf(search, kept.found))) return kept.found;
    const records = path === '' ? [...nodes.values()].flatMap((node) => node.records) : nodes.get(path)?.records;
    const folder = [folderInWorkspace(search), path].filter((part) => part !== '').join('/');
    const all = await citationsIn(await this.#text(search.workspace), document, folder, records ?? []);
    // Places in the sentences of a report may name a whole function: only documents say for sure which line they mean.
    const found = path === '' ? all.filter(({ mark, isQuoted }) => isQuoted || mark !== 'moved') : all;
    this.#keep(key, { text: document, versions: await versionsOf(search, found), found });
    return found;
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** Reads a search again when it is next asked about, even if its journal is the same. */
  forget(folder: string): void {
    this.#indexes.delete(folder);
  }

  #index(search: CitingSearch): Promise<CitingNodes> {
    const { folder, record } = search;
    const known = this.#indexes.get(folder);
    if (known?.seq === record.seq) return known.reading;
    const reading = readCiting(search);
    this.#indexes.set(folder, { seq: record.seq, reading });
    reading.catch(() => this.#indexes.delete(folder));
    return reading;
  }

  #text(workspace: string): Promise<WorkspaceText> {
    const known = this.#texts.get(workspace);
    if (known) return known;
    const opening = import('../models/quotes/open-workspace-text.ts').then((all) =>
      all.openWorkspaceText({ workspace }),
    );
    this.#texts.set(workspace, opening);
    return opening;
  }

  dispose(): void {
    for (const text of this.#texts.values()) void text.then((open) => open.close()).catch(() => undefined);
  }
}

/** From the journal, which takes a small part of the time that all files take; a clone has none. */
async function readCiting(search: CitingSearch): Promise<CitingNodes> {
  const told = await search.toldTree();
  const tree = told.size > 1 ? told : await search.tree();
  const nodes = new Map<string, CitingNode>();
  const byFile = new Map<string, Set<string>>();
  const unnamed: string[] = [];
  for (const node of walk(tree.root)) {
    if (!node.parent || !node.citations) continue;
    const path = pathOf(node);
    const records = recordsIn(node.file?.quotations);
    nodes.set(path, { title: node.title, summary: node.summary ?? '', records });
    const { verified, moved, stale, not_found } = node.citations;
    if (records.length < verified + moved + stale + not_found) unnamed.push(path);
    for (const { path: file } of records) byFile.set(file, (byFile.get(file) ?? new Set()).add(path));
  }
  return { nodes, byFile, unnamed };
}

async function versionsOf({ workspace }: Place, found: readonly CitationNow[]): Promise<string> {
  const files = [...new Set(found.map(({ path }) => path))];
  const versions = await Promise.all(
    files.map(async (file) => {
      const { mtimeMs, size } = await stat(join(workspace, ...file.split('/'))).catch(() => ({ mtimeMs: 0, size: 0 }));
      return `${mtimeMs} ${size}`;
    }),
  );
  return versions.join('\n');
}

/**
 * Checks the citations of a document as the search does, and says where in it they are.
 * @param folder of the document, relative to the workspace, with `/`
 */
async function citationsIn(
  workspace: WorkspaceText,
  document: string,
  folder: string,
  records: readonly CitationRecord[],
): Promise<CitationNow[]> {
  const body = bodyOf(document);
  if (body === undefined) return [];
  const spanOf = spansIn(body, linesIn(document) - linesIn(body));
  return (await checkedIn(workspace, body, records)).map((one): CitationNow => {
    const { checked } = one;
    const mends = checked.mend ? mendsOf(body, one, folder) : [];
    const { start, end } = 'citation' in one ? one.citation.link : one.reference;
    return {
      ...placeOf(checked),
      mark: checked.mark,
      opens: checked.opens,
      isQuoted: 'citation' in one,
      at: spanOf(start, end),
      said: saidAt(body, one),
      mends: mends.map(({ text, ...at }) => ({ ...spanOf(at.start, at.end), text })),
    };
  });
}

function placeOf({ path, from, to, now, mend }: CheckedCitation): FileLines {
  const place = { path, from, to, ...now, ...mend };
  return { path: place.path, from: place.from, to: place.to };
}

/** Undefined for front matter of a person that cannot be read. */
function bodyOf(document: string): string | undefined {
  try {
    return parseDocument(document).body;
  } catch {
    return undefined;
  }
}

function linesIn(text: string): number {
  return text.split(/\r\n|\n/).length;
}

/** Returns a function that finds parts of a text, given by offsets, in a longer text that ends with it. */
function spansIn(body: string, above: number): (start: number, end: number) => TextSpan {
  const starts = [0, ...Array.from(body.matchAll(/\n/g), ({ index }) => index + 1)];
  const at = (offset: number): TextSpan['start'] => {
    const line = Math.max(
      0,
      starts.findLastIndex((start) => start <= offset),
    );
    return { line: above + line, character: offset - (starts[line] ?? 0) };
  };
  return (start, end) => ({ start: at(start), end: at(end) });
}

/** Returns the line of a sentence that names a place, or the one above the place of a quotation. */
function saidAt(body: string, one: Checked): string {
  const offset = 'citation' in one ? one.citation.link.start : one.reference.start;
  const lines = body.slice(0, offset).split('\n');
  const above = 'citation' in one ? lines.slice(0, -1).findLast((line) => /[\p{L}\p{N}]/u.test(line)) : undefined;
  const end = body.indexOf('\n', offset);
  const own = `${lines.at(-1) ?? ''}${body.slice(offset, end < 0 ? undefined : end)}`;
  const said = (above ?? own).replaceAll(/\]\([^()\s]{0,3500}\)/g, ']').replaceAll(/[*_[\]>#]/g, '');
  return oneLine(withoutMarks(said), LONGEST_SAID);
}

/** The citations of searches as they are now, for a host that loads them when they are first asked for. */
export const citationsNow = {
  open: (): CitationsNow => new CitationsNow(),
  /** Finds documents that are out of date, and words for them. */
  ...{ outOfDate, nothingOld, priceOfOld, whyOld, bringUpToDate },
};
