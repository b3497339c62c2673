/** The address of a child, from that of its parent (empty for the root) and its slug. */
export function joinedPath(parent: string, slug: string): string {
  return parent === '' ? slug : `${parent}/${slug}`;
}

/** The address of the node above one; of the first level, the root's. */
export function parentPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** An address and those above it, the first level first; nothing for the root. */
export function pathsDownTo(path: string): string[] {
  const slugs = path === '' ? [] : path.split('/');
  return slugs.map((_, index) => slugs.slice(0, index + 1).join('/'));
}
