import type { MoveResult } from '../../core/kind/strategy.ts';
import { noted } from '../../core/messages/kept.ts';
import type { Candidate } from '../../core/ports/prompt-data.ts';
import { type NodeId, pathOf } from '../../core/tree/tree.ts';
import { notesFor, withNotes } from '../../engine/calls/notes.ts';
import { consequenceOf } from '../../engine/loop/consequence.ts';
import { slotsToPlan } from '../../engine/slots-to-plan.ts';
import { readRanking } from './answers/ranking-answer.ts';
import { pickingLeaf } from './messages.ts';
import { outlineOf, wholeOutline } from './outline.ts';
import { byRule, type PickData } from './prompts/prompt-data.ts';
import type { ResearchSearch } from './research-search.ts';
import type { PickMove } from './strategy/rankings-side-by-side.ts';
import { rankingLength } from './strategy/research.ts';

/** Asks the picker which of a move's nodes come next; if that fails, there is no ranking, and no harm is done. */
export async function pickLeaves(ctx: ResearchSearch, move: PickMove, signal: AbortSignal): Promise<MoveResult> {
  const byPath = new Map<string, NodeId>();
  const candidates: Candidate[] = [];
  for (const id of move.nodes) {
    const node = ctx.tree.get(id);
    if (!node) continue;
    const path = pathOf(node);
    byPath.set(path, id);
    candidates.push({ path, title: node.title, ...(node.evaluation ? { score: node.evaluation.score } : {}) });
  }
  if (candidates.length === 0) return { outcome: 'dropped' };
  ctx.history.note({ type: 'progress', ...noted(pickingLeaf()) });
  try {
    const ranking = await rank(ctx, candidates, signal);
    const { beside } = move;
    await ctx.history.record({ type: 'picked', ranking, ...(beside && { beside }) }, true);
    return { outcome: 'ranked', ranking: ranking.map((path) => byPath.get(path) as NodeId) };
  } catch (error) {
    if (consequenceOf(error) !== 'fail') throw error;
    return { outcome: 'failed' };
  }
}

async function rank(ctx: ResearchSearch, candidates: Candidate[], signal: AbortSignal): Promise<string[]> {
  const plain = ctx.picker === 'one-at-a-time';
  const longest = rankingLength({ concurrency: slotsToPlan(ctx), inRounds: ctx.inRounds });
  const limit = plain ? 1 : Math.max(1, Math.min(candidates.length, longest));
  const outline = plain ? wholeOutline(ctx.tree.root) : outlineOf(ctx.tree.root);
  const data: PickData = { purpose: 'pick', question: ctx.file.prompt, outline, candidates, limit };
  const known = new Set(candidates.map(({ path }) => path));
  const { value } = await ctx.asks.ask(
    {
      purpose: 'pick',
      words: async () => ({
        prompt: withNotes(ctx.prompts.pick(data), await notesFor(ctx, undefined)),
        data: byRule(data),
        // The longest line of a path, in tokens; and room for a few words around them.
        maxOutputTokens: 1000 + 50 * limit,
      }),
      check: (text) => readRanking(text, known, limit),
    },
    signal,
  );
  return value;
}
