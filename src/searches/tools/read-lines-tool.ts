import * as z from 'zod';
import { MAX_TOOL_RESULT } from '../../core/ports/tool.ts';
import { leftOut } from '../../core/text/left-out.ts';
import { splitLines } from '../../text/files/read-source.ts';
import { Refusal, type WorkspaceTool } from './workspace-tool.ts';

/** The most lines that are given at once. */
const MOST = 400;
/** Characters of one line. */
const LONGEST = 1000;

const Line = z.coerce.number().int().min(1).max(10_000_000);
const Input = z.object({ path: z.string().min(1).max(1000), from: Line.default(1), to: Line.optional() });

/** Lines of one file, with their numbers. */
export const readLinesTool: WorkspaceTool = {
  tool: {
    name: 'read_lines',
    description: `Reads lines of one text file of the workspace, with their numbers, at most ${MOST} at once.`,
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'relative to the workspace, with /' },
        from: { type: 'integer', description: 'first line, from 1; 1 by default' },
        to: { type: 'integer', description: `last line; ${MOST} lines by default` },
      },
      required: ['path'],
    },
  },
  async use(files, input) {
    const { path, from, to } = Input.parse(input);
    const { text, secrets = 0 } = await files.read(path);
    const lines = splitLines(text);
    if (from > lines.length) throw new Refusal(`That file has ${lines.length} lines.`);
    if (to !== undefined && to < from) throw new Refusal('The last line is before the first.');
    const wanted = lines.slice(from - 1, Math.min(to ?? Number.POSITIVE_INFINITY, from + MOST - 1));
    const numbered = fitting(wanted.map((line, index) => `${from + index}\t${shortened(line)}`));
    const last = from + numbered.length - 1;
    const left = secrets === 0 ? '' : ` (${leftOut(secrets, path)})`;
    const head = `${path}, lines ${from} to ${last} of ${lines.length}${left}:`;
    return { text: [head, ...numbered].join('\n'), what: `${path}:${from}-${last}` };
  },
};

function fitting(lines: readonly string[]): string[] {
  let room = MAX_TOOL_RESULT - 1200;
  const end = lines.findIndex((line) => {
    room -= line.length + 1;
    return room < 0;
  });
  return lines.slice(0, end === -1 ? lines.length : Math.max(1, end));
}

function shortened(line: string): string {
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST).toWellFormed()}… (cut; ${line.length} characters)`;
}
