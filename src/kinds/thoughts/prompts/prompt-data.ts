import type { DecomposeTask, EvaluateThoughts, GenerateThoughts } from './thought-messages.ts';

/** Asks for a problem to be taken apart. */
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
  /** What the task says of the form of a thought; empty where it says nothing. */
  readonly wording: string;
  /** What a person told the search and the branch; empty where nobody did. */
  readonly notes: string;
}

/** Asks for a judgement of thoughts. */
export interface EvaluateData {
  readonly purpose: 'evaluate';
  readonly question: string;
  readonly message: EvaluateThoughts;
  /** Which of the samples it is, from 0. */
  readonly sample: number;
  readonly wording: string;
  readonly notes: string;
}
