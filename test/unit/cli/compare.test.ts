import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Problem, readProblems } from '../../../src/cli/commands/compare.ts';
import type { Compared } from '../../../src/cli/commands/comparison.ts';
import {
  pairCells,
  pairNotes,
  pairsOf,
  rowsOf,
  setupCells,
  setupSums,
} from '../../../src/cli/commands/comparison-table.ts';
import { thoughtPurposes } from '../../../src/kinds/thoughts/purposes.ts';
import { effort } from '../../support/effort.ts';

describe('the problems of a comparison', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'thought-tree-problems-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function read(name: string, text: string): Promise<Problem[]> {
    await writeFile(join(folder, name), text);
    return await readProblems(join(folder, name));
  }

  it('are the lines of a text, with their numbers', async () => {
    assert.deepEqual(await read('a.txt', '\ufeff4 9 10 13\r\n\r\n  # one, two \n'), [
      { text: '4 9 10 13', line: 1 },
      { text: '# one, two', line: 3 },
    ]);
  });

  it('are a column of a CSV file: by its name, else the first', async () => {
    assert.deepEqual(await read('a.csv', 'Rank,Puzzles\n1,4 9 10 13\n2,"a ""b"",\nc"\n3,last'), [
      { text: '4 9 10 13', line: 2 },
      { text: 'a "b",\nc', line: 3 },
      { text: 'last', line: 5 },
    ]);
    assert.deepEqual(await read('b.CSV', 'one,1\ntwo,2\n'), [
      { text: 'one', line: 1 },
      { text: 'two', line: 2 },
    ]);
  });

  it('are what was written as CSV, whatever it contains', async () => {
    const field = fc.string({ unit: 'grapheme' }).filter((text) => text.trim() !== '' && !/\r(?!\n)/.test(text));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(field, field), { minLength: 1, maxLength: 5 }), async (rows) => {
        const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
        const text = ['Problem,other', ...rows.map((row) => row.map(quoted).join(','))].join('\n');
        const found = await read('a.csv', text);
        assert.deepEqual(
          found.map((each) => each.text),
          rows.map(([problem]) => problem.trim()),
        );
      }),
      { numRuns: effort(100) },
    );
  });
});

function compared(setup: string, end: Compared['end'], calls: number, about: Partial<Compared> = {}): Compared {
  const tokens = { prompt: 1000 * calls, cached: 0, completion: 100, worstCase: 0 };
  const thoughts = { solved: true, finishedPath: [], bestPath: [], backtracks: 0, callsByPurpose: { generate: calls } };
  const counts = { expanded: 0, leaves: 0, skipped: 0, failed: 0, pruned: 0, open: 0 };
  const results = { ...counts, calls, tokens, usd: calls / 100, usdComplete: true, minutes: 0.5, thoughts };
  return { setup, strategy: setup, problem: 'p', line: 1, seed: 1, end, results, ...about };
}

function textsOf(rows: ReturnType<typeof rowsOf>): (string | undefined)[] {
  return rows.map(([part]) => part?.text);
}

describe('the table of a comparison', () => {
  it('adds up, and says what was stopped and where prices are unknown', () => {
    const breadth = [compared('breadth-first', 'solved', 12), compared('breadth-first', 'unsolved', 1200)];
    const stopped = compared('depth-first', 'stopped', 5);
    const depth = [{ ...stopped, results: { ...stopped.results, usdComplete: false } }];
    const sums = setupSums(['breadth-first', 'depth-first', 'best-first'], [...breadth, ...depth], 'thoughts');
    assert.deepEqual(textsOf(rowsOf(setupCells(sums, false, thoughtPurposes))), [
      'set-up         solved  stopped  calls  a problem  generate  tokens                                   money    time',
      'breadth-first  1 of 2        0  1,212      606.0     1,212   1.21M                                  $12.12  1m 00s',
      'depth-first    0 of 1        1      5        5.0         5    5.1k  at least $0.0500, price partly unknown     30s',
      'best-first     0 of 0        0      0                    0       0                                   $0.00      0s',
      'total          1 of 3        1  1,217      405.7     1,217   1.22M   at least $12.17, price partly unknown  1m 30s',
    ]);
  });
});

describe('the pairs of a comparison', () => {
  /** A search of each set-up for each problem: `+` is solved, `-` is not, `.` was stopped. */
  function searches(ends: Readonly<Record<string, string>>): Compared[] {
    const END = { '+': 'solved', '-': 'unsolved', '.': 'stopped' } as const;
    return Object.entries(ends).flatMap(([setup, text]) =>
      [...text].map((end, at) => compared(setup, END[end as keyof typeof END], 1, { line: at + 1 })),
    );
  }

  it('are each way against the first, on the problems that both ended', () => {
    const all = searches({ a: '+---------', b: '-++++++++.', c: '+--------' });
    const pairs = pairsOf(['a', 'b', 'c', 'd'], all);
    assert.deepEqual(textsOf(rowsOf(pairCells(pairs))), [
      'against a  problems  wins  losses  difference            95 %      p',
      'b                 9     8       1       +77.8  +34.2 … +121.3  0.039',
      'c                 9     0       0         0.0               –  1.000',
    ]);
    const [, ...notes] = pairNotes(pairs);
    assert.deepEqual(notes, [
      'Each p is for its pair alone: of 2 pairs, one differs for sure enough only below 0.025.',
      'b: one problem is left out, since not both came to its end.',
      'c: one problem is left out, since not both came to its end.',
      'c: only 0 problems were solved more often by one of the two. That is too few to tell a difference from chance.',
    ]);
  });

  it('count a problem once, however often it was tried, and not at all where a try was stopped', () => {
    const tries = (setup: string, line: number, ends: readonly Compared['end'][]): Compared[] =>
      ends.map((end, at) => compared(setup, end, 1, { line, seed: at + 1 }));
    const all = [
      ...tries('a', 1, ['solved', 'unsolved']),
      ...tries('b', 1, ['solved', 'solved']),
      ...tries('a', 2, ['solved', 'stopped']),
      ...tries('b', 2, ['unsolved', 'unsolved']),
    ];
    const [{ problems, wins, losses, difference, leftOut } = assert.fail()] = pairsOf(['a', 'b'], all);
    assert.deepEqual([problems, wins, losses, difference, leftOut], [1, 1, 0, 0.5, 1]);
  });
});
