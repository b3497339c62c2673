import type { Toolbox } from './tool.ts';
import type { Rights, WorkOutcome } from './workshop.ts';

/** A folder in which a model works with tools that we carry out. */
export interface ToolPlace {
  /** Absolute. */
  readonly folder: string;
  /** With `read`, no file can be changed. */
  readonly rights: Rights;
  /** The command lines that may be run, exactly; a person consented to each of them. */
  readonly commands: readonly string[];
  /** Runs one of them, held in the folder. */
  readonly run: (line: string, signal: AbortSignal) => Promise<WorkOutcome>;
  /** True for models that handle the files of the folder by themselves: then there is only the tool for commands. */
  readonly isForCommandsOnly?: boolean;
}

/** Makes the tools for a place; they lead nowhere else, and tell no secrets. */
export type ToolsIn = (place: ToolPlace) => Toolbox;
