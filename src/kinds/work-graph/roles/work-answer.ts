import * as z from 'zod';
import { cutText, cutTexts, readAnswer } from './read-answer.ts';
import type { Discovered } from './roles.ts';

const MOST_ARTIFACTS = 100;
const MOST_DISCOVERED = 20;
const LONGEST_TITLE = 200;
const LONGEST_TEXT = 4000;

const NextStep = z.union([
  cutText(LONGEST_TEXT).transform((does) => ({ title: does, does })),
  z.looseObject({ title: cutText(LONGEST_TITLE), does: cutText(LONGEST_TEXT).nullish() }),
]);

const Answer = z.looseObject({
  success: z.boolean(),
  summary: cutText(2000),
  artifacts: cutTexts(MOST_ARTIFACTS, 500),
  details: cutText(20_000).nullish(),
  issues: cutTexts(50, LONGEST_TEXT),
  next_steps: z.array(NextStep).max(1000).nullish(),
});

export interface WorkAnswer {
  readonly success: boolean;
  readonly summary: string;
  readonly artifacts: readonly string[];
  /** Markdown: its details, and what is left open. */
  readonly details: string;
  readonly discovered: readonly Discovered[];
}

/** @throws ThoughtTreeError `bad-answer` */
export function checkWork(text: string): WorkAnswer {
  const { success, summary, artifacts, details, issues, next_steps } = readAnswer(text, Answer);
  const open = issues.length > 0 ? `## Issues\n\n${issues.map((issue) => `- ${issue}`).join('\n')}` : '';
  const discovered = (next_steps ?? [])
    .map(({ title, does }) => ({ title: oneTitle(title), does: does ?? title }))
    .filter(({ title }) => title !== '');
  return {
    success,
    summary,
    artifacts,
    details: [details?.trim() ?? '', open].filter((part) => part !== '').join('\n\n'),
    discovered: discovered.slice(0, MOST_DISCOVERED),
  };
}

function oneTitle(title: string): string {
  return title.split('\n')[0]?.trim().slice(0, LONGEST_TITLE).toWellFormed() ?? '';
}
