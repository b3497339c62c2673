import * as z from 'zod';
import type { JournalEvent } from '../../../core/search/events.ts';
import type { KeptFold } from '../../../core/search/record/fold.ts';
import type { SearchRecord } from '../../../core/search/record/search-record.ts';
import { movedPath } from '../../../core/tree/slug-path.ts';
import { nodeAt, type Tree } from '../../../core/tree/tree.ts';
import { beginRound, endRound } from './rounds.ts';

const TriesState = z.object({ rounds: z.array(z.tuple([z.string(), z.number()])), trying: z.array(z.string()) });

/** The number of times that nodes were asked for thoughts, by slug path, and the rounds that were not completed. */
export class Tries implements KeptFold {
  static readonly part = 'tries';
  readonly name = Tries.part;
  rounds = new Map<string, number>();
  trying = new Set<string>();

  apply(event: JournalEvent): void {
    if (event.type === 'trying') this.trying.add(event.node);
    else if (event.type === 'generated') {
      this.rounds.set(event.node, event.round);
      this.trying.delete(event.node);
    } else if (event.type === 'node-moved') {
      const now = (path: string): string => movedPath(path, event.from, event.node);
      this.rounds = new Map([...this.rounds].map(([path, round]) => [now(path), round]));
      this.trying = new Set([...this.trying].map(now));
    }
  }

  get state(): z.infer<typeof TriesState> {
    return { rounds: [...this.rounds], trying: [...this.trying] };
  }

  restore(state: unknown): void {
    const { rounds, trying } = TriesState.parse(state);
    this.rounds = new Map(rounds);
    this.trying = new Set(trying);
  }
}

/** Adds to a tree read from files what only the journal knows about its nodes. */
export function takeTries(tree: Tree, record: SearchRecord): void {
  const tries = record.part(Tries);
  for (const [path, round] of tries?.rounds ?? []) {
    const node = nodeAt(tree, path);
    if (node) endRound(tree, node, round);
  }
  for (const path of tries?.trying ?? []) {
    const node = nodeAt(tree, path);
    if (node) beginRound(tree, node);
  }
}
