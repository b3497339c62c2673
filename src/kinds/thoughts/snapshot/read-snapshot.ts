import * as z from 'zod';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { oneLine } from '../../../core/text/text.ts';
import { Snapshot, SnapshotNode } from './snapshot-format.ts';
import { linksOf, type SnapshotLinks, wrong } from './snapshot-links.ts';

/** The most that a snapshot may hold; more could not be kept as folders. */
const MOST_NODES = 100_000;
const DEEPEST = 100;

/** A snapshot whose nodes are checked and make one tree. */
export interface ReadSnapshot extends SnapshotLinks {
  readonly said: Snapshot;
  readonly nodes: ReadonlyMap<string, SnapshotNode>;
}

/**
 * Reads the source's ThoughtTree, by itself or inside the message `search_complete`, whoever wrote it.
 * @param value parsed JSON
 * @throws ThoughtTreeError `damaged` saying what is wrong, by node
 */
export function readSnapshot(value: unknown): ReadSnapshot {
  const said = checked(Snapshot, treeIn(value), '');
  const entries = Object.entries(said.nodes);
  if (entries.length > MOST_NODES) throw wrong(`it has ${entries.length} nodes, and ${MOST_NODES} are the most`);
  const nodes = new Map<string, SnapshotNode>();
  for (const [id, raw] of entries) {
    const node = checked(SnapshotNode, raw, `nodes → ${oneLine(id, 80)}: `);
    if (id === '' || id.length > 1000) throw wrong('the id of a node has to have 1 to 1000 characters');
    if (node.id !== undefined && node.id !== id)
      throw wrong(`the node under "${oneLine(id, 80)}" calls itself "${oneLine(node.id, 80)}"`);
    nodes.set(id, node);
  }
  const links = linksOf(nodes, said.root_id);
  checkDepths(nodes, links);
  return { said, nodes, ...links };
}

function treeIn(value: unknown): unknown {
  for (const key of ['payload', 'tree'])
    if (typeof value === 'object' && value !== null && Object.hasOwn(value, key) && !Object.hasOwn(value, 'nodes'))
      value = (value as Record<string, unknown>)[key];
  return value;
}

function checkDepths(nodes: ReadonlyMap<string, SnapshotNode>, { root, children }: SnapshotLinks): void {
  let level: readonly string[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) throw wrong(`it is deeper than ${DEEPEST}`);
    for (const id of level) {
      const said = nodes.get(id)?.depth;
      if (said !== null && said !== undefined && said !== depth)
        throw wrong(`"${oneLine(id, 80)}" says that its depth is ${said}, but it stands at ${depth}`);
    }
    level = level.flatMap((id) => children.get(id) ?? []);
  }
}

function checked<T extends z.ZodType>(schema: T, value: unknown, where: string): z.infer<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const what = oneLine(z.prettifyError(result.error), 500);
  throw new ThoughtTreeError('damaged', `This is no tree of thoughts: ${where}${what}`);
}
