import type { CitationCounts, CitationMark } from '../../../core/citations/citation.ts';
import type { Results } from '../../../core/search/events.ts';
import type { Size } from '../../../core/search/limits.ts';
import type { PrunedBy } from '../../../core/tree/node-status.ts';

const many = (count: number, one: string, more = `${one}s`): string => `${figure(count)} ${count === 1 ? one : more}`;

/** The fixed words of a report, in one catalogue, so that they can be translated. */
export const words = {
  outlineOnly: '_Put together from what the topics themselves say; no language model was asked to sum up._',
  noOpening: (why: string): string =>
    `_Put together from what the topics themselves say: the opening is missing, as ${why}._`,
  why: {
    budget: 'the budget leaves no room for it',
    empty: 'the model gave none',
    cut: 'the model’s answer was cut off',
    refused: 'the model refused to write it',
    tooLong: 'the model’s answer was far too long',
    failed: (message: string): string => `the call failed (${message})`,
  },
  nothing: 'Nothing was found out: no topic was worked on.',
  nothingListed: 'Nothing was found out: the search ended before it had its topics.',
  passages: 'From the documents',
  topics: 'Topics',
  sources: 'Sources',
  openEnds: 'Open ends',
  cost: 'What it cost',
  score: (score: string): string => `**${score}** of 10`,
  andMore: (count: number): string => `and ${figure(count)} more`,
  andMoreTopics: (count: number): string => `And ${many(count, 'more topic')}.`,
  moreBelow: (count: number): string => `and ${many(count, 'more document')} below this topic`,
  moreLines: (count: number): string => `_… ${many(count, 'more line')}._`,
  status: {
    unexpanded: 'Not worked on.',
    'in-progress': 'Not worked on to its end.',
    expanded: 'Its document is missing.',
    leaf: 'Its document is missing.',
    failed: 'Failed; see the open ends.',
    pruned: 'Pruned; see the open ends.',
  },
  cited: (times: number, documents: number): string =>
    `cited ${times === 1 ? 'once' : times === 2 ? 'twice' : `${figure(times)} times`}${documents > 1 ? ` in ${figure(documents)} documents` : ''}`,
  sourcesOf: (read: number, all: number): string =>
    `_What the ${figure(read)} most telling of ${figure(all)} documents cite._`,
  noSources: 'The documents cite nothing.',
  quotations: (all: number, { verified, moved, stale, not_found }: CitationCounts): string => {
    const rest = [
      ...(moved > 0 ? [`${figure(moved)} elsewhere in the file than was said`] : []),
      ...(stale > 0 ? [`${figure(stale)} stale: the file has changed since`] : []),
      ...(not_found > 0 ? [`${figure(not_found)} not found in the file that was named`] : []),
    ];
    const whole = `Of ${many(all, 'quotation')} of files, compared word for word, ${figure(verified)} stand where they were said to`;
    return `**Quotations.** ${[whole, ...rest].join('; ')}.`;
  },
  marks: {
    verified: 'verified',
    moved: 'moved',
    stale: 'stale',
    not_found: 'not found',
  } satisfies Record<CitationMark, string>,
  ended: {
    unlisted: 'The search was finished before its topics were known.',
    early: (worked: number, open: number): string =>
      `The search was finished early: ${many(worked, 'topic')} worked on, ${figure(open)} still open.`,
    size: (size: Size, worked: number, open: number): string =>
      `The search reached its size (${size}): ${many(worked, 'topic')} worked on, ${figure(open)} still open.`,
    complete: (worked: number): string => `The search is complete: ${many(worked, 'topic')} worked on, none left open.`,
    rest: (worked: number): string => `The search is over: ${many(worked, 'topic')} worked on, none left open.`,
  },
  openTopics: (count: number): string => `**Still open: ${figure(count)}**`,
  openTopicsBest: (count: number): string => `**Still open: ${figure(count)}**, those first of which most is expected`,
  failedTopics: (count: number): string => `**Failed: ${figure(count)}**`,
  prunedTopics: (count: number): string => `**Pruned: ${figure(count)}**, each with all below it`,
  under: (parent: string): string => `under ${parent}`,
  expected: (score: string): string => `expected ${score}`,
  prunedBy: {
    user: 'by a person',
    threshold: 'by the threshold',
    evaluator: 'by the evaluator',
    constraint: 'by a constraint',
    verifier: 'by the verifier',
  } satisfies Record<PrunedBy, string>,
  calls: (count: number): string => `Calls: ${figure(count)}`,
  tokens: ({ prompt, cached, completion, worstCase }: Results['tokens']): string => {
    const share = prompt > 0 ? ` (${Math.round((100 * cached) / prompt)} % of them from a cache)` : '';
    const all = `Tokens: ${figure(prompt + completion + worstCase)}`;
    const parts = `${figure(prompt)} sent${share}, ${figure(completion)} received`;
    if (worstCase === 0) return `${all}: ${parts}`;
    return `${all}: ${parts}, and ${figure(worstCase)} for calls that were stopped or failed before they told their usage, counted at the most they can have used`;
  },
  money: ({ usd, usdComplete, calls }: Results, free: boolean): string => {
    if (free && usd === 0) return 'Money: free';
    if (usdComplete) return `Money: ${dollars(calls === 0 ? 0 : usd)}`;
    return usd > 0 ? `Money: at least ${dollars(usd)}; not every price is known` : 'Money: price unknown';
  },
  time: (minutes: number): string => `Time: ${duration(minutes)}`,
  models: (names: readonly string[]): string => `${names.length === 1 ? 'Model' : 'Models'}: ${names.join(', ')}`,
} as const;

function figure(value: number): string {
  return value.toLocaleString('en-US');
}

function dollars(usd: number): string {
  return `$${usd > 0 && usd < 0.1 ? usd.toFixed(4) : usd.toFixed(2)}`;
}

function duration(minutes: number): string {
  const seconds = Math.round(minutes * 60);
  const [hours, rest] = [Math.floor(seconds / 3600), seconds % 3600];
  if (seconds < 60) return `${seconds} s`;
  return hours > 0 ? `${hours} h ${Math.floor(rest / 60)} min` : `${Math.floor(rest / 60)} min ${rest % 60} s`;
}
