import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Kind } from '../../engine/kind/kind.ts';
import type { Format } from '../../engine/kind/kind-format.ts';
import { faceOf, type Kinds, loadKind } from '../../engine/kind/kinds.ts';
import { searchAsJson } from '../../searches/export-json.ts';
import { overviewOf, type SearchOverview } from '../../searches/reader/search-overview.ts';
import { toFileError } from '../../store/files/file-error.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { alsoOfKind, fileExists, formatOfKind, nodesIn, otherFormat } from '../messages.ts';
import { existingFolder, shownPath } from '../options/search-place.ts';
import { problemText } from '../rows/problem-text.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { inWords, l10n } from '../terminal/translation.ts';

interface ExportFlags {
  readonly format?: string;
  readonly out?: string;
}

/** The format that every search has. */
const JSON_FORMAT = 'json';

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
      const written = await writtenAs(format, overview, kinds);
      const { value } = written;
      const text = typeof value === 'string' ? value : `${JSON.stringify(value, undefined, 2)}\n`;
      const { out, err } = terminalOf(process);
      for (const problem of overview.problems) err.line(problemText(problem));
      if (file === undefined) out.line(text.trimEnd());
      else {
        const named = resolve(file);
        const whole = (await isFolder(named)) ? join(named, written.fileName) : named;
        await writeWhole(whole, text);
        out.line(inWords(nodesIn({ count: overview.tree.size + 1, file: shownPath(whole) })));
      }
      await out.drained();
      end(EXIT.finished);
    });
}

interface Written {
  readonly value: object | string;
  /** What a file of it is called. */
  readonly fileName: string;
}

/** @throws ThoughtTreeError `bad-input` where searches of its kind are not written in that format */
async function writtenAs(named: string | undefined, overview: SearchOverview, kinds: Kinds): Promise<Written> {
  const format = named ?? faceOf(kinds, overview.file.kind)?.formats?.[0] ?? JSON_FORMAT;
  if (format === JSON_FORMAT)
    return { value: await searchAsJson(overview), fileName: `${basename(overview.folder)}.json` };
  const { write, fileName } = formatOf(kinds, await loadKind(kinds, overview.file), format);
  const value = await write(overview);
  return { value, fileName: fileName(value, overview) };
}

/** @throws ThoughtTreeError `bad-input` where searches of its kind are not written in that format */
function formatOf(kinds: Kinds, { face: own, formats = [] }: Kind, format: string): Format {
  const found = formats.find(({ name }) => name === format);
  if (found) return found;
  const others = kinds.filter(({ face }) => face.formats?.includes(format)).map(({ face }) => `--kind ${face.name}`);
  throw new ThoughtTreeError(
    'bad-input',
    otherFormat({ kind: oneLine(own.name, 60), others: others.join(', '), format }),
  );
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
