import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { formatTokens, formatUsd } from '../../core/money/figures.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Kinds } from '../../engine/kind.ts';
import { history } from '../../searches/history/history.ts';
import type { LogEntry } from '../../searches/history/search-log.ts';
import { playAgain, type WhatIf } from '../../searches/history/what-if.ts';
import type { Cause } from '../../searches/history/why.ts';
import { openForReading } from '../../store/open-store.ts';
import { momentIn } from '../../store/past/moment.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import * as say from '../messages.ts';
import { addKindOptions, kindChoices, refuseForeignOptions } from '../options/kind-options.ts';
import {
  addLimitOptions,
  existingFolder,
  limitsFrom,
  number,
  placeOf,
  type SearchFlags,
  searchFolder,
  shownPath,
} from '../options/options.ts';
import { resumeCommand } from '../options/resume-command.ts';
import { type Row, renderRow, terminalOf } from '../terminal/terminal.ts';
import { inWords, l10n } from '../terminal/translation.ts';
import { comparedRows } from './comparison-table.ts';

/** Adds the commands for what was, and what could have been: `log`, `why`, `fork`, `what-if` and `forget`. */
export function addHistory(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  addLog(program, end);
  addWhy(program, end, kinds);
  addFork(program, end, kinds);
  addWhatIf(program, end, kinds);
  addForget(program, end);
}

interface LogFlags {
  readonly mine?: true;
  readonly name?: string;
  readonly json?: true;
}

function addLog(program: Command, end: (code: ExitCode) => void): void {
  program
    .command('log')
    .description(l10n.t('what the search and people did, one line each; DIR@42 is the search right after event 42'))
    .argument('<dir>', l10n.t("the search's folder"))
    .option('--mine', l10n.t('only what people did'))
    .option('--name <name>', l10n.t('name this moment, so that DIR@NAME is the search as it is now'))
    .option('--json', l10n.t('one JSON object a line on stdout'))
    .action(async (dir: string, { mine, name, json }: LogFlags) => {
      const { out } = terminalOf(process);
      if (name !== undefined) {
        const event = await history.nameMoment(await searchFolder(dir), name);
        out.line(inWords(say.momentNamed({ event, name: `${withoutMoment(dir)}@${name}` })));
      } else {
        const { entries, bytes, names } = await history.readLog(await searchFolder(dir));
        for (const entry of entries) {
          if (mine && !entry.isPersons) continue;
          if (json) out.line(JSON.stringify({ ...entry, say: entry.say.text }));
          else out.line(renderRow(rowOf(entry, names), Number.POSITIVE_INFINITY, out.palette));
        }
        if (!json && bytes > 0) out.line(inWords(say.textsKept({ megabytes: Math.ceil(bytes / 100_000) / 10 })));
      }
      await out.drained();
      end(EXIT.finished);
    });
}

function withoutMoment(dir: string): string {
  return momentIn(dir)?.folder ?? dir.replace(/\/$/, '');
}

function rowOf({ seq, time, by, say: words }: LogEntry, names: ReadonlyMap<number, string>): Row {
  const name = names.get(seq);
  return [
    { text: `@${seq}`.padEnd(7), style: 'dim' },
    { text: ` ${time.slice(0, 19).replace('T', ' ')}  `, style: 'dim' },
    ...(by === undefined ? [] : [{ text: `${oneLine(by, 60)}: `, style: 'cyan' as const }]),
    { text: oneLine(inWords(words), 500) },
    ...(name === undefined ? [] : [{ text: `  @${name}`, style: 'bold' as const }]),
  ];
}

function addWhy(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  program
    .command('why')
    .description(l10n.t('why a node is there and as it is: the calls, rankings, acts and lines of files behind it'))
    .argument('<dir>', l10n.t("the search's folder"))
    .argument('<node>', l10n.t('slug path, path on disk or title'))
    .option('--json', l10n.t('one JSON object on stdout'))
    .action(async (dir: string, node: string, { json }: { json?: true }) => {
      const folder = await searchFolder(dir);
      const found = await history.why(kinds, folder, node);
      const { out } = terminalOf(process);
      if (json) out.line(JSON.stringify(found, undefined, 2));
      else {
        out.line(
          renderRow([{ text: oneLine(found.title, 300), style: 'bold' }], Number.POSITIVE_INFINITY, out.palette),
        );
        for (const cause of found.causes)
          out.line(renderRow(causeRow(cause, shownPath(folder)), Number.POSITIVE_INFINITY, out.palette));
        for (const quotation of found.quotations) out.line(`  ${oneLine(quotation, 300)}`);
      }
      await out.drained();
      end(EXIT.finished);
    });
}

function causeRow({ event, by, say: words, call }: Cause, folder: string): Row {
  const money = call?.usd === undefined ? '' : `, ${formatUsd(call.usd)}`;
  return [
    { text: `@${event}`.padEnd(8), style: 'dim' },
    { text: inWords(words) },
    ...(by === undefined ? [] : [{ text: `  ${oneLine(by, 60)}`, style: 'cyan' as const }]),
    ...(call === undefined
      ? []
      : [
          { text: `  ${call.purpose}, ${formatTokens(call.tokens)}${money}: ` },
          { text: `show ${folder} ${call.node || '.'} --call ${call.number}`, style: 'dim' as const },
        ]),
  ];
}

type ForkFlags = Pick<SearchFlags, 'folder' | 'model' | 'maxCalls' | 'maxTokens' | 'maxUsd' | 'maxMinutes'> & {
  readonly dir?: string;
  readonly title?: string;
  readonly strategy?: string;
};

function addFork(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  const command = program
    .command('fork')
    .description(l10n.t('make a search of its own of one as it was at a moment, as in fork DIR@42'))
    .argument('<dir>', l10n.t("the search's folder, with a moment or as it is now"))
    .option('--folder <workspace>', l10n.t('the folder that it searches (default: found from DIR)'))
    .option('--dir <folder>', l10n.t("the fork's own folder (default: WORKSPACE/thought-trees/TITLE)"))
    .option('--title <title>', l10n.t('what to call the fork (default: the title with its moment)'))
    .option('--strategy <name>', l10n.t('the strategy with which it goes on'))
    .option('--model <provider/model>', l10n.t('the model with which it goes on'));
  for (const [flag, text] of [
    ['--max-calls <n>', l10n.t('pause the fork before more calls than this (default: 1000)')],
    ['--max-tokens <n>', l10n.t('pause the fork before more tokens than this (default: 2000000)')],
    ['--max-usd <dollars>', l10n.t('pause the fork before more money than this (default: 5)')],
    ['--max-minutes <n>', l10n.t('pause the fork after so many minutes of work')],
  ] as const)
    command.option(flag, text, number(0));
  command.action(async (dir: string, flags: ForkFlags) => {
    const { title, dir: named, strategy, model } = flags;
    const { guards } = limitsFrom(flags);
    const from = await placeOf(dir, flags.folder);
    const asked = { kinds, title: title && oneLine(title, 200), dir: named, strategy, model, guards, by: 'terminal' };
    const { place, from: origin } = await history.fork(from, asked);
    const { out } = terminalOf(process);
    out.line(inWords(say.forked({ event: origin.event, folder: shownPath(place.folder) })));
    out.line(`  ${resumeCommand(place, {}, ...(model === undefined ? [] : ['--model', model]))}`);
    await out.drained();
    end(EXIT.finished);
  });
}

type WhatIfFlags = SearchFlags & { readonly dir?: string };

function addWhatIf(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  const command = program
    .command('what-if')
    .description(
      l10n.t(
        'play a search again on the answers that it got, with other options or limits: what would be the same, and what it would have cost; nobody is asked',
      ),
    )
    .argument('<dir>', l10n.t("the search's folder"))
    .option('--folder <workspace>', l10n.t('the folder that it searches (default: found from DIR)'))
    .option('--dir <folder>', l10n.t('keep what would have been there, as a search (default: it is not kept)'))
    .option('--json', l10n.t('one JSON object on stdout'));
  const playable = kinds.map(({ descriptor }) => descriptor).filter(({ work }) => !work);
  addKindOptions(addLimitOptions(command), playable).action(async (dir: string, flags: WhatIfFlags) => {
    const place = await placeOf(dir, flags.folder);
    const { kind } = await (await openForReading(place.folder)).readSearch();
    const own = playable.find(({ name }) => name === kind);
    refuseForeignOptions({ ...flags }, kinds, own);
    const { options, strategy } = own ? kindChoices({ ...flags }, own) : { options: {}, strategy: undefined };
    const keep = flags.dir === undefined ? undefined : resolve(flags.dir);
    const stopping = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopping.abort());
    const otherwise = { options, strategy, limits: limitsFrom(flags) };
    const played = await playAgain(kinds, place, otherwise, { keep, signal: stopping.signal });
    if (stopping.signal.aborted) return end(EXIT.interrupted);
    const { out } = terminalOf(process);
    if (flags.json) out.line(JSON.stringify({ ...played, stopped: played.stopped?.text }, undefined, 2));
    else for (const row of whatIfRows(played)) out.line(renderRow(row, Number.POSITIVE_INFINITY, out.palette));
    await out.drained();
    end(EXIT.finished);
  });
}

function whatIfRows({ comparison, recorded, estimated, neverAsked, stopped }: WhatIf): Row[] {
  const missing = neverAsked.slice(0, MOST_MISSING).map(({ purpose, node }): Row => {
    return [{ text: inWords(say.neverAskedOf({ purpose, node: oneLine(node, 300) || '.' })), style: 'yellow' }];
  });
  const more = neverAsked.length - missing.length;
  return [
    ...comparedRows(comparison, l10n.t('as it was'), l10n.t('what if')),
    [{ text: inWords(say.answersPlayed({ recorded, estimated })), style: 'dim' }],
    ...missing,
    ...(more > 0 ? [[{ text: inWords(say.moreNeverAsked({ count: more })), style: 'yellow' as const }]] : []),
    ...(stopped ? [[{ text: oneLine(inWords(stopped), 500) }]] : []),
  ];
}

const MOST_MISSING = 20;

function addForget(program: Command, end: (code: ExitCode) => void): void {
  program
    .command('forget')
    .description(l10n.t('remove a text from everything that a search keeps in .search; that cannot be undone'))
    .argument('<dir>', l10n.t("the search's folder"))
    .argument('[text]', l10n.t('the text; - to read it from stdin'))
    .option(
      '--before <date>',
      l10n.t('instead, all texts that were replaced or removed before a date, as in 2026-11-01'),
    )
    .action(async (dir: string, typed: string | undefined, { before }: { before?: string }) => {
      const folder = await existingFolder(dir);
      const time = before === undefined ? undefined : Date.parse(before);
      if ((typed === undefined) === (time === undefined)) throw new ThoughtTreeError('bad-input', say.forgetWhat());
      if (time !== undefined && !Number.isFinite(time)) throw new ThoughtTreeError('bad-input', say.notADate());
      const named = typed === '-' ? (await text(process.stdin)).replace(/\r?\n$/, '') : typed;
      const what = time === undefined ? { text: named as string } : { before: time };
      const { say: done, outside } = await history.forget(folder, what, 'terminal');
      const { out, err } = terminalOf(process);
      out.line(inWords(done));
      if (outside.length > 0) err.line(inWords(say.stillIn({ files: outside.slice(0, 20).map(shownPath).join(', ') })));
      await out.drained();
      end(EXIT.finished);
    });
}
