import { join } from 'node:path';
import type { Command } from 'commander';
import { isThoughtTreeError } from '../../core/search/errors.ts';
import { SEARCHES } from '../../searches/place.ts';
import { overviewOf } from '../../searches/reader/search-overview.ts';
import { type FoundSearch, findSearches } from '../../store/open-store.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { existingFolder, shownPath } from '../options/search-place.ts';
import { countsRow } from '../rows/node-row.ts';
import { problemText } from '../rows/problem-text.ts';
import { type Row, renderRow } from '../terminal/row.ts';
import { terminalOf } from '../terminal/terminal.ts';

/** `list [FOLDER]`. */
export function addList(program: Command, end: (code: ExitCode) => void): void {
  program
    .command('list')
    .description('list the searches of a folder')
    .argument('[folder]', 'the folder that was searched (default: the current one)')
    .action(async (folder: string | undefined) => {
      const place = join(await existingFolder(folder ?? '.'), SEARCHES);
      const { out } = terminalOf(process);
      const found = await findSearches(place);
      if (found.length === 0) out.line(`There are no searches in ${shownPath(place)}.`);
      for (const search of found)
        for (const row of await searchRows(search)) out.line(renderRow(row, Number.POSITIVE_INFINITY, out.palette));
      await out.drained();
      end(EXIT.finished);
    });
}

async function searchRows({ folder, search, problem }: FoundSearch): Promise<Row[]> {
  const path = shownPath(folder);
  if (problem || !search) return damagedRows(path, problem ? problemText(problem) : 'search.json cannot be read');
  try {
    const { state, tree, problems } = await overviewOf(folder);
    const damage = problems.map((each): Row => [{ text: `  ${problemText(each)}`, style: 'yellow' }]);
    return [
      [{ text: search.title, style: 'bold' }, { text: `  ${state}` }],
      [{ text: '  ' }, ...countsRow(tree.counts)],
      [{ text: `  ${path}`, style: 'dim' }],
      ...damage,
    ];
  } catch (error) {
    if (!isThoughtTreeError(error)) throw error;
    return damagedRows(path, error.message);
  }
}

function damagedRows(path: string, problem: string): Row[] {
  return [
    [
      { text: path, style: 'bold' },
      { text: '  damaged', style: 'red' },
    ],
    [{ text: `  ${problem}` }],
  ];
}
