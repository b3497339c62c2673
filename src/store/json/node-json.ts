import { ThoughtTreeError } from '../../core/search/errors.ts';
import { NodeFile, Title } from '../../core/tree/node-file.ts';
import { nameOf, parentPath } from '../../core/tree/slug-path.ts';
import type { Files, ReadTexts } from '../files/files.ts';
import type { WriteRight } from '../lease/write-right.ts';
import { nodeGone, notANode } from '../messages.ts';
import { readChildren } from './children-json.ts';
import { checkJson, inOrder, isObject, type JsonObject, writeJson } from './json-file.ts';
import { keepDamaged, type Look, lookAtJson } from './lenient-json.ts';
import type { ProblemList } from './problem-list.ts';
import type { RecentTexts } from './recent-texts.ts';

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

/** The path of a node's node.json. */
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
  if (written && isObject(written.value)) known.recent.set(nodePath(path), written.text, { raw: written.value });
}

function lookAtNode(files: ReadTexts, path: string, { problems, recent }: NodesRead): Promise<Look<RawNode>> {
  const file = nodePath(path);
  const check = (raw: unknown): RawNode => {
    if (isObject(raw)) return { raw };
    throw new ThoughtTreeError('damaged', notANode({ file }), { file });
  };
  return lookAtJson(files, file, problems, check, recent);
}

function hasTitle({ title }: JsonObject): boolean {
  return Title.safeParse(title).success;
}

/** A node's title in the list above it; by default the name of its folder. */
async function listedTitle(files: ReadTexts, path: string, problems: ProblemList): Promise<string> {
  const list = await readChildren(files, parentPath(path), problems);
  return list?.find(({ slug }) => slug === nameOf(path))?.title ?? nameOf(path);
}
