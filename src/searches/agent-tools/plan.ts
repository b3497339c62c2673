import type { Permit, ToolAnswer, Wanted } from './agent-host.ts';

/** The plan of a tool's call: nothing has been written or spent yet. */
export interface Plan {
  /** The permission that a person has to give; undefined if nobody has to. */
  readonly wanted?: Wanted | undefined;
  readonly carryOut: (permit: Permit) => Promise<ToolAnswer>;
}
