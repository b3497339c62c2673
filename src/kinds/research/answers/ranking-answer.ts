import { noCandidate, noPaths } from '../../../core/messages/answers.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { lastOutput } from '../../../core/text/output-block.ts';

/** A picker's answer about the candidates. */
export interface Ranking {
  /** Slug paths, most important first. */
  readonly order: readonly string[];
  /** Those on which nothing should be spent. */
  readonly dropped: readonly string[];
  /** Those that repeat another candidate: the path, and that of the other one. */
  readonly same: readonly (readonly [path: string, as: string])[];
}

const LONGEST_ANSWER = 1_000_000;
/** The characters that models put around or after a path. */
const MARKS: ReadonlySet<string> = new Set('`"\',');
const DROP = /^\W{0,4}drop(?:ped)?\W{0,4}:/i;
const SAME = /^\W{0,4}(?:same|merge)\W{0,4}:/i;
const ORDER = /^\W{0,4}(?:order|ranking)\W{0,4}:/i;

/**
 * Reads a picker's answer: candidates by their number or path, in its order, without repetitions, at most `limit` of them;
 * lines that begin with `drop:` or `same:` name those that are dropped or merged. List marks, quotes and code marks around
 * a path are removed.
 * @param candidates slug paths; the number of each is its place, from 1
 * @throws ThoughtTreeError `bad-answer` if it names no candidate at all
 */
export function readRanking(answer: string, candidates: readonly string[], limit: number): Ranking {
  // A folder made by hand may have another Unicode normal form than the model's answer.
  const byForm = new Map(candidates.map((path) => [path.normalize('NFC'), path]));
  const named = (text: string): string[] => namedIn(text, byForm, candidates);
  // Without a block, only lines that say nothing else.
  const names = (line: string): boolean => line.split(/[,;\s]+/).every((word) => word === '' || named(word).length > 0);
  const output =
    lastOutput(answer) ??
    answer
      .replaceAll(/<\/?output>/gi, '\n')
      .split('\n')
      .filter(names)
      .join('\n');
  const order = new Set<string>();
  const dropped = new Set<string>();
  const same = new Map<string, string>();
  for (const line of output.slice(0, LONGEST_ANSWER).split('\n')) {
    if (DROP.test(line)) for (const path of named(line.replace(DROP, ''))) dropped.add(path);
    else if (SAME.test(line))
      for (const pair of line.replace(SAME, '').split(/[,;]/)) {
        const [path, as] = pair.split('=').map((side) => named(side)[0]);
        if (path !== undefined && as !== undefined && path !== as && !same.has(as)) same.set(path, as);
      }
    else for (const path of named(line.replace(ORDER, ''))) order.add(path);
  }
  for (const path of [...same.keys(), ...order]) dropped.delete(path);
  for (const path of same.keys()) order.delete(path);
  if (order.size === 0 && dropped.size === 0 && same.size === 0)
    throw new ThoughtTreeError('bad-answer', /<output>/i.test(answer) ? noCandidate() : noPaths());
  return { order: [...order].slice(0, limit), dropped: [...dropped], same: [...same] };
}

function namedIn(text: string, byForm: ReadonlyMap<string, string>, candidates: readonly string[]): string[] {
  const whole = byForm.get(pathIn(text));
  if (whole !== undefined) return [whole];
  return text.split(/[,;\s]+/).flatMap((word) => {
    const number = /^\[?(\d{1,4})[\].):]?$/.exec(word)?.[1];
    const path = number === undefined ? byForm.get(pathIn(word)) : candidates[Number(number) - 1];
    return path ?? [];
  });
}

function pathIn(line: string): string {
  const item = line
    .trim()
    .replace(/^(?:[-*+]|\d+[.)])\s+/, '')
    .replace(/^[`"']+/, '');
  let end = item.length; // a loop, since a pattern at the end of a long line takes quadratic time
  while (end > 0 && MARKS.has(item[end - 1] as string)) end--;
  return item.slice(0, end).normalize('NFC');
}
