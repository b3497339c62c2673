import type { Command } from 'commander';
import type { ExitCode } from '../exit-codes.ts';
import { type FleetFlags, showFleet } from '../fleet/show-fleet.ts';
import { l10n } from '../terminal/translation.ts';

/** `fleet`. */
export function addFleet(program: Command, end: (code: ExitCode) => void): void {
  program
    .command('fleet')
    .description(l10n.t('show the workers of a fleet, what each of them does, and what waits'))
    .option('--queue <url>', l10n.t("the queue's address, as in postgres://user@host/database"))
    .option('--json', l10n.t('one JSON object on stdout'))
    .action(async (flags: FleetFlags) => end(await showFleet(flags)));
}
