import fc from 'fast-check';
import type { Hook, Runnable, Suite } from 'mocha';
import { EFFORT, effort, SEED } from './effort.ts';

/**
 * How long anything may take at least, in milliseconds: so long only what hangs takes, also on a machine ten times slower.
 * At full effort a test may repeat a whole command some hundred times.
 */
const PATIENCE_MS = EFFORT > 1 ? 900_000 : 300_000;

// New cases are tried with PROPERTY_SEED=random.
fc.configureGlobal({ seed: SEED, numRuns: effort(100) });

/** Says, once a run, how its tests can be run again. */
export function mochaGlobalSetup(): void {
  process.stderr.write(`TEST_EFFORT=${EFFORT} PROPERTY_SEED=${SEED}\n`);
}

export const mochaHooks = {
  beforeAll(this: { readonly test?: Hook }): void {
    if (this.test?.parent) bePatient(this.test.parent as SuiteWithHooks);
  },
};

/** What Mocha's types leave out. */
type SuiteWithHooks = Suite & { getHooks(name: string): Runnable[] };

function bePatient(suite: SuiteWithHooks): void {
  const hooks = ['beforeAll', 'beforeEach', 'afterEach', 'afterAll'].flatMap((name) => suite.getHooks(name));
  for (const each of [...hooks, ...suite.tests]) each.timeout(Math.max(each.timeout(), PATIENCE_MS));
  for (const each of suite.suites) bePatient(each as SuiteWithHooks);
}
