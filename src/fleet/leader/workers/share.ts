import type { LeaderCard } from '../../protocol.ts';

/**
 * Counts the fleet's slots that a search asks for: an equal part, and what others leave of theirs, so that none is idle
 * and nobody's calls wait in the queue for slots of others, since those were chosen too early.
 * @param slots of the workers that serve its models
 * @param own the id of its card
 * @param others searches that ask for the same models
 */
export function shareOf(slots: number, own: string, others: readonly LeaderCard[]): number {
  let left = slots;
  let asking = others.filter(wantsMore);
  // Whoever asks for less than an equal part leaves the rest to all that could use more.
  const modest = others.filter((each) => !wantsMore(each)).sort((a, b) => a.underWay - b.underWay);
  for (const [index, each] of modest.entries()) {
    const part = left / (modest.length - index + asking.length + 1);
    if (each.underWay > part) {
      asking = [...asking, ...modest.slice(index)];
      break;
    }
    left -= each.underWay;
  }
  const part = Math.floor(left / (asking.length + 1));
  const before = asking.filter(({ id }) => id < own).length;
  // All know the same cards, so that they agree on who has what cannot be divided.
  return Math.max(1, part + (before < left % (asking.length + 1) ? 1 : 0));
}

/** Tells whether it has all that it asks for under way, and so may have use for more. */
function wantsMore({ underWay, share }: LeaderCard): boolean {
  return share === undefined || underWay >= share;
}
