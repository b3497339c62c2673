import type * as z from 'zod';
import type { Message } from '../../core/messages/message.ts';
import type { Size } from '../../core/search/limits.ts';
import type { NodeId, TreeNode } from '../../core/tree/tree.ts';
import type { Offers } from '../offers/offers.ts';
import type { InterimWritten } from '../report/interim.ts';
import type { SearchContext } from '../search-context.ts';

/** The effects on the loop that an action can have. */
export interface ActingLoop {
  /** Stops the moves that work on these nodes; resolves when the last one has let go. */
  readonly release: (nodes: ReadonlySet<NodeId>) => Promise<void>;
  /** Puts a node next, whatever ranking and size say. */
  readonly wish: (node: NodeId) => void;
  /** Tells the kind that a finished node is wanted once more; its result is kept with the wish. */
  readonly again: (node: TreeNode) => Promise<number | undefined>;
  /** Sets how far the strategy may go. */
  readonly setSize: (size: Size) => void;
  readonly pause: (now: boolean) => void;
  readonly finish: () => Promise<void>;
  readonly writeReport: () => Promise<void>;
  /** Writes the report of what there is so far, without a call; tells what it did not replace. */
  readonly writeInterim: () => Promise<InterimWritten>;
  /** The offers that somebody outside may take and answer. */
  readonly offers: Offers;
}

export interface Acting {
  readonly ctx: SearchContext;
  readonly loop: ActingLoop;
  /** The target node; the root for the search as a whole. */
  readonly node: TreeNode;
  /** Who asks, for the journal. */
  readonly by: string;
}

/** The heavy half of an action on a search: data in, data out. `ActionFace` is what hosts show of it. */
export interface Action<Args = unknown, Result = unknown> {
  readonly args: z.ZodType<Args>;
  readonly result: z.ZodType<Result>;
  /** It only concerns the loop, and does not wait for pending commits. */
  readonly isLoops?: true;
  /** It records its own events, which say what it did, and who asked. */
  readonly tellsItself?: true;
  /**
   * Carries it out.
   * @throws ThoughtTreeError saying what to do; then nothing has changed
   */
  run(at: Acting, args: Args): Promise<Result>;
  /** The result in words, for the person who asked. */
  say(result: Result, node: TreeNode): Message;
}

/** The actions of a kind, by name. */
export type Actions = Readonly<Record<string, Action>>;
