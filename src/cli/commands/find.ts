import type { Command } from 'commander';
import {
  type Lookup,
  type LookupPlace,
  listedPlaces,
  type Mention,
  type ShownRun,
  shownRows,
} from '../../core/ports/workspace-text.ts';
import { oneLine } from '../../core/text/text.ts';
import * as say from '../../engine-parts/report/messages.ts';
import { howNear } from '../../engine-parts/report/report-lines.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { existingFolder } from '../options/options.ts';
import { type Part, type Row, renderRow, terminalOf } from '../terminal/terminal.ts';
import { inWords, l10n } from '../terminal/translation.ts';

interface FindFlags {
  readonly folder?: string;
  readonly allowFile?: readonly string[];
  readonly callers?: boolean;
  readonly json?: boolean;
}

/** `find "QUESTION"`. */
export function addFind(program: Command, end: (code: ExitCode) => void): void {
  program
    .command('find')
    .description(l10n.t('find the lines of a folder that answer a question, in seconds and without a model'))
    .usage('"QUESTION" [options]')
    .argument('<question>', l10n.t('the question, in quotation marks'))
    .option('--folder <folder>', l10n.t('the folder to look in (default: the current folder)'))
    .option('--allow-file <path...>', l10n.t('a file that is shown though it may hold secrets; may be repeated'))
    .option('--callers', l10n.t('show the lines that call each place, too'))
    .option('--json', l10n.t('one JSON value on stdout'))
    .action(async (question: string, flags: FindFlags) => end(await find(question, flags)));
}

async function find(question: string, flags: FindFlags): Promise<ExitCode> {
  const { out, err } = terminalOf(process);
  const workspace = await existingFolder(flags.folder ?? '.');
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const { openFinder } = await import('../../models/quotes/quotes-model.ts');
  const finder = openFinder({ workspace, allowedFiles: flags.allowFile });
  err.line(err.palette.dim(inWords(say.lookingIn({ folder: workspace }))));
  try {
    const onProgress = (message: Parameters<typeof inWords>[0]): void => err.line(err.palette.dim(inWords(message)));
    const lookup = await finder.find(question, { signal: stop.signal, onProgress });
    if (flags.json) out.line(JSON.stringify(lookup, undefined, 2));
    else
      for (const row of foundRows(question, lookup, flags.callers === true))
        out.line(renderRow(row, columnsOf(), out.palette));
    return EXIT.finished;
  } finally {
    await finder.close();
  }
}

/** A pipe takes whole lines. */
function columnsOf(): number {
  return process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
}

/** Returns the places as a small tree: the question, what answers it, and if wanted who calls that. */
function foundRows(question: string, lookup: Lookup, withCallers: boolean): Row[] {
  const { files } = lookup;
  const branches = listedPlaces(lookup);
  return [
    [{ text: oneLine(question, 500), style: 'bold' }],
    ...howNear(lookup).map((message): Row => [{ text: inWords(message), style: 'yellow' }]),
    ...branches.flatMap((place, at) => placeRows(place, at === branches.length - 1, withCallers)),
    [{ text: inWords(say.searchedIn({ count: files })), style: 'dim' }],
  ];
}

function placeRows(place: LookupPlace, isLast: boolean, withCallers: boolean): Row[] {
  const { says, shown = [], callers = [], tests = [], twins = [], code } = place;
  const stem: Part = { text: isLast ? '   ' : '│  ', style: 'dim' };
  const at: Part = { text: place.place, style: 'cyan' };
  const lines: Row[] = shown.length > 0 ? codeRows(shown) : code === '' ? [] : [[{ text: code }]];
  const notes = [
    callers.length > 0 && !withCallers ? say.calledBy({ names: named(callers) }) : undefined,
    tests.length > 0 ? say.testedBy({ names: named(tests) }) : undefined,
    twins.length > 0 ? say.alsoIn({ names: twins.map((one) => one.place).join(', ') }) : undefined,
  ].flatMap((message): Row[] => (message ? [[{ text: inWords(message), style: 'dim' }]] : []));
  const below = withCallers
    ? callers.flatMap((caller, number) => callerRows(caller, number === callers.length - 1))
    : [];
  const inner = [...lines, ...notes, ...below].map((row): Row => [stem, ...row]);
  return [
    [{ text: isLast ? '└─ ' : '├─ ', style: 'dim' }, at, { text: `  ${plain(says)}`, flexible: true }],
    ...inner,
    [stem],
  ];
}

function callerRows({ name, place, shown = [] }: Mention, isLast: boolean): Row[] {
  const head: Row = [
    { text: isLast ? '└─ ' : '├─ ', style: 'dim' },
    { text: place, style: 'cyan' },
    { text: `  ${plain(name)}` },
  ];
  return [head, ...codeRows(shown).map((row): Row => [{ text: isLast ? '   ' : '│  ', style: 'dim' }, ...row])];
}

function codeRows(runs: readonly ShownRun[]): Row[] {
  return shownRows(runs).map(({ number, text, words }) => {
    const parts: Part[] = [{ text: `${number}  `, style: 'dim' }];
    let at = 0;
    for (const [from, to] of words) {
      parts.push({ text: text.slice(at, from) }, { text: text.slice(from, to), style: 'bold' });
      at = to;
    }
    return [...parts, { text: text.slice(at) }];
  });
}

function named(mentions: readonly Mention[]): string {
  return mentions.map(({ name, place }) => `${plain(name)} (${place})`).join(', ');
}

/** Without the marks that make a name code. */
function plain(text: string): string {
  return text.replaceAll('`', '');
}
