import { findingsIn } from '../../core/search/findings.ts';
import { oneLine } from '../../core/text/text.ts';
import { nodeAt } from '../../core/tree/tree.ts';
import type { Outcome } from '../../engine/outcome.ts';
import type { Search } from '../../engine/search.ts';
import type { Row } from '../terminal/row.ts';
import { inWords } from '../terminal/translation.ts';
import { answerIs, bestPathSoFar, itsPath, noSolution } from './messages.ts';

const LONGEST = 1000;

/**
 * The results of a search for a solution: the answer and its path, or the best path so far; if nothing is left and
 * nothing was found, the whole tree. Empty for searches of other kinds.
 */
export function thoughtRows({ kind, file, tree }: Search, outcome: Outcome): Row[] {
  const findings = findingsIn(outcome.results, file.kind);
  if (!findings) return [];
  const { answer, solved, finishedPath, bestPath } = findings;
  const isFound = finishedPath.length > 0;
  const nodes = (isFound ? finishedPath : bestPath).flatMap((each) => nodeAt(tree, each) ?? []);
  const said = answer ?? (solved ? nodes.at(-1)?.title : undefined);
  const rows: Row[] = [];
  if (said !== undefined) rows.push([{ text: inWords(answerIs({ answer: oneLine(said, LONGEST) })), style: 'bold' }]);
  else if (outcome.state === 'finished' && !isFound) rows.push([{ text: inWords(noSolution()), style: 'yellow' }]);
  if (nodes.length > 0) rows.push([{ text: inWords(isFound ? itsPath() : bestPathSoFar()) }]);
  for (const [index, { title, evaluation }] of nodes.entries()) {
    const score = evaluation ? `  ${Number(evaluation.score.toFixed(1))}` : '';
    rows.push([{ text: `  ${index + 1}. ${oneLine(title, LONGEST)}${score}` }]);
  }
  if (!isFound && outcome.state === 'finished')
    rows.push(...(kind.textTree?.(file, tree) ?? []).map((text): Row => [{ text }]));
  return rows;
}

/**
 * The commands that may lead on where a search ended without a solution.
 * @param command a command on the search, by its name
 */
export function nextRows({ file }: Search, outcome: Outcome, command: (name: string) => string): Row[] {
  const findings = findingsIn(outcome.results, file.kind);
  if (outcome.state !== 'finished' || !findings || findings.finishedPath.length > 0) return [];
  return (findings.next ?? []).map(({ action, args }): Row => {
    const flags = Object.entries(args).map(([name, value]) => ` --${name} ${value}`);
    return [{ text: `  ${command(action)}${flags.join('')} --resume` }];
  });
}
