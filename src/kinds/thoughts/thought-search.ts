import type { LimitFunction } from 'p-limit';
import pLimit from 'p-limit';
import * as z from 'zod';
import type { JournalEvent, KeptFold } from '../../core/search/events.ts';
import type { SearchRecord } from '../../core/search/record/search-record.ts';
import { movedPath } from '../../core/tree/slug.ts';
import { byPosition, isPruned, nodeAt, pathOf, type Tree, type TreeNode, walk } from '../../core/tree/tree.ts';
import type { NodeId } from '../../core/tree/tree-node.ts';
import type { SearchContext } from '../../engine/context.ts';
import type { Decomposition } from './prompts/thought-messages.ts';
import { settingsFor, type ThoughtSettings } from './settings.ts';
import { seenAt } from './strategy/child-by-child.ts';
import type { BesideStrategy } from './strategy/thought-rules.ts';
import { findTask } from './tasks/find-task.ts';
import type { FindTask } from './tasks/task.ts';
import { beginRound, endRound } from './thought-node.ts';

/** One open search for a solution: the parts of all searches, and this kind's state, derived from files and journal. */
export interface ThoughtSearch extends SearchContext {
  /** As the search began, with what a person changed since. */
  readonly settings: ThoughtSettings;
  /** The problem as the first thought's state. */
  readonly start: string;
  readonly states: StateIndex;
  /** Bounds how many thoughts are drawn at the same time. */
  readonly draws: LimitFunction;
  /** The further rounds that this process works on, by node. */
  readonly roundsUnderWay: Map<NodeId, Set<number>>;
  readonly brought: BroughtByModels;
  /** Leaves that a person wants continued, whatever the depth limit. */
  readonly wantedDeeper: Set<NodeId>;
  decomposition: Decomposition | undefined;
  /** The final answer, once a task or the report's model has written it down. */
  answer: string | undefined;
  /** The defects that judges named and the answer does not mend, once it was written. */
  openDefects: readonly string[];
}

/**
 * @throws ThoughtTreeError `bad-input` if search.json names something unknown, or the task rejects the problem
 */
export function openThoughts(search: SearchContext): ThoughtSearch {
  const { file, options, tree } = search;
  const given = settingsFor({ ...file, options }, (search.findHooks as FindTask | undefined) ?? findTask);
  return {
    ...search,
    get settings(): ThoughtSettings {
      const { threshold, candidates } = search.history.past.part(Wanted)?.changed ?? {};
      if (threshold === undefined && candidates === undefined) return given;
      return { ...given, threshold: threshold ?? given.threshold, candidates: candidates ?? given.candidates };
    },
    start: given.task?.start?.(file.prompt) ?? given.start ?? file.prompt,
    states: new StateIndex(tree),
    draws: pLimit(1),
    roundsUnderWay: new Map(),
    brought: new BroughtByModels(tree),
    wantedDeeper: new Set(),
    decomposition: undefined,
    answer: undefined,
    openDefects: [],
  };
}

/** The nodes by the state after their verified steps. Derived from the tree; removed nodes are skipped when met. */
class StateIndex {
  readonly #tree: Tree;
  #byState: Map<string, Set<TreeNode>> | undefined;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Adds a node. */
  add(node: TreeNode): void {
    if (node.state === undefined || !this.#byState) return;
    const nodes = this.#byState.get(node.state) ?? new Set();
    this.#byState.set(node.state, nodes.add(node));
  }

  /**
   * The equal node that may represent both, if there is one: alive, not itself merged, not deeper, so that
   * nothing is lost. A judged one before others, then the shallowest, then the first.
   */
  equalTo(node: TreeNode): TreeNode | undefined {
    if (node.state === undefined) return undefined;
    this.#byState ??= this.#index();
    let best: TreeNode | undefined;
    for (const other of this.#byState.get(node.state) ?? []) {
      if (this.#tree.get(other.id) !== other) this.#byState.get(node.state)?.delete(other);
      else if (this.#canStandFor(other, node) && (!best || order(other, best) < 0)) best = other;
    }
    return best && order(best, node) < 0 ? best : undefined;
  }

  #canStandFor(other: TreeNode, node: TreeNode): boolean {
    if (other === node || other.depth > node.depth || other.leafReason === 'duplicate') return false;
    return other.state === node.state && other.status !== 'failed' && !isPruned(other);
  }

  #index(): Map<string, Set<TreeNode>> {
    const byState = new Map<string, Set<TreeNode>>();
    for (const node of walk(this.#tree.root)) {
      if (node.state === undefined) continue;
      byState.set(node.state, (byState.get(node.state) ?? new Set()).add(node));
    }
    return byState;
  }
}

function order(a: TreeNode, b: TreeNode): number {
  return Number(!isJudged(a)) - Number(!isJudged(b)) || a.depth - b.depth || byPosition(a, b);
}

function isJudged({ status, evaluation, unscored }: TreeNode): boolean {
  return status !== 'unexpanded' || evaluation !== undefined || unscored === true;
}

/** Sums up the worth of each model's thoughts, node by node, so that a choice walks through no tree. */
export class BroughtByModels implements BesideStrategy {
  readonly #tree: Tree;
  readonly #seen = new Map<TreeNode, { readonly model: string; readonly seen: number }>();
  readonly #sums = new Map<string, { judged: number; thousandths: number }>();

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  clear(): void {
    this.#seen.clear();
    this.#sums.clear();
  }

  look(node: TreeNode): void {
    const before = this.#seen.get(node);
    if (before) this.#count(before.model, before.seen, -1);
    this.#seen.delete(node);
    const { model } = node;
    const seen = model === undefined || this.#tree.get(node.id) !== node ? undefined : seenAt(node);
    if (model === undefined || seen === undefined) return;
    this.#seen.set(node, { model, seen });
    this.#count(model, seen, 1);
  }

  /** Returns the number of a model's thoughts that were judged, and the sum of their scores, from 0 to 1. */
  of(model: string): { readonly judged: number; readonly good: number } {
    const { judged, thousandths } = this.#sums.get(model) ?? { judged: 0, thousandths: 0 };
    return { judged, good: thousandths / 1000 };
  }

  #count(model: string, seen: number, times: 1 | -1): void {
    const { judged, thousandths } = this.#sums.get(model) ?? { judged: 0, thousandths: 0 };
    this.#sums.set(model, { judged: judged + times, thousandths: thousandths + times * seen });
  }
}

/** Settings that a person changed while the search was there; the last word counts. */
const ChangedSettings = z.object({
  threshold: z.number().min(0).max(10).optional().catch(undefined),
  candidates: z.number().int().min(1).max(50).optional().catch(undefined),
});
type ChangedSettings = z.infer<typeof ChangedSettings>;

const WantedState = z.object({
  expanded: z.array(z.string()),
  added: z.array(z.string()),
  changed: ChangedSettings.optional(),
  ends: z.number().optional(),
});

const WantedValue = z.object({
  path: z.string().optional().catch(undefined),
  ends: z.number().optional().catch(undefined),
});

/**
 * The wishes of people: of thoughts, by slug path, that they be continued, or included again; of the search, other
 * settings, and more ends than one.
 */
export class Wanted implements KeptFold {
  static readonly part = 'wanted';
  readonly name = Wanted.part;
  readonly #expanded = new Set<string>();
  readonly #added = new Set<string>();
  #changed: ChangedSettings = {};
  #ends = 1;

  apply(event: JournalEvent): void {
    if (event.type !== 'steered') return;
    const { action, node, args } = event;
    const { path, ends } = WantedValue.safeParse(event.value).data ?? {};
    if (action === 'expand' && node !== undefined) this.#expanded.add(node);
    if ((action === 'add' || action === 'combine') && path !== undefined) this.#added.add(path);
    if (action === 'reconsider') {
      const { threshold, candidates } = ChangedSettings.safeParse(args).data ?? {};
      this.#changed = { ...this.#changed, ...(threshold !== undefined && { threshold }) };
      if (candidates !== undefined) this.#changed = { ...this.#changed, candidates };
    }
    if (action === 'another-solution' && ends !== undefined) this.#ends = ends;
  }

  get state(): z.infer<typeof WantedState> {
    return { expanded: [...this.#expanded], added: [...this.#added], changed: this.#changed, ends: this.#ends };
  }

  restore(state: unknown): void {
    const { expanded, added, changed = {}, ends = 1 } = WantedState.parse(state);
    for (const path of expanded) this.#expanded.add(path);
    for (const path of added) this.#added.add(path);
    this.#changed = changed;
    this.#ends = ends;
  }

  /** The settings that a person changed. */
  get changed(): ChangedSettings {
    return this.#changed;
  }

  /** The number of ends of paths that are wanted before the search has its answer. */
  get ends(): number {
    return this.#ends;
  }

  /** Tells whether somebody wants to know a thought's worth, though the search may have its solution. */
  has(node: TreeNode): boolean {
    if (this.#added.size > 0 && this.#added.has(pathOf(node))) return true;
    const { parent } = node;
    return this.#expanded.size > 0 && parent?.parent !== undefined && this.#expanded.has(pathOf(parent));
  }
}

const TriesState = z.object({
  rounds: z.array(z.tuple([z.string(), z.number()])),
  /** The rounds that were not completed; a kept state from before has no number. */
  trying: z.array(z.union([z.string(), z.tuple([z.string(), z.number()])])),
});

/** The rounds of asking for thoughts, by slug path of the node: the last completed one, and those that were not completed. */
export class Tries implements KeptFold {
  static readonly part = 'tries';
  readonly name = Tries.part;
  rounds = new Map<string, number>();
  trying = new Map<string, readonly number[]>();

  apply(event: JournalEvent): void {
    if (event.type === 'trying') {
      const others = (this.trying.get(event.node) ?? []).filter((round) => round !== event.round);
      this.trying.set(event.node, [...others, event.round]);
    } else if (event.type === 'generated') {
      const begun = this.trying.get(event.node) ?? [];
      // Rounds side by side end in any order. A lower one that was never begun is that of another node in its place.
      const before = begun.includes(event.round) ? (this.rounds.get(event.node) ?? 0) : 0;
      this.rounds.set(event.node, Math.max(before, event.round));
      const left = begun.filter((round) => round !== event.round);
      if (left.length > 0) this.trying.set(event.node, left);
      else this.trying.delete(event.node);
    } else if (event.type === 'node-moved') {
      const now = (path: string): string => movedPath(path, event.from, event.node);
      this.rounds = new Map([...this.rounds].map(([path, round]) => [now(path), round]));
      this.trying = new Map([...this.trying].map(([path, rounds]) => [now(path), rounds]));
    }
  }

  get state(): z.infer<typeof TriesState> {
    const trying = [...this.trying].flatMap(([path, rounds]) => rounds.map((round): [string, number] => [path, round]));
    return { rounds: [...this.rounds], trying };
  }

  restore(state: unknown): void {
    const { rounds, trying } = TriesState.parse(state);
    this.rounds = new Map(rounds);
    this.trying = new Map();
    for (const each of trying) {
      const [path, round] = typeof each === 'string' ? [each, (this.rounds.get(each) ?? 1) + 1] : each;
      this.trying.set(path, [...(this.trying.get(path) ?? []), round]);
    }
  }
}

/** Adds to a tree read from files what only the journal knows about its nodes. */
export function takeTries(tree: Tree, record: SearchRecord): void {
  const tries = record.part(Tries);
  for (const [path, round] of tries?.rounds ?? []) {
    const node = nodeAt(tree, path);
    if (node) endRound(tree, node, round);
  }
  for (const [path, rounds] of tries?.trying ?? []) {
    const node = nodeAt(tree, path);
    if (node) for (const round of rounds) beginRound(tree, node, round);
  }
}
