import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KindDescriptor } from '../../core/kind/kind-descriptor.ts';
import { ChildrenFile, SearchFile } from '../../core/search/search-file.ts';
import { NodeFile } from '../../core/tree/node-file.ts';
import { descriptorOf, type Kinds } from '../../engine/kind.ts';
import { type DocumentHead, type HeadLink, headHtml } from '../../searches/document-head.ts';
import { isNodeName } from '../../store/files/file-path.ts';
import { messageText, translated } from '../message-text.ts';
import { isFile, type Page } from './open-document.ts';

const LONGEST_FILE = 2_000_000;
/** The children whose folders are looked at; more are only counted. */
const MOST_READ = 50;

/**
 * Returns the head of a node's document as HTML, from the files as they are now; undefined if its node cannot be read.
 */
export function readHeadHtml(kinds: Kinds, page: Page): string | undefined {
  const head = readHead(kinds, page);
  return head && headHtml(head, messageText);
}

// Synchronous, as rendering Markdown is; a few small files for a document that a person opens.
function readHead(kinds: Kinds, { folder, path }: Page): DocumentHead | undefined {
  const search = SearchFile.safeParse(readJson(join(folder, 'search.json'))).data;
  const at = join(folder, ...path.split('/'));
  const node = NodeFile.safeParse(readJson(join(at, 'node.json'))).data;
  if (!search || !node) return undefined;
  const listed = (ChildrenFile.safeParse(readJson(join(at, 'children.json'))).data ?? []).filter(({ slug }) =>
    isNodeName(slug, path),
  );
  const marks = marksOf(descriptorOf(kinds, search.kind), node, at, listed.slice(0, MOST_READ));
  return {
    status: node.status,
    marks,
    score: node.evaluation?.score,
    citations: node.citations,
    parent: parentOf(folder, path, search),
    children: listed.map((child, i) => linkDown(at, child, i)),
  };
}

function linkDown(at: string, { title, slug }: ChildrenFile[number], index: number): HeadLink {
  const isThere = index < MOST_READ && isFile(join(at, slug, 'document.md'));
  return { title, href: isThere ? `${encodeURIComponent(slug)}/document.md` : undefined };
}

/** Returns the document above; above the first level the report, once there is one. */
function parentOf(folder: string, path: string, search: SearchFile): HeadLink {
  const above = path.split('/').slice(0, -1);
  const at = join(folder, ...above);
  const file = above.length === 0 ? 'report.md' : 'document.md';
  const node = above.length === 0 ? search : NodeFile.safeParse(readJson(join(at, 'node.json'))).data;
  return {
    title: node?.title ?? above.at(-1) ?? search.title,
    href: isFile(join(at, file)) ? `../${file}` : undefined,
  };
}

/** Returns what its kind says of a node, in the user's language. */
function marksOf(
  descriptor: KindDescriptor | undefined,
  { own }: NodeFile,
  at: string,
  children: ChildrenFile,
): string[] {
  const marks = descriptor?.marks;
  if (!marks) return [];
  const below = children.map(({ slug }) => NodeFile.safeParse(readJson(join(at, slug, 'node.json'))).data?.own);
  return marks.of(own, below).map(({ text }) => (marks.texts.includes(text) ? translated(text) : text));
}

/** Undefined for a file that is missing, a link, a pipe, too large or damaged. */
function readJson(file: string): unknown {
  try {
    const found = lstatSync(file, { throwIfNoEntry: false });
    return found?.isFile() && found.size <= LONGEST_FILE ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  } catch {
    return undefined;
  }
}
