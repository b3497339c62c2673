import type { Candidate, RankRule } from '../../core/ports/prompt-data.ts';
import { termsOf } from '../../text/words/terms.ts';

/** By how much each further pick from the same first-level branch counts less, so that a ranking covers the question. */
const SAME_BRANCH = 1.2;
const DEEPER = 0.8;
const SHARED_WORD = 1;
const UNSCORED = 5;

interface Branch {
  readonly open: { path: string; worth: number; place: number }[];
  picked: number;
}

/** Ranks open leaves by expected value and by what they share with the question, alternating between branches. */
export function pickCandidates(question: string, { candidates, limit }: RankRule): string[] {
  const asked = new Set(termsOf(question));
  const branches = new Map<string, Branch>();
  candidates.forEach((candidate, place) => {
    const name = candidate.path.split('/')[0] ?? '';
    const branch = branches.get(name) ?? { open: [], picked: 0 };
    branch.open.push({ path: candidate.path, worth: worthOf(candidate, asked), place });
    branches.set(name, branch);
  });
  for (const { open } of branches.values()) open.sort((a, b) => b.worth - a.worth || a.place - b.place);
  const picks: string[] = [];
  const left = [...branches.values()];
  while (picks.length < limit) {
    let best: Branch | undefined;
    let bestWorth = Number.NEGATIVE_INFINITY;
    for (const branch of left) {
      const next = branch.open[0];
      const worth = next ? next.worth - SAME_BRANCH * branch.picked : Number.NEGATIVE_INFINITY;
      if (worth > bestWorth) [best, bestWorth] = [branch, worth];
    }
    const next = best?.open.shift();
    if (!best || !next) break;
    best.picked++;
    picks.push(next.path);
  }
  return picks;
}

function worthOf({ path, title, score }: Candidate, asked: ReadonlySet<string>): number {
  const shared = new Set(termsOf(title).filter((term) => asked.has(term))).size;
  return (score ?? UNSCORED) + SHARED_WORD * Math.min(3, shared) - DEEPER * (path.split('/').length - 1);
}
