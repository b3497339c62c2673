import {
  CONTEXT_BYTES,
  contextSection,
  quotationsThatFit,
} from '../../src/engine-parts/citations/workspace-context.ts';
import type { QuotationFinder } from '../../src/text/find/find-quotations.ts';
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

/** The question above those that are asked as topics of a tree. */
const ABOVE = 'How does mocha run the tests of a project, from its command line to the report?';

/** @param how each question as the question of a search, or as a topic of one, below what its first document was given */
export function hitsOf(finder: QuotationFinder, how: 'asked' | 'topic'): ContextHits {
  const missed: DecidedQuestion[] = [];
  const shown = quotationsThatFit(finder.find({ question: ABOVE, titles: [], shown: [] }), CONTEXT_BYTES);
  let [bytes, lines, mostLines] = [0, 0, 0];
  for (const one of DECIDED_QUESTIONS) {
    const quotations = finder.find(
      how === 'asked'
        ? { question: one.question, titles: [], shown: [] }
        : { question: ABOVE, titles: [one.question], shown },
    );
    const given = quotationsThatFit(quotations, CONTEXT_BYTES);
    const hit = [...given, ...(how === 'topic' ? shown : [])].some(
      (each) => each.path === one.path && each.lines.some((line) => line.trim() === one.line),
    );
    if (!hit) missed.push(one);
    bytes += Buffer.byteLength(contextSection(quotations, CONTEXT_BYTES));
    const count = given.reduce((sum, each) => sum + each.lines.length, 0);
    lines += count;
    mostLines = Math.max(mostLines, count);
  }
  const questions = DECIDED_QUESTIONS.length;
  return { hits: questions - missed.length, questions, missed, bytes, lines, mostLines };
}
