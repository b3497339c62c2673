import * as z from 'zod';
import { wrongField } from '../../../core/messages/wrong-field.ts';
import * as say from '../messages.ts';
import { Snapshot, SnapshotNode } from './snapshot-format.ts';
import { linksOf, type SnapshotLinks, shown, wrong } from './snapshot-links.ts';

/** The limits of a snapshot; more could not be kept as folders. */
const MOST_NODES = 100_000;
const DEEPEST = 100;

/** A snapshot whose nodes are checked and form one tree. */
export interface ReadSnapshot extends SnapshotLinks {
  readonly said: Snapshot;
  readonly nodes: ReadonlyMap<string, SnapshotNode>;
  /** The problem taken apart, where the source's first message said so; not checked yet. */
  readonly decomposition?: unknown;
}

/**
 * Reads the source's ThoughtTree, by itself or inside the message `search_complete`, or its message `initialize_search`,
 * which is a tree of its root alone; whoever wrote it.
 * @param value parsed JSON
 * @throws ThoughtTreeError `damaged` saying what is wrong, by node
 */
export function readSnapshot(value: unknown): ReadSnapshot {
  const beginning = beginningIn(value);
  const said = checked(Snapshot, beginning?.snapshot ?? treeIn(value));
  const entries = Object.entries(said.nodes);
  if (entries.length > MOST_NODES) throw wrong(say.tooManyNodes({ nodes: entries.length, most: MOST_NODES }));
  const nodes = new Map<string, SnapshotNode>();
  for (const [id, raw] of entries) {
    const node = checked(SnapshotNode, raw, id);
    if (id === '' || id.length > 1000) throw wrong(say.nodeIdLength());
    if (node.id !== undefined && node.id !== id)
      throw wrong(say.otherNodeId({ node: shown(id), other: shown(node.id) }));
    nodes.set(id, node);
  }
  const links = linksOf(nodes, said.root_id);
  checkDepths(nodes, links);
  return { said, nodes, ...links, decomposition: beginning?.decomposition };
}

/** Tells whether a value looks like what `readSnapshot` reads: a tree of nodes, or a message that may hold one. */
export function isSnapshot(value: unknown): boolean {
  const tree = treeIn(value);
  const has = (name: string): boolean => typeof tree === 'object' && tree !== null && Object.hasOwn(tree, name);
  return beginningIn(value) !== undefined || (has('nodes') && !has('sessionId'));
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
    if (depth > DEEPEST) throw wrong(say.tooDeep({ most: DEEPEST }));
    for (const id of level) {
      const said = nodes.get(id)?.depth;
      if (said !== null && said !== undefined && said !== depth)
        throw wrong(say.otherDepth({ node: shown(id), said, depth }));
    }
    level = level.flatMap((id) => children.get(id) ?? []);
  }
}

function checked<T extends z.ZodType>(schema: T, value: unknown, node?: string): z.infer<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const why = wrongField(result.error);
  throw wrong(node === undefined ? why : say.wrongNode({ node: shown(node), why }));
}

/** The source's first message. Its problem, settings and ids are checked as those of a snapshot are. */
const InitializeSearch = z.looseObject({
  type: z.literal('initialize_search'),
  payload: z.looseObject({ problem: z.string(), decomposition_result: z.unknown().optional() }),
});

const DecompositionResult = z.looseObject({ type: z.literal('decomposition_result'), payload: z.unknown() });

/** The beginning of a search in the source's words. */
interface Beginning {
  /** A snapshot whose root is all there is. */
  readonly snapshot: object;
  /** The problem taken apart, if somebody did; not checked yet. */
  readonly decomposition: unknown;
}

/** Reads the source's message `initialize_search`; undefined where a value is something else. */
function beginningIn(value: unknown): Beginning | undefined {
  const { data } = InitializeSearch.safeParse(value);
  if (!data) return undefined;
  const { decomposition_result: result, problem, ...others } = data.payload;
  const root = { id: 'root', parent_id: null, content: problem, evaluation: null, status: 'pending' };
  return {
    snapshot: { ...others, problem, nodes: { root }, root_id: 'root' },
    decomposition: DecompositionResult.safeParse(result).data?.payload ?? result,
  };
}
