import type { GivenPlan } from '../../../engine/kind/kind.ts';
import { commandsOf } from './commands.ts';
import { planLines } from './plan-lines.ts';
import { planWarnings } from './plan-warnings.ts';
import { readPlan } from './read-plan.ts';

/** A plan that a person gives, checked. @throws ThoughtTreeError `damaged` naming the line */
export function givenPlan(text: string, file: string): GivenPlan {
  const plan = readPlan(text, file);
  return {
    prompt: plan.goal,
    text,
    lines: [...planLines(plan), ...planWarnings(plan)],
    commands: commandsOf(plan),
  };
}
