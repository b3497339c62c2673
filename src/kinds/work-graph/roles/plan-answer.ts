import * as z from 'zod';
import { isThoughtTreeError, ThoughtTreeError } from '../../../core/search/errors.ts';
import { oneLine } from '../../../core/text/text.ts';
import { CheckItem, CommandLine, PlanFile, PlannedAtom, PlannedGroup } from '../plan/plan.ts';
import { checkPlan } from '../plan/read-plan.ts';
import { wrongAnswer, wrongPlan } from './messages.ts';
import type { GoalData } from './prompts.ts';
import { cutText, cutTexts, readAnswer } from './read-answer.ts';

/** The most atoms that a model plans: a plan is for a person to read. */
const MOST_PLANNED = 60;
const LONGEST_LINE = 1000;

const Clarification = z.looseObject({
  question: cutText(LONGEST_LINE),
  answer: cutText(4000),
  from: cutText(LONGEST_LINE).nullish(),
});

const Aligned = z.looseObject({
  goal: cutText(20_000),
  background: cutText(20_000).nullish(),
  deliverables: cutTexts(200, LONGEST_LINE),
  done: cutTexts(200, LONGEST_LINE),
  constraints: cutTexts(200, LONGEST_LINE),
  in_scope: cutTexts(200, LONGEST_LINE),
  out_of_scope: cutTexts(200, LONGEST_LINE),
  clarifications: z.array(Clarification).max(1000).nullish(),
});

/** The origin of an answer that comes from no file: a person reads it, and changes it. */
export const ASSUMED = 'assumed';

/** A goal that was made clear. @throws ThoughtTreeError `bad-answer` */
export function checkAligned(text: string, asked: string): GoalData {
  const { goal, background, clarifications, ...lists } = readAnswer(text, Aligned);
  const { deliverables, done, constraints, in_scope, out_of_scope } = lists;
  const settled = (clarifications ?? [])
    .map(({ question, answer, from }) => ({
      question: question.trim(),
      answer,
      from: oneLine(from ?? '', LONGEST_LINE) || ASSUMED,
    }))
    .filter(({ question }) => question !== '');
  return {
    goal: goal.trim() || asked,
    ...(background?.trim() && { background }),
    deliverables,
    done,
    constraints,
    in_scope,
    out_of_scope,
    clarifications: settled.slice(0, 50),
  };
}

const Planned = z.looseObject({
  base_case: z.array(CheckItem).min(1).max(100),
  set_up: CommandLine.nullish(),
  atoms: z.array(PlannedAtom).min(1).max(MOST_PLANNED),
  groups: z.array(PlannedGroup).max(MOST_PLANNED).nullish(),
});

/**
 * A plan for a goal.
 * @throws ThoughtTreeError `bad-answer` saying what cannot be carried out, in words for the model
 */
export function checkPlanned(text: string, goal: GoalData, earlier?: PlanFile): PlanFile {
  const { base_case, set_up, atoms, groups } = readAnswer(text, Planned);
  const { limits, corrections } = earlier ?? {};
  const plan = PlanFile.safeParse({
    ...goal,
    base_case,
    ...(set_up && { set_up }),
    atoms,
    groups: groups ?? [],
    ...(limits && { limits }),
    ...(corrections && { corrections }),
  });
  if (!plan.success)
    throw new ThoughtTreeError('bad-answer', wrongAnswer({ why: oneLine(z.prettifyError(plan.error), 800) }));
  try {
    checkPlan(plan.data);
    return plan.data;
  } catch (error) {
    if (!isThoughtTreeError(error)) throw error;
    throw new ThoughtTreeError('bad-answer', wrongPlan({ why: error.say }), { cause: error });
  }
}
