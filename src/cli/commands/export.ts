import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { Kinds } from '../../engine/kind/kinds.ts';
import { type ExportedSearch, exportSearch, JSON_FORMAT } from '../../searches/export-search.ts';
import { overviewOf, type SearchOverview } from '../../searches/reader/search-overview.ts';
import { replaceFile } from '../../store/files/replace-file.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { alsoOfKind, fileExists, formatOfKind, nodesIn } from '../messages.ts';
import { placeOf, shownPath } from '../options/search-place.ts';
import { problemText } from '../rows/problem-text.ts';
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
  const formats = new Set([...kinds.flatMap(({ face }) => face.formats ?? []), JSON_FORMAT]);
  const about = kinds.flatMap(({ face: { name, formats: own = [] } }) =>
    own.map((format, i) => inWords((i === 0 ? formatOfKind : alsoOfKind)({ format, kind: name }))),
  );
  program
    .command('export')
    .description(
      l10n.t('write a whole search to the terminal or into one file: for people, as JSON, or for other programs'),
    )
    .argument('<dir>', l10n.t("the search's folder"))
    .addOption(
      new Option('--format <format>', [l10n.t('json for any search'), ...about].join('; ')).choices([...formats]),
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
      l10n.t('the file to write, which must not exist yet, or the folder to put it into (default: stdout)'),
    )
    .action(async (dir: string, flags: ExportFlags) => {
      const { out: file } = flags;
      const place = await placeOf(dir, flags.folder);
      const overview = await overviewOf(kinds, place.folder);
      const { text, fileName, notes } =
        (await forPeople(kinds, overview, place.workspace, flags)) ??
        (await exportSearch(kinds, overview, flags.format));
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

/** A search as people read it; undefined if nobody asked for that. */
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
