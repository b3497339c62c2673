import { kept, type Message } from '../../core/messages/message.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { type ChildrenFile, withoutMissing } from '../../core/search/search-file.ts';
import { isRecord } from '../../core/text/loose-json.ts';
import { type NodeData, NodeFile, Title } from '../../core/tree/node-file.ts';
import { nameOf, parentPath } from '../../core/tree/slug.ts';
import { isNodeName } from '../files/file-path.ts';
import type { Files, ReadTexts } from '../files/files.ts';
import type { WriteRight } from '../lease/lease.ts';
import * as say from '../messages.ts';
import { nodeGone, notANode } from '../messages.ts';
import {
  checkJson,
  inOrder,
  type JsonObject,
  keepDamaged,
  type Look,
  lookAtJson,
  type ProblemList,
  type RecentTexts,
  stringifyJson,
  writeJson,
} from './json-file.ts';

const FIELDS = Object.keys(NodeFile.shape);

/** A node.json as it was read. */
interface RawNode {
  readonly raw: JsonObject;
  /** The checked file, set on first use. */
  file?: NodeFile;
}

/** The results of earlier reads that reading and writing node.json need. */
export interface NodesRead {
  readonly problems: ProblemList;
  readonly recent: RecentTexts<RawNode>;
}

/** Returns the path of a node's node.json. */
export function nodePath(path: string): string {
  return `${path}/node.json`;
}

/** node.json; undefined if there is none. A damaged one reads as a node not worked on, with its title in the list above. */
export async function readNodeJson(
  files: ReadTexts,
  path: string,
  known: NodesRead,
): Promise<{ file: NodeFile; isDamaged: boolean } | undefined> {
  const look = await lookAtNode(files, path, known);
  if (look.state === 'missing') return undefined;
  const isDamaged = look.state === 'damaged';
  const node: RawNode = isDamaged ? { raw: {} } : look.value;
  if (node.file) return { file: node.file, isDamaged };
  if (hasTitle(node.raw)) {
    node.file = checkJson(NodeFile, node.raw, nodePath(path));
    return { file: node.file, isDamaged };
  }
  const title = await listedTitle(files, path, known.problems);
  return { file: checkJson(NodeFile, { ...node.raw, title }, nodePath(path)), isDamaged };
}

/** node.json as this program writes it, of a node that has no fields added by others. */
export function nodeJsonText(path: string, data: NodeData): string {
  return stringifyJson(inOrder({ slug: nameOf(path), ...withoutMissing(data) }, FIELDS));
}

/**
 * Sets fields of node.json, and creates its folder; see `Store.writeNode`. Keeps a copy of a damaged file.
 * @param isNew whether it is created if it does not exist
 * @throws ThoughtTreeError `not-found` if it is to be changed and does not exist
 */
export async function writeNodeJson(
  files: Files,
  path: string,
  fields: Partial<NodeFile>,
  isNew: boolean,
  known: NodesRead,
  right: WriteRight,
): Promise<void> {
  const commit = { beforeCommit: () => right.check() };
  const look = await lookAtNode(files, path, known);
  if (look.state === 'missing' && !isNew)
    throw new ThoughtTreeError('not-found', nodeGone({ path }), { file: nodePath(path) });
  if (look.state === 'missing') await files.makeFolder(path, commit);
  if (look.state === 'damaged') await keepDamaged(files, nodePath(path), commit);
  const current = look.state === 'ok' ? look.value.raw : undefined;
  const next: Record<string, unknown> = { slug: nameOf(path), status: 'unexpanded', ...current, ...fields };
  if (!hasTitle(next)) next['title'] = await listedTitle(files, path, known.problems);
  const written = await writeJson(files, nodePath(path), inOrder(next, FIELDS), current, commit);
  if (written && isRecord(written.value)) known.recent.set(nodePath(path), written.text, { raw: written.value });
}

function lookAtNode(files: ReadTexts, path: string, { problems, recent }: NodesRead): Promise<Look<RawNode>> {
  const file = nodePath(path);
  const check = (raw: unknown): RawNode => {
    if (isRecord(raw)) return { raw };
    throw new ThoughtTreeError('damaged', notANode({ file }), { file });
  };
  return lookAtJson(files, file, problems, check, recent);
}

function hasTitle({ title }: JsonObject): boolean {
  return Title.safeParse(title).success;
}

/** Returns a node's title in the list above it; by default the name of its folder. */
async function listedTitle(files: ReadTexts, path: string, problems: ProblemList): Promise<string> {
  const list = await readChildren(files, parentPath(path), problems);
  return list?.find(({ slug }) => slug === nameOf(path))?.title ?? nameOf(path);
}

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

/** Returns the path of a node's children.json. */
function childrenPath(path: string): string {
  return path === '' ? 'children.json' : `${path}/children.json`;
}

/** Returns a node's list of children; undefined if it does not exist or is unreadable. Unsafe entries are left out. */
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
  const slug = isRecord(entry) ? entry['slug'] : undefined;
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
