import { editYaml } from '../yaml/edit-yaml.ts';
import { blockYaml } from '../yaml/print-yaml.ts';
import { readYaml } from '../yaml/read-yaml.ts';
import { type Fields, isFields, isSame, namesOf } from '../yaml/same.ts';
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

/** What a file says where it means the same; otherwise what we would say. */
function asSaid(text: unknown, earlier: unknown, now: unknown, ours: unknown): unknown {
  if (isSame(earlier, now)) return text;
  if (isFields(text) && isFields(earlier) && isFields(now)) {
    const names = new Set([...namesOf(text), ...namesOf(isFields(ours) ? ours : {})]);
    const said = (name: string) =>
      asSaid(text[name], earlier[name], now[name], isFields(ours) ? ours[name] : undefined);
    return Object.fromEntries([...names].map((name) => [name, said(name)]));
  }
  if (!Array.isArray(text) || !Array.isArray(earlier) || !Array.isArray(now) || !Array.isArray(ours)) return ours;
  const all: readonly unknown[] = now;
  return all.map((item, i) => {
    const place = earlier.findIndex((each) => nameOf(each) !== undefined && nameOf(each) === nameOf(item));
    const same = place < 0 ? earlier.findIndex((each) => isSame(each, item)) : place;
    return same < 0 ? ours[i] : asSaid(text[same], earlier[same], item, ours[i]);
  });
}

function nameOf(item: unknown): unknown {
  return isFields(item) ? (item['id'] ?? item['name'] ?? item['item']) : undefined;
}

/** What a person would write. */
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
