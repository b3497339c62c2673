import { noCandidate, noPaths } from '../../../core/messages/answers.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { lastOutput } from '../../../core/text/output-block.ts';

const LONGEST_ANSWER = 1_000_000;
/** What models put around or after a path. */
const MARKS: ReadonlySet<string> = new Set('`"\',');

/**
 * The slug paths named in a picker's answer, in its order, without repetitions: candidates only, at most `limit` of them.
 * List marks, quotes and code marks around a path are removed.
 * @throws ThoughtTreeError `bad-answer` if none is left
 */
export function readRanking(answer: string, candidates: ReadonlySet<string>, limit: number): string[] {
  const output = lastOutput(answer);
  if (output === undefined) throw new ThoughtTreeError('bad-answer', noPaths());
  // A folder made by hand may have another Unicode normal form than the model's answer.
  const byForm = new Map([...candidates].map((path) => [path.normalize('NFC'), path]));
  const ranking = new Set<string>();
  for (const line of output.slice(0, LONGEST_ANSWER).split('\n')) {
    const path = byForm.get(pathIn(line));
    if (path !== undefined) ranking.add(path);
    if (ranking.size === limit) break;
  }
  if (ranking.size === 0) throw new ThoughtTreeError('bad-answer', noCandidate());
  return [...ranking];
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
