import { type KindTerms, UNKNOWN_TERMS } from '../kind/kind-descriptor.ts';
import { type Message, message, plain } from '../messages/message.ts';
import type { StatusCounts } from '../tree/tree.ts';

/** The progress of a search, counted in one way for every host. */
export interface Progress {
  /** Nodes that were looked into: expanded, or found to end there. */
  readonly done: number;
  /** Nodes that were not; those below a pruned branch do not count, since nobody will work on them. */
  readonly open: number;
  readonly failed: number;
}

/** @param counts the nodes by counted status, as in `Tree.counts` */
export function progressOf(counts: StatusCounts): Progress {
  return {
    done: counts.expanded + counts.leaf,
    open: counts.unexpanded + counts['in-progress'],
    failed: counts.failed,
  };
}

const whole = message('search.progress.number', '{n:number}');
const withFailed = message('search.progress.failed', '{progress}, {failed:number} failed');
const none = message('search.progress.none', 'nothing yet');

/** Returns the progress in the terms of a kind: "60 topics done, 142 open". */
export function progressWords(progress: Progress, words: ProgressWords = UNKNOWN_TERMS): Message {
  const { failed } = progress;
  const said = withoutFailed(progress, words);
  if (failed === 0) return said ?? none();
  return withFailed({ progress: said ?? nodesCounted(0, words), failed });
}

/** The terms that it takes. */
export type ProgressWords = Pick<KindTerms, 'one' | 'several' | 'progress' | 'untouched'>;

/** Returns a number of nodes in the terms of their kind: "1 topic", "60 topics". */
export function nodesCounted(n: number, { one, several }: Pick<KindTerms, 'one' | 'several'>): Message {
  return n === 1 ? plain(one) : plain(several, whole({ n }));
}

function withoutFailed({ done, open }: Progress, words: ProgressWords): Message | undefined {
  if (done === 0) return open === 0 ? undefined : plain(words.untouched, nodesCounted(open, words));
  const nodes = nodesCounted(done, words);
  return open === 0 ? nodes : plain(words.progress, nodes, whole({ n: open }));
}
