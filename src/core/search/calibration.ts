import { lineageOf, type Tree, type TreeNode, walk } from '../tree/tree.ts';

/** How thoughts of one score fared: of those that were continued, how many led to a solution. */
export interface Fared {
  readonly continued: number;
  readonly led: number;
}

/** By score from 0 on, a point each; 10 counts as 9. */
export type Calibration = readonly Fared[];

const SCORES = 10;

/**
 * What scores were worth in a search. Only nodes that were continued count: nobody knows what the others would have led to. What was
 * pruned or set aside is missing, so this says nothing about scores by which a search prunes.
 */
export function calibrationOf({ root }: Tree): Calibration {
  const led = new Set<TreeNode>();
  for (const node of walk(root)) if (node.leafReason === 'solved') for (const above of lineageOf(node)) led.add(above);
  const fared = Array.from({ length: SCORES }, () => ({ continued: 0, led: 0 }));
  for (const node of walk(root)) {
    const score = node.evaluation?.score;
    if (score === undefined || (node.children.length === 0 && !led.has(node))) continue;
    const own = fared[Math.min(SCORES - 1, Math.floor(score))] as { continued: number; led: number };
    own.continued++;
    if (led.has(node)) own.led++;
  }
  return fared;
}

/** Several searches together. */
export function addedUp(all: readonly Calibration[]): Calibration {
  return Array.from({ length: SCORES }, (_, at) =>
    all.reduce(
      (sum, each) => ({
        continued: sum.continued + (each[at]?.continued ?? 0),
        led: sum.led + (each[at]?.led ?? 0),
      }),
      { continued: 0, led: 0 },
    ),
  );
}
