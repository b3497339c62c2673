import type { GivenPlan } from '../../../engine/kind/kind.ts';
import { commandsOf } from './commands-of.ts';
import { planLines } from './plan-lines.ts';
import { readGivenPlan } from './read-given.ts';

/** A plan that a person gives, checked. @throws ThoughtTreeError `damaged` naming the line */
export function givenPlan(text: string, file: string): GivenPlan {
  const plan = readGivenPlan(text, file);
  return { prompt: plan.goal, text, lines: planLines(plan), commands: commandsOf(plan) };
}
