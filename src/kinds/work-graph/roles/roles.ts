import type { Checkout, CommitId } from '../../../core/ports/workshop.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import type { Check, CheckItem, PlanFile } from '../plan/plan.ts';
import type { AtomFields, Evidence } from '../run/own-fields.ts';

// The tasks of models in a work graph, as its executors see them. An answer is kept in a conversation before it is
// returned, and not asked for again; each function throws ThoughtTreeError, `bad-answer` if the model gives none that
// is usable.

/** The result of an atom that this one depends on, once it is resolved. */
export interface Binding {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** Paths, or names of what else came about. */
  readonly artifacts: readonly string[];
}

/** An atom, as it is described to whoever deals with it. */
export interface AtomTask {
  readonly node: TreeNode;
  readonly fields: AtomFields;
  /** The plan with its goal; its atoms are not looked at. */
  readonly plan: PlanFile;
  readonly bindings: readonly Binding[];
  /** The observations of earlier tries: the end of a red check, a conflict. Newest last. */
  readonly seen: readonly string[];
}

/** The answer of a probe. */
export interface Probed {
  readonly feasible: boolean;
  /** At most 4000 characters, with costs, risks and recommendations. */
  readonly findings: string;
  readonly by: string;
}

/** A piece of work that was not planned. */
export interface Discovered {
  readonly title: string;
  readonly does: string;
}

/** A worker's word on its work. The changes are in its checkout. */
export interface Worked {
  /** True if it says that the work is done. */
  readonly success: boolean;
  readonly summary: string;
  readonly artifacts: readonly string[];
  /** The content of its document besides the summary: Markdown. */
  readonly details: string;
  /** Its word on the atom's checks: `reported`, or `checked` where it ran the command itself and saw it hold. */
  readonly evidence: readonly Evidence[];
  /** Proposals for further atoms, which wait for a person. */
  readonly discovered: readonly Discovered[];
  /** The model that did it. */
  readonly by: string;
}

type Quality = Extract<Check, { quality: unknown }>['quality'];

/** Something whose quality is judged. */
export interface JudgeTask {
  /** The atom that it is about; undefined for the goal. */
  readonly node: TreeNode | undefined;
  readonly item: string;
  readonly quality: Quality;
  readonly commit: CommitId;
  readonly plan: PlanFile;
}

/** One part of an atom. Its parts inherit what it depends on. */
export interface Part {
  readonly title: string;
  readonly does: string;
  /** Indexes of earlier parts that have to be resolved before. */
  readonly after: readonly number[];
  readonly touches?: readonly string[];
  /** Those of the whole come with the last part, which waits for all others. */
  readonly checks: readonly CheckItem[];
}

/** The abilities of this search's models. Those that they lack are missing: all, without a model that writes. */
export interface Roles {
  /**
   * Makes the goal clear, then plans the work; the plan is checked.
   * @param earlier a plan whose goal counts, as a person changed it: only the work is planned again
   */
  readonly makePlan?: (signal: AbortSignal, earlier?: PlanFile) => Promise<PlanFile>;
  /** Finds out whether it can be done; reads only. */
  readonly probe?: (task: AtomTask, checkout: Checkout, signal: AbortSignal) => Promise<Probed>;
  /**
   * Works on it in the checkout. A worker that was stopped, even with its process, goes on.
   * @param commands the lines that it may run, to which a person consented
   */
  readonly work?: (
    task: AtomTask,
    checkout: Checkout,
    commands: readonly string[],
    signal: AbortSignal,
  ) => Promise<Worked>;
  /** Votes, each the weighted mean from 1 to 5. */
  readonly judge?: (task: JudgeTask, signal: AbortSignal) => Promise<readonly number[]>;
  /** Splits it, because it failed several times as a whole. */
  readonly decompose?: (task: AtomTask, signal: AbortSignal) => Promise<readonly Part[]>;
}
