import type { Message } from '../../../core/messages/message.ts';
import { wrongField } from '../../../core/messages/wrong-field.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { readYaml, wrongLine } from '../yaml/read-yaml.ts';
import * as say from './messages.ts';
import { PlanFile } from './plan.ts';
import { planProblems } from './plan-problems.ts';
import { planWarnings } from './plan-warnings.ts';

/** The name of the file in errors. */
const PLAN_FILE = 'plan.yaml';

/**
 * A plan from the text of a file, whoever wrote it.
 * @param file what errors call it
 * @throws ThoughtTreeError `damaged` with file and line, saying what to do
 */
export function readPlan(text: string, file: string = PLAN_FILE): PlanFile {
  const { value, lineOf } = readYaml(text.replace(/^\ufeff/, ''), { file });
  const checked = PlanFile.safeParse(value);
  if (!checked.success) throw wrongLine(file, lineOf(checked.error.issues[0]?.path ?? []), wrongField(checked.error));
  const [problem] = planProblems(checked.data);
  if (problem) throw wrongLine(file, lineOf(problem.path), problem.why);
  return checked.data;
}

/**
 * Checks a plan that did not come from a file.
 * @returns what is probably not meant as it says
 * @throws ThoughtTreeError `damaged` saying what to do
 */
export function checkPlan(plan: PlanFile): readonly Message[] {
  const [problem] = planProblems(plan);
  if (problem)
    throw new ThoughtTreeError('damaged', say.wrongPlan({ file: PLAN_FILE, why: problem.why }), { file: PLAN_FILE });
  return planWarnings(plan);
}
