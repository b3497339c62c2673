import type { Message } from '../messages/message.ts';
import type { Toolbox } from './tool.ts';
import type { WorkOutcome } from './workshop.ts';

/** The languages of small programs. */
export const LANGUAGES = ['javascript', 'python', 'shell'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A small program that a model wants to run, to see what happens rather than to derive it. */
export interface Experiment {
  readonly language: Language;
  readonly program: string;
}

/** Where such programs run: in a sandbox, on a copy of the workspace that is thrown away, without network, keys or home. */
export interface Experiments {
  /**
   * Runs a program, if the person agrees.
   * @throws ThoughtTreeError `declined` if they do not
   */
  run(experiment: Experiment, signal: AbortSignal): Promise<WorkOutcome>;
  /** Removes the copy. */
  close(): Promise<void>;
}

/** Asks a person whether exactly this program may run. @param says what holds it */
export type AllowsExperiment = (experiment: Experiment, says: readonly Message[]) => Promise<boolean>;

/** The tool with which models run them. */
export const RUN_PROGRAM = 'run_program';

/** Tells whether one of these tools runs programs. */
export function canTry({ tools }: Toolbox): boolean {
  return tools.some(({ name }) => name === RUN_PROGRAM);
}
