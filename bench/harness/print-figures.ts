import { type Figure, reaches } from './figure.ts';

const HEADER = ['part', 'what', 'figure', 'target', '', 'note'];

/** Returns the figures as a table for a terminal, aligned by columns. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.part,
    figure.what,
    withUnit(figure.value, figure.unit),
    targetOf(figure),
    { true: 'pass', false: 'MISS', undefined: '' }[String(reaches(figure))] ?? '',
    figure.note ?? '',
  ]);
  const widths = HEADER.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  return [HEADER, ...rows]
    .map((row) =>
      row.map((cell, i) => (i === 2 || i === 3 ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0))),
    )
    .map((cells) => cells.join('  ').trimEnd())
    .join('\n');
}

function targetOf({ target, unit }: Figure): string {
  if (!target) return '';
  return 'atMost' in target ? `≤ ${withUnit(target.atMost, unit)}` : `≥ ${withUnit(target.atLeast, unit)}`;
}

function withUnit(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 3;
  return `${value.toFixed(digits)} ${unit}`.trim();
}
