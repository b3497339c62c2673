import type { GraphNode } from '../protocol/graph-node.ts';

/** The width of a text in pixels, in some font: a canvas measures, a file has to estimate. */
export type Measure = (text: string) => number;

/** No title that is shown is longer; models' titles can be, and each letter costs. */
const LONGEST = 400;

/** Returns a text as far as it fits into a width, in pixels; what is cut off becomes an ellipsis. */
export function fitted(text: string, width: number, measure: Measure): string {
  const whole = text.slice(0, LONGEST);
  if (measure(whole) <= width) return whole;
  const letters = [...whole];
  const fits = most(letters.length, (n) => measure(`${letters.slice(0, n).join('')}…`) <= width);
  if (fits === 0) return '';
  const shown = letters.slice(0, fits).join('').trimEnd();
  return shown.endsWith('…') ? shown : `${shown}…`;
}

/**
 * Cuts a text to lines, divided between words where that leaves no line half empty; the last one is cut.
 * @param lines at least 1
 */
export function inLines(text: string, width: number, lines: number, measure: Measure): string[] {
  const whole = text.slice(0, LONGEST);
  if (lines <= 1 || measure(whole) <= width) return [fitted(whole, width, measure)];
  const letters = [...whole];
  const fits = most(letters.length, (n) => measure(letters.slice(0, n).join('')) <= width);
  const first = letters.slice(0, fits + 1).join('');
  const space = first.lastIndexOf(' ');
  const isEnough = space > 0 && measure(whole.slice(space).trimStart()) <= width;
  const within = endIn(letters.slice(0, Math.max(1, fits)).join(''), whole);
  // A short line is better than half a word.
  const isSpace = space > first.length * 0.5 || isEnough || (space > 0 && within === undefined);
  const end = isSpace ? space : (within ?? Math.max(1, fits));
  const rest = whole.slice(end).trimStart();
  const line = whole.slice(0, end).trimEnd();
  return rest === '' ? [line] : [line, ...inLines(rest, width, lines - 1, measure)];
}

/** Between the words of a name in a program, and after its marks. */
const WITHIN_NAME = /(?<=[#./_:(-])(?=[^\s#./_:(-])|(?<=[a-z])(?=[A-Z])/g;

/** Returns where a line ends within a name; undefined where that leaves next to nothing in it. */
function endIn(line: string, whole: string): number | undefined {
  const ends = [...whole.slice(0, line.length + 1).matchAll(WITHIN_NAME)].map(({ index }) => index);
  const last = ends.filter((end) => end <= line.length).at(-1) ?? 0;
  return last > line.length * 0.3 ? last : undefined;
}

/**
 * Returns the greatest number up to a limit for which a condition holds, which holds for all below it; 0 if for none.
 */
function most(limit: number, holds: (n: number) => boolean): number {
  let [fits, fails] = [0, limit];
  while (fails - fits > 1) {
    const middle = (fits + fails) >> 1;
    if (holds(middle)) fits = middle;
    else fails = middle;
  }
  return fits;
}

/** Returns a title as a label: in a drawing, the marks of code are only noise. */
export function labelOf(title: string): string {
  return title.includes('`') ? title.replaceAll('`', '') : title;
}

const NARROW = /[ !'(),./:;I[\\\]fijlrt|]/;
const WIDE = /[%@MWmw…—]/;
const LATIN = /[\u0020-\u024f\u0370-\u052f\u2010-\u2044]/;

/** Estimates widths in a usual sans-serif font, rather too wide than too narrow, for drawings that nothing measures. */
export function estimating(fontSize: number): Measure {
  return (text) => {
    let width = 0;
    for (const letter of text) {
      if (!LATIN.test(letter)) width += 1;
      else if (NARROW.test(letter)) width += 0.32;
      else if (WIDE.test(letter)) width += 0.92;
      else width += letter >= 'A' && letter <= 'Z' ? 0.68 : 0.57;
    }
    return width * fontSize;
  };
}

/** Returns a score from 0 to 10 with at most one digit after the point. */
export function scoreOf10(score: number): string {
  return String(Number(score.toFixed(1)));
}

/** Returns a node's score, with a tilde if its confidence is low; empty without one. */
export function scoreText({ score, isLowConfidence }: Pick<GraphNode, 'score' | 'isLowConfidence'>): string {
  return score === undefined ? '' : `${isLowConfidence ? '~' : ''}${scoreOf10(score)}`;
}
