/** The address of a child, from that of its parent (empty for the root) and its slug. */
export function joinedPath(parent: string, slug: string): string {
  return parent === '' ? slug : `${parent}/${slug}`;
}
