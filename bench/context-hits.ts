import { contextSection, quotationsThatFit } from '../src/engine/grounding/context-section.ts';
import { CONTEXT_BYTES } from '../src/engine/grounding/workspace-context.ts';
import type { QuotationFinder } from '../src/text/find/find-quotations.ts';
import { DECIDED_QUESTIONS, type DecidedQuestion } from './context-questions.ts';

/** How often the lines that a model is given for a question hold the one that decides it. */
export interface ContextHits {
  readonly hits: number;
  readonly questions: number;
  readonly missed: readonly DecidedQuestion[];
  /** Bytes and lines of the section of a prompt, for all questions together. */
  readonly bytes: number;
  readonly lines: number;
  readonly mostLines: number;
}

export function hitsOf(finder: QuotationFinder): ContextHits {
  const missed: DecidedQuestion[] = [];
  let [bytes, lines, mostLines] = [0, 0, 0];
  for (const one of DECIDED_QUESTIONS) {
    const { quotations } = finder.find({ question: one.question, titles: [], shown: [] });
    const given = quotationsThatFit(quotations, CONTEXT_BYTES);
    const hit = given.some((each) => each.path === one.path && each.lines.some((line) => line.trim() === one.line));
    if (!hit) missed.push(one);
    bytes += Buffer.byteLength(contextSection(quotations, CONTEXT_BYTES));
    const count = given.reduce((sum, each) => sum + each.lines.length, 0);
    lines += count;
    mostLines = Math.max(mostLines, count);
  }
  const questions = DECIDED_QUESTIONS.length;
  return { hits: questions - missed.length, questions, missed, bytes, lines, mostLines };
}
