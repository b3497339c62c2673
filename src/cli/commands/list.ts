import { join } from 'node:path';
import type { Command } from 'commander';
import pLimit from 'p-limit';
import { isThoughtTreeError } from '../../core/search/errors.ts';
import { ledWords, stateOf } from '../../core/search/messages.ts';
import { progressOf, progressWords } from '../../core/search/progress.ts';
import { withoutMissing } from '../../core/search/search-file.ts';
import { oneLine } from '../../core/text/text.ts';
import { descriptorOf, type Kinds } from '../../engine/kind.ts';
import { SEARCHES } from '../../searches/place.ts';
import { overviewOf } from '../../searches/reader/search-overview.ts';
import { type FoundSearch, findSearch, findSearches } from '../../store/open-store.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import * as say from '../messages.ts';
import { existingFolder, shownPath } from '../options/options.ts';
import { problemText } from '../rows/texts.ts';
import { type Row, renderRow, terminalOf } from '../terminal/terminal.ts';
import { inWords, l10n } from '../terminal/translation.ts';

/** Searches that are read at the same time. */
const READ_AT_ONCE = 4;

/** `list [FOLDER]`. */
export function addList(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  program
    .command('list')
    .description(l10n.t('list the searches of a folder'))
    .argument('[folder]', l10n.t('the folder that was searched (default: the current one)'))
    .option('--json', l10n.t('one JSON array on stdout'))
    .action(async (named: string | undefined, { json }: { json?: boolean }) => {
      const folder = await existingFolder(named ?? '.');
      const { out } = terminalOf(process);
      const found = await searchesOf(folder);
      if (json)
        out.line(
          JSON.stringify(await pLimit(READ_AT_ONCE).map(found, (each) => searchObject(each, kinds)), undefined, 2),
        );
      else if (found.length === 0) out.line(inWords(say.noSearches({ folder: shownPath(join(folder, SEARCHES)) })));
      else
        for (const search of found)
          for (const row of await searchRows(search, kinds))
            out.line(renderRow(row, Number.POSITIVE_INFINITY, out.palette));
      await out.drained();
      end(EXIT.finished);
    });
}

async function searchRows({ folder, search, problem }: FoundSearch, kinds: Kinds): Promise<Row[]> {
  const path = shownPath(folder);
  if (problem || !search) return damagedRows(path, problem ? problemText(problem) : inWords(say.searchUnreadable()));
  try {
    const { state, led, tree, problems, reader } = await overviewOf(kinds, folder);
    const damage = problems.map((each): Row => [{ text: `  ${problemText(each)}`, style: 'yellow' }]);
    return [
      [{ text: search.title, style: 'bold' }, { text: `  ${inWords(stateOf({ state, led }))}` }],
      [{ text: `  ${inWords(progressWords(progressOf(tree.counts), descriptorOf(kinds, search.kind)?.words))}` }],
      [{ text: `  ${path}`, style: 'dim' }],
      ...(search.forkedFrom ? [[{ text: `  ${inWords(say.forkOf(search.forkedFrom))}` }] satisfies Row] : []),
      ...(reader.halfAccepted ? [[{ text: `  ${inWords(reader.halfAccepted)}`, style: 'yellow' }] satisfies Row] : []),
      ...damage,
    ];
  } catch (error) {
    if (!isThoughtTreeError(error)) throw error;
    return damagedRows(path, inWords(error.say));
  }
}

/** Returns a search for programs. */
async function searchObject({ folder, search, problem }: FoundSearch, kinds: Kinds): Promise<object> {
  const damaged = (message: string): object => ({ folder, state: 'damaged', problem: message });
  if (problem || !search) return damaged(oneLine(problem?.message ?? say.searchUnreadable().text, 1000));
  try {
    const overview = await overviewOf(kinds, folder);
    const { file, state, model, tree, results, reason = ledWords(overview), problems } = overview;
    const { title, kind, createdAt } = file;
    const known = withoutMissing({ model, reason: reason?.text, createdAt });
    return { folder, title, kind, state, ...known, counts: tree.counts, results, problems };
  } catch (error) {
    if (!isThoughtTreeError(error)) throw error;
    return damaged(error.message);
  }
}

function damagedRows(path: string, problem: string): Row[] {
  return [
    [
      { text: path, style: 'bold' },
      { text: `  ${inWords(say.damaged())}`, style: 'red' },
    ],
    [{ text: `  ${problem}` }],
  ];
}

/**
 * The searches of a folder: those in its `thought-trees`, those directly in it, and the folder itself. Damaged ones
 * outside `thought-trees` are left out: they need not be ours.
 */
async function searchesOf(folder: string): Promise<FoundSearch[]> {
  const [usual, direct, itself] = await Promise.all([
    findSearches(join(folder, SEARCHES)),
    findSearches(folder),
    findSearch(folder),
  ]);
  const own = [...(itself ? [itself] : []), ...direct].filter(({ problem }) => problem === undefined);
  return [...usual, ...own];
}
