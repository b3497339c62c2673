import pLimit from 'p-limit';
import type { Format, IncomingWishes } from '../../../core/kind/kind-format.ts';
import type { Store } from '../../../core/ports/store.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../../core/search/errors.ts';
import { FORMAT_VERSION, SearchFile, type SearchOptions } from '../../../core/search/search-file.ts';
import { parseDocument, writeDocument } from '../../../core/text/document.ts';
import { oneLine } from '../../../core/text/text.ts';
import { Evaluation, type NodeFile } from '../../../core/tree/node-file.ts';
import { childSlug, isSlug } from '../../../core/tree/slug.ts';
import { listOf, pathOf, Tree, type TreeNode } from '../../../core/tree/tree.ts';
import { THOUGHT_TREE } from '../descriptor.ts';
import * as say from '../messages.ts';
import { presetSchema } from '../options.ts';
import { decompositionFrom } from '../prompts/thought-answers.ts';
import type { Decomposition } from '../prompts/thought-messages.ts';
import { STRATEGIES, STRATEGY_NAMES, type StrategyName } from '../strategy/strategies.ts';
import { bodyOf, titleOf } from '../thought-document.ts';
import { thoughtId } from '../thought-node.ts';
import { takeTries } from '../thought-search.ts';
import {
  isSnapshot,
  OWN_KEY,
  OwnFields,
  type OwnSearch,
  type ReadSnapshot,
  readSnapshot,
  type SnapshotNode,
  shownId,
  wrongSnapshot,
} from './read-snapshot.ts';
import { snapshotOf, type ThoughtTree } from './snapshot.ts';

/** Nodes that are written at the same time. */
const WRITES_AT_ONCE = 32;

const LONGEST_SLUG = 60;
const LONGEST_PATH = 200;

/** A score that the source accepts as a solution. */
const SOLVED = 9.5;
const DEFAULT_THRESHOLD = 5;

const LONGEST_START = 100_000;

/** The ThoughtTree of the system that this kind comes from. */
export const thoughtTreeFormat: Format = {
  name: THOUGHT_TREE,
  write(search) {
    takeTries(search.tree, search.record);
    return snapshotOf(search);
  },
  fileName(written) {
    const { task_id: task } = written as ThoughtTree;
    return `tree-snapshot-${/^\w[\w.-]{0,99}$/.test(task) ? task : 'task'}.json`;
  },
  notes: () => [],
  reader: {
    of: 'json',
    is: isSnapshot,
    read(value, wishes) {
      const planned = planImport(readSnapshot(value), wishes);
      const writeTo = writePlanned.bind(undefined, planned, wishes);
      return { file: planned.file, nodes: planned.nodes.length, notes: [], writeTo };
    },
  },
};

/** The values that differ between imports. */
type Writing = Pick<IncomingWishes, 'now' | 'newId'>;

/**
 * Writes the files of a search that only has a search.json.
 * @param signal ends it between two nodes, with its reason
 */
export async function writePlanned(
  planned: PlannedSearch,
  { now, newId }: Writing,
  store: Store,
  signal?: AbortSignal,
): Promise<void> {
  if (planned.decomposition) await store.writeDecomposition(planned.decomposition);
  if (planned.notes !== undefined) await store.writeNotes(planned.notes);
  const limit = pLimit(WRITES_AT_ONCE);
  const ids = new Map(planned.nodes.map(({ path }) => [path, newId()]));
  const levels = Map.groupBy(planned.nodes, ({ path }) => path.split('/').length);
  for (const level of levels.values())
    await limit.map(level, async (node) => {
      signal?.throwIfAborted();
      await writeNode(store, ids, node);
    });
  if (planned.first) await store.writeChildren('', [...planned.first]);
  await writeTries(store, planned, new Date(now).toISOString());
}

async function writeNode(store: Store, ids: ReadonlyMap<string, string>, node: PlannedNode): Promise<void> {
  const { path, file, document, children } = node;
  const links = node.links.map(({ type, to }) => ({ type, to: ids.get(to) ?? to }));
  await store.writeNode(path, { id: ids.get(path), ...file, ...(links.length > 0 && { links }) });
  await store.writeDocument(path, document);
  if (children) await store.writeChildren(path, [...children]);
}

/** Writes how often nodes were asked, which is only in the journal. */
async function writeTries(store: Store, { tries, nodes, first }: PlannedSearch, time: string): Promise<void> {
  let seq = 0;
  for (const { path: node, tries: round, children } of [{ path: '', tries, children: first }, ...nodes])
    if (round !== undefined)
      await store.append({ seq: ++seq, time, type: 'generated', node, round, found: children?.length ?? 0 });
}

/** A node as it will be on disk. */
interface PlannedNode {
  readonly path: string;
  readonly file: Partial<NodeFile> & { readonly title: string; readonly status: NodeFile['status'] };
  readonly document: string;
  /** Undefined if it gets no children.json. */
  readonly children: readonly { readonly title: string; readonly slug: string }[] | undefined;
  /** The number of times that it was asked, if the journal has to say so. */
  readonly tries: number | undefined;
  /** Its links, to the paths of other nodes: their ids are given when they are written. */
  readonly links: readonly { readonly type: string; readonly to: string }[];
}

/** A search as it will be on disk. */
interface PlannedSearch {
  readonly file: SearchFile;
  /** The first level's list; undefined if none was made yet. */
  readonly first: PlannedNode['children'];
  readonly tries: number | undefined;
  /** Parents before children. */
  readonly nodes: readonly PlannedNode[];
  readonly decomposition: Decomposition | undefined;
  readonly notes: string | undefined;
}

/**
 * A snapshot as files. If it lacks our own fields, they are derived from the source's.
 * @throws ThoughtTreeError `damaged` if something cannot be kept, naming the node
 */
export function planImport(snapshot: ReadSnapshot, wishes: IncomingWishes): PlannedSearch {
  const root = snapshot.nodes.get(snapshot.root) as SnapshotNode;
  const own = ownOf(root);
  const placed = place(snapshot);
  const paths = new Map(placed.map(({ id, node }) => [id, pathOf(node)]));
  const isListed = placed[0]?.node.children.length !== 0 || root.status === 'expanded' || root.status === 'terminal';
  return {
    file: searchFile(snapshot, own, wishes),
    first: isListed ? listOf(placed[0]?.node as TreeNode) : undefined,
    tries: own.tries,
    nodes: placed.slice(1).map((each) => planNode(snapshot, each, paths)),
    decomposition: decompositionIn(own.search?.decomposition ?? snapshot.decomposition),
    notes: own.search?.notes,
  };
}

interface Placed {
  readonly id: string;
  readonly node: TreeNode;
}

/** Gives every node a folder name, parents before children, the root first. */
function place({ nodes, children, root }: ReadSnapshot): Placed[] {
  const tree = new Tree('');
  const placed: Placed[] = [{ id: root, node: tree.root }];
  for (const { id, node } of placed) {
    const slugs = new Set<string>();
    for (const child of children.get(id) ?? []) {
      const said = nodes.get(child) as SnapshotNode;
      const slug = slugFor(child, pathOf(node), slugs);
      slugs.add(slug);
      placed.push({
        id: child,
        node: tree.add(node, slug, { title: ownOf(said).title ?? titleOf({ content: said.content }) }),
      });
    }
  }
  return placed;
}

/** An id that is a valid folder name is kept; of a path, its last part. Any other text is converted. */
function slugFor(id: string, parentPath: string, taken: ReadonlySet<string>): string {
  const name = id.slice(id.lastIndexOf('/') + 1);
  const isPlain = /^[a-z0-9_][a-z0-9_-]*$/.test(name) && isSlug(name) && name.length <= LONGEST_SLUG;
  const isShort = name.length <= 8 || parentPath.length + 1 + name.length <= LONGEST_PATH;
  const isFree = !taken.has(name) && !(parentPath === '' && name === 'prompts');
  return isPlain && isShort && isFree ? name : childSlug(name, parentPath, taken);
}

function planNode(snapshot: ReadSnapshot, { id, node }: Placed, paths: ReadonlyMap<string, string>): PlannedNode {
  const said = snapshot.nodes.get(id) as SnapshotNode;
  const own = ownOf(said);
  const found = own.status === undefined ? derivedFields(snapshot, id, node) : ownState(own);
  const { unscored, state, why, whySay, note, model, citations, quotations, summary, tries } = own;
  const sameAs = own.sameAs === undefined ? undefined : (paths.get(own.sameAs) ?? own.sameAs);
  const evaluation = evaluationOf(said, own);
  const { title, slug, children } = node;
  const fields = {
    title,
    slug,
    ...found,
    evaluation,
    sameAs,
    unscored,
    state,
    why,
    whySay,
    note,
    model,
    citations,
    quotations,
    summary,
    own: own.completes ? { completes: true } : undefined,
  };
  const links = (own.links ?? []).flatMap(({ type, to }) => {
    const path = paths.get(to);
    return path ? [{ type, to: path }] : [];
  });
  const isListed = children.length > 0 || found.status === 'expanded' || found.status === 'leaf' || own.listed === true;
  return {
    path: pathOf(node),
    file: fields as PlannedNode['file'],
    document: documentFor(id, node, said, own),
    children: isListed ? listOf(node) : undefined,
    tries,
    links,
  };
}

type State = Pick<NodeFile, 'status'> & Partial<Pick<NodeFile, 'leafReason' | 'prunedBy' | 'failure' | 'selected'>>;

function ownState({ status = 'unexpanded', leafReason, prunedBy, failure, selected }: OwnFields): State {
  return { status, leafReason, prunedBy, failure, selected };
}

/** Returns the state of a node, derived from the source's fields. */
function derivedFields({ said, nodes }: ReadSnapshot, id: string, node: TreeNode): State {
  const { status, evaluation } = nodes.get(id) as SnapshotNode;
  const config = said.search_config;
  const threshold = config?.pruning_threshold ?? DEFAULT_THRESHOLD;
  if (status === 'pruned')
    return { status, prunedBy: evaluation && evaluation.score < threshold ? 'threshold' : 'evaluator' };
  if (node.children.length > 0) return { status: 'expanded' };
  if (status === 'terminal' && evaluation && evaluation.score >= SOLVED)
    return { status: 'leaf', leafReason: 'solved' };
  if (status === 'terminal' || status === 'expanded') {
    const isAtDepth = status === 'terminal' && node.depth >= maxDepthIn(config);
    return { status: 'leaf', leafReason: isAtDepth ? 'depth-limit' : 'model' };
  }
  // A node neither in the source's frontier nor pruned was good enough, and can be taken up later.
  const frontier = said.search_state?.frontier;
  const isChosen = frontier && frontier.length > 0 && evaluation && /^bfs$/i.test(config?.strategy ?? 'BFS');
  return { status: 'unexpanded', ...(isChosen ? { selected: frontier.includes(id) } : {}) };
}

function evaluationOf({ evaluation }: SnapshotNode, own: OwnFields): Evaluation | undefined {
  if (!evaluation) return undefined;
  const { score, confidence, reasoning, ...others } = evaluation;
  const base = { score, ...(confidence == null ? {} : { confidence }), ...(reasoning == null ? {} : { reasoning }) };
  // An evaluator of the source gives its scores by criterion right here.
  const whole = Evaluation.safeParse({ ...others, ...own.evaluation, ...base });
  return whole.success ? whole.data : base;
}

/** A thought's document, guaranteed to be read back unchanged. */
function documentFor(id: string, node: TreeNode, said: SnapshotNode, own: OwnFields): string {
  const { [OWN_KEY]: _own, ...metadata } = said.metadata ?? {};
  const ours = {
    id: node.slug,
    parent_id: thoughtId(node.parent as TreeNode),
    depth: node.depth,
    ...(said.action_type ? { action_type: said.action_type } : {}),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
  // Twice: they come first, and take precedence.
  const { escaped, body } = bodyOf(said.content.toWellFormed());
  const document = writeDocument({ ...ours, ...own.frontMatter, ...ours, ...escaped }, body);
  try {
    parseDocument(document);
  } catch (error) {
    if (!isThoughtTreeError(error)) throw error;
    throw new ThoughtTreeError('damaged', say.notADocument({ node: shownId(id), why: error.say }));
  }
  return document;
}

/** Returns our own fields in a node's metadata; a hostile file may contain anything there. */
function ownOf({ metadata }: SnapshotNode): OwnFields {
  const said = metadata?.[OWN_KEY];
  return OwnFields.safeParse(said).data ?? {};
}

function decompositionIn(said: unknown): Decomposition | undefined {
  if (said === undefined) return undefined;
  try {
    return decompositionFrom(said);
  } catch (error) {
    if (!isThoughtTreeError(error)) throw error;
    return undefined; // the search creates a new one
  }
}

function searchFile({ said, nodes, root }: ReadSnapshot, own: OwnFields, wishes: IncomingWishes): SearchFile {
  const prompt = said.problem ?? (nodes.get(root) as SnapshotNode).content;
  const { title = wishes.titleFrom(prompt), ...kept } =
    own.search ?? foreignSearch(said, startIn(nodes.get(root), prompt), wishes.now);
  const { decomposition: _decomposition, notes: _notes, ...rest } = kept as Partial<OwnSearch>;
  const checked = SearchFile.safeParse({
    version: FORMAT_VERSION,
    kind: 'thoughts',
    title: oneLine(wishes.title ?? title, 1000),
    prompt,
    ...rest,
  });
  if (checked.success) return checked.data;
  throw wrongSnapshot(say.wrongProblem());
}

/** Returns the fields of search.json for a search that was not made here. */
function foreignSearch(said: ReadSnapshot['said'], start: string | undefined, now: number): Partial<OwnSearch> {
  return {
    strategy: strategyIn(said.search_config?.strategy),
    options: { ...optionsFrom(said), ...(start === undefined ? {} : { start }) },
    createdAt: timeIn(said.task_id) ?? new Date(now).toISOString(),
  };
}

/** Returns the root's text, where that is not the problem. */
function startIn(root: SnapshotNode | undefined, prompt: string): string | undefined {
  const start = root?.content.toWellFormed();
  return start === prompt || start === undefined || start.length > LONGEST_START ? undefined : start;
}

type Config = ReadSnapshot['said']['search_config'];

/** Returns the settings of the source, as far as they have a meaning here. */
function optionsFrom({ search_config: config, task_type, task_id }: ReadSnapshot['said']): SearchOptions {
  const preset = presetSchema.safeParse(task_type).data;
  const beam = bounded(config?.branching_factor, 1, 50);
  const candidates = bounded(config?.num_candidates, 1, 50);
  const threshold = config?.pruning_threshold;
  return {
    ...(config?.max_depth == null ? {} : { maxDepth: maxDepthIn(config) }),
    ...(preset === undefined ? {} : { preset }),
    ...(candidates === undefined ? {} : { candidates }),
    ...(beam === undefined ? {} : { beam }),
    ...(threshold == null ? {} : { threshold: Math.min(10, Math.max(0, threshold)) }),
    ...(task_id ? { taskId: task_id } : {}),
  };
}

function maxDepthIn(config: Config): number {
  return bounded(config?.max_depth, 1, 64) ?? 4;
}

function bounded(value: number | null | undefined, least: number, most: number): number | undefined {
  return value == null ? undefined : Math.min(most, Math.max(least, Math.round(value)));
}

function strategyIn(said: string | null | undefined): StrategyName {
  const name = (said ?? 'BFS').toLowerCase();
  const found = STRATEGY_NAMES.find((each) => each === name || STRATEGIES[each].source.toLowerCase() === name);
  if (found) return found;
  const known = STRATEGY_NAMES.map((each) => STRATEGIES[each].source).join(', ');
  throw wrongSnapshot(say.wrongStrategy({ strategy: oneLine(name, 60), known }));
}

/** Returns when a task of the source began, from its id (`tot-20260102-030405-abcdef`), in UTC. */
function timeIn(taskId: string | null | undefined): string | undefined {
  const [, ...parts] = /^tot-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-/.exec(taskId ?? '') ?? [];
  const [year, month, day, hour, minute, second] = parts;
  const text = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  return parts.length === 6 && !Number.isNaN(Date.parse(text)) ? text : undefined;
}
