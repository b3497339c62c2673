import type { Check, CheckItem, PlanFile } from './plan.ts';

/** All command lines of a plan, each once, in the order in which a person reads them. */
export function commandsOf(plan: PlanFile): string[] {
  const setUp = plan.set_up === undefined ? [] : [plan.set_up];
  const ofAtoms = plan.atoms.flatMap(({ run, checks }) => [...(run === undefined ? [] : [run]), ...linesIn(checks)]);
  return [...new Set([...setUp, ...ofAtoms, ...linesIn(plan.base_case)])];
}

/** The checks of items and of what they consist of, in their order. */
function checksIn(items: readonly CheckItem[]): Check[] {
  return items.flatMap(({ check, all_of = [], any_of = [] }) => [
    ...(check ? [check] : []),
    ...checksIn(all_of),
    ...checksIn(any_of),
  ]);
}

function linesIn(items: readonly CheckItem[]): string[] {
  return checksIn(items).flatMap((check) => {
    if ('command' in check) return [check.command];
    return 'not_command' in check ? [check.not_command] : [];
  });
}
