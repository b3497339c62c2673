import type { Decomposition, Thought } from '../prompts/thought-messages.ts';
import type { PresetName, ThoughtDefaults, ThoughtStrategy } from '../settings/options.ts';

/** What a hook is asked about: the problem, and the thoughts from the first level down to the one in question. */
export interface ThoughtPath {
  readonly problem: string;
  /** In order from the first level; never empty. The last one is the step in question. */
  readonly thoughts: readonly Thought[];
}

/** Whether a step is right by itself; `why` says in one line what is wrong, for people and for the model. */
export type Verdict = { readonly ok: true } | { readonly ok: false; readonly why: string };

/**
 * What a task knows of its problems beside the model. Hooks check and write down; none of them solves, or looks ahead.
 * They are pure for the same path, except where they run something. A hook that throws counts as one that is not there
 * for this thought, and the search says so; every text they are given is a model's, so hostile.
 */
export interface Task {
  readonly name: string;
  /** The preset that it builds on. */
  readonly preset?: PresetName;
  /** What suits it best; stands above the preset and below what search.json says. */
  readonly defaults: ThoughtDefaults;
  /** What suits it better where a person chose this strategy. */
  readonly defaultsWith?: Partial<Record<ThoughtStrategy, ThoughtDefaults>>;
  /**
   * The first thought's state, in words for the model, as in `4 9 10 13`; the problem itself unless given.
   * @throws ThoughtTreeError `bad-input` where this is no problem of the task, saying what one looks like
   */
  start?(problem: string): string;
  /** The problem taken apart, so that no model is asked to. */
  decomposition?(problem: string): Decomposition;
  /** What the model is told about the form of a thought, and about judging one: a few lines each. */
  readonly wording?: { readonly generate?: string; readonly evaluate?: string };
  /** Is this step itself right, given that those before it are? Says nothing of what lies ahead. */
  verify?(path: ThoughtPath, signal: AbortSignal): Verdict | Promise<Verdict>;
  /**
   * What the steps have come to, as a text: two paths with the same one become one node. Asked of verified steps only.
   * Undefined where it cannot be told.
   */
  state?(path: ThoughtPath): string | undefined;
  /** Whether the path is a whole solution: asked of verified steps. */
  solved?(path: ThoughtPath, signal: AbortSignal): boolean | Promise<boolean>;
  /** The final answer, from a path that is solved; undefined where it cannot be written. */
  compose?(path: ThoughtPath): string | undefined;
}

/** Finds a task by the name in search.json; undefined where this program, or this person's settings, have none. */
export type FindTask = (name: string) => Task | undefined;
