import { kept } from '../core/messages/message.ts';
import type { NodeOnDisk } from '../core/ports/store.ts';
import { Title } from '../core/tree/node-file.ts';
import { isNodeName } from './files/file-path.ts';
import type { Entry, FolderLook, ReadFiles, ReadTexts } from './files/files.ts';
import { mayHold } from './files/folders.ts';
import { type NodesRead, nodePath, readChildren, readNodeJson } from './json/node-json.ts';
import { nameLeftOut, tooDeep } from './messages.ts';
import { DEEPEST, fileIn } from './store-paths.ts';

/** The content of a node's folder. */
interface FoundNode {
  readonly node: NodeOnDisk;
  /** Tells whether its own files alone say all of it, and are in order; few callers ask. */
  readonly isPlain: () => boolean;
}

/** Everything in one node's folder; undefined if there is no folder with a node.json. */
export async function readNodeFolder(files: ReadFiles, path: string, known: NodesRead): Promise<FoundNode | undefined> {
  const { problems } = known;
  const before = problems.all.length;
  const look = await lookInto(files, path, known);
  const kinds = new Map(look.entries.map(({ name, kind }) => [name, kind]));
  if (!kinds.has('node.json')) return undefined;
  const read = withTexts(files, path, look);
  const [found, children, folders] = await Promise.all([
    readNodeJson(read, path, known),
    kinds.has('children.json') ? readChildren(read, path, problems) : undefined,
    nodeFoldersIn(files, path, look, known),
  ]);
  if (!found) return undefined;
  const { file, isDamaged } = found;
  const hasDocument = kinds.get('document.md') === 'file';
  const node = { file, ...(isDamaged && { isDamaged }), hasDocument };
  if (path.split('/').length >= DEEPEST && folders.length + (children?.length ?? 0) > 0) {
    problems.add({ file: fileIn(path, 'children.json'), ...kept(tooDeep({ path, most: DEEPEST })) });
    return { node: { ...node, children: [], folders: [] }, isPlain: () => false };
  }
  const isWhole = problems.all.length === before;
  const isPlain = (): boolean => isWhole && hasOwnTitle(look) && !look.entries.some(isStray(folders));
  return { node: { ...node, children, folders }, isPlain };
}

/** Returns the list of the root's children, and the folders that are nodes. */
export async function readRootFolder(
  files: ReadFiles,
  known: NodesRead,
): Promise<Pick<NodeOnDisk, 'children' | 'folders'>> {
  const look = await files.look('', ['children.json'], 'node.json');
  const [children, folders] = await Promise.all([
    readChildren(withTexts(files, '', look), '', known.problems),
    nodeFoldersIn(files, '', look, known),
  ]);
  return { children, folders };
}

async function lookInto(files: ReadFiles, path: string, { problems }: NodesRead): Promise<FolderLook> {
  try {
    return await files.look(path, ['node.json', 'children.json'], 'node.json');
  } catch (error) {
    problems.addError(error, path);
    return { entries: [], texts: new Map(), holding: new Set() };
  }
}

/** Returns the folders among some entries that are nodes, in code-unit order. */
async function nodeFoldersIn(
  files: ReadFiles,
  parent: string,
  { entries, holding }: FolderLook,
  known: NodesRead,
): Promise<string[]> {
  const names: string[] = [];
  for (const entry of entries) {
    if (!mayHold(entry)) continue;
    const { name } = entry;
    const path = parent === '' ? name : `${parent}/${name}`;
    if (!holding.has(name) && !(await holdsNode(files, path, known))) continue;
    if (isNodeName(name, parent)) names.push(name);
    else known.problems.add({ file: path, ...kept(nameLeftOut({ path })) });
  }
  return names.sort();
}

async function holdsNode(files: ReadFiles, path: string, { problems }: NodesRead): Promise<boolean> {
  try {
    return (await files.stat(nodePath(path)))?.kind === 'file';
  } catch (error) {
    problems.addError(error, path);
    return false;
  }
}

/** Folders that are no nodes could become some without a change in the folder that holds them. */
function isStray(folders: readonly string[]): (entry: Entry) => boolean {
  const nodes = new Set(folders);
  return (entry) => mayHold(entry) && !nodes.has(entry.name);
}

/** Without one, its title is in the list above it. */
function hasOwnTitle({ texts }: FolderLook): boolean {
  try {
    return Title.safeParse(JSON.parse(texts.get('node.json') ?? '{}').title).success;
  } catch {
    return false;
  }
}

/** Returns the files, of which some in one folder have been read already. */
function withTexts(files: ReadFiles, path: string, { texts }: FolderLook): ReadTexts {
  const prefix = path === '' ? '' : `${path}/`;
  const known = new Map(Array.from(texts, ([name, text]) => [`${prefix}${name}`, text]));
  return { read: async (file) => known.get(file) ?? (await files.read(file)) };
}
