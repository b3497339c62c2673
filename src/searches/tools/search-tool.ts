import { MAX_TOOL_RESULT } from '../../core/ports/tool.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { roleOf } from '../../text/files/file-role.ts';
import { searchStopped } from '../messages.ts';
import { isPatternProblem, LinePattern, LONGEST_PATTERN, literally, type PatternProblem } from './line-pattern.ts';
import {
  type BoundTool,
  boundTool,
  flag,
  neededText,
  Refusal,
  type ToolDescriptor,
  text,
  type Values,
  whole,
} from './toolbox.ts';
import { type Chosen, leftOutOf, linesOf, type WorkspaceFiles } from './workspace-files.ts';

/** The lines that are shown, by default and at most. */
const [USUAL, MOST] = [30, 200];
/** The share of an answer that one file may fill if there are several. */
const LARGEST_SHARE = 1 / 6;
const LEAST_OF_A_FILE = 5;
/** The longest line, in characters. */
const LONGEST = 240;
/** Characters of all files that are searched. */
const MAX_SEARCHED = 200_000_000;
const AT_ONCE = 16;

/** The roles of files in the order that a reader wants: the code, then what sets it up, tells of it and tests it. */
const ROLES = ['source', 'config', 'docs', 'test'] as const;
/** A line that defines what it names. */
const DEFINES =
  /\b(?:class|const|def|enum|fn|func|function|interface|let|macro|module|namespace|struct|trait|type|var)\b|^\s*(?:async |static |public |private )*[\w#$]{1,80}\(.{0,200}\)\s*\{$/;

const args = {
  pattern: neededText(
    'a regular expression, matched within each line; without capitals, upper and lower case are alike',
    {
      longest: LONGEST_PATTERN / 2,
      also: ['query', 'regex', 'regexp', 'text', 'search', 'q', 'string'],
    },
  ),
  path: text('a folder or file to search in; all by default', {
    also: ['folder', 'dir', 'directory', 'file', 'filename', 'file_path', 'in'],
  }),
  glob: text('only these files, as in "*.ts" or "src/**/*.py"', {
    also: ['include', 'includes', 'files', 'file_pattern', 'include_pattern'],
  }),
  ignore_case: flag('whether upper and lower case are alike, whatever the pattern', {
    also: ['-i', 'i', 'case_insensitive', 'ignoreCase', 'caseInsensitive'],
  }),
  context: whole('lines to show before and after each match, up to 10; none by default', {
    most: 10,
    also: ['-C', 'context_lines', 'contextLines', '-A', '-B'],
  }),
  offset: whole('how many lines to pass over, to see what comes after those shown before', {
    most: 5000,
    also: ['skip'],
  }),
  limit: whole(`how many lines to show, ${USUAL} by default, up to ${MOST}`, {
    least: 1,
    most: MOST,
    also: ['head_limit', 'max_results', 'maxResults', 'max'],
  }),
  case_sensitive: flag('the opposite of ignore_case', { isHidden: true, also: ['caseSensitive'] }),
  literal: flag('whether the pattern is plain text', { isHidden: true, also: ['-F', 'fixed_strings', 'plain'] }),
  line_numbers: flag('they are always shown', { isHidden: true, also: ['-n', 'is_regexp', 'isRegexp'] }),
};
type Asked = Values<typeof args>;

const descriptor: ToolDescriptor<typeof args> = {
  name: 'search',
  description: `Finds the lines that match a regular expression, with their numbers: code before what tests it and tells of it, where many match, only as many of each file as leave room for the others. Built and vendored copies, lock files, changelogs and test data are searched only where "path" names them; node_modules and ignored files are not.`,
  args,
  example: { pattern: 'setTimeout\\(' },
};

/** A line of a file, from 0. */
interface Row {
  readonly index: number;
  readonly text: string;
}

/** A line that matches, with what is around it. */
interface Hit extends Row {
  readonly path: string;
  readonly around: readonly Row[];
}

/** The lines of a file that match. */
interface FileHits {
  readonly path: string;
  readonly count: number;
  /** The first of them, as many as can be shown; none if others have filled the answer. */
  readonly first: readonly Hit[];
  /** As many as can be shown beside other files: those that define something first. */
  readonly best: readonly Hit[];
}

/** Returns the tool that finds lines in all files. */
export function searchTool(files: WorkspaceFiles): BoundTool {
  return boundTool(
    descriptor,
    async (given, signal, name) => {
      // Under its former name it took a text, word for word.
      const asked = name === 'search_text' ? { ...given, literal: true, ignore_case: true } : given;
      const chosen = await files.choose(asked.path ?? '', asked.glob);
      const { pattern, note } = patternOf(asked);
      try {
        const found = await search(files, chosen, pattern, asked, signal);
        const places = [asked.path, asked.glob].filter((place) => place !== undefined).join(', ');
        const what = JSON.stringify(asked.pattern) + (places === '' ? '' : ` in ${places}`);
        return { text: note + shown(found, chosen, asked), what };
      } catch (error) {
        throw isPatternProblem(error) ? unusable(error) : error;
      }
    },
    { also: ['search_text', 'grep', 'ripgrep', 'rg', 'search_files', 'grep_search', 'find_text'] },
  );
}

/** A pattern that is none was mostly meant as text, such as `fetch(`. @throws Refusal */
function patternOf({ pattern: source, literal, ...how }: Asked): { pattern: LinePattern; note: string } {
  const hasCapitals = /\p{Lu}/u.test(literal ? source : source.replace(/\\./g, ''));
  const flagged = /^\(\?i\)/.test(source);
  const ignoresCase =
    how.ignore_case ?? (how.case_sensitive === undefined ? flagged || !hasCapitals : !how.case_sensitive);
  const plain = (text: string): LinePattern => new LinePattern(literally(text), ignoresCase);
  try {
    if (literal) return { pattern: plain(source), note: '' };
    return { pattern: new LinePattern(source.replace(/^\(\?i\)/, ''), ignoresCase), note: '' };
  } catch (error) {
    if (!isPatternProblem(error)) throw error;
    if (!error.isText) throw unusable(error);
    // Some of its signs may have been written as those of a pattern.
    return {
      pattern: plain(source.replace(/\\(?=\W)/g, '')),
      note: `As a pattern, ${error.message}; it was searched for as plain text.\n`,
    };
  }
}

function unusable({ message }: PatternProblem): Refusal {
  return new Refusal(`That pattern cannot be used: ${message}.`);
}

/** The files that people wrote with what was found and, in case there is nothing, those of programs. */
interface Found {
  readonly written: readonly FileHits[];
  readonly generated: readonly FileHits[];
}

/** @throws ThoughtTreeError `aborted`: files that were not searched would count as having no match */
async function search(
  files: WorkspaceFiles,
  { files: paths, folder }: Chosen,
  pattern: LinePattern,
  asked: Asked,
  signal: AbortSignal,
): Promise<Found> {
  const found: Found & { written: FileHits[]; generated: FileHits[] } = { written: [], generated: [] };
  const { offset = 0, limit = USUAL } = asked;
  const counts = { written: 0, generated: 0 };
  let searched = 0;
  const ordered = ROLES.flatMap((role) => paths.filter((path) => roleOf(path) === role));
  for (let at = 0; at < ordered.length; at += AT_ONCE) {
    // Where all is known already, nothing else would have its turn.
    await new Promise((resolve) => setImmediate(resolve));
    if (signal.aborted) throw new ThoughtTreeError('aborted', searchStopped());
    const texts = ordered.slice(at, at + AT_ONCE).map((path) => files.texts.written(path));
    for (const file of texts) {
      searched += file?.text.length ?? 0;
      if (searched > MAX_SEARCHED) throw new Refusal('That is too much to look through. Name a folder in "path".');
      if (!file || !holds(file.text, pattern)) continue;
      // Each file that was found before shows one line at least.
      const room = { first: offset + limit, best: Math.max(leastOfAFile(limit), limit - found.written.length) };
      const hits = hitsIn(file.path, (await file.shown()).text, pattern, asked.context, room);
      const kind = file.isGenerated && folder !== undefined ? 'generated' : 'written';
      counts[kind] += hits.count;
      const isOneOfMany = found[kind].length > 0 && counts[kind] > limit && folder !== undefined;
      if (hits.count > 0) found[kind].push(isOneOfMany ? { ...hits, first: [] } : hits);
    }
  }
  if (signal.aborted) throw new ThoughtTreeError('aborted', searchStopped());
  return found;
}

/** Looked for in what is written: to find all secrets of a file takes much longer. */
function holds(text: string, pattern: LinePattern): boolean {
  return pattern.mayMatch(text) && linesOf(text).some((line) => pattern.find(line) !== undefined);
}

function leastOfAFile(limit: number): number {
  return Math.max(LEAST_OF_A_FILE, Math.floor(limit * LARGEST_SHARE));
}

/** Returns the most lines of each file that are shown: as many as fill the answer, if the others have fewer. */
function mostOfAFile(files: readonly FileHits[], limit: number): number {
  const counts = files.map(({ count }) => count).sort((a, b) => a - b);
  let room = limit;
  for (const [at, count] of counts.entries()) {
    const share = Math.floor(room / (counts.length - at));
    if (count > share) return Math.max(leastOfAFile(limit), share);
    room -= count;
  }
  return limit;
}

/** @param room how many of the first hits are kept, and how many of the best */
function hitsIn(
  path: string,
  text: string,
  pattern: LinePattern,
  context = 0,
  room: { readonly first: number; readonly best: number },
): FileHits {
  const lines = linesOf(text);
  const [first, defining, others]: [Hit[], Hit[], Hit[]] = [[], [], []];
  let count = 0;
  for (const [index, line] of lines.entries()) {
    const end = pattern.find(line);
    if (end === undefined) continue;
    count++;
    const like = line.length <= LONGEST && DEFINES.test(line) ? defining : others;
    if (first.length >= room.first && like.length >= room.best) continue;
    const hit = { path, index, text: copied(near(line, end)), around: aroundOf(lines, index, context) };
    if (first.length < room.first) first.push(hit);
    if (like.length < room.best) like.push(hit);
  }
  return { path, count, first, best: [...defining, ...others].slice(0, room.best) };
}

function aroundOf(lines: readonly string[], index: number, context: number): Row[] {
  const from = Math.max(0, index - context);
  const around = lines.slice(from, index + context + 1).map((line, at) => ({ index: from + at, text: line }));
  return around.filter((row) => row.index !== index).map((row) => ({ ...row, text: copied(near(row.text, 0)) }));
}

/** Returns a well-formed copy of a text: a substring keeps the whole text in memory. */
function copied(line: string): string {
  return Buffer.from(line).toString();
}

/** Returns a line as it is or, if it is long, the part around a place. */
function near(line: string, at: number): string {
  if (line.length <= LONGEST) return line;
  const start = Math.max(0, at - LONGEST / 2);
  const part = line.slice(start, start + LONGEST).toWellFormed();
  return `${start > 0 ? '…' : ''}${part}… (cut; ${line.length} characters)`;
}

function shown({ written, generated }: Found, { skipped, folder }: Chosen, asked: Asked): string {
  const files = written.length > 0 ? written : generated;
  const left = leftOutOf(skipped);
  if (files.length === 0) return `No line matches.${left === '' ? '' : ` Not searched: ${left}.`}`;
  const { offset = 0, limit = USUAL } = asked;
  const count = files.reduce((sum, file) => sum + file.count, 0);
  // One file may fill the answer; of several, none may that leaves no room for the others.
  const isFair = folder !== undefined && files.length > 1 && count > limit;
  const most = mostOfAFile(files, limit);
  const best = (file: FileHits): Hit[] => file.best.slice(0, most).sort((a, b) => a.index - b.index);
  const hits = files.flatMap((file) => (isFair ? best(file) : file.first));
  const page = pageOf(hits, offset, limit);
  const last = offset + page.length;
  const notes: string[] = [];
  if (page.length === 0) notes.push('There are no more.');
  else if (page.length < count) notes.push(`Lines ${offset + 1} to ${last} of ${countOf(count, files.length)}.`);
  if (hits.length < count && isFair)
    notes.push(`At most ${most} of each file are shown: give one as "path" for all of its lines, or a higher "limit".`);
  if (page.length > 0 && last < (isFair ? hits.length : count)) notes.push(`Go on with "offset": ${last}.`);
  if (files === generated) notes.push('All of it is built or generated.');
  else if (generated.length > 0) notes.push(`Left out: ${builtIn(generated)}.`);
  return [...blocksOf(page, files), ...(notes.length > 0 ? [notes.join(' ')] : [])].join('\n');
}

/** Returns the hits from a place on, as many as there is room for. */
function pageOf(hits: readonly Hit[], offset: number, limit: number): Hit[] {
  let room = MAX_TOOL_RESULT - 1500;
  let file = '';
  const wanted = hits.slice(offset, offset + limit);
  const end = wanted.findIndex(({ path, around, ...row }) => {
    room -= [row, ...around].reduce(
      (sum, { text: line }) => sum + line.length + 12,
      path === file ? 0 : path.length + 40,
    );
    file = path;
    return room < 0;
  });
  return end < 0 ? wanted : wanted.slice(0, end);
}

/** Returns the hits by file, as lines with their numbers; what is around them with a hyphen. */
function blocksOf(page: readonly Hit[], files: readonly FileHits[]): string[] {
  const counts = new Map(files.map(({ path, count }) => [path, count]));
  return Array.from(Map.groupBy(page, ({ path }) => path)).flatMap(([path, hits]) => {
    const count = counts.get(path) ?? 0;
    const rows = new Map<number, string>(
      hits.flatMap(({ around }) => around.map((row) => [row.index, `-\t${row.text}`] as const)),
    );
    for (const { index, text: line } of hits) rows.set(index, `\t${line}`);
    const hasGaps = hits.some(({ around }) => around.length > 0);
    let before = -1;
    const lines = [...rows]
      .sort(([a], [b]) => a - b)
      .map(([index, line]) => {
        const gap = hasGaps && before >= 0 && index > before + 1 ? '--\n' : '';
        before = index;
        return `${gap}${index + 1}${line}`;
      });
    return [`${path}${count > hits.length ? ` (${hits.length} of ${count} lines)` : ''}`, ...lines];
  });
}

function countOf(lines: number, files: number): string {
  return `${lines} ${lines === 1 ? 'line' : 'lines'} in ${files} ${files === 1 ? 'file' : 'files'}`;
}

/** Names built files that match. */
function builtIn(files: readonly FileHits[]): string {
  const named = files
    .slice(0, 3)
    .map(({ path, count }) => `${path.slice(0, 200)} (built or generated; ${count} lines)`);
  return named.join(', ') + (files.length > named.length ? ` and ${files.length - named.length} more` : '');
}
