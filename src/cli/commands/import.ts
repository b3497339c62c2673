import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Kinds } from '../../engine/kind/kinds.ts';
import { importSnapshot } from '../../searches/import-snapshot.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { createFromFile, emptyTitle, fileInFormat, importStopped, nodesToContinue } from '../messages.ts';
import { resumeCommand } from '../options/resume-command.ts';
import { existingFolder, shownPath } from '../options/search-place.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { inWords, l10n } from '../terminal/translation.ts';

interface ImportFlags {
  readonly folder?: string;
  readonly dir?: string;
  readonly title?: string;
}

/** `import FILE`. */
export function addImport(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  // The first format of a kind is the one that both ways go through; others are only written.
  const formats = kinds.flatMap(({ face: { name: kind, formats: [format] = [] } }) =>
    format ? [{ kind, format }] : [],
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
