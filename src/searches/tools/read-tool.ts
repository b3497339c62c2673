import { MAX_TOOL_RESULT } from '../../core/ports/tool.ts';
import { leftOut } from '../../core/text/left-out.ts';
import { linesOf } from './file-texts.ts';
import { neededText, Refusal, type ToolFace, whole } from './tool-arguments.ts';
import { type BoundTool, boundTool } from './toolbox-of.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

/** Characters of one line. */
const LONGEST = 1000;
/** Empty lines in a row; a notebook has one for each line of its outputs. */
const MOST_EMPTY = 3;

/** The names by which models call the file that they mean. */
export const PATH_NAMES = ['file', 'filename', 'file_path', 'filepath', 'filePath', 'name', 'uri'];

const args = {
  path: neededText('a file, relative to the workspace, with /', { also: PATH_NAMES }),
  from: whole('first line, from 1; the beginning by default', {
    also: ['start', 'start_line', 'startLine', 'line_start', 'offset', 'line', 'first'],
  }),
  to: whole('last line; as many as there is room for by default', {
    also: ['end', 'end_line', 'endLine', 'line_end', 'last'],
  }),
  limit: whole('how many lines, in place of the last one', {
    least: 1,
    isHidden: true,
    also: ['lines', 'count', 'num_lines', 'max_lines'],
  }),
};

const face: ToolFace<typeof args> = {
  name: 'read',
  description: `Reads a text file, or lines of it, each as its number, a tab, and the line as it is. A result has at most ${MAX_TOOL_RESULT} characters; it says how to go on.`,
  args,
  example: { path: 'README.md', from: 1, to: 80 },
};

/** The tool that reads lines of one file, with their numbers. */
export function readTool(files: WorkspaceFiles): BoundTool {
  return boundTool(
    face,
    async ({ path: written, from: first = 1, to: last, limit }) => {
      const { path, text, secrets = 0 } = await files.read(written);
      const lines = linesOf(text);
      const from = Math.max(1, first);
      const to = last ?? (limit === undefined ? lines.length : from + limit - 1);
      if (lines.length === 0) return { text: `${path} is empty.`, what: path };
      if (from > lines.length) throw new Refusal(`That file has ${lines.length} lines.`);
      if (to < from) throw new Refusal('The last line is before the first.');
      const wanted = lines.slice(from - 1, to);
      const { rows, count } = fitting(wanted, from);
      const end = from + count - 1;
      const left = secrets === 0 ? '' : ` (${leftOut(secrets, path)})`;
      const head = `${path}, lines ${from} to ${end} of ${lines.length}${left}:`;
      const more = count < wanted.length ? [`There is no room for more. Go on with "from": ${end + 1}.`] : [];
      return { text: [head, ...rows, ...more].join('\n'), what: `${path}:${from}-${end}` };
    },
    { also: ['read_lines', 'read_file', 'view', 'cat', 'open', 'open_file', 'view_file'] },
  );
}

/** As many lines as there is room for, with their numbers. */
function fitting(lines: readonly string[], from: number): { readonly rows: string[]; readonly count: number } {
  const rows: string[] = [];
  let room = MAX_TOOL_RESULT - 1200;
  let empty = 0;
  for (const [index, line] of lines.entries()) {
    empty = line === '' ? empty + 1 : 0;
    if (empty > MOST_EMPTY) continue;
    const row = `${from + index}\t${shortened(line)}`;
    room -= row.length + 1;
    if (room < 0 && index > 0) return { rows, count: index };
    rows.push(row);
  }
  return { rows, count: lines.length };
}

function shortened(line: string): string {
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST).toWellFormed()}… (cut; ${line.length} characters)`;
}
