import type { ModelRequest } from '../../core/ports/model.ts';

/** What a gateway may want to know of a request. */
export function callHeaders({ purpose, node }: ModelRequest): Record<string, string> {
  return { 'x-thought-tree-call': purpose, 'x-thought-tree-node': headerOf(node) };
}

/** A slug path as a header: slugs may be of any script, headers are ASCII. */
function headerOf(node: string): string {
  return node
    .split('/')
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join('/');
}
