const LONGEST = 60;
const LONGEST_PATH = 200;
/** Names that Windows reserves, whatever the extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin|conout)$/;
/** First-level names that a search's folder uses itself. */
const TAKEN_AT_ROOT = new Set(['prompts']);

/**
 * The folder name for a title: lower case, letters and digits of any script, hyphens between them, at most `longest`
 * characters; `node` if nothing is left.
 */
export function slugify(title: string, longest: number = LONGEST): string {
  const plain = title
    .slice(0, 2000)
    .replace(/\p{Default_Ignorable_Code_Point}+/gu, '') // invisible characters, which no file system distinguishes
    .normalize('NFD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+(?:\p{M}+[^\p{L}\p{M}\p{N}]*)*/gu, '-');
  return cut(plain.replace(/^[-\p{M}]+|(?<!-)-+$/gu, ''), longest) || 'node';
}

// Lengths are in UTF-16 units, as Windows counts paths, but no character is cut in two.
function cut(text: string, longest: number): string {
  return text
    .slice(0, longest)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/-$/, '');
}

/** The same for any two names that some file system treats as equal: by case, or by how accents are encoded. */
function folded(name: string): string {
  return name.normalize('NFD').toLowerCase().toUpperCase().normalize('NFD');
}

/**
 * A slug for one more child: distinct from its siblings' (`-2`, `-3`) on any file system, not reserved by Windows, and
 * short enough that the path in the search stays within 200 characters (but never cut below 8, for a very deep tree).
 * @param parentPath slug path of the parent, empty for the root
 */
export function childSlug(title: string, parentPath: string, siblings: ReadonlySet<string>): string {
  const room = LONGEST_PATH - (parentPath === '' ? 0 : parentPath.length + 1);
  const longest = Math.max(8, Math.min(LONGEST, room));
  const base = slugify(title, longest);
  const names = new Set([...siblings].map(folded));
  const free = (slug: string): boolean =>
    !names.has(folded(slug)) && !RESERVED.test(slug) && !(parentPath === '' && TAKEN_AT_ROOT.has(slug));
  if (free(base)) return base;
  for (let n = 2; ; n++) {
    const suffix = `-${n}`;
    const slug = cut(base, longest - suffix.length) + suffix;
    if (free(slug)) return slug;
  }
}

/** Whether a name found on disk can be a node's folder: one path segment, nothing special. */
export function isSlug(name: string): boolean {
  if (name.length === 0 || name.length > 255) return false;
  // Most names, and much faster than letters of every script.
  if (/^[a-z0-9-]+$/.test(name)) return !RESERVED.test(name);
  return (
    /^[\p{L}\p{M}\p{N}_-]+(\.[\p{L}\p{M}\p{N}_-]+)*$/u.test(name) &&
    !RESERVED.test(name.toLowerCase().split('.')[0] ?? '')
  );
}
