import { kept } from '../../core/messages/kept.ts';
import type { Message } from '../../core/messages/message.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { ChildrenFile } from '../../core/search/search-file.ts';
import { nameOf } from '../files/file-path.ts';
import type { Files, ReadTexts } from '../files/files.ts';
import { isNodeName } from '../files/node-name.ts';
import type { WriteRight } from '../lease/write-right.ts';
import * as say from '../messages.ts';
import { inOrder, isObject, type JsonObject, writeJson } from './json-file.ts';
import { keepDamaged, type Look, lookAtJson } from './lenient-json.ts';
import type { ProblemList } from './problem-list.ts';

/** The most children of one node that are read from its list. */
const MOST = 10_000;
/** The most entries of one list that are named as unusable. */
const MOST_NAMED = 20;
const LONGEST_TITLE = 1000;

interface FoundChildren {
  readonly children: ChildrenFile;
  /** True if every entry was usable. */
  readonly whole: boolean;
  readonly raw: unknown;
}

/** The path of a node's children.json. */
function childrenPath(path: string): string {
  return path === '' ? 'children.json' : `${path}/children.json`;
}

/** A node's list of children; undefined if it does not exist or is unreadable. Unsafe entries are left out. */
export async function readChildren(
  files: ReadTexts,
  path: string,
  problems: ProblemList,
): Promise<ChildrenFile | undefined> {
  const look = await lookAtChildren(files, path, problems);
  return look.state === 'ok' ? look.value.children : undefined;
}

/**
 * Writes a node's list of children; keeps fields that others added to an entry, and a copy of a damaged file.
 * @throws ThoughtTreeError `outside` for a slug that is not a safe name
 */
export async function writeChildren(
  files: Files,
  path: string,
  children: ChildrenFile,
  problems: ProblemList,
  right: WriteRight,
): Promise<void> {
  for (const { slug } of children)
    if (!isNodeName(slug, path))
      throw new ThoughtTreeError('outside', say.notANodeName({ name: JSON.stringify(slug) }));
  const commit = { beforeCommit: () => right.check() };
  const file = childrenPath(path);
  const look = await lookAtChildren(files, path, problems);
  const current = look.state === 'ok' ? look.value : undefined;
  if (look.state === 'damaged' || current?.whole === false) await keepDamaged(files, file, commit);
  const before = new Map(current?.children.map((child) => [child.slug, child]));
  const merged = children.map((child) => inOrder({ ...before.get(child.slug), ...child }, ['title', 'slug']));
  await writeJson(files, file, merged, current?.raw, commit);
}

function lookAtChildren(files: ReadTexts, path: string, problems: ProblemList): Promise<Look<FoundChildren>> {
  const file = childrenPath(path);
  return lookAtJson(files, file, problems, (raw) => {
    if (!Array.isArray(raw)) throw new ThoughtTreeError('damaged', say.notAList({ file }), { file });
    return checkEntries(raw, path, problems);
  });
}

function checkEntries(raw: readonly unknown[], path: string, problems: ProblemList): FoundChildren {
  const file = childrenPath(path);
  const children: ChildrenFile = [];
  const seen = new Set<string>();
  let named = 0;
  for (const entry of raw.slice(0, MOST)) {
    const why = whyUnusable(entry, path, seen);
    if (why === undefined) children.push(withTitle(entry as JsonObject & { slug: string }));
    else if (named++ < MOST_NAMED) problems.add({ file, ...kept(say.entryLeftOut({ file, why })) });
  }
  if (raw.length > MOST) problems.add({ file, ...kept(say.tooManyChildren({ file, most: MOST })) });
  return { children, whole: children.length === raw.length, raw };
}

function whyUnusable(entry: unknown, path: string, seen: Set<string>): Message | undefined {
  const slug = isObject(entry) ? entry['slug'] : undefined;
  if (typeof slug !== 'string') return say.noSlug();
  const name = JSON.stringify(slug.slice(0, 100));
  if (!isNodeName(slug, path)) return say.unsafeName({ name });
  if (seen.has(slug)) return say.nameTwice({ name });
  seen.add(slug);
  return undefined;
}

function withTitle(entry: JsonObject & { slug: string }): ChildrenFile[number] {
  const title = entry['title'];
  const usable = typeof title === 'string' && title !== '' && title.length <= LONGEST_TITLE;
  return { ...entry, title: usable ? title : nameOf(entry.slug) };
}
