import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FOUND_BELOW, type Paired, pairedOf } from '../../src/core/search/paired.ts';
import { seeded } from '../../src/kinds/thoughts/strategy/draws.ts';
import type { Figure, PartOptions } from '../harness/figure.ts';
import { planRows } from './planbench.ts';

/** Models whose answers are known, with what textbooks give for them. */
const KNOWN = [
  { first: 'llama-3.1-405b', second: 'claude-3-opus', difference: 4.6, interval: [-0.58, 9.78], p: 0.09598 },
  { first: 'gpt-4-turbo', second: 'gpt-4o', difference: 3.8, interval: [-1.7, 9.3], p: 0.1996 },
] as const;
/** More than a thousand, which would be off by more than half a point too often. */
const DRAWS = 10_000;

/**
 * Returns the comparison's own figures, on answers of two models each to the same 500 problems, and where there is no
 * difference.
 */
export async function paired({ data, say }: PartOptions): Promise<Figure[]> {
  const folder = join(data ?? '', 'planbench');
  if (data === undefined || !existsSync(folder)) {
    say('the comparison of pairs is left out: --data FOLDER names none with planbench/');
    return [];
  }
  const rows = planRows(folder).filter(({ prompt }) => prompt === 'zero-shot');
  return KNOWN.flatMap(({ first, second, difference, interval, p }) => {
    const [one, other] = [first, second].map((name) => rows.find(({ model }) => model === name)?.answers);
    const shares = [...(one ?? [])].flatMap(([problem, { correct }]): [number, number][] => {
      const beside = other?.get(problem);
      return beside ? [[Number(correct), Number(beside.correct)]] : [];
    });
    const found = pairedOf(shares);
    const [low, high] = found.interval ?? [Number.NaN, Number.NaN];
    const off = Math.max(
      Math.abs(100 * found.difference - difference),
      Math.abs(100 * low - interval[0]),
      Math.abs(100 * high - interval[1]),
      100 * Math.abs(found.p - p),
    );
    return [
      {
        part: 'strategies',
        what: `${first} − ${second}: farthest from the known figures, in points`,
        value: off,
        unit: '',
        target: { atMost: 0.02 },
        note: said(found),
      },
      ...whereNothingDiffers(shares, `${first} − ${second}`),
    ];
  });
}

function said({ problems, wins, losses, difference, interval, p }: Paired): string {
  const between = (interval ?? []).map((end) => (100 * end).toFixed(2)).join(' to ');
  return `${problems} pairs, ${wins} won, ${losses} lost: ${(100 * difference).toFixed(2)}, 95 % ${between}, exact McNemar p ${p.toFixed(4)}`;
}

/**
 * Returns how often interval and test find a difference where the two answers to each problem are swapped at random.
 */
function whereNothingDiffers(shares: readonly (readonly [number, number])[], name: string): Figure[] {
  const random = seeded(38);
  let missed = 0;
  let alarmed = 0;
  for (let draw = 0; draw < DRAWS; draw++) {
    const swapped = shares.map(([one, other]) => (random() < 0.5 ? ([one, other] as const) : ([other, one] as const)));
    const { interval, p } = pairedOf(swapped);
    if (interval && (interval[0] > 0 || interval[1] < 0)) missed++;
    if (p < FOUND_BELOW) alarmed++;
  }
  const note = `${DRAWS} draws in which the two answers to each problem were swapped at random`;
  const percent = (count: number): number => (100 * count) / DRAWS;
  const part = 'strategies';
  const off = Math.abs(percent(missed) - 5);
  return [
    {
      part,
      what: `${name}, no difference: how far the interval’s misses are from 5 %`,
      value: off,
      unit: '',
      target: { atMost: 1.5 },
      note: `misses ${percent(missed).toFixed(1)} %; ${note}`,
    },
    {
      part,
      what: `${name}, no difference: the exact test finds one`,
      value: percent(alarmed),
      unit: '%',
      target: { atMost: 6.5 },
      note,
    },
  ];
}
