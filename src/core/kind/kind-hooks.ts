import type { AnswersByData } from '../ports/model.ts';

/** The result of a check. Undefined if the check was stopped, by its time limit or with the search. */
export interface CheckOutcome {
  readonly exitCode: number | undefined;
  /** The beginning of what it printed. */
  readonly output: string;
}

/**
 * Runs the one command that a person consented to. It comes from their flags or settings, which also decide where it runs
 * and how long it may take.
 * @param input its standard input
 * @throws ThoughtTreeError if it cannot be started
 */
export type RunCheck = (input: string, signal: AbortSignal) => Promise<CheckOutcome>;

/** Hooks by name; undefined if there are none with that name. Only the kind knows their content. */
export type FindHooks = (name: string) => object | undefined;

/** The hooks that a person's flags and settings add to the built-in ones; nothing comes from a clone. */
export interface OwnHooks {
  /** Their own command, which decides under the name `command`; without it there are no such hooks. */
  readonly runCheck: RunCheck | undefined;
  /** The exports of their own file; they cannot use the name of built-in hooks. */
  readonly exported: unknown;
}

/** The hooks of a kind: named code that affects its searches. */
export interface KindHooks {
  /** Finds answers in a recording by what they are about. */
  readonly byData: AnswersByData;
  /** The built-in ones. */
  readonly shipped: FindHooks;
  /** Replaces missing hooks when a search is only read or steered: they accept nothing as a solution. */
  readonly standIn: FindHooks;
  /** The name in a search's options, if any. */
  readonly named: (options: object) => string | undefined;
  /**
   * The built-in ones, and a person's own.
   * @returns with the name of their file's export
   * @throws ThoughtTreeError or ZodError saying what is wrong with the exported hooks
   */
  readonly with: (own: OwnHooks) => { readonly find: FindHooks; readonly name: string | undefined };
}
