import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SourceFile } from '../../../../src/text/files/source-file.ts';
import type { Lines } from '../../../../src/text/find/choose-lines.ts';
import { chooseWindows, OPENING } from '../../../../src/text/find/choose-lines.ts';

function fileOf(rows: number): SourceFile {
  return { path: 'a.ts', role: 'source', language: undefined, lines: Array(rows).fill('x'), secrets: 0 };
}

function choose(values: readonly number[], most: number): Lines[] {
  const file = fileOf(values.length);
  return chooseWindows({ file, from: 0, to: values.length - 1, value: (row) => values[row] ?? Number.NaN, most });
}

function worth(rows: ReadonlySet<number>, values: readonly number[]): number {
  let sum = 0;
  for (const row of rows) sum += (values[row] ?? Number.NaN) - (rows.has(row - 1) ? 0 : OPENING);
  return sum;
}

function rowsOf(windows: readonly Lines[]): Set<number> {
  return new Set(windows.flatMap(({ start, end }) => Array.from({ length: end - start + 1 }, (_, at) => start + at)));
}

describe('windows of lines', () => {
  it('are those that are worth most together, within the lines allowed', () => {
    const value = fc.oneof(
      fc.integer({ min: 0, max: 12 }).map((one) => one / 5),
      fc.constant(Number.NaN),
    );
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 9 }), fc.integer({ min: 0, max: 6 }), (values, most) => {
        const chosen = rowsOf(choose(values, most));
        assert.ok(chosen.size <= most);
        let best = 0;
        for (let set = 0; set < 1 << values.length; set++) {
          const rows = new Set(values.flatMap((_, row) => ((set >> row) & 1 ? [row] : [])));
          const sum = worth(rows, values);
          if (rows.size <= most && !Number.isNaN(sum)) best = Math.max(best, sum);
        }
        assert.equal(chosen.size === 0 ? 0 : worth(chosen, values), best);
      }),
    );
  });

  it('join what stands near, since a reader begins anew with each', () => {
    assert.deepEqual(
      choose([2, 0.1, 2, 0, 0, 0, 0, 0, 0, 0.5], 8).map(({ start, end }) => [start, end]),
      [[0, 2]],
    );
  });

  it('hold no line that must not be quoted', () => {
    assert.deepEqual(
      choose([3, Number.NaN, 3], 3).map(({ start, end }) => [start, end]),
      [
        [0, 0],
        [2, 2],
      ],
    );
  });

  it('are none where nothing is worth a beginning', () => {
    assert.deepEqual(choose([0.2, 0.3, 0], 3), []);
  });
});
