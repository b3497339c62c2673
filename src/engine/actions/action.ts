import type * as z from 'zod';
import type { Message } from '../../core/messages/message.ts';
import type { Size } from '../../core/search/limits.ts';
import type { NodeId, TreeNode } from '../../core/tree/tree.ts';
import type { Offers } from '../offers/offers.ts';
import type { SearchContext } from '../search-context.ts';

/** What the loop does for an action. */
export interface ActingLoop {
  /** Stops the moves that work on these nodes; resolves when the last one has let go. */
  readonly release: (nodes: ReadonlySet<NodeId>) => Promise<void>;
  /** Has a node worked on next, whatever ranking and size say. */
  readonly wish: (node: NodeId) => void;
  /** Tells the kind that a finished node is wanted once more; what it gives back is kept with the wish. */
  readonly again: (node: TreeNode) => Promise<number | undefined>;
  /** Lets the strategy go so far. */
  readonly setSize: (size: Size) => void;
  readonly pause: (now: boolean) => void;
  readonly finish: () => Promise<void>;
  readonly writeReport: () => Promise<void>;
  /** What somebody outside may take and answer. */
  readonly offers: Offers;
}

/** What an action works with. */
export interface Acting {
  readonly ctx: SearchContext;
  readonly loop: ActingLoop;
  /** The node that is meant; the root for the search as a whole. */
  readonly node: TreeNode;
  /** Who asks, for the journal. */
  readonly by: string;
}

/** The heavy half of something that can be done to a search: data in, data out. `ActionFace` is what hosts show of it. */
export interface Action<Args = unknown, Result = unknown> {
  readonly args: z.ZodType<Args>;
  readonly result: z.ZodType<Result>;
  /** It is a matter of the loop, and waits for nothing that is being committed. */
  readonly isLoops?: true;
  /** Events of its own tell what it did, and who did it. */
  readonly tellsItself?: true;
  /**
   * Does it.
   * @throws ThoughtTreeError saying what to do; nothing is changed then
   */
  run(at: Acting, args: Args): Promise<Result>;
  /** What came of it, for the person who asked. */
  say(result: Result, node: TreeNode): Message;
}

/** The actions of a kind, by name. */
export type Actions = Readonly<Record<string, Action>>;
