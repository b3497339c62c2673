import type { Mark } from './counting.ts';

/** A question with the marks of its three answers. */
export interface Asked {
  readonly id: string;
  readonly named: boolean;
  /** Of processor time for ours: a busy machine changes nothing. */
  readonly milliseconds: number;
  readonly ours: Mark;
  readonly rg: Mark;
  readonly better: Mark;
}

/** In how many questions each was right. */
interface Right {
  readonly ours: number;
  /** Absent where it shows no lines. */
  readonly rg?: number;
  readonly better: number;
  /** How many questions ours has more than the better baseline, and how many percentage points. */
  readonly more: number;
  readonly points: number;
}

/** The figures of a code base, or of several. */
export interface Figures {
  readonly name: string;
  readonly questions: number;
  readonly first: Right;
  readonly three: Right;
  readonly line: Right;
  /** Lines quoted in the first three topics, on average. */
  readonly quoted: number;
  /** In how many questions a deciding line is among the lines shown first, and how many these are on average. */
  readonly shown: { readonly ours: number; readonly lines: number };
  /** Of processor time for ours, with the first question's indexing. */
  readonly seconds: number;
}

/** Counts what was right. */
export function figuresOf(name: string, asked: readonly Asked[]): Figures {
  const right = (isRight: (mark: Mark) => boolean, hasRg = true): Right => {
    const count = (who: 'ours' | 'rg' | 'better'): number => asked.filter((one) => isRight(one[who])).length;
    const rg = hasRg ? { rg: count('rg') } : {};
    const more = count('ours') - Math.max(count('better'), rg.rg ?? 0);
    return { ours: count('ours'), ...rg, better: count('better'), more, points: percent(more, asked.length) };
  };
  return {
    name,
    questions: asked.length,
    first: right(({ rank }) => rank === 1),
    three: right(({ rank }) => rank > 0),
    line: right(({ hasLine }) => hasLine, false),
    quoted: Math.round(mean(asked.map(({ ours }) => ours.quoted))),
    shown: {
      ours: asked.filter(({ ours }) => ours.isShown).length,
      lines: Math.round(mean(asked.map(({ ours }) => ours.shown))),
    },
    seconds: Math.round(asked.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 100) / 10,
  };
}

const COLUMNS = ['questions', '1st', 'rg', 'better', 'more', '≤3', 'rg', 'better', 'more', 'line', 'better', 'more'];

/**
 * Returns a plain table: in how many questions the right file comes first, is among the first three, its line is
 * quoted, and shown first.
 */
export function tableOf(rows: readonly Figures[]): string {
  const cells = [['', ...COLUMNS, 'lines', 'shown', 'lines', 'seconds'], ...rows.map(cellsOf)];
  const widths = cells[0]?.map((_, place) => Math.max(...cells.map((row) => row[place]?.length ?? 0))) ?? [];
  return cells
    .map((row) => row.map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0))))
    .map((row) => row.join('  ').trimEnd())
    .join('\n');
}

/** Returns the figures that decide, in a sentence. */
export function inPercent({ first, three, line, shown, questions }: Figures): string {
  const one = (what: string, { ours, points }: Right): string =>
    `${what} ${percent(ours, questions)} % (${signed(points)} points)`;
  return [
    one('first', first),
    one('among the first three', three),
    one('deciding line', line),
    `shown first ${percent(shown.ours, questions)} % in ${shown.lines} lines`,
  ].join(', ');
}

function cellsOf({ name, questions, first, three, line, quoted, shown, seconds }: Figures): string[] {
  const each = ({ ours, rg, better, more }: Right): string[] => [
    `${ours}`,
    ...(rg === undefined ? [] : [`${rg}`]),
    `${better}`,
    signed(more),
  ];
  return [
    name,
    `${questions}`,
    ...each(first),
    ...each(three),
    ...each(line),
    `${quoted}`,
    `${shown.ours}`,
    `${shown.lines}`,
    seconds.toFixed(1),
  ];
}

function signed(number: number): string {
  return number > 0 ? `+${number}` : `${number}`;
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((1000 * part) / whole) / 10;
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}
