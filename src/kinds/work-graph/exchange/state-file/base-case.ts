import { withoutCommands } from '../../../../core/text/text.ts';
import { Check, type CheckItem, CommandLine, FileGlob } from '../../plan/plan.ts';
import * as say from '../messages.ts';
import type { Part } from './part.ts';

const MOST_LEVELS = 8;
const LONGEST = 1000;

/** The base case of a state file as a checklist of ours: older files have one check, newer ones a list. */
export function baseCaseFrom(part: Part): CheckItem[] {
  const list = part.isMapping ? part.get('checklist') : part;
  const items = !list
    ? [itemFrom(part, 0)]
    : list.isList
      ? list.items().map((each) => itemFrom(each, 0))
      : [itemFrom(list, 0)];
  if (items.length === 0) throw part.wrong(say.noChecks());
  return items;
}

function itemFrom(part: Part, depth: number): CheckItem {
  if (depth === MOST_LEVELS) throw part.wrong(say.tooDeep());
  if (!part.isMapping) return asserted(part.text());
  const check = part.get('check');
  const several = [part.get('group'), part.get('all_of'), part.get('any_of')].map(
    (list) => list && nested(list, depth),
  );
  const [group, allOf, anyOf] = several;
  const all = group ?? allOf;
  const item = lineOf(part.get('item')?.text() ?? part.get('description')?.text() ?? '');
  const named = (fallback: string) => ({ item: item || lineOf(fallback) || '?' });
  if (check) return { ...named(nameOf(check)), check: checkFrom(check) };
  if (all) return { ...named(all.map((each) => each.item).join('; ')), all_of: all };
  if (anyOf) return { ...named(anyOf.map((each) => each.item).join('; ')), any_of: anyOf };
  return part.get('type') ? { ...named(nameOf(part)), check: checkFrom(part) } : asserted(part.need('item').text());
}

function nested(list: Part, depth: number): CheckItem[] {
  const items = list.items().map((each) => itemFrom(each, depth + 1));
  if (items.length === 0) throw list.wrong(say.noChecks());
  return items;
}

function asserted(text: string): CheckItem {
  const line = lineOf(text) || '?';
  return { item: line, check: { assertion: line } };
}

function nameOf(check: Part): string {
  if (!check.isMapping) return check.text();
  const value = check.get('value') ?? check.get('command') ?? check.get('path') ?? check.get('type');
  return value && !value.isMapping && !value.isList ? value.text() : '';
}

const FILES: Readonly<Record<string, 'file' | 'not_file'>> = { file: 'file', not_file: 'not_file' };
const COMMANDS: Readonly<Record<string, 'command' | 'not_command'>> = {
  command: 'command',
  not_command: 'not_command',
};

/** A check of ours. What cannot be looked at here, such as a file elsewhere, is for a person to say. */
function checkFrom(part: Part): Check {
  if (!part.isMapping) return { assertion: lineOf(part.text()) || '?' };
  const type = part.need('type').text();
  const command = Object.hasOwn(COMMANDS, type) ? COMMANDS[type] : undefined;
  const file = Object.hasOwn(FILES, type) ? FILES[type] : undefined;
  const value =
    part.get('value') ?? (command && part.get('command')) ?? (file && (part.get('path') ?? part.get('file')));
  if (type === 'quality') return qualityFrom(part, value);
  if (command) {
    const given = value ?? part.need('value');
    const line = CommandLine.safeParse(given.text());
    if (!line.success) throw given.wrong(say.wrongCommand({ why: line.error.issues[0]?.message ?? '' }));
    return command === 'command' ? { command: line.data } : { not_command: line.data };
  }
  const said = value && !value.isMapping && !value.isList ? value.text() : '';
  if (file) {
    const glob = FileGlob.safeParse((value ?? part.need('value')).text().replace(/^(?:\.\/)+/, ''));
    if (glob.success) return file === 'file' ? { file: glob.data } : { not_file: glob.data };
  }
  const text = type === 'assertion' ? said : say.checkedByHand({ what: type, value: said }).text;
  return { assertion: lineOf(text) || '?' };
}

/** A rubric, or criteria in words. */
function qualityFrom(part: Part, value: Part | undefined): Check {
  const whole = value?.isMapping ? value : part;
  const criteria = whole.get('rubric') ?? whole.get('criteria') ?? value;
  if (!criteria) throw part.wrong(say.missingPart({ name: 'rubric' }));
  const rubric = criteria.itemsOrOne().map((each) => {
    if (!each.isMapping) return { criterion: lineOf(each.text()) || '?', weight: 1 };
    const levels = each.get('levels');
    const description = each.get('description')?.text();
    return {
      criterion: lineOf((each.get('criterion') ?? each.need('name')).text()) || '?',
      weight: each.get('weight')?.value ?? 1,
      ...(description === undefined ? {} : { description: description.slice(0, 4000) }),
      ...(levels?.isMapping
        ? { levels: Object.fromEntries(levels.entries().map(([n, text]) => [n, text.text().slice(0, LONGEST)])) }
        : {}),
    };
  });
  const threshold = (whole.get('pass_threshold') ?? whole.get('threshold'))?.value;
  const scope = whole.get('scope')?.value;
  const glob = typeof scope === 'string' ? FileGlob.safeParse(scope.replace(/^(?:\.\/)+/, '')).data : undefined;
  const quality = {
    rubric,
    ...(threshold === undefined ? {} : { threshold }),
    ...(glob === undefined ? {} : { scope: glob }),
  };
  const checked = Check.safeParse({ quality });
  if (!checked.success) throw part.wrong(say.notNumber({ name: 'weight / pass_threshold' }));
  return checked.data;
}

/** A text as one line of a plan. */
export function lineOf(text: string): string {
  return withoutCommands(text).replace(/\s+/g, ' ').trim().slice(0, LONGEST).toWellFormed().trim();
}
