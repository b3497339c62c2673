import { asSentence } from '../../../core/text/text.ts';
import type { BesideData, PathData, PlanData } from './prompt-data.ts';
import { criteriaOf, type Thought } from './thought-messages.ts';

/** The longest beginning of a thought that a request only has to tell apart from others. */
const LONGEST_BESIDE = 600;

// The text of a thought could otherwise close the section that quotes it, or an answer.
const TAGS =
  /<(?=\s{0,9}\/?\s{0,9}(?:output|answer|defects|problem|plan|path|step|candidate|solution|thought|notes)\b)/gi;

/** A foreign text inside a request. */
function quoted(text: string): string {
  return text.replace(TAGS, '&lt;');
}

/** A list of texts, numbered or with dashes. */
export function listed(texts: readonly string[], isNumbered = false): string {
  return texts
    .map((text, at) => `${isNumbered ? `${at + 1}.` : '-'} ${quoted(text).replaceAll('\n', '\n  ')}`)
    .join('\n');
}

/** Tells how the problem was taken apart: in the same words for every request, so that caches serve it. */
export function planSection({ decomposition, mostSteps }: PlanData): string {
  const { thought_granularity: grain, intermediate_steps: steps, constraints, assumptions = [] } = decomposition;
  const about = decomposition.depth_estimate;
  const many =
    about > mostSteps
      ? `but a path may have only ${mostSteps}: where needed, let one step do what several would.`
      : `and may take ${mostSteps}.`;
  const parts = [
    `A step is: ${asSentence(quoted(grain))} A solution takes about ${about} of them, ${many}`,
    ...(steps.length > 0 ? [`What has to be done on the way, as it was seen at the beginning:\n${listed(steps)}`] : []),
    ...(constraints.length > 0 ? [`Every step has to keep to this:\n${listed(constraints)}`] : []),
    ...(assumptions.length > 0 ? [`This is taken as given:\n${listed(assumptions)}`] : []),
    `The success criteria, by which a whole solution is judged:\n${listed(criteriaOf(decomposition), true)}`,
  ];
  return `<plan>\n${parts.join('\n\n')}\n</plan>`;
}

/** Steps of a path, each whole. */
export function stepsSection(steps: readonly Thought[]): string {
  return steps.map((step) => `<step>\n${thoughtText(step)}\n</step>`).join('\n');
}

/** Tells the judges' objections to a path, and what it does not meet yet; empty where that is unknown. */
export function standingSections({ objections, open }: PathData): string[] {
  return [
    ...(objections.length > 0
      ? [
          `What judges said of this path, from its first step to its last; later steps may have mended some of it:\n${listed(objections)}`,
        ]
      : []),
    ...(open.length > 0 ? [`Success criteria that it does not meet yet, by number: ${openText(open)}`] : []),
  ];
}

/** Criteria by the numbers that the plan gives them, with how far a judge called them met. */
export function openText(open: PathData['open']): string {
  return open.map(({ number, score }) => `${number} (${score} of 10)`).join(', ');
}

/** A thought as it is quoted: its title, what it says, and what it leads to. */
export function thoughtText({ title, content, leads_to: state }: Thought): string {
  const parts = [...(title ? [`${title}:`] : []), content, ...(state ? [`This leads to: ${state}`] : [])];
  return quoted(parts.join('\n'));
}

/** Thoughts that are only named, each with what was said against it. */
export function besideSection(beside: readonly BesideData[]): string {
  return beside
    .map(({ thought, objections }) => {
      const { title, content } = thought;
      const whole = `${title ? `${title}: ` : ''}${content}`;
      const text = whole.length > LONGEST_BESIDE ? `${whole.slice(0, LONGEST_BESIDE)}…` : whole;
      const against = objections.map((each) => `\nAgainst it: ${each}`).join('');
      return `<thought>\n${quoted(text + against)}\n</thought>`;
    })
    .join('\n');
}

/** Tells what the person who leads the search wants of every request. */
export function notesSection(notes: string): string[] {
  return notes === ''
    ? []
    : [`Notes from the person who leads this search, to be followed:\n<notes>\n${notes}\n</notes>`];
}
