import * as z from 'zod';
import { Title } from '../tree/node-file.ts';
import { READS } from './reading.ts';

/** The version of the files that this program writes, and the newest it can read. */
export const FORMAT_VERSION = 1;

/** The maximum number of slots. */
export const MOST_SLOTS = 4096;

/**
 * The options that a clone may decide: nothing that spends, contacts a host or runs code. These exist for all kinds;
 * each kind checks its own when a search of it is opened.
 */
export const SearchOptions = z.looseObject({
  size: z.enum(['small', 'medium', 'large', 'all']).optional(),
  maxDepth: z.number().int().min(1).max(64).optional(),
  concurrency: z.number().int().min(1).max(MOST_SLOTS).optional(),
  /** The parts of the workspace that models may see; by default, passages. */
  read: z.enum(READS).optional(),
  /** An option from before `read`: false if prompts are to contain nothing of the workspace. */
  context: z.boolean().optional(),
  /** An option from before `read`: true if the model may use tools to read the workspace. */
  tools: z.boolean().optional(),
});
export type SearchOptions = z.infer<typeof SearchOptions>;

/** search.json */
export const SearchFile = z.looseObject({
  version: z.number().int(),
  kind: z.string().min(1).max(60),
  title: Title,
  prompt: z.string().min(1).max(100_000),
  strategy: z.string().max(60).optional(),
  model: z.string().max(300).optional(),
  options: SearchOptions.default({}),
  createdAt: z.string().max(60).optional(),
  /** The longest name of a node's folder that is made from now on, in characters; 60 if missing. */
  longestName: z.number().int().min(8).max(60).optional(),
});
export type SearchFile = z.infer<typeof SearchFile>;

/** children.json: membership and order. */
export const ChildrenFile = z.array(z.looseObject({ title: Title, slug: z.string().min(1).max(255) })).max(100_000);
export type ChildrenFile = z.infer<typeof ChildrenFile>;
