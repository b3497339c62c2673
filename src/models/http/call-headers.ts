import type { ModelRequest } from '../../core/ports/model.ts';

/** Information about a request for gateways. */
export function callHeaders({ purpose, node }: ModelRequest): Record<string, string> {
  return { 'x-thought-tree-call': purpose, 'x-thought-tree-node': headerOf(node) };
}

/** A slug path as a header: slugs may be in any script, headers are ASCII. */
function headerOf(node: string): string {
  return node
    .split('/')
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join('/');
}
