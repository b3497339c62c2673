import type { GraphNode } from '../protocol/graph-node.ts';

/** A score from 0 to 10 with at most one digit after the point. */
export function scoreOf10(score: number): string {
  return String(Number(score.toFixed(1)));
}

/** A node's score, with a tilde if its confidence is low; empty without one. */
export function scoreText({ score, isLowConfidence }: Pick<GraphNode, 'score' | 'isLowConfidence'>): string {
  return score === undefined ? '' : `${isLowConfidence ? '~' : ''}${scoreOf10(score)}`;
}
