import type { DecomposeTask, Decomposition, EvaluateThoughts, GenerateThoughts, Thought } from './thought-messages.ts';

/** Asks for a decomposition of a problem. */
export interface DecomposeData {
  readonly purpose: 'decompose';
  readonly question: string;
  readonly message: DecomposeTask;
  /** The aspects that usually count in problems of this type. */
  readonly aspects: readonly string[];
  /** The most steps that a path may have. */
  readonly mostSteps: number;
}

/** The decomposition of the problem, and the most steps that a path may have. */
export interface PlanData {
  readonly decomposition: Decomposition;
  readonly mostSteps: number;
}

/** A path of thoughts, and what judges said of it. */
export interface PathData {
  readonly steps: readonly Thought[];
  /** The defects that they named, each once. */
  readonly objections: readonly string[];
  /** The success criteria that it does not meet yet, as far as a judge said: by number from 1, with a score from 0 to 10. */
  readonly open: readonly { readonly number: number; readonly score: number }[];
}

/** A thought beside those that a request is about. */
export interface BesideData {
  readonly thought: Thought;
  readonly objections: readonly string[];
}

/** One of several thoughts that are combined. */
export interface SourceData {
  readonly id: string;
  /** Its path below what all of them have in common. */
  readonly steps: readonly Thought[];
  readonly objections: readonly string[];
  /** The parts that a judge who compared it wants taken over from it. */
  readonly takeOver: readonly string[];
}

/** Asks for next thoughts at one node. */
export interface GenerateData {
  readonly purpose: 'generate';
  readonly question: string;
  readonly message: GenerateThoughts;
  readonly plan: PlanData;
  readonly path: PathData;
  /** The thoughts that were proposed where the last step was, and not chosen. */
  readonly beside: readonly BesideData[];
  /** The thoughts that were already proposed here. */
  readonly earlier: readonly BesideData[];
  /** The request is for the rest of a whole solution, in one thought. */
  readonly isWhole: boolean;
  /** The thoughts that one is to be made of, the best first; empty if it is not made of others. */
  readonly sources: readonly SourceData[];
  /** Which of several draws that do not see each other it is, from 0. */
  readonly draw: number;
  /** The task's words about the form of a thought; empty if there are none. */
  readonly wording: string;
  /** A person's notes for the search and the branch; empty if there are none. */
  readonly notes: string;
}

/** Asks for a judgement of thoughts. */
export interface EvaluateData {
  readonly purpose: 'evaluate';
  readonly question: string;
  readonly message: EvaluateThoughts;
  readonly plan: PlanData;
  /** The path that each candidate continues, by its parent's id. */
  readonly paths: Readonly<Record<string, PathData>>;
  /** The candidates, in the order of the message. */
  readonly thoughts: readonly Thought[];
  /** Only a score is wanted, since an answer to everything failed. */
  readonly isSimple: boolean;
  /** One candidate was called a solution, and this judge says whether that is so. */
  readonly isVerdict: boolean;
  /** The number of the sample, from 0. */
  readonly sample: number;
  readonly wording: string;
  readonly notes: string;
}

/** Asks which of two complete solutions is better. */
export interface CompareData {
  readonly purpose: 'compare-solutions';
  readonly question: string;
  readonly plan: PlanData;
  /** The paths of both, each whole. */
  readonly a: readonly Thought[];
  readonly b: readonly Thought[];
  readonly notes: string;
}

/** Asks for the answer to the problem. */
export interface AnswerData {
  readonly purpose: 'synthesize';
  readonly question: string;
  readonly plan: PlanData;
  readonly path: PathData;
  readonly notes: string;
}
