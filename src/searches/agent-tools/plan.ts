import type { Permit, ToolAnswer, Wanted } from './agent-host.ts';

/** What a call of a tool will do: nothing has been written or spent yet. */
export interface Plan {
  /** What a person has to allow; undefined if nobody has to. */
  readonly wanted?: Wanted | undefined;
  readonly carryOut: (permit: Permit) => Promise<ToolAnswer>;
}
