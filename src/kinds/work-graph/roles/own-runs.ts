import type { Checkout, WorkOutcome } from '../../../core/ports/workshop.ts';
import type { Check, CheckItem } from '../plan/plan.ts';
import type { Evidence } from '../run/tree/own-fields.ts';

/** The default time limit of a command, in seconds. */
const DEFAULT_TIMEOUT = 600;

/** The commands that a worker ran itself, and how each ended last. */
export class OwnRuns {
  readonly #checkout: Pick<Checkout, 'run'>;
  readonly #checks: readonly CheckItem[];
  readonly #last = new Map<string, WorkOutcome>();

  constructor(checkout: Pick<Checkout, 'run'>, checks: readonly CheckItem[]) {
    this.#checkout = checkout;
    this.#checks = checks;
  }

  /** Runs a line in the checkout, with the time limit that a check of it has. */
  async run(line: string, signal: AbortSignal): Promise<WorkOutcome> {
    const limits = checksOf(this.#checks).flatMap(({ check }) =>
      lineOf(check) === line ? (timeoutOf(check) ?? []) : [],
    );
    const timeoutMs = (limits.length > 0 ? Math.max(...limits) : DEFAULT_TIMEOUT) * 1000;
    const outcome = await this.#checkout.run({ line, rights: 'write', timeoutMs }, signal);
    this.#last.set(line, outcome);
    return outcome;
  }

  /**
   * Returns what the worker's word is worth for each check: `checked` where it ran the command and saw it hold,
   * otherwise `reported`. A check that it saw fail is not reported to hold.
   */
  evidence(time: string): Evidence[] {
    return checksOf(this.#checks).flatMap(({ place: item, check }): Evidence[] => {
      const line = lineOf(check);
      const outcome = line === undefined ? undefined : this.#last.get(line);
      if (!outcome) return [{ item, word: 'reported', time }];
      const { exitCode, outputHash, stopped } = outcome;
      if (stopped !== undefined || exitCode === undefined) return [];
      const holds = 'command' in check ? exitCode === 0 : exitCode !== 0;
      return holds ? [{ item, word: 'checked', exitCode, outputHash: outputHash.slice(0, 128), time }] : [];
    });
  }
}

interface PlacedCheck {
  readonly place: string;
  readonly check: Check;
}

/** All checks of a checklist with their places: `0`, `2.1`. */
function checksOf(items: readonly CheckItem[], above = ''): PlacedCheck[] {
  return items.flatMap(({ check, all_of, any_of }, i) => {
    const place = `${above}${i}`;
    return [...(check ? [{ place, check }] : []), ...checksOf(all_of ?? any_of ?? [], `${place}.`)];
  });
}

function lineOf(check: Check): string | undefined {
  if ('command' in check) return check.command;
  return 'not_command' in check ? check.not_command : undefined;
}

function timeoutOf(check: Check): number | undefined {
  return 'command' in check || 'not_command' in check ? check.timeout : undefined;
}
