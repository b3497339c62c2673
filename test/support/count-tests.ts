import { appendFileSync } from 'node:fs';

/** Adds how many tests passed and failed to the file that `TEST_COUNTS` names: `.ci/run` sums them over all suites. */
export function noteCounts(passed: number, failed: number): void {
  const file = process.env['TEST_COUNTS'];
  if (file) appendFileSync(file, `${passed} ${failed}\n`);
}

/** Does so at the end of a run, of which it is called. */
export function mochaGlobalTeardown(this: Mocha.Runner): void {
  noteCounts(this.stats?.passes ?? 0, this.stats?.failures ?? 0);
}
