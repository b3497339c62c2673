import pLimit from 'p-limit';
import type { ReadStore } from '../../../core/ports/store.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../../core/search/errors.ts';
import type { Limits } from '../../../core/search/limits.ts';
import type { SearchFile } from '../../../core/search/search-file.ts';
import { parseDocument } from '../../../core/text/document.ts';
import { isPruned, lineageOf, nodeAt, pathOf, type Tree, type TreeNode, walk } from '../../../core/tree/tree.ts';
import { otherKind } from '../messages.ts';
import { allThoughtOptions, thoughtOptionsIn } from '../options.ts';
import { sourceStatus } from '../prompts/thought-data.ts';
import type { FinalSolution, ThoughtErrorCode, ThoughtNode } from '../prompts/thought-messages.ts';
import { backtracks, outcomeIn, outcomeOf } from '../report/outcome.ts';
import { settingsFor } from '../settings.ts';
import { STRATEGIES, type StrategyName } from '../strategy/strategies.ts';
import { isBeingCompleted } from '../strategy/whole-solutions.ts';
import { findTaskOrStandIn } from '../tasks/find-task.ts';
import type { Task } from '../tasks/task.ts';
import { contentOf, titleOf } from '../thought-document.ts';
import { roundsOf, thoughtId } from '../thought-node.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import { OWN_KEY, type OwnFields, type OwnSearch } from './read-snapshot.ts';

/** Nodes whose files are read at the same time. */
const READS_AT_ONCE = 64;

/** A search that need not run for it. Its tree knows how often nodes were tried, see `takeTries`. */
export interface SnapshotSource {
  readonly file: SearchFile;
  readonly tree: Tree;
  readonly limits: Limits;
  readonly store: Pick<ReadStore, 'readNodeFile' | 'readDocument' | 'readDecomposition' | 'readNotes'>;
}

/** A node in the source's form, with our own fields in its metadata. */
interface SnapshotNode {
  readonly id: string;
  readonly parent_id: string | null;
  readonly children_ids: readonly string[];
  readonly depth: number;
  readonly content: string;
  readonly action_type?: string;
  readonly evaluation: object | null;
  readonly status: ThoughtNode['status'];
  readonly metadata: object;
}

/** The source's ThoughtTree. */
export interface ThoughtTree {
  readonly task_id: string;
  readonly problem: string;
  readonly task_type: string;
  readonly search_config: {
    readonly strategy: (typeof STRATEGIES)[StrategyName]['source'];
    readonly max_depth: number;
    readonly branching_factor: number;
    readonly num_candidates: number;
    readonly pruning_threshold: number;
  };
  readonly nodes: Readonly<Record<string, SnapshotNode>>;
  readonly root_id: 'root';
  readonly search_state: {
    readonly current_depth: number;
    readonly frontier: readonly string[];
    readonly explored: readonly string[];
    readonly pruned: readonly string[];
    readonly best_path: readonly string[];
    readonly best_score: number;
  };
}

/**
 * A search as the source's ThoughtTree. What its format has no field for is in the nodes' metadata, so that only
 * conversations and the journal are left out.
 * @throws ThoughtTreeError `bad-input` for searches of other kinds
 */
export async function snapshotOf(source: SnapshotSource): Promise<ThoughtTree> {
  const { file, tree, limits } = source;
  if (file.kind !== 'thoughts') throw new ThoughtTreeError('bad-input', otherKind({ kind: file.kind.slice(0, 60) }));
  const task = taskOf(file);
  const settings = settingsFor(file, () => task);
  const ids = snapshotIds(tree);
  const idOf = (node: TreeNode): string => ids.get(node) as string;
  const shown = [...walk(tree.root)];
  const written = await pLimit(READS_AT_ONCE).map(shown, (node) =>
    node.parent ? snapshotNode(source, node, idOf) : snapshotRoot(source, task, idOf),
  );
  const nodes: Record<string, SnapshotNode> = Object.create(null); // so that no id has a special meaning
  for (const [index, node] of shown.entries()) nodes[idOf(node)] = written[index] as SnapshotNode;
  const { best } = outcomeIn(tree, task?.solved !== undefined, settings.writesDrafts);
  const pick = (is: (node: TreeNode) => boolean): string[] => shown.filter(is).map(idOf);
  return {
    task_id: taskId(file),
    problem: file.prompt,
    task_type: settings.preset ?? 'general',
    search_config: {
      strategy: STRATEGIES[settings.strategy].source,
      max_depth: limits.maxDepth,
      branching_factor: settings.beam,
      num_candidates: settings.candidates,
      pruning_threshold: settings.threshold,
    },
    nodes,
    root_id: 'root',
    search_state: {
      current_depth: shown.reduce((deepest, { depth }) => Math.max(deepest, depth), 0),
      frontier: pick((node) => isOpen(node) && node.selected !== false && !isPruned(node)),
      explored: pick((node) => node.status === 'expanded' && !isPruned(node)),
      pruned: pick(({ status }) => status === 'pruned'),
      best_path: [tree.root, ...(best ? lineageOf(best) : [])].map(idOf),
      best_score: best?.evaluation?.score ?? 0,
    },
  };
}

/** As the program that it comes from called it, else as the source names tasks, from when the search was made. */
function taskId(file: SearchFile): string {
  const { taskId: given } = thoughtOptionsIn(file);
  if (given !== undefined) return given;
  const digits = (file.createdAt ?? '').replace(/\D/g, '');
  return `tot-${digits.slice(0, 8).padEnd(8, '0')}-${digits.slice(8, 14).padEnd(6, '0')}-${file.title
    .replace(/[^a-zA-Z0-9]/g, '')
    .toLowerCase()
    .padEnd(6, '0')
    .slice(0, 6)}`;
}

/** An unknown task only affects the beginning of its problems. */
function taskOf(file: SearchFile): Task | undefined {
  const { task } = thoughtOptionsIn(file);
  return task === undefined ? undefined : findTaskOrStandIn(task);
}

/** Returns the source's ids as far as they are unique, which they need not be if a person named folders. */
function snapshotIds(tree: Tree): ReadonlyMap<TreeNode, string> {
  const ids = new Map<TreeNode, string>();
  const taken = new Set<string>();
  for (const node of walk(tree.root)) {
    const path = pathOf(node);
    const id = [thoughtId(node), path].find((each) => !taken.has(each)) ?? `/${path}`;
    taken.add(id);
    ids.set(node, id);
  }
  return ids;
}

function isOpen({ status }: TreeNode): boolean {
  return status === 'unexpanded' || status === 'in-progress';
}

async function snapshotNode(
  { store, tree }: SnapshotSource,
  node: TreeNode,
  idOf: (node: TreeNode) => string,
): Promise<SnapshotNode> {
  const path = pathOf(node);
  const file = await store.readNodeFile(path);
  const { content, action, metadata, frontMatter } = readThought((await store.readDocument(path)) ?? '', node.title);
  const { score, confidence, reasoning, ...evaluation } = file?.evaluation ?? {};
  const target = file?.sameAs === undefined ? undefined : nodeAt(tree, file.sameAs);
  const {
    leafReason,
    prunedBy,
    failure,
    selected,
    unscored,
    state,
    why,
    whySay,
    note,
    model,
    citations,
    quotations,
    summary,
  } = file ?? {};
  const own: OwnFields = {
    // Nodes in progress start over wherever this is read.
    status: node.status === 'in-progress' ? 'unexpanded' : node.status,
    ...{ leafReason, prunedBy, failure, selected },
    sameAs: target ? idOf(target) : file?.sameAs,
    links: nonEmptyList(tree.links.from(node).flatMap(({ type, to }) => (to ? [{ type, to: idOf(to) }] : []))),
    completes: isBeingCompleted(node) ? true : undefined,
    ...{ unscored, state, why, whySay, note, model, citations, quotations, summary },
    title: node.title === titleOf({ content }) ? undefined : node.title,
    evaluation: nonEmpty(evaluation) as OwnFields['evaluation'],
    listed: node.status === 'pruned' && node.listed && node.children.length === 0 ? true : undefined,
    tries: furtherTries(node),
    frontMatter: nonEmpty(frontMatter) as OwnFields['frontMatter'],
  };
  return {
    id: idOf(node),
    parent_id: idOf(node.parent as TreeNode),
    children_ids: node.children.map(idOf),
    depth: node.depth,
    content,
    ...(action === undefined ? {} : { action_type: action }),
    evaluation: score === undefined ? null : { score, confidence, reasoning },
    status: sourceStatus(node),
    metadata: { ...metadata, [OWN_KEY]: own },
  };
}

async function snapshotRoot(
  { file, tree, store, limits }: SnapshotSource,
  task: Task | undefined,
  idOf: (node: TreeNode) => string,
): Promise<SnapshotNode> {
  const { title, strategy, model, createdAt } = file;
  const notes = await store.readNotes();
  const decomposition = (await store.readDecomposition()) as OwnSearch['decomposition'];
  // Parsed for the order of its fields.
  const options = allThoughtOptions.parse({ ...file.options, size: limits.size, maxDepth: limits.maxDepth });
  const search: OwnSearch = { title, strategy, model, options, createdAt, decomposition, notes };
  const own: OwnFields = { tries: furtherTries(tree.root), search };
  return {
    id: 'root',
    parent_id: null,
    children_ids: tree.root.children.map(idOf),
    depth: 0,
    content: startOf(task, file),
    evaluation: null,
    status: tree.root.listed ? 'expanded' : 'pending',
    metadata: { [OWN_KEY]: own },
  };
}

function startOf(task: Task | undefined, file: SearchFile): string {
  const { prompt } = file;
  try {
    return task?.start?.(prompt) ?? thoughtOptionsIn(file).start ?? prompt;
  } catch {
    return prompt; // a hand-made search.json may lack a valid problem
  }
}

/** Returns the number of times that a node was asked, if its files alone would suggest another. */
function furtherTries(node: TreeNode): number | undefined {
  const { tries } = roundsOf(node);
  const told = node.listed ? 1 : 0;
  return tries === undefined || tries === told || tries < 1 ? undefined : tries;
}

interface ReadThought {
  readonly content: string;
  readonly action?: string | undefined;
  readonly metadata?: object | undefined;
  readonly frontMatter: object;
}

/** Returns a thought's document, parsed; damaged front matter counts as part of the thought. */
function readThought(text: string, title: string): ReadThought {
  try {
    const document = parseDocument(text);
    const { data } = document;
    const {
      escaped: _escaped,
      id: _id,
      parent_id: _parent,
      depth: _depth,
      action_type: action,
      metadata,
      ...others
    } = data;
    const isPlain = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata);
    const { [OWN_KEY]: _own, ...plain } = isPlain ? (metadata as Record<string, unknown>) : {};
    return {
      content: withoutBlankEnds(contentOf(document)) || title,
      action: typeof action === 'string' && action !== '' ? action : undefined,
      metadata: plain,
      frontMatter: others,
    };
  } catch (error) {
    if (!isThoughtTreeError(error)) throw error;
    return { content: withoutBlankEnds(text.replaceAll('\r\n', '\n')) || title, frontMatter: {} };
  }
}

function withoutBlankEnds(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
}

function nonEmptyList<T>(items: readonly T[]): T[] | undefined {
  return items.length > 0 ? [...items] : undefined;
}

function nonEmpty<T extends object>(fields: T): T | undefined {
  return Object.keys(fields).length > 0 ? fields : undefined;
}

/** The source's last message, and its final solution if there is one. */
export interface SearchComplete {
  readonly type: 'search_complete';
  readonly payload: {
    readonly best_path: SnapshotNode[];
    readonly tree: ThoughtTree;
    readonly stats: { readonly total_nodes: number; readonly total_backtracks: number; readonly llm_calls: number };
    readonly final_solution?: FinalSolution['payload'];
  };
  readonly error?: { readonly code: ThoughtErrorCode; readonly message: string; readonly recoverable: boolean };
}

/** In the source, decomposition comes before a search begins, and the answer is written after it has ended. */
function callsOf({ history }: ThoughtSearch): number {
  const { callsByPurpose: calls } = history.past.statistics;
  return ['generate', 'evaluate', 'write-draft', 'read-draft'].reduce((sum, each) => sum + (calls[each] ?? 0), 0);
}

/** Returns the certainty of the end of a path; none where no judge could score it. */
function confidenceIn(end: TreeNode | undefined): { confidence?: number } {
  if (end?.unscored) return { confidence: 0 };
  return end?.evaluation?.confidence === undefined ? {} : { confidence: end.evaluation.confidence };
}

/** Returns the result of a search in the source's format. */
export async function searchComplete(ctx: ThoughtSearch): Promise<SearchComplete> {
  const { settings, answer } = ctx;
  const { solved, finished, best, alternatives } = outcomeOf(ctx);
  const end = finished ?? best;
  // The tree knows how often its nodes were asked while its search is open.
  const tree = await snapshotOf({ ...ctx, limits: ctx.limits.now });
  const ids = snapshotIds(ctx.tree);
  const path = [ctx.tree.root, ...(end ? lineageOf(end) : [])].map(
    (node) => tree.nodes[ids.get(node) as string] as SnapshotNode,
  );
  const final = finished && (answer ?? path.at(-1)?.content);
  const isExhausted = !finished && ctx.tree.root.listed;
  return {
    type: 'search_complete',
    payload: {
      best_path: path,
      tree,
      stats: {
        total_nodes: ctx.tree.size + 1,
        total_backtracks: backtracks(ctx, settings.strategy),
        llm_calls: callsOf(ctx),
      },
      ...(final === undefined
        ? {}
        : {
            final_solution: {
              answer: final,
              reasoning_trace: path.slice(1).map(({ content }) => content),
              ...confidenceIn(end),
              verification: {
                is_valid: settings.task?.solved !== undefined && solved !== undefined,
                validation_errors: [...ctx.openDefects],
              },
              alternative_solutions: alternatives.map(({ title }) => title),
            },
          }),
    },
    ...(isExhausted
      ? { error: { code: 'SEARCH_EXHAUSTED', message: 'No solution was found.', recoverable: true } as const }
      : {}),
  };
}
