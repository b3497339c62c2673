import type { Checkout, CommitId } from '../../../core/ports/workshop.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import type { Check, CheckItem, PlanFile } from '../plan/plan.ts';
import type { AtomFields, Evidence } from '../run/tree/own-fields.ts';

// What models do in a work graph, as its executors see it. An answer is kept in a conversation before it is returned, and not
// asked for again; each function throws ThoughtTreeError, `bad-answer` if the model gives none that can be used.

/** What is known of an atom that this one depends on, once it is resolved. */
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
  /** What was seen at earlier tries: the end of a red check, a conflict. Newest last. */
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

/** What a worker says of its work. What it changed is in its checkout. */
export interface Worked {
  /** Whether it says that the work is done. */
  readonly success: boolean;
  readonly summary: string;
  readonly artifacts: readonly string[];
  /** What is in its document, besides the summary: Markdown. */
  readonly details: string;
  /** What it says of the atom's checks: `reported`, or `checked` where it ran the command itself and saw it hold. */
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
  /** What the item says. */
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

/** What the models of this search can do. What they cannot is missing: without a model that writes, all of it is. */
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
