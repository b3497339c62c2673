import { asSaid } from '../yaml/as-said.ts';
import { editYaml } from '../yaml/edit-yaml.ts';
import { blockYaml } from '../yaml/print-yaml.ts';
import { readYaml } from '../yaml/read-yaml.ts';
import { type Fields, isSame, namesOf } from '../yaml/same.ts';
import { PlanFile } from './plan.ts';

/**
 * A plan as the text of a file.
 * @param before the text that it was read from, if it was: comments, and every byte of what did not change, stay
 * @throws ThoughtTreeError `damaged` if `before` cannot be read
 */
export function writePlan(plan: PlanFile, before?: string): string {
  const said = withoutDefaults(plan);
  if (before === undefined) return blockYaml(said);
  const mark = before.startsWith('\ufeff') ? '\ufeff' : '';
  const text = before.slice(mark.length);
  const source = { file: 'plan.yaml' };
  const { value } = readYaml(text, source);
  const earlier = PlanFile.safeParse(value).data;
  return mark + editYaml(text, earlier ? asSaid(value, earlier, plan, said) : said, source);
}

/** Returns what a person would write. */
function withoutDefaults(plan: PlanFile): Fields {
  const { limits, atoms, groups, ...goal } = plan;
  const { iterations, parallel, stall } = limits;
  const isUsual = isSame(limits, PlanFile.shape.limits.parse(undefined));
  return {
    ...withoutEmpty(goal),
    ...(isUsual ? {} : { limits: { iterations, parallel, stall } }),
    atoms: atoms.map(({ probe, ...atom }) => withoutEmpty({ ...atom, ...(probe ? { probe } : {}) })),
    ...withoutEmpty({ groups }),
  };
}

function withoutEmpty(fields: Fields): Fields {
  const kept = namesOf(fields).filter((name) => !Array.isArray(fields[name]) || fields[name].length > 0);
  return Object.fromEntries(kept.map((name) => [name, fields[name]]));
}
