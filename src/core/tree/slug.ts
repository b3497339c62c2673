/** The longest name of a folder, in a search that says nothing of it: those from before, whose end it decides. */
const LONGEST = 60;
/** The longest name of a node's folder in searches that begin now; it ends with a word. */
export const LONGEST_NOW = 40;
const LONGEST_PATH = 200;
/** Names that Windows reserves, whatever the extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin|conout)$/;
/** First-level names that a search's folder uses itself. */
const TAKEN_AT_ROOT = new Set(['prompts']);

/**
 * The folder name for a title: lower case, letters and digits of any script, hyphens between them, at most `longest`
 * characters; `node` if nothing is left.
 * @param atWord whether it ends with a word, if that leaves half of it
 */
export function slugify(title: string, longest: number = LONGEST, atWord = false): string {
  const plain = title
    .slice(0, 2000)
    .replace(/\p{Default_Ignorable_Code_Point}+/gu, '') // invisible characters, which no file system distinguishes
    .normalize('NFD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+(?:\p{M}+[^\p{L}\p{M}\p{N}]*)*/gu, '-');
  return cut(plain.replace(/^[-\p{M}]+|(?<!-)-+$/gu, ''), longest, atWord) || 'node';
}

// Lengths are in UTF-16 units, as Windows counts paths, but no character is cut in two.
function cut(text: string, longest: number, atWord: boolean): string {
  const end = atWord && text.length > longest ? text.lastIndexOf('-', longest) : 0;
  return text
    .slice(0, end >= longest / 2 ? end : longest)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/-$/, '');
}

/** Returns one text for any two names that some file system treats as equal: by case, or by how accents are encoded. */
function folded(name: string): string {
  // Most names, and of many siblings each is compared with each.
  if (/^[a-z0-9-]+$/.test(name)) return name.toUpperCase();
  return name.normalize('NFD').toLowerCase().toUpperCase().normalize('NFD');
}

/** Names of siblings, of which two are the same where some file system takes them for the same. */
export class SiblingNames {
  readonly #folded = new Set<string>();

  constructor(names: Iterable<string> = []) {
    for (const name of names) this.add(name);
  }

  add(name: string): void {
    this.#folded.add(folded(name));
  }

  has(name: string): boolean {
    return this.#folded.has(folded(name));
  }
}

/**
 * A slug for one more child: distinct from its siblings' (`-2`, `-3`) on any file system, not reserved by Windows, and
 * short enough that the path in the search stays within 200 characters (but never cut below 8, for a very deep tree).
 * @param parentPath slug path of the parent, empty for the root
 * @param siblings whoever adds thousands keeps their names folded, in `SiblingNames`
 * @param most what the search says of the length of names; shorter ones than those from before end with a word
 */
export function childSlug(
  title: string,
  parentPath: string,
  siblings: ReadonlySet<string> | SiblingNames,
  most: number = LONGEST,
): string {
  const room = LONGEST_PATH - (parentPath === '' ? 0 : parentPath.length + 1);
  const longest = Math.max(8, Math.min(most, room));
  const atWord = most < LONGEST;
  const base = slugify(title, longest, atWord);
  const names = Symbol.iterator in siblings ? new SiblingNames(siblings) : siblings;
  const free = (slug: string): boolean =>
    !names.has(slug) && !RESERVED.test(slug) && !(parentPath === '' && TAKEN_AT_ROOT.has(slug));
  if (free(base)) return base;
  for (let n = 2; ; n++) {
    const suffix = `-${n}`;
    const slug = cut(base, longest - suffix.length, atWord) + suffix;
    if (free(slug)) return slug;
  }
}

/** Tells whether a name found on disk can be a node's folder: one path segment, nothing special. */
export function isSlug(name: string): boolean {
  if (name.length === 0 || name.length > 255) return false;
  // Most names, and much faster than letters of every script.
  if (/^[a-z0-9-]+$/.test(name)) return !RESERVED.test(name);
  return (
    /^[\p{L}\p{M}\p{N}_-]+(\.[\p{L}\p{M}\p{N}_-]+)*$/u.test(name) &&
    !RESERVED.test(name.toLowerCase().split('.')[0] ?? '')
  );
}

/** Returns the path of a child, from its parent's (empty for the root) and its slug. */
export function joinedPath(parent: string, slug: string): string {
  return parent === '' ? slug : `${parent}/${slug}`;
}

/** Returns the path of the node or folder above; empty for the first level. */
export function parentPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Returns the slug or name at the end of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Tells whether a path is that of a node, or of a node below it. */
export function isWithin(path: string, branch: string): boolean {
  return branch === '' || path === branch || path.startsWith(`${branch}/`);
}

/** Returns the new path after a branch has moved. */
export function movedPath(path: string, from: string, to: string): string {
  return isWithin(path, from) ? to + path.slice(from.length) : path;
}
