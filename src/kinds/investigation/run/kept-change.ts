import * as z from 'zod';
import type { JournalEvent } from '../../../core/search/events.ts';
import type { KeptFold } from '../../../core/search/record/fold.ts';
import type { Change, Progress } from '../protocol/investigation.ts';

/** The kind of the one offer of an investigation: its next call. */
export const CALL = 'call';

/** The progress of an investigation, as it is kept. */
export const KeptProgress = z.object({
  currentRound: z.number().int().min(0),
  currentBatch: z.number().int().min(0),
  minRounds: z.number().int().min(1),
  allowEarlyTerminal: z.boolean(),
  commits: z.number().int().min(0),
  hasEnded: z.boolean(),
});

const id = z.string();
const progress = KeptProgress;

/** The change of an accepted call, as the journal keeps it before any file is made from it. */
const KeptChange = z.object({
  change: z.discriminatedUnion('do', [
    z.object({
      do: z.literal('propose'),
      nodes: z.array(
        z.object({ id, parent: id.nullable(), title: z.string(), plannedAction: z.string(), proposedAt: z.number() }),
      ),
      progress,
    }),
    z.object({
      do: z.literal('commit'),
      results: z.array(
        z.object({
          id,
          state: z.string(),
          findings: z.string(),
          agentId: z.string().optional(),
          isVerified: z.boolean().optional(),
        }),
      ),
      progress,
    }),
    z.object({ do: z.literal('reclassify'), id, state: z.string(), progress }),
    z.object({ do: z.literal('end'), progress }),
  ]),
  /** The names of the folders of new nodes, by their ids. */
  slugs: z.record(z.string(), z.string()).optional(),
});

/** An accepted call: what it changes, and where new nodes are put. */
export interface KeptCall {
  readonly change: Change;
  readonly slugs: Readonly<Record<string, string>>;
}

/** A call as it was kept; undefined if it is damaged. */
export function keptCallOf(result: unknown): KeptCall | undefined {
  const { data } = KeptChange.safeParse(result);
  return data && { change: data.change as Change, slugs: data.slugs ?? {} };
}

/** The progress of an investigation, according to its journal. */
export class KeptCalls implements KeptFold {
  static readonly part = 'investigation-calls';
  readonly name = KeptCalls.part;
  progress: Progress | undefined;

  apply(event: JournalEvent): void {
    if (event.type !== 'offers-answered') return;
    for (const { result } of event.answers) this.progress = keptCallOf(result)?.change.progress ?? this.progress;
  }

  get state(): { progress?: Progress } {
    return this.progress ? { progress: this.progress } : {};
  }

  restore(state: unknown): void {
    this.progress = z.object({ progress: KeptProgress.optional() }).parse(state).progress;
  }
}
