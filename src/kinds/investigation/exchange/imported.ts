import * as z from 'zod';
import type { SearchFile } from '../../../core/search/search-file.ts';
import { KeptProgress } from '../run/kept-change.ts';
import { Leftovers } from './leftovers.ts';

/** The parts of its file for which an imported investigation has no place in the tree: `imported` in its options. */
const Imported = z.object({
  /** The counts of another program; our own journal knows better as soon as there is a call. */
  progress: KeptProgress.optional(),
  /** Agents that were used for nodes which are not in the file. */
  usedAgents: z.array(z.string()).optional(),
  file: Leftovers.optional(),
  nodes: z.record(z.string(), Leftovers).optional(),
  pending: z.record(z.string(), Leftovers).optional(),
  /** Empty lines and spaces around findings, by node. */
  around: z.record(z.string(), z.tuple([z.string(), z.string()])).optional(),
  /** Findings that a document cannot have exactly as they were, by node. */
  findings: z.record(z.string(), z.string()).optional(),
});
export type Imported = z.infer<typeof Imported>;

/** Returns the parts that an imported investigation keeps of its file; nothing for any other. */
export function importedIn({ options }: Pick<SearchFile, 'options'>): Imported {
  return Imported.safeParse(options['imported']).data ?? {};
}
