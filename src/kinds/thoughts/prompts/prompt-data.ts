import type { DecomposeTask, EvaluateThoughts, GenerateThoughts } from './thought-messages.ts';

/** Asks for a decomposition of a problem. */
export interface DecomposeData {
  readonly purpose: 'decompose';
  readonly question: string;
  readonly message: DecomposeTask;
}

/** Asks for next thoughts at one node. */
export interface GenerateData {
  readonly purpose: 'generate';
  readonly question: string;
  readonly message: GenerateThoughts;
  /** What the task says about the form of a thought; empty if nothing. */
  readonly wording: string;
  /** A person's notes for the search and the branch; empty if there are none. */
  readonly notes: string;
}

/** Asks for a judgement of thoughts. */
export interface EvaluateData {
  readonly purpose: 'evaluate';
  readonly question: string;
  readonly message: EvaluateThoughts;
  /** The number of the sample, from 0. */
  readonly sample: number;
  readonly wording: string;
  readonly notes: string;
}
