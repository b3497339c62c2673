import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** What a person, or a program, can do to the folder of a search; files keep their size and their time where they can. */
export const EDITS = [
  'other title',
  'other status',
  'other list',
  'replaced file',
  'renamed folder',
  'swapped folders',
  'moved folder',
  'removed folder',
  'removed file',
  'new node',
  'new folder',
  'node in it',
  'link',
  'touched',
] as const;
export type Edit = { readonly what: (typeof EDITS)[number]; readonly at: number; readonly to: number };

/** Returns the folders of nodes below a folder on disk, as slug paths. */
export function nodeFolders(root: string, below = ''): string[] {
  return readdirSync(join(root, below), { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory() || entry.name.startsWith('.')) return [];
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    return [path, ...nodeFolders(root, path)];
  });
}

/** Writes the folder of a node. */
export function writeNodeFolder(root: string, path: string, status: string, children: readonly string[] = []): void {
  const folder = join(root, path);
  mkdirSync(folder, { recursive: true });
  const slug = path.split('/').at(-1) as string;
  const list = children.map((each) => ({ title: `Title ${each}`, slug: each }));
  writeFileSync(join(folder, 'node.json'), JSON.stringify({ id: `id-${slug}`, title: `Title ${slug}`, slug, status }));
  writeFileSync(join(folder, 'children.json'), JSON.stringify(list));
  writeFileSync(join(folder, 'document.md'), `---\nsummary: About ${slug}.\n---\n\n# ${slug}\n`);
}

/** Carries out one edit, if it is possible; `outside` is a folder next to the search's. */
export function editFolder(root: string, outside: string, { what, at, to }: Edit): void {
  const paths = nodeFolders(root);
  const path = paths[at % Math.max(1, paths.length)];
  const other = paths[to % Math.max(1, paths.length)];
  if (path === undefined || other === undefined) return;
  const folder = join(root, path);
  const file = (name: string): string => join(folder, name);
  const inPlace = (name: string, change: (text: string) => string): void => {
    if (!existsSync(file(name)) || !statSync(file(name)).isFile()) return;
    const { atime, mtime } = statSync(file(name));
    writeFileSync(file(name), change(readFileSync(file(name), 'utf8')));
    utimesSync(file(name), atime, mtime);
  };
  const digit = String(to % 10);
  const edits: Record<Edit['what'], () => void> = {
    'other title': () => inPlace('node.json', (text) => text.replace(/Title ./, `Title ${digit}`)),
    'other status': () => inPlace('node.json', (text) => text.replace(/"status":"[a-z]{6}/, '"status":"pruned')),
    'other list': () => inPlace('children.json', (text) => text.replace(/"slug":"(\w)(\w)"/, '"slug":"$2$1"')),
    'replaced file': () => {
      if (!existsSync(file('node.json'))) return;
      const { atime, mtime } = statSync(file('node.json'));
      writeFileSync(join(outside, 'new'), readFileSync(file('node.json'), 'utf8').replace(/Title ./, `Title ${digit}`));
      utimesSync(join(outside, 'new'), atime, mtime);
      renameSync(join(outside, 'new'), file('node.json'));
    },
    'renamed folder': () => move(folder, join(dirname(folder), `r${to % 5}`)),
    'swapped folders': () => {
      if (`${path}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${path}/`)) return;
      renameSync(folder, join(outside, 'swap'));
      renameSync(join(root, other), folder);
      renameSync(join(outside, 'swap'), join(root, other));
    },
    'moved folder': () => {
      if (!`${other}/`.startsWith(`${path}/`)) move(folder, join(root, other, path.split('/').at(-1) as string));
    },
    'removed folder': () => rmSync(folder, { recursive: true }),
    'removed file': () =>
      rmSync(file(['node.json', 'children.json', 'document.md'][to % 3] as string), { force: true }),
    'new node': () => writeNodeFolder(root, `${path}/n${to % 5}`, 'leaf'),
    'new folder': () => mkdirSync(file('images'), { recursive: true }),
    'node in it': () => {
      if (existsSync(file('images'))) writeNodeFolder(root, `${path}/images`, 'leaf');
    },
    link: () => {
      const away = join(outside, `away-${at}-${to}`);
      if (existsSync(away)) return;
      renameSync(folder, away);
      symlinkSync(away, folder);
    },
    touched: () => existsSync(file('node.json')) && utimesSync(file('node.json'), to, to),
  };
  edits[what]();
}

function move(from: string, to: string): void {
  if (!existsSync(to)) renameSync(from, to);
}
