import * as z from 'zod';
import { oneLine } from '../../../core/text/text.ts';
import {
  listed,
  notesSection,
  openText,
  type PathData,
  type PlanData,
  planSection,
  quoted,
  stepsSection,
} from './prompts.ts';

/** The prompts of the answer: for it, for somebody who reads it, and for it once more. */

/** Asks for the final answer, from the thoughts that led to it. */
export function answerPrompt({ plan, path, notes }: AnswerData): string {
  const { objections, open } = path;
  const isGraded = plan.decomposition.solutions === 'graded';
  return [
    planSection(plan),
    `The search is over. This is the best path, from the first step to the last:\n<path>\n${stepsSection(path.steps)}\n</path>`,
    ...(objections.length > 0
      ? [
          `What judges found wrong with its steps, and with what they were made of, by number:\n${listed(objections, true)}`,
        ]
      : []),
    ...(open.length > 0 ? [`Success criteria that it may not meet yet, by number: ${openText(open)}`] : []),
    ...notesSection(notes),
    `From the path, write the final answer to the problem for the person who asked, who sees nothing of the tree. ${isGraded ? WHOLE : SHORT}${objections.length > 0 ? REPAIR : ''}${NOTHING_LEFT_OUT} It is Markdown in the language of the problem, without front matter, title or links.`,
    objections.length > 0
      ? `Answer in this form. Give every number once, in one line: "mended", and how the answer or a later step mends it, or that what it concerns is no longer part of the solution; or "open", and why it stays.\n${ACCOUNTED}`
      : 'Your whole answer is that text.',
  ].join('\n\n');
}

const ACCOUNTED = `<answer>
the answer
</answer>
<defects>
1. mended: …
2. open: …
</defects>`;

/** Asks for the defects of a whole answer. */
export function reviewPrompt({ plan, answer, notes }: ReviewData): string {
  return [
    planSection(plan),
    `This is the answer:\n<answer>\n${quoted(answer)}\n</answer>`,
    ...notesSection(notes),
    `You are the last one to read this answer before somebody acts on it, and have not seen how it was made. Try it out: hold every sentence of the problem, and each success criterion, against it; recompute each figure; walk through each procedure and each piece of code step by step, also where a step fails; ask what is promised twice, who does it, and whether they can in the time they have; ask whether a safer or simpler choice was passed over where the answer gives something up that the problem asks for. Then read it as the person who has to carry it out: where would they stumble, which word is never explained, which passage is too dense to act on, what could be left out without loss?

Name at most ${MOST_FOUND} defects, the gravest first: each in one to three sentences that stand alone, say what is wrong, and what has to change. Do not praise. Leave out what is a matter of taste, and figures that nobody can know.

Answer with
<output>{"defects": ["…"]}</output>
or with an empty list if you would act on it as it stands.`,
  ].join('\n\n');
}

/** The most defects that a reader of an answer may name. */
export const MOST_FOUND = 12;

/** Asks for an answer again, with its defects mended. */
export function rewritePrompt({ plan, answer, defects, notes }: RewriteData): string {
  const isGraded = plan.decomposition.solutions === 'graded';
  return [
    planSection(plan),
    `This answer is about to be handed to the person who asked:\n<answer>\n${quoted(answer)}\n</answer>`,
    `Somebody who read it for the first time found these defects in it, by number:\n${listed(defects, true)}`,
    ...notesSection(notes),
    `Write the answer again, whole, with each of them mended: change the choice, the figure, the order or the extent, not only the words. Where a defect is none, leave the answer so; where two contradict each other, decide. What is right stays. Recompute whatever depends on what you changed, and go through the problem once more, sentence by sentence. It begins with the answer itself, in two or three sentences${isGraded ? ', and may not grow beyond 2,200 words' : ', and stays as short as its subject allows'}: leave out what nobody needs in order to act, say everything once, explain each abbreviation where it first stands, and let each procedure be a list that can be followed line by line. It is Markdown in the language of the problem, without front matter, title or links.`,
    `Answer in this form. Give every number once, in one line: "mended", and how; or "open", and why it stays, or why it is no defect.\n${ACCOUNTED}`,
  ].join('\n\n');
}

const WHOLE =
  'Begin with the answer itself, in one or two sentences. Then give the whole solution, so that it can be used as it stands: checked against every criterion, free of contradictions between steps, with its figures recomputed; say which of its assumptions to check first, and what the largest risk is.';
const SHORT =
  'Begin with the answer itself, complete and as short as possible; then say in a few sentences how the steps lead to it.';
const NOTHING_LEFT_OUT =
  ' Go through the problem once more, sentence by sentence: everything that it asks for, tells or observes has its place in the answer. Where the path leaves something open, or a judge doubted what it says of it, give the likeliest explanation or choice all the same, marked as a presumption, with what would confirm it; also what the steps found dangerous beside the question is mended where that costs little. Leave out figures that nobody gave and nothing needs. It says everything once, for somebody who will act on it, usually in at most 1,500 words.';
const REPAIR =
  ' Repair in the answer what the judges found wrong wherever that is possible: change the figure, the order, the extent, not only the words. What cannot be repaired here stays open, and is said.';

/** Asks somebody who has not seen how an answer was made what is wrong with it. */
export interface ReviewData {
  readonly purpose: 'review';
  readonly question: string;
  readonly plan: PlanData;
  readonly answer: string;
  readonly notes: string;
}

/** Asks for an answer again, without the defects that its reader found. */
export interface RewriteData {
  readonly purpose: 'synthesize';
  readonly question: string;
  readonly plan: PlanData;
  readonly answer: string;
  readonly defects: readonly string[];
  readonly notes: string;
}

/** Asks for the answer to the problem. */
export interface AnswerData {
  readonly purpose: 'synthesize';
  readonly question: string;
  readonly plan: PlanData;
  readonly path: PathData;
  readonly notes: string;
}

/** An answer, and what it says about the defects that its request numbered. */
export interface AccountedAnswer {
  readonly answer: string;
  /** The defects that it mends, and how. */
  readonly mended: readonly Account[];
  /** The defects that it leaves open, and why; also each one that it does not mention. */
  readonly open: readonly Account[];
}

/** One defect, and what the answer says about it; empty if nothing. */
export const Account = z.object({ defect: z.string(), how: z.string() });
export type Account = Readonly<z.infer<typeof Account>>;

const LONGEST_HOW = 500;
const BLOCK = /<defects>([\s\S]*?)(?:<\/defects>|(?=<answer>)|$)/gi;
const LINE = /^\D{0,6}(\d{1,4})\W{1,9}(mended|open|rejected)\b([^\n]{0,4000})/iu;
const MARKS = /^[\s*:.,;–—-]{1,20}/;

/**
 * Reads an answer that accounts for defects. What it does not say is mended counts as open; all of it where there is no answer.
 * @param defects as its request numbered them, from 1
 */
export function accountedAnswer(text: string, defects: readonly string[]): AccountedAnswer {
  const blocks = [...text.matchAll(BLOCK)];
  const last = blocks.at(-1);
  const answer = answerIn(text);
  const said =
    last && answer !== '' ? accountsIn(last[1] ?? '') : new Map<number, { isMended: boolean; how: string }>();
  const accounts = defects.map((defect, at) => {
    const account = said.get(at + 1);
    return { defect, how: account?.how ?? '', isMended: account?.isMended === true };
  });
  const plain = ({ defect, how }: Account): Account => ({ defect, how });
  return {
    answer,
    mended: accounts.filter(({ isMended }) => isMended).map(plain),
    open: accounts.filter(({ isMended }) => !isMended).map(plain),
  };
}

/** The first line about each number counts. */
function accountsIn(block: string): Map<number, { isMended: boolean; how: string }> {
  const accounts = new Map<number, { isMended: boolean; how: string }>();
  for (const line of block.split('\n')) {
    const [, number, word = '', how = ''] = LINE.exec(line.trimEnd()) ?? [];
    if (number === undefined || accounts.has(Number(number))) continue;
    accounts.set(Number(number), {
      isMended: word.toLowerCase() === 'mended',
      how: oneLine(how.replace(MARKS, ''), LONGEST_HOW),
    });
  }
  return accounts;
}

/** Returns the text between the marks, else all but the accounts. */
function answerIn(text: string): string {
  const rest = text.replace(BLOCK, '');
  const start = rest.indexOf('<answer>');
  const inside = start < 0 ? rest : rest.slice(start + '<answer>'.length);
  const end = inside.lastIndexOf('</answer>');
  return (end < 0 ? inside : inside.slice(0, end)).trim();
}
