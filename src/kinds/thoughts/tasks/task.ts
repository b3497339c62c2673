import type { PresetName, ThoughtDefaults } from '../options.ts';
import type { Decomposition, Thought } from '../prompts/thought-messages.ts';
import type { StrategyName } from '../strategy/strategies.ts';

/** The argument of a hook: the problem, and the thoughts from the first level down to the one in question. */
export interface ThoughtPath {
  readonly problem: string;
  /** In order from the first level; never empty. The last one is the step in question. */
  readonly thoughts: readonly Thought[];
}

/** The verdict on a step by itself; `why` says in one line what is wrong, for people and for the model. */
export type Verdict = { readonly ok: true } | { readonly ok: false; readonly why: string };

/**
 * The knowledge of a task about its problems that the model lacks. Hooks check and write; none of them solves, or looks
 * ahead. They are pure for the same path, unless they run something. A hook that throws is ignored for this thought,
 * and the search says so; every text that they get comes from a model, so it is hostile.
 */
export interface Task {
  readonly name: string;
  /** The preset that it builds on. */
  readonly preset?: PresetName;
  /** Its most suitable settings; they take precedence over the preset, and search.json over them. */
  readonly defaults: ThoughtDefaults;
  /** More suitable ones if a person chose this strategy. */
  readonly defaultsWith?: Partial<Record<StrategyName, ThoughtDefaults>>;
  /**
   * The first thought's state, in words for the model, such as `4 9 10 13`; by default the problem itself.
   * @throws ThoughtTreeError `bad-input` if this is not a problem of the task, saying what one looks like
   */
  start?(problem: string): string;
  /** Returns the decomposition of the problem, so that no model is asked for it. */
  decomposition?(problem: string): Decomposition;
  /** The model's instructions about the form of a thought, and about judging one: a few lines each. */
  readonly wording?: { readonly generate?: string; readonly evaluate?: string };
  /** Tells whether this step itself is right, given that those before it are. Says nothing about later ones. */
  verify?(path: ThoughtPath, signal: AbortSignal): Verdict | Promise<Verdict>;
  /**
   * The state after the steps, as a text: two paths with the same one become one node. Called for verified steps only.
   * Undefined if unknown.
   */
  state?(path: ThoughtPath): string | undefined;
  /**
   * Tells whether the path is a complete solution: called for verified steps. With words, what it refuses at the last depth is given
   * back to be mended.
   */
  solved?(path: ThoughtPath, signal: AbortSignal): boolean | Verdict | Promise<boolean | Verdict>;
  /** The final answer, from a solved path; undefined if it cannot be written. */
  compose?(path: ThoughtPath): string | undefined;
}

/** Finds a task by the name in search.json; undefined if neither this program nor this person's settings have one. */
export type FindTask = (name: string) => Task | undefined;
