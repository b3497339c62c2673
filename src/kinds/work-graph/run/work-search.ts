import type { MoveResult } from '../../../core/kind/strategy.ts';
import type { ReadStore, Store } from '../../../core/ports/store.ts';
import type { Workshop } from '../../../core/ports/workshop.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { isPruned, type TreeNode } from '../../../core/tree/tree.ts';
import type { SearchContext } from '../../../engine/context.ts';
import * as say from '../messages.ts';
import type { PlanFile } from '../plan/plan.ts';
import { checkPlan, readPlan, writePlan } from '../plan/plan-file.ts';
import type { Roles } from '../roles/roles.ts';
import {
  type AtomFields,
  type Evidence,
  type GoalFields,
  type GroupFields,
  type OwnFields,
  ownFieldsOf,
  type Try,
  type Work,
} from './own-fields.ts';
import { nameOfAdded } from './read-graph.ts';

/** An open search for a goal. */
export interface WorkSearch extends SearchContext {
  readonly roles: Roles;
  /** The workshop, once the work has begun and a person agreed to all commands. @throws ThoughtTreeError `declined` */
  readonly ready: (signal: AbortSignal) => Promise<Workshop>;
}

/** @throws ThoughtTreeError `declined` where nobody allowed to change files and to run commands */
export function shopOf({ workshop }: Pick<SearchContext, 'workshop'>): Workshop {
  if (!workshop) throw new ThoughtTreeError('declined', say.noWorkshop());
  return workshop;
}

/** Returns where an atom is worked on: the same for every process. Ids are letters, digits, `-` and `_`. */
export function checkoutName(node: TreeNode): string {
  return node.fileId ?? node.slug.replace(/[^\w-]/g, '_');
}

/** A node without fields of ours is an atom that a person added by hand. */
export function atomFieldsOf(node: TreeNode): AtomFields | undefined {
  const given = node.file?.own;
  if (node.parent && given === undefined) return { type: 'atom', name: nameOfAdded(node) };
  const own = ownFieldsOf(given);
  return own?.type === 'atom' ? own : undefined;
}

export function groupFieldsOf(node: TreeNode): GroupFields | undefined {
  const own = ownFieldsOf(node.file?.own);
  return own?.type === 'group' ? own : undefined;
}

export function goalFieldsOf(node: TreeNode): GoalFields | undefined {
  const own = ownFieldsOf(node.file?.own);
  return own?.type === 'goal' ? own : undefined;
}

/** Tells whether an atom is still to be done. */
export function isOpen(node: TreeNode): boolean {
  const isSplit = node.status === 'expanded' && node.children.some(({ status }) => status !== 'pruned');
  const isOver = node.status === 'leaf' || node.status === 'failed';
  return !isSplit && !isOver && !isPruned(node);
}

export const DROPPED: MoveResult = { outcome: 'dropped' };
export const DONE: MoveResult = { outcome: 'done' };

/** Looks at a node on disk before it is worked on; undefined if it is gone. */
export async function lookedAt(
  { nodes, tree }: SearchContext,
  node: TreeNode,
  signal: AbortSignal,
): Promise<TreeNode | undefined> {
  if (node.parent) await nodes.lookBeforeWork(node, signal);
  return tree.get(node.id) === node && !isPruned(node) ? node : undefined;
}

/** Room that is left for what others keep in a node, in characters of JSON. */
const MOST_OWN = 18_000;
const LATEST_TRIES = 6;

/**
 * Fields of ours as they can be kept: if they are too long together, what was seen at earlier tries goes first, then what was
 * seen of each check, then most artifacts.
 */
export function fitting<T extends OwnFields>(own: T): T {
  let cut = own as unknown as AtomFields;
  for (const shorten of CUTS) {
    if (JSON.stringify(cut).length <= MOST_OWN) break;
    cut = shorten(cut);
  }
  return cut as unknown as T;
}

type Cut = (own: AtomFields) => AtomFields;

const ofTries =
  (change: (each: Try, age: number) => Try): Cut =>
  (own) =>
    own.tries ? { ...own, tries: own.tries.map((each, i, all) => change(each, all.length - i)) } : own;
const ofEvidence =
  (change: (each: Evidence) => Evidence | []): Cut =>
  (own) =>
    own.evidence ? { ...own, evidence: own.evidence.flatMap(change) } : own;
const ofWork =
  (change: (work: Work) => Work): Cut =>
  (own) =>
    own.work ? { ...own, work: change(own.work) } : own;

/** The cuts, one after the other, until the rest fits. The ends of tries, and what is known of items, always stay. */
const CUTS: readonly Cut[] = [
  ofTries(({ seen, ...each }, age) => (seen && age <= LATEST_TRIES ? { ...each, seen } : each)),
  ofEvidence(({ seen, ...each }) => (seen ? { ...each, seen: seen.slice(-100).toWellFormed() } : each)),
  ofTries(({ seen: _, ...each }) => each),
  ofWork(({ artifacts, ...work }) => ({
    ...work,
    artifacts: artifacts.slice(0, 10).map((each) => each.slice(0, 200)),
  })),
  ofEvidence(({ seen: _, ...each }) => each),
  ofEvidence((each) => (each.item.includes('.') ? [] : each)),
  ofEvidence(({ time: _, outputHash, ...each }) => ({
    ...each,
    ...(outputHash && { outputHash: outputHash.slice(0, 16) }),
  })),
  ofTries(({ by: _, ...each }) => each),
  ({ does, ...own }) => (does ? { ...own, does: does.slice(0, 1000).toWellFormed() } : own),
  ofWork(({ summary, ...work }) => ({ ...work, summary: summary.slice(0, 300).toWellFormed(), artifacts: [] })),
  ofEvidence(({ votes: _, by, ...each }) => ({ ...each, ...(by && { by: by.slice(0, 20) }) })),
];

/** The plan that was read last of each search: a plan of many atoms takes a while. */
const knownPlans = new WeakMap<object, { readonly text: string; readonly plan: PlanFile }>();

/**
 * Returns the plan in a search's folder; undefined if there is none. @throws ThoughtTreeError `damaged` saying what is
 * wrong
 */
export async function planIn(store: Pick<ReadStore, 'readPlan'>): Promise<PlanFile | undefined> {
  const text = await store.readPlan();
  if (text === undefined) return undefined;
  const before = knownPlans.get(store);
  if (before?.text === text) return before.plan;
  const plan = readPlan(text);
  knownPlans.set(store, { text, plan });
  return plan;
}

/** Returns the plan of a search that has one. @throws ThoughtTreeError `bad-input` if there is none */
export async function planOf(store: Pick<ReadStore, 'readPlan'>): Promise<PlanFile> {
  const plan = await planIn(store);
  if (!plan) throw new ThoughtTreeError('bad-input', say.noPlan());
  return plan;
}

/** Sets fields of the plan in a search's folder; comments and all else stay. @throws ThoughtTreeError `damaged` */
export async function changePlan(store: Store, change: (plan: PlanFile) => Partial<PlanFile>): Promise<void> {
  const plan = await planOf(store);
  const next = { ...plan, ...change(plan) };
  checkPlan(next);
  await store.writePlan(writePlan(next, await store.readPlan()));
}

/**
 * Has a model make the plan, if there is none: also where nobody can look at it before the work begins.
 * @throws ThoughtTreeError `bad-input` if there is no model that could
 */
export async function ensurePlan(
  { store, roles }: WorkSearch,
  signal: AbortSignal,
  making?: () => void,
): Promise<void> {
  if (await planIn(store)) return;
  if (!roles.makePlan) throw new ThoughtTreeError('bad-input', say.noPlan());
  making?.();
  const made = await roles.makePlan(signal);
  // A person may have written one meanwhile.
  if (!(await planIn(store))) await store.writePlan(writePlan(made));
}
