import * as z from 'zod';
import { cutText, cutTexts, readAnswer, shortened } from './read-answer.ts';

const LONGEST_FINDINGS = 4000;

const Answer = z.looseObject({
  feasible: z.boolean(),
  findings: cutText(LONGEST_FINDINGS),
  cost_estimate: cutText(100).nullish(),
  risks: cutTexts(20, 500),
  recommendations: cutTexts(20, 500),
  relevant_files: cutTexts(50, 500),
});

/** Reads a probe's findings, estimate, risks and recommendations in one text. @throws ThoughtTreeError `bad-answer` */
export function checkProbe(text: string): { readonly feasible: boolean; readonly findings: string } {
  const { feasible, findings, cost_estimate, risks, recommendations, relevant_files } = readAnswer(text, Answer);
  const parts = [
    findings.trim(),
    cost_estimate ? `Cost: ${cost_estimate}` : '',
    listed('Risks', risks),
    listed('Recommendations', recommendations),
    listed('Files', relevant_files),
  ];
  const whole = parts.filter((part) => part !== '').join('\n');
  return { feasible, findings: shortened(whole, LONGEST_FINDINGS) };
}

function listed(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${title}: ${items.join('; ')}`;
}
