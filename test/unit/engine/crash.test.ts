import assert from 'node:assert/strict';
import { SearchStore } from '../../../src/store/search-store.ts';
import { CrashingFiles, killsIn } from '../../support/crashing-files.ts';
import { createMemoryStore, MemoryFiles } from '../../support/memory-store.ts';
import { snapshotOf } from '../../support/searches/search-snapshot.ts';
import { QUESTION, type Simulation, simulate } from '../../support/searches/simulated-search.ts';

const CONCURRENCY = 3;
const options = {
  tree: { fanout: (_path: string, depth: number) => [3, 2][depth] ?? 0 },
  model: { latencyMs: ({ node }: { node: string }) => 100 + (node.length % 7) * 30 },
  search: { limits: { size: 'all' as const }, concurrency: CONCURRENCY },
};
let runs = 0; // no two runs of a process draw the same ids
const right = { check: () => undefined, release: async () => undefined };

function emptyFiles(): MemoryFiles {
  const files = new MemoryFiles();
  createMemoryStore(QUESTION, files);
  return files;
}

async function runOn(files: MemoryFiles, crashAt?: number, made?: boolean): Promise<Simulation & { changes: number }> {
  const crashing = new CrashingFiles(files, crashAt, made);
  const dead = { simulation: undefined as Simulation | undefined };
  const work = (async () => {
    const simulation = await simulate({ ...options, store: new SearchStore(crashing, right), seed: ++runs });
    dead.simulation = simulation;
    await simulation.run();
  })();
  await crashing.ended(work);
  dead.simulation?.clock.stop();
  return { ...(dead.simulation as Simulation), changes: crashing.changes };
}

const answered = (simulation: Simulation): string[] =>
  (simulation.model?.log ?? []).map(({ purpose, node }) => `${purpose} ${node}`);
const billed = (simulation: Simulation): number =>
  (simulation.model?.log ?? []).reduce((sum, { prompt, completion }) => sum + prompt + completion, 0);

/** The questions that calls of a purpose at a node were for, by both, as the journal tells; the calls, and the attempts. */
async function questionsIn({ store }: Simulation) {
  const questions = new Map<string, Set<string>>();
  const calls: string[] = [];
  const attempts = new Map<string, number[]>();
  for (const event of await store.readJournal()) {
    if (event.type !== 'call-started') continue;
    calls.push(event.call);
    const { question = '', attempt } = event;
    attempts.set(question, [...(attempts.get(question) ?? []), attempt]);
    if (event.purpose !== 'document' && event.purpose !== 'children') continue; // others are asked many times
    const key = `${event.purpose} ${event.node}`;
    questions.set(key, (questions.get(key) ?? new Set()).add(question));
  }
  return { questions, calls, attempts };
}

describe('a search killed at any of its writes', () => {
  it('comes to the same tree, repeats no more than what was in flight, and understates nothing', async () => {
    const whole = emptyFiles();
    const undisturbed = await runOn(whole);
    const expected = await snapshotOf(whole);
    assert.ok(undisturbed.changes > 100);
    for (const { crashAt, made, where } of killsIn(undisturbed.changes)) {
      const files = emptyFiles();
      const first = await runOn(files, crashAt, made);
      const second = await runOn(files);
      assert.deepEqual(await snapshotOf(files), expected, where);
      const known = new Set(answered(first).filter((call) => !call.startsWith('pick')));
      const repeated = answered(second).filter((call) => known.has(call));
      assert.ok(repeated.length <= CONCURRENCY, `${where}: ${repeated.join(', ')} asked again`);
      const { questions, calls, attempts } = await questionsIn(second);
      for (const [what, ids] of questions) assert.equal(ids.size, 1, `${where}: ${what} is another question now`);
      for (const [question, made] of attempts)
        assert.deepEqual(
          made,
          Array.from(made.keys(), (at) => at + 1),
          `${where}: the attempts of ${question}`,
        );
      assert.equal(new Set(calls).size, calls.length, `${where}: every sending is a call of its own`);
      const { tokens } = second.search.results;
      const spent = tokens.prompt + tokens.completion + tokens.worstCase;
      assert.ok(spent >= billed(first) + billed(second), `${where}: ${spent} tokens said to be spent`);
    }
  });
});
