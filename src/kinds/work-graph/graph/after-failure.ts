import { fallbacksOf, groupOf } from './structure.ts';
import type { AtomName, WorkGraph } from './work-graph.ts';

/**
 * Tells what becomes of an atom whose work failed: `failed` if it is one of several alternatives or has a fallback, so
 * that something else can take its place; else it is open again, with what was seen.
 */
export function afterFailure(graph: WorkGraph, name: AtomName): 'failed' | 'pending' {
  const atom = graph.atoms.get(name);
  const isReplaced = fallbacksOf(graph, name).length > 0 || (atom && groupOf(graph, atom) !== undefined);
  return isReplaced ? 'failed' : 'pending';
}
