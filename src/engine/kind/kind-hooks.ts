/** How a check ended. Undefined where it was stopped, for its time limit or because the search was. */
export interface CheckOutcome {
  readonly exitCode: number | undefined;
}

/**
 * Runs the one command that a person consented to. It comes from their flags or settings; where it runs and how long
 * it may take is decided there as well.
 * @param input what it reads from its standard input
 * @throws ThoughtTreeError where it cannot be started
 */
export type RunCheck = (input: string, signal: AbortSignal) => Promise<CheckOutcome>;

/** Hooks by name; undefined where there are none of it. Only the kind knows what is in them. */
export type FindHooks = (name: string) => object | undefined;

/** What a person's flags and settings add to the hooks that ship; nothing of it comes from a clone. */
export interface OwnHooks {
  /** Their own command, which decides under the name `command`; without it there are no such hooks. */
  readonly runCheck?: RunCheck | undefined;
  /** What their own file exports; none of it can take the name of what ships. */
  readonly exported?: unknown;
}

/** How a kind uses hooks: code that has a say in its searches, by name. */
export interface KindHooks {
  /** Those that ship. */
  readonly shipped: FindHooks;
  /** In place of hooks that are not here, for whoever looks at a search or steers it: they take nothing for a solution. */
  readonly standIn: FindHooks;
  /** The name that a search's options give, if any. */
  readonly named: (options: object) => string | undefined;
  /**
   * Those that ship, and a person's own.
   * @returns with the name of what their file exports
   * @throws ThoughtTreeError or ZodError saying what is wrong with the exported hooks
   */
  readonly with: (own: OwnHooks) => { readonly find: FindHooks; readonly name: string | undefined };
}
