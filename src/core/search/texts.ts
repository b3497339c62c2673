/** The progress texts, in one catalogue, for terminal and journal alike. */
export const texts = {
  rootExpanding: (): string => 'Generating root children...',
  rootWalk: (title: string, current: number, total: number): string =>
    `Walking root level: ${title} (${current}/${total})`,
  pickingLeaf: (): string => 'Picking next leaf to research...',
  expandingNode: (title: string, depth: number): string => `Researching: ${title} (depth ${depth})`,
  decomposing: (): string => 'Taking the problem apart...',
  damagedDecomposition: (): string => 'decomposition.json cannot be used as it stands; it is left out.',
  treeBegun: (): string => 'Initialising the search tree',
  expandingLayer: (depth: number, candidates: number): string =>
    `Expanding layer ${depth} (${candidates} ${candidates === 1 ? 'candidate' : 'candidates'})`,
  askingAgain: (depth: number, candidates: number): string =>
    `Asking once more for layer ${depth} (${candidates} ${candidates === 1 ? 'candidate' : 'candidates'})`,
  goingDeeper: (kept: number, depth: number): string => `Evaluation complete; top ${kept} go on to layer ${depth}`,
  solutionFound: (): string => 'Solution found!',
  fewerCandidates: (count: number): string => `GENERATION_FAILED: asking for ${count} instead`,
  simplerCriteria: (code: string): string => `${code}: judging by simpler criteria`,
  unscored: (code: string, count: number): string =>
    `${code}: ${count} ${count === 1 ? 'thought stays' : 'thoughts stay'} unscored, in the middle of the order`,
  hookFailed: (hook: string, message: string): string => `The task's ${hook} failed and is passed over: ${message}`,
  beyondDepth: (title: string): string =>
    `Warning: ${title} lies more than 2 below the depth limit; it is not gone on with`,
  exhausted: (): string => 'SEARCH_EXHAUSTED: nothing is left to go on with, and no solution was found',
} as const;
