import { readFile, stat } from 'node:fs/promises';
import type { Message } from '../../core/messages/message.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import * as say from '../messages.ts';

const LARGEST_FILE = 10 * 1024 * 1024;
const MOST_PROBLEMS = 10_000;

/** One problem of a comparison. */
export interface Problem {
  readonly text: string;
  /** Its line in the file, from 1. */
  readonly line: number;
}

/**
 * The problems in a file, one per line; ignores empty lines. In a `.csv` file, they are in the column whose header is
 * problem, puzzle, question or prompt (or its plural), else in the first one.
 * @throws ThoughtTreeError `not-found`, `bad-input`
 */
export async function readProblems(file: string): Promise<Problem[]> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new ThoughtTreeError('not-found', say.noFile({ file }));
  if (found.size > LARGEST_FILE) throw refused(say.problemsTooLarge({ file, megabytes: 10 }));
  const text = (await readFile(file, 'utf8')).replace(/^\ufeff/, '');
  const problems = /\.csv$/i.test(file) ? columnOf(csvRows(text)) : linesOf(text);
  if (problems.length === 0) throw refused(say.noProblems({ file }));
  if (problems.length > MOST_PROBLEMS) throw refused(say.tooManyProblems({ file, most: MOST_PROBLEMS }));
  return problems;
}

function refused(why: Message): ThoughtTreeError {
  return new ThoughtTreeError('bad-input', why);
}

function linesOf(text: string): Problem[] {
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ text: line.trim(), line: index + 1 }))
    .filter((problem) => problem.text !== '');
}

interface CsvRow {
  readonly fields: readonly string[];
  readonly line: number;
}

function columnOf(rows: readonly CsvRow[]): Problem[] {
  const named = rows[0]?.fields.findIndex((name) => /^(problem|puzzle|question|prompt)s?$/i.test(name.trim())) ?? -1;
  return rows
    .slice(named < 0 ? 0 : 1)
    .map(({ fields, line }) => ({ text: (fields[Math.max(0, named)] ?? '').trim(), line }))
    .filter((problem) => problem.text !== '');
}

const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/** Rows according to RFC 4180: fields separated by commas, in quotes if they contain commas, quotes or line breaks. */
function csvRows(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let fields: string[] = [];
  let line = 1;
  let begun = 1;
  FIELD.lastIndex = 0;
  while (FIELD.lastIndex < text.length) {
    const [whole, quoted, plain, end] = FIELD.exec(text) ?? unreadable(line);
    fields.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    line += (whole.match(/\n/g) ?? []).length;
    if (end === ',') continue;
    rows.push({ fields, line: begun });
    fields = [];
    begun = line;
  }
  if (fields.length > 0) rows.push({ fields, line: begun });
  return rows;
}

function unreadable(line: number): never {
  throw new ThoughtTreeError('bad-input', say.unevenQuotes({ line }));
}
