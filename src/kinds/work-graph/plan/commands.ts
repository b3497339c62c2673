import type { Check, CheckItem, PlanFile } from './plan.ts';

/** All command lines of a plan, exactly, each once, in the order in which they come up. */
export function commandsOf({ set_up, atoms, base_case }: PlanFile): string[] {
  const ofAtoms = atoms.flatMap(({ run, checks }) => [...(run === undefined ? [] : [run]), ...commandsIn(checks)]);
  return [...new Set([...(set_up === undefined ? [] : [set_up]), ...ofAtoms, ...commandsIn(base_case)])];
}

/** The command lines that a checklist runs. */
export function commandsIn(items: readonly CheckItem[]): string[] {
  return checksIn(items).flatMap(({ check }) => {
    if ('command' in check) return check.command;
    return 'not_command' in check ? check.not_command : [];
  });
}

/** One check of a checklist. */
export interface NamedCheck {
  readonly item: string;
  readonly check: Check;
}

/** All checks of a checklist, whatever they are nested in. */
export function checksIn(items: readonly CheckItem[]): NamedCheck[] {
  return items.flatMap(({ item, check, all_of, any_of }) => [
    ...(check ? [{ item, check }] : []),
    ...checksIn(all_of ?? any_of ?? []),
  ]);
}
