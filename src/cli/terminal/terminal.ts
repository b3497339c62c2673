import type { Writable } from 'node:stream';
import pc from 'picocolors';
import stringWidth from 'string-width';
import { oneLine, withoutCommands } from '../../core/text/text.ts';

/** Where a command writes. */
export interface Terminal {
  readonly out: Output;
  readonly err: Output;
  /** A stream on which a frame can be redrawn in place; undefined if there is none. */
  readonly live: NodeJS.WriteStream | undefined;
}

type Streams = Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env'>;

let terminal: Terminal | undefined;

/** Returns the one terminal of this process. */
export function terminalOf(process: Streams): Terminal {
  terminal ??= {
    out: new Output(process.stdout, coloursFor(process.stdout, process.env)),
    err: new Output(process.stderr, coloursFor(process.stderr, process.env)),
    live: process.stderr.isTTY && process.env['TERM'] !== 'dumb' ? process.stderr : undefined,
  };
  return terminal;
}

function coloursFor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Palette {
  return pc.createColors(wantsColour(stream, env));
}

/**
 * Tells whether text for people is coloured on a stream. Never undefined, in which case picocolors would guess: it
 * colours what a CI job pipes into a file. The variables are those of https://no-color.org and https://force-color.org.
 */
export function wantsColour(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0';
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}

/**
 * One of the process's output streams. When its reader goes away (`| head`, a closed terminal), nothing more is written,
 * and `onBroken` is called once; the search itself is not affected.
 */
export class Output {
  /** Colours text for people; leaves it unchanged if a file or a program reads it. */
  readonly palette: Palette;
  readonly #stream: Writable;
  #broken = false;
  #onBroken: (() => void) | undefined;

  constructor(stream: Writable, palette: Palette) {
    this.palette = palette;
    this.#stream = stream;
    stream.on('error', () => this.#break());
  }

  /** Sets what to do when nobody reads any more. */
  set onBroken(act: (() => void) | undefined) {
    this.#onBroken = act;
    if (this.#broken) act?.();
  }

  readonly line = (text: string): void => {
    if (!this.#broken) this.#stream.write(`${text}\n`);
  };

  /** Resolves when everything written has left the process, or nobody reads it. */
  async drained(): Promise<void> {
    if (this.#broken) return;
    await new Promise<void>((resolve) => {
      this.#stream.once('error', () => resolve());
      this.#stream.write('', () => resolve());
    });
  }

  #break(): void {
    if (this.#broken) return;
    this.#broken = true;
    this.#onBroken?.();
  }
}

export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan';

/** Colours text; `picocolors` is one. */
export type Palette = Readonly<Record<Style, (text: string) => string>>;

/** A part of a row. Text of models must already be a single line. */
export interface Part {
  readonly text: string;
  readonly style?: Style;
  /** Cut first if the row is too long, so that what follows stays readable. */
  readonly flexible?: boolean;
}

/** One line of a terminal, before it is cut to its width and coloured. */
export type Row = readonly Part[];

const graphemes = new Intl.Segmenter();

/** The number of columns a text takes in a terminal. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** Returns a text cut to a number of columns, with `…` where something is missing; whole characters only. */
export function clip(text: string, columns: number): string {
  return widthOf(text) <= columns ? text : cutOff(text, columns);
}

/** Returns the beginning of a text that leaves room for a `…`. */
function cutOff(text: string, columns: number): string {
  let kept = '';
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    width += widthOf(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return columns > 0 ? `${kept.trimEnd()}…` : '';
}

/** Returns a text padded with spaces, or cut, to exactly so many columns. */
export function pad(text: string, columns: number): string {
  const clipped = clip(text, columns);
  return clipped + ' '.repeat(Math.max(0, columns - widthOf(clipped)));
}

/** Returns a label in a column of at least so many columns. */
export function labelPart(label: string, columns = 9): Part {
  return { text: `${pad(label, Math.max(columns, widthOf(label)))} `, style: 'dim' };
}

/** Returns a label and its text, as one line. */
export function labelled(label: string, text: string): Row {
  return [labelPart(label), { text: oneLine(text, 2000) }];
}

/**
 * A row as a string of at most `columns` columns. Cut before it is coloured, so that no colour stays switched on. Files may
 * come from anywhere, so nothing in them reaches the terminal as a command.
 */
export function renderRow(row: Row, columns: number, palette: Palette): string {
  const shown = row.map((part) => ({ ...part, text: withoutCommands(part.text) }));
  return cutParts(shown, columns)
    .map(({ text, style }) => (style && text !== '' ? palette[style](text) : text))
    .join('')
    .trimEnd();
}

const SHORTEST_FLEXIBLE = 8;

function cutParts(row: Row, columns: number): Part[] {
  const over = widthOfRow(row) - columns;
  if (over <= 0) return [...row];
  const parts = row.map((part) => (part.flexible ? { ...part, text: shorten(part.text, over) } : part));
  if (widthOfRow(parts) <= columns) return parts;
  // Something is missing at the end, so the `…` has to be there.
  const kept: Part[] = [];
  let left = columns;
  for (const part of parts) {
    const width = widthOf(part.text);
    if (width >= left) return [...kept, { ...part, text: cutOff(part.text, left) }];
    kept.push(part);
    left -= width;
  }
  return kept;
}

function widthOfRow(row: Row): number {
  return row.reduce((sum, { text }) => sum + widthOf(text), 0);
}

function shorten(text: string, by: number): string {
  return clip(text, Math.max(SHORTEST_FLEXIBLE, widthOf(text) - by));
}
