import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { SearchRecord } from '../../core/search/record/search-record.ts';
import { snapshotOf } from '../../kinds/thoughts/snapshot/snapshot.ts';
import { Tries, takeTries } from '../../kinds/thoughts/tries.ts';
import { toFileError } from '../../store/files/file-error.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { existingFolder, shownPath } from '../options/search-place.ts';
import { problemText } from '../rows/problem-text.ts';
import { overviewOf } from '../rows/search-overview.ts';
import { countOf } from '../terminal/figures.ts';
import { terminalOf } from '../terminal/terminal.ts';

interface ExportFlags {
  readonly format: 'thought-tree';
  readonly out?: string;
}

/** `export DIR`. */
export function addExport(program: Command, end: (code: ExitCode) => void): void {
  program
    .command('export')
    .description('write a search for a solution as one file of JSON, the ThoughtTree of the source')
    .argument('<dir>', "the search's folder")
    .addOption(new Option('--format <format>', 'what to write').choices(['thought-tree']).default('thought-tree'))
    .option('--out <file>', 'where to write it (default: stdout); a file that stands there stays')
    .action(async (dir: string, { out: file }: ExportFlags) => {
      const overview = await overviewOf(await existingFolder(dir));
      takeTries(overview.tree, SearchRecord.of(overview.journal, new Tries()));
      const text = `${JSON.stringify(await snapshotOf(overview), undefined, 2)}\n`;
      const { out, err } = terminalOf(process);
      for (const problem of overview.problems) err.line(problemText(problem));
      if (file === undefined) out.line(text.trimEnd());
      else {
        await writeWhole(resolve(file), text);
        out.line(`${countOf(overview.tree.size, 'node')} in ${shownPath(resolve(file))}`);
      }
      await out.drained();
      end(EXIT.finished);
    });
}

/** Writes a new file, whole or not at all. */
async function writeWhole(file: string, text: string): Promise<void> {
  if (await stat(file).catch(() => undefined))
    throw new ThoughtTreeError('exists', `There is a file ${file} already. Name another one, or remove it.`);
  const begun = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(begun, text, { flag: 'wx' });
    await rename(begun, file);
  } catch (error) {
    throw toFileError(error, file, 'write');
  } finally {
    await rm(begun, { force: true });
  }
}
