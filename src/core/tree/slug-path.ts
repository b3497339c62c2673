/** The path of a child, from its parent's (empty for the root) and its slug. */
export function joinedPath(parent: string, slug: string): string {
  return parent === '' ? slug : `${parent}/${slug}`;
}

/** The path of the node above; empty for the first level. */
export function parentPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The slug at the end of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Tells whether a path is that of a node, or of a node below it. */
export function isWithin(path: string, branch: string): boolean {
  return branch === '' || path === branch || path.startsWith(`${branch}/`);
}

/** The new path after a branch has moved. */
export function movedPath(path: string, from: string, to: string): string {
  return isWithin(path, from) ? to + path.slice(from.length) : path;
}
