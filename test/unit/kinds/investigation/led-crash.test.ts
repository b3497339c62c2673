import assert from 'node:assert/strict';
import type { ModelRequest } from '../../../../src/core/ports/model.ts';
import { MemoryFiles } from '../../../../src/store/files/memory-files.ts';
import { createMemoryStore } from '../../../../src/store/memory-store.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { CrashingFiles } from '../../../support/crashing-files.ts';
import { ledFile, simulateLed } from '../../../support/investigation/led-investigation.ts';
import { problemsIn } from '../../../support/investigation/led-problems.ts';
import { ledSnapshot } from '../../../support/investigation/led-snapshot.ts';
import type { Simulation } from '../../../support/searches/simulated-search.ts';

const CONCURRENCY = 3;
const right = { check: () => undefined, release: async () => undefined };
let runs = 0; // no two runs of a process draw the same ids

/** Everything that can follow by rule: refuted findings, one of them given up, what is exhausted, and branches that end. */
function state(id: string, states: readonly string[]): string {
  if (states.includes('VERIFY')) return id === 'R4.A1a1' ? 'DEAD' : 'VERIFY';
  if (states.includes('EXHAUST') && id === 'R4.A1b1') return 'EXHAUST';
  if (states.includes('FOUND')) return id === 'R4.A1a1' ? 'FOUND' : 'DEAD';
  return /^R2\.A[23]$|b$/.test(id) && id !== 'R3.A1b' ? 'DEAD' : (states[0] as string);
}

function emptyFiles(): MemoryFiles {
  const files = new MemoryFiles();
  createMemoryStore(ledFile(), files);
  return files;
}

type Crashed = Simulation & { changes: number };

async function runOn(files: MemoryFiles, crashAt?: number, made?: boolean): Promise<Crashed> {
  const crashing = new CrashingFiles(files, crashAt, made);
  const dead = { simulation: undefined as Simulation | undefined };
  const latencyMs = ({ node }: ModelRequest): number => 100 + (node.length % 7) * 30;
  const work = (async () => {
    const store = new SearchStore(crashing, right);
    const simulation = await simulateLed(
      { state, latencyMs },
      { store, seed: ++runs, search: { concurrency: CONCURRENCY } },
    );
    dead.simulation = simulation;
    await simulation.run();
  })();
  await crashing.ended(work);
  dead.simulation?.clock.stop();
  return { ...(dead.simulation as Simulation), changes: crashing.changes };
}

const answered = ({ model }: Simulation): string[] =>
  (model?.log ?? []).map(({ purpose, node }) => `${purpose} ${node}`);

describe('an investigation that the engine leads, killed at any of its writes', () => {
  it('comes to the same nodes, findings and report, and asks again only what was in flight', async () => {
    const whole = emptyFiles();
    const undisturbed = await runOn(whole);
    const expected = await ledSnapshot(whole);
    const states = new Set(Object.values(expected).map((file) => (file as { own?: { state?: string } }).own?.state));
    for (const each of ['EXPLORE', 'EXHAUST', 'DEAD']) assert.ok(states.has(each), `none is ${each}`);
    assert.ok(undisturbed.changes > 150, `${undisturbed.changes} changes`);
    for (let crashAt = 1; crashAt <= undisturbed.changes; crashAt++) {
      const made = crashAt % 2 === 0;
      const files = emptyFiles();
      const first = await runOn(files, crashAt, made);
      const second = await runOn(files);
      const where = `killed at change ${crashAt}, ${made ? 'made' : 'not made'}`;
      assert.deepEqual(await ledSnapshot(files), expected, where);
      const known = new Set(answered(first));
      const repeated = answered(second).filter((call) => known.has(call));
      assert.ok(repeated.length <= CONCURRENCY, `${where}: ${repeated.join(', ')} asked again`);
      assert.deepEqual(problemsIn(second.search), [], where);
    }
  }).timeout(300_000);
});
