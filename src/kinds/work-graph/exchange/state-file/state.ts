import type { CheckItem } from '../../plan/plan.ts';

/** One atom of a state file. */
export interface StateAtom {
  readonly id: string;
  readonly description: string;
  readonly isResolved: boolean;
  readonly dependsOn: readonly string[];
  /** The group whose alternative it is, whoever says so. */
  readonly group: string | undefined;
  /** The atom that was split into it and others. */
  readonly parent: string | undefined;
}

export interface StateGroup {
  readonly name: string;
  readonly choices: readonly string[];
  readonly selected: string | undefined;
  readonly failed: readonly string[];
}

interface StateBinding {
  readonly summary: string;
  readonly artifacts: readonly string[];
}

export interface StateChoice {
  readonly group: string;
  readonly selected: string;
  readonly reason: string;
  readonly time: string;
}

interface StateCorrection {
  readonly time: string;
  readonly type: string;
  readonly what: string;
}

/** The content of a state file, checked, in our words. */
export interface State {
  readonly objective: StateObjective;
  /** True if its `control` says that the goal is reached. */
  readonly isCompleted: boolean;
  readonly iteration: number;
  readonly atoms: readonly StateAtom[];
  readonly groups: readonly StateGroup[];
  readonly bindings: ReadonlyMap<string, StateBinding>;
  readonly trail: readonly StateChoice[];
  readonly corrections: readonly StateCorrection[];
  /** Why atoms were split, by their names. */
  readonly reasons: ReadonlyMap<string, string>;
}

export interface StateObjective {
  readonly goal: string;
  readonly background: string;
  readonly deliverables: readonly string[];
  readonly done: readonly string[];
  readonly constraints: readonly string[];
  readonly limits: { readonly iterations?: number; readonly parallel?: number; readonly stall?: number };
  readonly inScope: readonly string[];
  readonly outOfScope: readonly string[];
  readonly clarifications: readonly { readonly question: string; readonly answer: string }[];
  readonly baseCase: readonly CheckItem[];
}
