import type { Evaluation, NodeStatus } from './node-status.ts';

/** The fields of a node that say how good it is. */
interface Judged {
  readonly status: NodeStatus;
  readonly evaluation?: Pick<Evaluation, 'score'> | undefined;
}

/** The best of siblings, the first of equals; undefined if none has a score, or all that have one are pruned. */
export function bestOf<T extends Judged>(siblings: Iterable<T>): T | undefined {
  let best: T | undefined;
  for (const each of siblings) if (worth(each) > (best ? worth(best) : 0)) best = each;
  return best;
}

/** The best of the first level, the best below it, and so on, as long as there are scores. */
export function bestBelow<T extends Judged & { readonly children: readonly T[] }>(root: T): T[] {
  const path: T[] = [];
  for (let next = bestOf(root.children); next; next = bestOf(next.children)) path.push(next);
  return path;
}

function worth({ status, evaluation }: Judged): number {
  return status === 'pruned' ? 0 : (evaluation?.score ?? 0);
}
