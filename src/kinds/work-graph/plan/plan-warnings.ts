import type { Message } from '../../../core/messages/message.ts';
import { oneLine } from '../../../core/text/text.ts';
import { checksIn, type NamedCheck } from './commands.ts';
import * as say from './messages.ts';
import type { PlanFile } from './plan.ts';
import { graphOfPlan } from './plan-graph.ts';

/** Finds what is allowed in a plan, and probably not meant. */
export function planWarnings(plan: PlanFile): Message[] {
  const { atoms, groups } = graphOfPlan(plan);
  const parents = new Set([...atoms.values(), ...groups.values()].map(({ parent }) => parent));
  const missing = [...groups.values()].flatMap(({ name, choices }) =>
    choices.filter((choice) => !atoms.has(choice)).map((choice) => say.choiceWithoutAtom({ choice, group: name })),
  );
  const idle = plan.atoms
    .filter(({ id, run }) => run !== undefined && parents.has(id))
    .map(({ id }) => say.parentRuns({ name: id }));
  const checks = [...checksIn(plan.base_case), ...plan.atoms.flatMap((atom) => checksIn(atom.checks))];
  return [...missing, ...idle, ...checks.flatMap(checkWarnings)];
}

/** Programs that fail if they find something. */
const FINDERS = /\b(?:audit|lint|test)\b/;

function checkWarnings({ item, check }: NamedCheck): Message[] {
  if ('not_command' in check && FINDERS.test(check.not_command))
    return [say.inverted({ command: oneLine(check.not_command, 100) })];
  if (!('quality' in check)) return [];
  const given = check.quality.rubric.map(({ weight }) => weight);
  const sum = given.reduce((all, weight) => all + weight, 0);
  const isSaid = given.some((weight) => weight !== 1);
  return isSaid && Math.abs(sum - 1) > 0.001
    ? [say.weights({ item: oneLine(item, 100), sum: String(Math.round(sum * 1000) / 1000) })]
    : [];
}
