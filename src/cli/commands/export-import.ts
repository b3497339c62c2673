import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Kinds } from '../../engine/kind.ts';
import { COMMON_FORMATS, type ExportedSearch, exportSearch } from '../../searches/export-search.ts';
import { overviewAt } from '../../searches/history/past-overview.ts';
import { importSnapshot } from '../../searches/import-snapshot.ts';
import type { SearchOverview } from '../../searches/reader/search-overview.ts';
import { replaceFile } from '../../store/files/replace-file.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import {
  alsoOfKind,
  createFromFile,
  emptyTitle,
  fileExists,
  fileInFormat,
  formatOfKind,
  importStopped,
  nodesIn,
  nodesToContinue,
} from '../messages.ts';
import { existingFolder, placeOf, shownPath } from '../options/options.ts';
import { resumeCommand } from '../options/resume-command.ts';
import { problemText } from '../rows/texts.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { inWords, l10n, ownTranslation } from '../terminal/translation.ts';

interface ExportFlags {
  readonly format?: string;
  readonly html?: true;
  readonly markdown?: true;
  readonly svg?: true;
  readonly folder?: string;
  readonly out?: string;
}

/** The formats that people read, and the endings of their files. */
const FOR_PEOPLE = { html: 'html', markdown: 'md', svg: 'svg' } as const;

/** `export DIR`. */
export function addExport(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  const formats = new Set([...kinds.flatMap(({ descriptor }) => descriptor.formats), ...COMMON_FORMATS]);
  const about = kinds.flatMap(({ descriptor: { name, formats: own } }) =>
    own.map((format, i) => inWords((i === 0 ? formatOfKind : alsoOfKind)({ format, kind: name }))),
  );
  program
    .command('export')
    .description(
      l10n.t('write a whole search to the terminal or into one file: for people, as JSON, or for other programs'),
    )
    .argument('<dir>', l10n.t("the search's folder"))
    .addOption(
      new Option('--format <format>', [l10n.t('json, dot and mermaid for any search'), ...about].join('; ')).choices([
        ...formats,
      ]),
    )
    .addOption(
      new Option('--html', l10n.t('one page to read, which needs no network: answer, tree, documents')).conflicts([
        'format',
        'markdown',
        'svg',
      ]),
    )
    .addOption(
      new Option(
        '--markdown',
        l10n.t('its report, its tree as a list and its findings, for an issue or a chat'),
      ).conflicts(['format', 'svg']),
    )
    .addOption(new Option('--svg', l10n.t('its tree, drawn')).conflicts('format'))
    .option('--folder <workspace>', l10n.t('the folder that it searches, for links to files (default: found from DIR)'))
    .option(
      '--out <file>',
      l10n.t(
        'the file to write, which must not exist yet, or the folder to put it into (default: stdout; with --html in a terminal, this folder)',
      ),
    )
    .action(async (dir: string, flags: ExportFlags) => {
      const { out: file } = flags;
      const place = await placeOf(dir, flags.folder);
      const overview = await overviewAt(kinds, place.folder);
      const { text, fileName, notes } =
        (await forPeople(kinds, overview, place.workspace, flags)) ??
        (await exportSearch(kinds, overview, place.workspace, flags.format));
      const { out, err } = terminalOf(process);
      for (const problem of overview.problems) err.line(problemText(problem));
      for (const note of notes) err.line(inWords(note));
      // A page of HTML says nothing to somebody who looks at a terminal.
      if (file === undefined && !(flags.html && process.stdout.isTTY)) out.line(text.replace(/\n$/, ''));
      else {
        const named = resolve(file ?? '.');
        const whole = (await isFolder(named)) ? join(named, fileName) : named;
        await writeWhole(whole, text);
        out.line(inWords(nodesIn({ count: overview.tree.size + 1, file: shownPath(whole) })));
      }
      await out.drained();
      end(EXIT.finished);
    });
}

/** Returns a search as people read it; undefined if nobody asked for that. */
async function forPeople(
  kinds: Kinds,
  overview: SearchOverview,
  workspace: string,
  flags: ExportFlags,
): Promise<ExportedSearch | undefined> {
  const wanted = (['html', 'markdown', 'svg'] as const).find((name) => flags[name]);
  if (!wanted) return undefined;
  const { sharing } = await import('../../searches/sharing/sharing.ts');
  const parts = { kinds, workspace, show: inWords, language: ownTranslation()?.language ?? 'en' };
  const text = await sharing[wanted](overview, parts);
  return { text, fileName: `${basename(overview.folder)}.${FOR_PEOPLE[wanted]}`, notes: [] };
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

/** Writes a new file, whole or not at all. */
async function writeWhole(file: string, text: string): Promise<void> {
  if (await stat(file).catch(() => undefined)) throw new ThoughtTreeError('exists', fileExists({ file }));
  await replaceFile(file, text, { isNew: true });
}

interface ImportFlags {
  readonly folder?: string;
  readonly dir?: string;
  readonly title?: string;
}

/** `import FILE`. */
export function addImport(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  // The first format of a kind is the one that both ways go through; others are only written.
  const formats = kinds.flatMap(
    ({
      descriptor: {
        name: kind,
        formats: [format],
      },
    }) => (format ? [{ kind, format }] : []),
  );
  if (formats.length === 0) return;
  const either = (names: readonly string[]): string => names.join(' / ');
  program
    .command('import')
    .description(inWords(createFromFile({ kind: either(formats.map(({ kind }) => kind)) })))
    .argument('<file>', inWords(fileInFormat({ format: either(formats.map(({ format }) => format)) })))
    .option('--folder <workspace>', l10n.t('the folder that is searched (default: the current one)'))
    .option('--dir <folder>', l10n.t("the search's own folder (default: WORKSPACE/thought-trees/TITLE)"))
    .option(
      '--title <title>',
      l10n.t('what to call the search (default: the title in the file, else made from the problem)'),
    )
    .action(async (file: string, flags: ImportFlags) => {
      const workspace = await existingFolder(flags.folder ?? '.');
      const title = flags.title === undefined ? undefined : oneLine(flags.title, 200);
      if (title === '') throw new ThoughtTreeError('bad-input', emptyTitle());
      const { place, nodes, notes } = await untilStopped((signal) =>
        importSnapshot({ kinds, file: resolve(file), workspace, dir: flags.dir, title, signal }),
      );
      const { out, err } = terminalOf(process);
      for (const note of notes) err.line(inWords(note));
      out.line(inWords(nodesToContinue({ count: nodes, folder: shownPath(place.folder) })));
      out.line(`  ${resumeCommand(place, {})}`);
      await out.drained();
      end(EXIT.finished);
    });
}

/** Does something that Ctrl-C or the system may stop. */
async function untilStopped<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const end = (): void => stop.abort(new ThoughtTreeError('aborted', importStopped()));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, end);
  try {
    return await work(stop.signal);
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}
