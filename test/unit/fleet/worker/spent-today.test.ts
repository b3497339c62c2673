import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SpentToday } from '../../../../src/fleet/worker/spent-today.ts';

describe("a worker's spend of the day", () => {
  let folder: string;
  let today: Date;
  const open = (id: string, tokens = 100) => new SpentToday(folder, id, { tokens, usd: 1 }, () => today);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'thought-tree-spent-'));
    today = new Date('2026-01-02T10:00:00Z');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('books a call at its worst, and counts what it really used', () => {
    const spent = open('a');
    const settle = spent.book({ tokens: 80, usd: 0.5 });
    assert.ok(settle);
    assert.deepEqual(spent.total, { calls: 1, tokens: 80, usd: 0.5 });
    assert.equal(spent.book({ tokens: 21, usd: 0 }), undefined);
    settle({ tokens: 10, usd: 0.1 });
    assert.deepEqual(spent.total, { calls: 1, tokens: 10, usd: 0.1 });
    assert.equal(spent.book({ tokens: 1, usd: 0.95 }), undefined);
    spent.book({ tokens: 90, usd: 0.9 })?.();
    assert.deepEqual(spent.total, { calls: 2, tokens: 100, usd: 1 });
  });

  it('is kept across restarts and counts that of other processes; calls of a killed one at their worst', () => {
    const killed = open('a');
    killed.book({ tokens: 30, usd: 0.25 })?.({ tokens: 20, usd: 0.25 });
    killed.book({ tokens: 40, usd: 0 });
    const next = open('b');
    assert.deepEqual(next.total, { calls: 2, tokens: 60, usd: 0.25 });
    assert.equal(next.book({ tokens: 41, usd: 0 }), undefined);
    assert.ok(next.book({ tokens: 40, usd: 0 }));
    assert.equal(killed.total.tokens, 100);
  });

  it('writes down what calls really used later, so that a killed one counts at least that', () => {
    const killed = open('a', 1000);
    const ofOthers = () => open('b').total.tokens;
    const [cheap, dear] = [killed.book({ tokens: 30, usd: 0 }), killed.book({ tokens: 40, usd: 0 })];
    cheap?.({ tokens: 20, usd: 0 });
    assert.equal(ofOthers(), 70);
    killed.keep();
    assert.equal(ofOthers(), 60);
    dear?.({ tokens: 90, usd: 0 });
    assert.equal(ofOthers(), 110, 'more than it was booked at');
  });

  it('passes no cap where several processes book at the same moment', async () => {
    const [processes, rounds, tokens] = [4, 25, 50];
    const script = fileURLToPath(new URL('../../../support/fleet/spending-process.ts', import.meta.url));
    const args = (id: number) => [script, folder, String(id), ...[processes, rounds, tokens].map(String)];
    const run = promisify(execFile);
    const ended = await Promise.all(Array.from({ length: processes }, (_, id) => run(process.execPath, args(id))));
    const booked = ended.map(({ stdout }) => JSON.parse(stdout) as number[]);
    for (let round = 0; round < rounds; round++) {
      const all = booked.reduce((sum, counts) => sum + (counts[round] ?? 0), 0);
      assert.ok(all <= tokens / 10, `${all} calls in round ${round}`);
      assert.ok(all > 0);
    }
  });

  it('begins anew each day', () => {
    const spent = open('a');
    const settle = spent.book({ tokens: 100, usd: 0 });
    assert.deepEqual([spent.day, spent.fits({ tokens: 1, usd: 0 })], ['2026-01-02', false]);
    today = new Date('2026-01-03T00:00:01Z');
    assert.deepEqual([spent.day, spent.fits({ tokens: 1, usd: 0 })], ['2026-01-03', false]);
    settle?.({ tokens: 70, usd: 0 });
    assert.deepEqual([spent.fits({ tokens: 30, usd: 1 }), spent.fits({ tokens: 31, usd: 0 })], [true, false]);
    assert.equal(spent.total.tokens, 70, 'what ends today counts today');
    assert.equal(existsSync(join(folder, '2026-01-02')), false);
  });

  it('knows its own where nothing can be kept', () => {
    const spent = new SpentToday(undefined, 'a', { tokens: 10, usd: 0 });
    assert.ok(spent.book({ tokens: 6, usd: 0 }));
    assert.equal(spent.book({ tokens: 6, usd: 0 }), undefined);
  });
});
