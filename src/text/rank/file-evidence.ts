/** Beyond the best three passages of a file, more of them say how long it is rather than what it is about. */
const MOST = 3;

/**
 * Learnt scores in which the best passage of each file has what its file's next best ones say as well: several places that
 * could be meant are more likely to be near the answer than one. A score is the logarithm of how likely a passage is meant,
 * so that the scores of a file are added as likelihoods.
 * @param ranked best first
 */
export function withOthersOfFile<T extends { readonly learnt: number }>(
  ranked: readonly T[],
  fileOf: (one: T) => unknown,
): T[] {
  const ofFile = new Map<unknown, T[]>();
  for (const one of ranked) {
    const file = fileOf(one);
    const others = ofFile.get(file);
    if (!others) ofFile.set(file, [one]);
    else if (others.length < MOST) others.push(one);
  }
  return ranked.map((one) => {
    const best = ofFile.get(fileOf(one)) ?? [];
    if (best[0] !== one) return one;
    const sum = best.reduce((all, { learnt }) => all + Math.exp(learnt - one.learnt), 0);
    return { ...one, learnt: one.learnt + Math.log(sum) };
  });
}
