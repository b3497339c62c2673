import * as z from 'zod';
import { MARK_KINDS } from './graph-timeline.ts';

const path = z.string().max(10_000);

/** The levels that are open, and the branches below that are. */
const View = z.object({ levels: z.number().int().nonnegative(), opened: z.array(path).max(10_000) });
export type OpenBranches = z.infer<typeof View>;

/** So many events of interest after another event, of a kind or of any; before it with less than 0. */
const Step = z.object({ by: z.number().int(), kind: z.enum(MARK_KINDS).optional() });
/** An event of the journal: that of a number, or the last one at a place on the axis of the timeline; or a step from there. */
const Where = z.union([
  z.object({ seq: z.number().int().positive(), step: Step.optional() }),
  z.object({ at: z.number().int().nonnegative(), step: Step.optional() }),
]);
export type Where = z.infer<typeof Where>;

/** A message from the panel to the extension. */
const ViewMessage = z.discriminatedUnion('type', [
  /** The page is loaded and shows nothing yet; if it was shown before, with what it will show of the tree. */
  z.object({ type: z.literal('ready'), view: View.optional() }),
  /** A number was missing: send everything again. */
  z.object({ type: z.literal('resync') }),
  /** The node that the inspector shows; null for none. */
  z.object({ type: z.literal('select'), path: path.nullable() }),
  /** Carry out an action that was offered for a node, or for the search as a whole if the path is empty. */
  z.object({
    type: z.literal('act'),
    action: z.string().regex(/^[a-z][\w-]{0,59}$/i),
    path,
    /** Undoing: what was undone last is done again. */
    forward: z.boolean().optional(),
  }),
  /** The transcript of one call. */
  z.object({ type: z.literal('exchange'), path, call: z.number().int().positive() }),
  /** A link to a file in a node's document. */
  z.object({ type: z.literal('open-link'), path, href: z.string().max(4000) }),
  /** A picture of pixels, in base64; without one, if the page cannot draw it. */
  z.object({
    type: z.literal('painted'),
    number: z.number().int().positive(),
    png: z.string().max(200_000_000).optional(),
  }),
  z.object({ type: z.literal('save-picture'), svg: z.string().max(50_000_000) }),
  /** The page shows the timeline, or does not any more: then the search is shown as it is now. */
  z.object({ type: z.literal('timeline'), isOpen: z.boolean() }),
  /** The page shows the calls in time, or does not any more. */
  z.object({ type: z.literal('calls'), isOpen: z.boolean() }),
  /** Show the search as it was after an event, by its number or by its place on the axis; as it is now for null. */
  z.object({ type: z.literal('seek'), to: Where.nullable(), view: View.optional() }),
  /** Make a search of its own of this one as it was after an event. */
  z.object({ type: z.literal('fork'), seq: z.number().int().positive() }),
  /** The page failed and should be reloaded; the search continues. */
  z.object({ type: z.literal('reload') }),
  z.object({ type: z.literal('failed'), message: z.string().max(20_000) }),
]);
export type ViewMessage = z.infer<typeof ViewMessage>;

/** Checks a message; undefined if it is invalid. */
export function readViewMessage(value: unknown): ViewMessage | undefined {
  const read = ViewMessage.safeParse(value);
  return read.success ? read.data : undefined;
}
