import * as z from 'zod';
import { BETWEEN } from './source-file.ts';

const Notebook = z.looseObject({ cells: z.array(z.unknown()) });
/** The lines are looked at up to the first that is none: a file of others can have a million things wrong. */
const isLines = (value: unknown): boolean => Array.isArray(value) && value.every((line) => typeof line === 'string');
const Cell = z.looseObject({ cell_type: z.string(), source: z.union([z.string(), z.custom<string[]>(isLines)]) });

const FENCE = '```';

/** Tells by its name whether a file is a notebook. */
export function isNotebook(path: string): boolean {
  return /\.ipynb$/i.test(path);
}

/** An object or a list that is open where a text is being read. */
interface Open {
  /** The name of what is read of it; empty in a list. */
  key: string;
  isKeyNext: boolean;
  readonly isList: boolean;
  /** The number of those in it that were read before. */
  count: number;
}

/**
 * The text of a notebook: what is written in its cells, each line on the one of the file that holds it, so that who looks a
 * citation up finds it there. Code is in fences; outputs, pictures and settings are empty lines. Undefined if it is no
 * notebook.
 * @param json its lines end with `\n`
 */
export function notebookText(json: string): string | undefined {
  const cells = cellsOf(json);
  if (!cells) return undefined;
  const lines: string[] = [''];
  const open: Open[] = [];
  let isFenced = false;
  for (let at = 0; at < json.length; at++) {
    const inner = open.at(-1);
    switch (json.charAt(at)) {
      case '\n':
        lines.push('');
        break;
      case '{':
        open.push({ key: '', isKeyNext: true, isList: false, count: 0 });
        break;
      case '[':
        // Nothing else is on this line, nor on the one where the list ends.
        isFenced = isSource(open) && cells[open[1]?.count ?? 0]?.cell_type === 'code' && json[at + 1] === '\n';
        if (isFenced) write(lines, FENCE);
        open.push({ key: '', isKeyNext: false, isList: true, count: 0 });
        break;
      case '}':
      case ']':
        open.pop();
        if (isFenced) write(lines, FENCE);
        isFenced = false;
        break;
      case ',':
        if (inner) Object.assign(inner, { isKeyNext: !inner.isList, count: inner.count + 1 });
        break;
      case '"': {
        const end = endOfString(json, at);
        if (inner?.isKeyNext) Object.assign(inner, { key: JSON.parse(json.slice(at, end)), isKeyNext: false });
        else if (isSource(open)) write(lines, JSON.parse(json.slice(at, end)));
        at = end - 1;
        break;
      }
    }
  }
  return lines.join('\n');
}

function cellsOf(json: string): readonly z.infer<typeof Cell>[] | undefined {
  try {
    return Notebook.parse(JSON.parse(json)).cells.map((cell) => Cell.parse(cell));
  } catch {
    return undefined;
  }
}

/** Tells whether the source of a cell, or a line of it, is read next. */
function isSource(open: readonly Open[]): boolean {
  // What is open may be millions deep, and is asked about at each step down.
  if (open.length < 3 || open.length > 4) return false;
  const [root, cells, cell, lines] = open;
  return root?.key === 'cells' && cells?.isList === true && cell?.key === 'source' && !lines?.key;
}

function write(lines: string[], said: string): void {
  const own = said
    .replace(/\r?\n$/, '')
    .split(/\r\n|\n|\r/)
    .join(BETWEEN);
  const before = lines.at(-1);
  lines[lines.length - 1] = before === '' ? own : `${before}${BETWEEN}${own}`;
}

/** @param start where it begins, with its quote; @returns where what follows it begins */
function endOfString(json: string, start: number): number {
  let end = start;
  let escapes: number;
  do {
    end = json.indexOf('"', end + 1);
    for (escapes = 0; json[end - 1 - escapes] === '\\'; ) escapes++;
  } while (escapes % 2 === 1);
  return end + 1;
}
