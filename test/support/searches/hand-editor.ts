import { joinedPath, nameOf, parentPath } from '../../../src/core/tree/slug.ts';
import type { MemoryFiles } from '../memory-store.ts';

/** What a person can do to the folder of a search. */
export const HAND = [
  'title',
  'status',
  'prune',
  'document',
  'no-document',
  'note',
  'links',
  'no-id',
  'rename',
  'move',
  'swap',
  'remove',
  'copy',
  'copy-file',
  'add',
  'order',
  'no-list',
  'damage',
] as const;

/** Returns the slug paths of nodes as they are on disk. */
export function pathsOn(files: MemoryFiles, under = ''): string[] {
  return files
    .namesNow(under)
    .map((name) => joinedPath(under, name))
    .filter((path) => files.existsNow(`${path}/node.json`))
    .flatMap((path) => [path, ...pathsOn(files, path)]);
}

function filesUnder(files: MemoryFiles, folder: string): [path: string, text: string][] {
  return files.namesNow(folder).flatMap((name): [string, string][] => {
    const path = `${folder}/${name}`;
    const text = files.isFolderNow(path) ? undefined : files.readNow(path);
    return text === undefined ? filesUnder(files, path) : [[path, text]];
  });
}

/** Copies a folder, as a person does with a file manager. */
function copy(files: MemoryFiles, from: string, to: string): void {
  for (const [path, text] of filesUnder(files, from)) files.put(to + path.slice(from.length), text);
}

function move(files: MemoryFiles, from: string, to: string): void {
  copy(files, from, to);
  files.drop(from);
}

/** Returns what a file says; undefined where it is damaged. */
export function parsed(text: string | undefined): object | undefined {
  try {
    return JSON.parse(text ?? '{}') as object;
  } catch {
    return undefined;
  }
}

const STATUSES = ['unexpanded', 'expanded', 'leaf', 'in-progress', 'failed', 'nonsense'];
let names = 0;

/** Edits the folder by hand; returns the paths that this touches. */
export function editByHand(
  files: MemoryFiles,
  { at, to }: { readonly at: number; readonly to: number },
  kind: (typeof HAND)[number],
): string[] {
  const paths = pathsOn(files);
  const path = paths[at % Math.max(1, paths.length)];
  if (path === undefined) return [];
  const parent = parentPath(path);
  const other = paths[to % paths.length] as string;
  const file = `${path}/node.json`;
  const change = (fields: object): string[] => {
    const before = parsed(files.readNow(file));
    if (before) files.put(file, JSON.stringify({ ...before, ...fields }));
    return [path];
  };
  const fresh = `by-hand-${++names}`;
  switch (kind) {
    case 'title':
      return change({ title: `By hand ${at}` });
    case 'status':
      return change({ status: STATUSES[to % STATUSES.length] });
    case 'prune':
      return change({ status: 'pruned' });
    case 'note':
      return change({ note: `Mind ${at}.`, why: to % 2 === 0 ? 'Because.' : undefined });
    case 'links':
      return change({ links: [{ type: 'depends-on', to: `id-${to}` }] });
    case 'no-id':
      return change({ id: undefined });
    case 'document':
      files.put(`${path}/document.md`, `---\ntitle: Mine\nsummary: My ${at}.\n---\nMy own words, ${to}.\n`);
      return [path];
    case 'no-document':
      if (files.existsNow(`${path}/document.md`)) files.dropFile(`${path}/document.md`);
      return [path];
    case 'rename':
      move(files, path, joinedPath(parent, fresh));
      return [path, joinedPath(parent, fresh)];
    case 'move': {
      const below = other === path || other.startsWith(`${path}/`) ? '' : other;
      if (below === parent || files.existsNow(joinedPath(below, nameOf(path)))) return [];
      move(files, path, joinedPath(below, nameOf(path)));
      return [path, joinedPath(below, nameOf(path))];
    }
    case 'swap': {
      if (other.startsWith(path) || path.startsWith(other)) return [];
      move(files, path, fresh);
      move(files, other, path);
      move(files, fresh, other);
      return [path, other];
    }
    case 'remove':
      files.drop(path);
      return [path];
    case 'copy': {
      const below = other === path || other.startsWith(`${path}/`) ? parent : other;
      copy(files, path, joinedPath(below, fresh));
      return [joinedPath(below, fresh)];
    }
    case 'copy-file':
      if (other === path) return [];
      files.put(`${other}/node.json`, files.readNow(file) ?? '');
      return [other];
    case 'add':
      files.put(`${joinedPath(path, fresh)}/node.json`, JSON.stringify({ title: `Mine ${at}`, status: 'unexpanded' }));
      return [joinedPath(path, fresh)];
    case 'order': {
      const list = files.readNow(joinedPath(parent, 'children.json'));
      if (list === undefined) return [];
      files.put(joinedPath(parent, 'children.json'), JSON.stringify((JSON.parse(list) as object[]).reverse()));
      return [path, ...(parent === '' ? [] : [parent])];
    }
    case 'no-list':
      if (parent !== '' && files.existsNow(`${path}/children.json`)) files.dropFile(`${path}/children.json`);
      return [path];
    case 'damage':
      files.put(file, (files.readNow(file) ?? '').slice(0, -3));
      return [path];
  }
}
