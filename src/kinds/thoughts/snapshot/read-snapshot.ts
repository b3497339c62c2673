import * as z from 'zod';
import type { Message } from '../../../core/messages/message.ts';
import { wrongField } from '../../../core/messages/wrong-field.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { SearchFile } from '../../../core/search/search-file.ts';
import { oneLine } from '../../../core/text/text.ts';
import { NodeFile, NodeStatus } from '../../../core/tree/node-file.ts';
import * as say from '../messages.ts';
import { allThoughtOptions } from '../options.ts';

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
  if (entries.length > MOST_NODES) throw wrongSnapshot(say.tooManyNodes({ nodes: entries.length, most: MOST_NODES }));
  const nodes = new Map<string, SnapshotNode>();
  for (const [id, raw] of entries) {
    const node = checked(SnapshotNode, raw, id);
    if (id === '' || id.length > 1000) throw wrongSnapshot(say.nodeIdLength());
    if (node.id !== undefined && node.id !== id)
      throw wrongSnapshot(say.otherNodeId({ node: shownId(id), other: shownId(node.id) }));
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
    if (depth > DEEPEST) throw wrongSnapshot(say.tooDeep({ most: DEEPEST }));
    for (const id of level) {
      const said = nodes.get(id)?.depth;
      if (said !== null && said !== undefined && said !== depth)
        throw wrongSnapshot(say.otherDepth({ node: shownId(id), said, depth }));
    }
    level = level.flatMap((id) => children.get(id) ?? []);
  }
}

function checked<T extends z.ZodType>(schema: T, value: unknown, node?: string): z.infer<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const why = wrongField(result.error);
  throw wrongSnapshot(node === undefined ? why : say.wrongNode({ node: shownId(node), why }));
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

/** The shape of a tree according to a snapshot, checked: every node is below the root, once. */
interface SnapshotLinks {
  readonly root: string;
  /** The children of each node that has some, in order. */
  readonly children: ReadonlyMap<string, readonly string[]>;
}

type SnapshotNodes = ReadonlyMap<string, SnapshotNode>;

/**
 * Finds the parent of each node: the one it names; if it names none, the one that lists it. Children are in the order of
 * the parent's list, followed by missing ones.
 * @throws ThoughtTreeError `damaged` naming the node that does not fit
 */
function linksOf(nodes: SnapshotNodes, rootId: string | null | undefined): SnapshotLinks {
  const root = findRoot(nodes, rootId);
  const listedBy = lists(nodes);
  const children = new Map<string, string[]>();
  for (const [id, { children_ids }] of nodes) children.set(id, [...(children_ids ?? [])]);
  for (const [id, { parent_id }] of nodes) {
    const lister = listedBy.get(id);
    if (id === root) {
      if (lister !== undefined) throw wrongSnapshot(say.rootListed({ node: shownId(lister), root: shownId(root) }));
      continue;
    }
    const parent = parent_id ?? lister;
    if (parent === undefined) throw wrongSnapshot(say.noParent({ node: shownId(id), root: shownId(root) }));
    if (!nodes.has(parent)) throw wrongSnapshot(say.unknownParent({ node: shownId(id), parent: shownId(parent) }));
    if (lister !== undefined && lister !== parent)
      throw wrongSnapshot(say.otherParent({ node: shownId(id), parent: shownId(parent), lister: shownId(lister) }));
    if (lister === undefined) children.get(parent)?.push(id);
  }
  checkReached(nodes, root, children);
  return { root, children };
}

function findRoot(nodes: SnapshotNodes, named: string | null | undefined): string {
  if (named !== null && named !== undefined) {
    const root = nodes.get(named);
    if (!root) throw wrongSnapshot(say.unknownRoot({ root: shownId(named) }));
    if (root.parent_id !== null && root.parent_id !== undefined)
      throw wrongSnapshot(say.rootWithParent({ root: shownId(named), parent: shownId(root.parent_id) }));
    return named;
  }
  const listed = lists(nodes);
  const found = [...nodes].filter(([id, node]) => (node.parent_id ?? listed.get(id)) === undefined).map(([id]) => id);
  const [root, second] = found;
  if (root === undefined) throw wrongSnapshot(say.noRoot());
  if (second !== undefined) throw wrongSnapshot(say.twoRoots({ root: shownId(root), second: shownId(second) }));
  return root;
}

/** Returns who lists a node. */
function lists(nodes: SnapshotNodes): Map<string, string> {
  const listedBy = new Map<string, string>();
  for (const [id, { children_ids }] of nodes)
    for (const child of children_ids ?? []) {
      const before = listedBy.get(child);
      if (!nodes.has(child)) throw wrongSnapshot(say.unknownChild({ node: shownId(id), child: shownId(child) }));
      if (before === id) throw wrongSnapshot(say.childTwice({ node: shownId(id), child: shownId(child) }));
      if (before !== undefined)
        throw wrongSnapshot(say.childOfTwo({ first: shownId(before), second: shownId(id), child: shownId(child) }));
      listedBy.set(child, id);
    }
  return listedBy;
}

/** All parents exist, so anything not reached from the root is in a cycle, or below one. */
function checkReached(nodes: SnapshotNodes, root: string, children: ReadonlyMap<string, readonly string[]>): void {
  const reached = new Set([root]);
  for (const id of reached) for (const child of children.get(id) ?? []) reached.add(child);
  const lost = [...nodes.keys()].find((id) => !reached.has(id));
  if (lost === undefined) return;
  const parents = new Map([...children].flatMap(([id, below]) => below.map((child) => [child, id] as const)));
  const seen = new Set<string>();
  let at = lost;
  for (; !seen.has(at); at = parents.get(at) as string) seen.add(at);
  throw wrongSnapshot(say.belowItself({ node: shownId(at) }));
}

/** Returns a node's id in messages. */
export function shownId(id: string): string {
  return `"${oneLine(id, 80)}"`;
}

/** @param why a clause without a full stop */
export function wrongSnapshot(why: Message): ThoughtTreeError {
  return new ThoughtTreeError('damaged', say.notATree({ why }));
}

/** The metadata key for what the source's format has no field for. */
export const OWN_KEY = 'thought_tree';

const {
  leafReason,
  prunedBy,
  failure,
  selected,
  sameAs,
  unscored,
  state,
  why,
  whySay,
  note,
  model,
  citations,
  quotations,
} = NodeFile.shape;

const jsonRecord = z.record(z.string(), z.json());

/** The fields about the search itself in the root's metadata, as in search.json. */
const OwnSearch = z.object({
  title: SearchFile.shape.title,
  strategy: SearchFile.shape.strategy,
  model: SearchFile.shape.model,
  options: allThoughtOptions.default({}),
  createdAt: SearchFile.shape.createdAt,
  decomposition: z.json().optional(),
  notes: z.string().max(1_000_000).optional(),
});
export type OwnSearch = z.infer<typeof OwnSearch>;

/** Our own fields in a node's metadata, named as in node.json; invalid ones are ignored. */
export const OwnFields = z.object({
  status: NodeStatus.optional().catch(undefined),
  leafReason,
  prunedBy,
  failure,
  selected,
  /** The id of the equal node into which it was merged. */
  sameAs,
  unscored,
  /** The nodes that it was made from and the like; `to` is an id of this snapshot. */
  links: NodeFile.shape.links,
  /** The rest of a solution was to be written below it in one thought. */
  completes: z.boolean().optional().catch(undefined),
  state,
  why,
  whySay,
  note,
  model,
  citations,
  quotations,
  summary: NodeFile.shape.summary,
  /** If it is not the shortened thought. */
  title: SearchFile.shape.title.optional().catch(undefined),
  /** Votes, scores by criterion and the like: an evaluation's fields that the source lacks. */
  evaluation: jsonRecord.optional().catch(undefined),
  /** Of a pruned node without children: that it was worked on. */
  listed: z.boolean().optional().catch(undefined),
  /** The number of times that thoughts were asked for at it, if its children do not show it. */
  tries: z.number().int().min(1).max(1000).optional().catch(undefined),
  /** Its document's front matter apart from the source's fields. */
  frontMatter: jsonRecord.optional().catch(undefined),
  search: OwnSearch.optional().catch(undefined),
});
export type OwnFields = z.infer<typeof OwnFields>;

const nodeId = z.string().min(1).max(1000);

/** A node of a snapshot. Whatever others may leave out is optional. */
export const SnapshotNode = z.looseObject({
  id: nodeId.optional(),
  parent_id: nodeId.nullish(),
  children_ids: z.array(nodeId).nullish(),
  depth: z.number().int().nullish(),
  content: z
    .string()
    .max(900_000)
    .refine((text) => text.trim() !== '', 'it is empty'),
  action_type: z.string().max(1000).nullish(),
  evaluation: z
    .looseObject({
      score: z.number().min(0).max(10),
      confidence: z.number().min(0).max(1).nullish(),
      reasoning: z.string().max(20_000).nullish(),
    })
    .nullish(),
  status: z.enum(['pending', 'expanded', 'pruned', 'terminal']).nullish(),
  metadata: jsonRecord.nullish(),
});
export type SnapshotNode = z.infer<typeof SnapshotNode>;

/** The source's ThoughtTree, as read: its nodes are checked one by one. */
const Snapshot = z.looseObject({
  task_id: z.string().max(1000).nullish(),
  problem: z.string().nullish(),
  task_type: z.string().max(1000).nullish(),
  search_config: z
    .looseObject({
      strategy: z.string().max(60).nullish(),
      max_depth: z.number().nullish(),
      branching_factor: z.number().nullish(),
      num_candidates: z.number().nullish(),
      pruning_threshold: z.number().nullish(),
    })
    .nullish(),
  nodes: z.custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'it has to be an object with the nodes by their ids',
  ),
  root_id: nodeId.nullish(),
  search_state: z.looseObject({ frontier: z.array(z.string()).nullish() }).nullish(),
});
type Snapshot = z.infer<typeof Snapshot>;
