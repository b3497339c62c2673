import assert from 'node:assert/strict';
import type { ModelRequest } from '../../../../src/core/ports/model.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { CrashingFiles, killsIn } from '../../../support/crashing-files.ts';
import { type LedManner, ledFile, simulateLed } from '../../../support/investigation/led-investigation.ts';
import { problemsIn } from '../../../support/investigation/led-problems.ts';
import { ledSnapshot } from '../../../support/investigation/led-snapshot.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import type { Simulation } from '../../../support/searches/simulated-search.ts';

const CONCURRENCY = 3;
const right = { check: () => undefined, release: async () => undefined };
let runs = 0; // no two runs of a process draw the same ids

/** Leads of several rounds, below each other and side by side; some lead nowhere, and a check refutes one. */
const MANNER: LedManner = {
  result: (id) => (id === 'R1.A' ? 'open' : id === 'R2.A2' ? 'nothing' : 'settled'),
  verdict: (claim) => (claim.includes('R2.A3') ? 'refuted' : 'confirmed'),
  leads: (round) =>
    round === 2
      ? ['The timer', 'The clock', 'The socket']
      : round === 3
        ? [{ title: 'Its cause', from: 'R2.A1' }, 'The proxy', { title: 'Its end', from: 'R2.A1' }]
        : [],
};

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
      { ...MANNER, latencyMs },
      { store, seed: ++runs, search: { concurrency: CONCURRENCY } },
    );
    dead.simulation = simulation;
    await simulation.run();
  })();
  await crashing.ended(work);
  dead.simulation?.clock.stop();
  return { ...(dead.simulation as Simulation), changes: crashing.changes };
}

/** What was asked, without plans: those of all rounds are of the same node. */
const answered = ({ model }: Simulation): string[] =>
  (model?.log ?? [])
    .filter(({ purpose }) => purpose !== 'propose-leads')
    .map(({ purpose, node }) => `${purpose} ${node}`);
const plansIn = ({ model }: Simulation): number =>
  (model?.log ?? []).filter(({ purpose }) => purpose === 'propose-leads').length;

describe('an investigation that the engine leads, killed at any of its writes', () => {
  it('comes to the same nodes, findings and report, and asks again only what was in flight', async () => {
    const whole = emptyFiles();
    const undisturbed = await runOn(whole);
    const expected = await ledSnapshot(whole);
    const states = new Set(Object.values(expected).map((file) => (file as { own?: { state?: string } }).own?.state));
    for (const each of ['EXPLORE', 'FOUND', 'VERIFY', 'DEAD']) assert.ok(states.has(each), `none is ${each}`);
    assert.ok(undisturbed.changes > 80, `${undisturbed.changes} changes`);
    for (const { crashAt, made, where } of killsIn(undisturbed.changes, true)) {
      const files = emptyFiles();
      const first = await runOn(files, crashAt, made);
      const second = await runOn(files);
      assert.deepEqual(await ledSnapshot(files), expected, where);
      const known = new Set(answered(first));
      const repeated = answered(second).filter((call) => known.has(call));
      assert.ok(plansIn(first) + plansIn(second) <= plansIn(undisturbed) + 1, `${where}: a plan is asked for again`);
      assert.ok(repeated.length <= CONCURRENCY, `${where}: ${repeated.join(', ')} asked again`);
      assert.deepEqual(problemsIn(second.search), [], where);
    }
  });
});
