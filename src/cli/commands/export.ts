import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { Kinds } from '../../engine/kind/kinds.ts';
import { exportSearch, JSON_FORMAT } from '../../searches/export-search.ts';
import { overviewOf } from '../../searches/reader/search-overview.ts';
import { toFileError } from '../../store/files/file-error.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { alsoOfKind, fileExists, formatOfKind, nodesIn } from '../messages.ts';
import { existingFolder, shownPath } from '../options/search-place.ts';
import { problemText } from '../rows/problem-text.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { inWords, l10n } from '../terminal/translation.ts';

interface ExportFlags {
  readonly format?: string;
  readonly out?: string;
}

/** `export DIR`. */
export function addExport(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  const formats = new Set([...kinds.flatMap(({ face }) => face.formats ?? []), JSON_FORMAT]);
  const about = kinds.flatMap(({ face: { name, formats: own = [] } }) =>
    own.map((format, i) => inWords((i === 0 ? formatOfKind : alsoOfKind)({ format, kind: name }))),
  );
  program
    .command('export')
    .description(l10n.t('write a whole search to the terminal or into one file, as JSON or for other programs'))
    .argument('<dir>', l10n.t("the search's folder"))
    .addOption(
      new Option('--format <format>', [l10n.t('json for any search'), ...about].join('; ')).choices([...formats]),
    )
    .option(
      '--out <file>',
      l10n.t('the file to write, which must not exist yet, or the folder to put it into (default: stdout)'),
    )
    .action(async (dir: string, { format, out: file }: ExportFlags) => {
      const folder = await existingFolder(dir);
      const overview = await overviewOf(kinds, folder);
      const { text, fileName, notes } = await exportSearch(kinds, overview, format);
      const { out, err } = terminalOf(process);
      for (const problem of overview.problems) err.line(problemText(problem));
      for (const note of notes) err.line(inWords(note));
      if (file === undefined) out.line(text.replace(/\n$/, ''));
      else {
        const named = resolve(file);
        const whole = (await isFolder(named)) ? join(named, fileName) : named;
        await writeWhole(whole, text);
        out.line(inWords(nodesIn({ count: overview.tree.size + 1, file: shownPath(whole) })));
      }
      await out.drained();
      end(EXIT.finished);
    });
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

/** Writes a new file, whole or not at all. */
async function writeWhole(file: string, text: string): Promise<void> {
  if (await stat(file).catch(() => undefined)) throw new ThoughtTreeError('exists', fileExists({ file }));
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
