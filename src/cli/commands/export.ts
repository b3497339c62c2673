import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Kind } from '../../engine/kind/kind.ts';
import type { Format } from '../../engine/kind/kind-format.ts';
import { type Kinds, loadKind } from '../../engine/kind/kinds.ts';
import { overviewOf } from '../../searches/reader/search-overview.ts';
import { toFileError } from '../../store/files/file-error.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { fileExists, otherFormat } from '../messages.ts';
import { existingFolder, shownPath } from '../options/search-place.ts';
import { problemText } from '../rows/problem-text.ts';
import { countOf } from '../terminal/figures.ts';
import { terminalOf } from '../terminal/terminal.ts';

interface ExportFlags {
  readonly format: string;
  readonly out?: string;
}

/** `export DIR`. */
export function addExport(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  const formats = [...new Set(kinds.flatMap(({ face }) => face.formats ?? []))];
  const [usual] = formats;
  if (usual === undefined) return;
  program
    .command('export')
    .description('export a search for a solution as one JSON file, in the ThoughtTree format of its source')
    .argument('<dir>', "the search's folder")
    .addOption(new Option('--format <format>', 'what to write').choices(formats).default(usual))
    .option('--out <file>', 'where to write it (default: stdout); never overwrites a file')
    .action(async (dir: string, { format, out: file }: ExportFlags) => {
      const folder = await existingFolder(dir);
      const overview = await overviewOf(kinds, folder);
      const kind = await loadKind(kinds, overview.file);
      const text = `${JSON.stringify(await formatOf(kinds, kind, format).write(overview), undefined, 2)}\n`;
      const { out, err } = terminalOf(process);
      for (const problem of overview.problems) err.line(problemText(problem));
      if (file === undefined) out.line(text.trimEnd());
      else {
        await writeWhole(resolve(file), text);
        out.line(`${countOf(overview.tree.size + 1, 'node')} in ${shownPath(resolve(file))}`);
      }
      await out.drained();
      end(EXIT.finished);
    });
}

/** @throws ThoughtTreeError `bad-input` if searches of its kind cannot be exported in that format */
function formatOf(kinds: Kinds, { face: own, formats = [] }: Kind, format: string): Format {
  const found = formats.find(({ name }) => name === format);
  if (found) return found;
  const others = kinds.filter(({ face }) => face.formats?.includes(format)).map(({ face }) => `--kind ${face.name}`);
  throw new ThoughtTreeError(
    'bad-input',
    otherFormat({ kind: oneLine(own.name, 60), others: others.join(', '), format }),
  );
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
