import { type Command, InvalidArgumentError } from 'commander';
import { formatTokens, formatUsd } from '../../core/money/figures.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { noPurse } from '../../searches/messages.ts';
import type { Pocket, Sort } from '../../searches/purse/purse.ts';
import { realPath } from '../../searches/trust/search-use.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import * as say from '../messages.ts';
import { existingFolder, number } from '../options/options.ts';
import { type Row, renderRow, terminalOf } from '../terminal/terminal.ts';
import { inWords, l10n } from '../terminal/translation.ts';

/** A limit in US dollars, or none. */
type GivenLimit = number | 'none';

interface MoneyFlags {
  readonly folder?: string;
  readonly perDay?: GivenLimit;
  readonly perMonth?: GivenLimit;
  readonly inFolder?: GivenLimit;
  readonly json?: true;
}

/** `money`. */
export function addMoney(program: Command, end: (code: ExitCode) => void): void {
  program
    .command('money')
    .description(l10n.t('show what you spent on this computer, and set limits over all of it'))
    .option('--per-day <dollars>', l10n.t('the most a day, in the local time zone; none takes the limit away'), limit)
    .option('--per-month <dollars>', l10n.t('the most a month'), limit)
    .option('--in-folder <dollars>', l10n.t('the most for all searches of a folder, as long as there are any'), limit)
    .option('--folder <folder>', l10n.t('that folder (default: the current one)'))
    .option('--json', l10n.t('one JSON object on stdout'))
    .action(async (flags: MoneyFlags) => {
      await money(flags);
      await terminalOf(process).out.drained();
      end(EXIT.finished);
    });
}

function limit(text: string): GivenLimit {
  if (text === 'none') return text;
  try {
    return number(0)(text);
  } catch {
    throw new InvalidArgumentError(inWords(say.limitOrNone()));
  }
}

/** @throws ThoughtTreeError `not-writable` if nothing is kept on this computer */
async function money(flags: MoneyFlags): Promise<void> {
  const folder = await realPath(await existingFolder(flags.folder ?? '.'));
  const { openPurse } = await import('../../searches/purse/purse.ts');
  const purse = openPurse({ folder, search: '' });
  if (!purse) throw new ThoughtTreeError('not-writable', noPurse());
  try {
    const given = [
      ['day', flags.perDay],
      ['month', flags.perMonth],
      ['folder', flags.inFolder],
    ] as const;
    for (const [scope, usd] of given)
      if (usd !== undefined) await purse.setLimit(scope, usd === 'none' ? undefined : usd);
    const pockets = await purse.pockets();
    const sorts = await purse.sorts(`${pockets[1]?.of}-01`);
    const { out } = terminalOf(process);
    if (flags.json) out.line(JSON.stringify({ pockets, ...sorts }, undefined, 2));
    else
      for (const row of [...pockets.map(pocketRow), ...Object.entries(sorts).flatMap(sortRows)])
        out.line(renderRow(row, Number.POSITIVE_INFINITY, out.palette));
  } finally {
    await purse.close();
  }
}

const POCKETS = {
  day: () => l10n.t('Today'),
  month: () => l10n.t('This month'),
  folder: () => l10n.t('This folder'),
} as const;

function pocketRow({ scope, of, spent, booked, limit: most }: Pocket): Row {
  const said = most === undefined ? say.spentSoFar : say.spentOfLimit;
  const text = inWords(said({ spent: formatUsd(spent), limit: formatUsd(most ?? 0) }));
  const isOver = most !== undefined && spent + booked > 0.8 * most;
  return [
    { text: POCKETS[scope]().padEnd(14), style: 'bold' },
    { text, ...(isOver && { style: 'yellow' as const }) },
    { text: booked > 0 ? `  ${inWords(say.bookedForCalls({ booked: formatUsd(booked) }))}` : '' },
    { text: `  ${oneLine(of, 500)}`, style: 'dim' },
  ];
}

const SORTS: Readonly<Record<string, () => string>> = {
  byModel: () => l10n.t('By model, this month'),
  byPurpose: () => l10n.t('By purpose'),
  bySearch: () => l10n.t('By search'),
  byDay: () => l10n.t('By day'),
};

function sortRows([name, sorts]: [string, readonly Sort[]]): Row[] {
  if (sorts.length === 0) return [];
  const rows = sorts.map(({ of, calls, tokens, usd, booked, unpriced }): Row => {
    const figures = `${formatUsd(usd).padStart(10)}  ${inWords(say.callsAndTokens({ count: calls, tokens: formatTokens(tokens) }))}`;
    const notes = [
      ...(booked > 0 ? [inWords(say.onlyBooked({ booked: formatUsd(booked) }))] : []),
      ...(unpriced > 0 ? [inWords(say.withoutPrice({ count: unpriced }))] : []),
    ];
    const more = notes.length > 0 ? ` (${notes.join(', ')})` : '';
    return [{ text: `${figures}  ` }, { text: oneLine(of, 300) }, { text: more, style: 'dim' }];
  });
  return [[], [{ text: SORTS[name]?.() ?? name, style: 'bold' }], ...rows];
}
