import { estimating, fitted } from './labels.ts';
import { PALETTES, type Palette } from './palette.ts';
import { attribute, escaped, n } from './tree-svg.ts';

/** A value with the interval that it is in. */
interface Interval {
  readonly name: string;
  /** The value in words, at the end of its line. */
  readonly text: string;
  readonly value: number;
  /** Missing where there is only the value. */
  readonly interval?: readonly [low: number, high: number] | undefined;
}

/** Lines of values on one scale. */
export interface IntervalGroup {
  readonly title: string;
  readonly lines: readonly Interval[];
  /** The ends of the scale, if not what the lines need; 0 is always on it. */
  readonly scale?: readonly [least: number, most: number];
}

const SIZE = 12;
const ROW = 26;
const MARGIN = 20;
const NAMES = 260;
const SCALE = 380;
const TEXTS = 240;
const width = estimating(SIZE);

/** Values and their intervals as a self-contained SVG file: a dot and a line for each, with a mark where 0 is. */
export function intervalsSvg(groups: readonly IntervalGroup[], theme: 'light' | 'dark' | Palette): string {
  const palette = typeof theme === 'string' ? PALETTES[theme] : theme;
  const parts: string[] = [];
  let top = MARGIN;
  for (const group of groups) {
    parts.push(...drawn(group, top, palette));
    top += (group.lines.length + 1.5) * ROW;
  }
  const [across, down] = [2 * MARGIN + NAMES + SCALE + TEXTS, n(top)];
  const font = attribute(`${palette.font}, sans-serif`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${across}" height="${down}" viewBox="0 0 ${across} ${down}" font-family="${font}" font-size="${SIZE}">`,
    `<rect width="100%" height="100%" fill="${attribute(palette.background)}"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}

function drawn({ title, lines, scale }: IntervalGroup, top: number, palette: Palette): string[] {
  const ends = lines.flatMap(({ value, interval }) => [value, ...(interval ?? [])]);
  const [least, most] = scale ?? [Math.min(0, ...ends), Math.max(0, ...ends)];
  const left = MARGIN + NAMES;
  const x = (value: number): number => left + ((value - least) / (most - least || 1)) * SCALE;
  const text = attribute(palette.text);
  const bottom = top + (lines.length + 1) * ROW;
  return [
    `<text x="${MARGIN}" y="${n(top + 14)}" fill="${text}" font-weight="600">${escaped(title)}</text>`,
    `<path d="M${n(x(0))} ${n(top + ROW)}V${n(bottom)}" stroke="${attribute(palette.edge)}" stroke-dasharray="3 3"/>`,
    ...lines.flatMap(({ name, text: said, value, interval }, at) => {
      const y = top + (at + 1.5) * ROW;
      const isClear = interval && (interval[0] > 0 || interval[1] < 0);
      const colour = attribute(isClear || !interval ? palette.blue : palette.dim);
      const line = interval
        ? `<path d="M${n(x(interval[0]))} ${n(y)}H${n(x(interval[1]))}" stroke="${colour}" stroke-width="2"/>`
        : `<path d="M${n(x(0))} ${n(y)}H${n(x(value))}" stroke="${colour}" stroke-width="2"/>`;
      return [
        `<text x="${MARGIN}" y="${n(y + 4)}" fill="${text}">${escaped(fitted(name, NAMES - 12, width))}</text>`,
        line,
        `<circle cx="${n(x(value))}" cy="${n(y)}" r="4" fill="${colour}"/>`,
        `<text x="${left + SCALE + 14}" y="${n(y + 4)}" fill="${text}">${escaped(fitted(said, TEXTS - 14, width))}</text>`,
      ];
    }),
  ];
}
