import type { Command } from 'commander';
import type { ExitCode } from '../exit-codes.ts';
import { runWorker, type WorkerFlags } from '../fleet/run-worker.ts';
import { collected, givenPrice, number, wholeNumber } from '../options/options.ts';
import { l10n } from '../terminal/translation.ts';

/** `worker`. */
export function addWorker(program: Command, end: (code: ExitCode) => void): void {
  program
    .command('worker')
    .description(l10n.t('make calls for searches elsewhere, with the keys of this computer'))
    .option('--queue <url>', l10n.t("the queue's address, as in postgres://user@host/database"))
    .option(
      '--model <provider/model>',
      l10n.t('what it serves; repeatable (default: whatever searches ask for that there is a key for)'),
      collected,
    )
    .option('--base-url <url>', l10n.t("the address of the model's server, if not its provider's own"))
    .option('--price <p,c,a>', l10n.t('dollars per million tokens: prompt, cached prompt, answer'), givenPrice)
    .option('--slots <n>', l10n.t('calls at the same time (default: 4)'), wholeNumber(1, 1000))
    .option(
      '--max-usd <dollars>',
      l10n.t('the most that all workers of this user on this computer may spend a day (default: 5)'),
      number(0),
    )
    .option('--max-tokens <n>', l10n.t('the most tokens that they may use a day (default: 2000000)'), wholeNumber(0))
    .option(
      '--agents <folder>',
      l10n.t('run agents, too, in this folder alone, for your own searches on this computer'),
    )
    .option(
      '--allow-tool <rule>',
      l10n.t('with --agents: let them use this besides reading, as in "Bash(git log:*)"; repeatable'),
      collected,
    )
    .option('--json', l10n.t('every call that ended as a line of JSON on stdout'))
    .action(async (flags: WorkerFlags) => end(await runWorker(flags)));
}
