import type { Command } from 'commander';
import type { ExitCode } from '../exit-codes.ts';
import { type FleetFlags, showFleet } from '../fleet/show-fleet.ts';
import { number, wholeNumber } from '../options/options.ts';
import { l10n } from '../terminal/translation.ts';

/** `fleet`. */
export function addFleet(program: Command, end: (code: ExitCode) => void): void {
  program
    .command('fleet')
    .description(l10n.t('show the workers of a fleet, what each of them does, and what waits'))
    .option('--queue <url>', l10n.t("the queue's address, as in postgres://user@host/database"))
    .option('--cap <provider/model>', l10n.t('set what all workers together may do with a model (only its owner can)'))
    .option('--calls <n>', l10n.t('with --cap: calls at the same time; 0 for none'), wholeNumber(0, 1_000_000))
    .option(
      '--usd-a-minute <dollars>',
      l10n.t('with --cap: the most that they may spend a minute'),
      number(0.001, 1_000_000),
    )
    .option('--uncap <provider/model>', l10n.t('remove the caps of a model'))
    .option('--json', l10n.t('one JSON object on stdout'))
    .action(async (flags: FleetFlags) => end(await showFleet(flags)));
}
