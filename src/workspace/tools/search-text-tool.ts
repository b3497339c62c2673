import pLimit from 'p-limit';
import * as z from 'zod';
import { MAX_TOOL_RESULT } from '../../core/tool.ts';
import { splitLines } from '../../models/quotes/read-source.ts';
import type { WorkspaceFiles } from './workspace-files.ts';
import { Refusal, type WorkspaceTool } from './workspace-tool.ts';

/** Lines that are shown; of more, the number is told. */
const MOST = 60;
/** Of one file, so that a single one does not fill the answer. */
const MOST_OF_A_FILE = 8;
/** Characters of a line. */
const LONGEST = 240;
/** Characters of all files that are looked through. */
const MAX_SEARCHED = 200_000_000;
const AT_ONCE = 8;

const Input = z.object({ text: z.string().trim().min(2).max(200), folder: z.string().max(1000).default('') });

interface Hit {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** The lines of all files that hold a text, capitals or not. No patterns: some would never end. */
export const searchTextTool: WorkspaceTool = {
  tool: {
    name: 'search_text',
    description:
      'Finds the lines of the files of the workspace that hold a text, word for word, upper or lower case. No patterns.',
    parameters: {
      type: 'object',
      properties: {
        text: { type: 'string', description: 'what to look for, 2 characters or more, within one line' },
        folder: { type: 'string', description: 'relative to the workspace, with /; leave out for all of it' },
      },
      required: ['text'],
    },
  },
  async use(files, input, signal) {
    const { text, folder } = Input.parse(input);
    const hits = await search(files, await files.below(folder), text.toLowerCase(), signal);
    const what = JSON.stringify(text) + (folder === '' ? '' : ` in ${folder}`);
    if (hits.length === 0) return { text: 'No line holds that text.', what };
    return { text: shown(hits), what };
  },
};

async function search(
  files: WorkspaceFiles,
  paths: readonly string[],
  wanted: string,
  signal: AbortSignal,
): Promise<Hit[]> {
  const limit = pLimit(AT_ONCE);
  let searched = 0;
  const look = async (file: string): Promise<Hit[]> => {
    if (signal.aborted || searched > MAX_SEARCHED) return [];
    const text = await files.read(file).catch(() => '');
    searched += text.length;
    if (!text.toLowerCase().includes(wanted)) return [];
    return splitLines(text).flatMap((line, index) =>
      line.toLowerCase().includes(wanted) ? [{ file, line: index + 1, text: around(line, wanted) }] : [],
    );
  };
  const found = (await Promise.all(paths.map((path) => limit(look, path)))).flat();
  if (searched > MAX_SEARCHED) throw new Refusal('That is too much to look through. Name a folder.');
  return found;
}

/** A line, or what stands around the text in it where it is long. */
function around(line: string, wanted: string): string {
  const text = line.trim();
  if (text.length <= LONGEST) return text;
  const start = Math.max(0, text.toLowerCase().indexOf(wanted) - LONGEST / 2);
  return `…${text.slice(start, start + LONGEST)}…`;
}

function shown(hits: readonly Hit[]): string {
  const inFile = new Map<string, number>();
  const kept = hits.filter(({ file }) => {
    inFile.set(file, (inFile.get(file) ?? 0) + 1);
    return (inFile.get(file) ?? 0) <= MOST_OF_A_FILE;
  });
  let room = MAX_TOOL_RESULT - 100;
  const lines = kept.slice(0, MOST).flatMap(({ file, line, text }) => {
    const row = `${file}:${line}: ${text}`;
    room -= row.length + 1;
    return room >= 0 ? [row] : [];
  });
  const rest = hits.length - lines.length;
  return [...lines, ...(rest > 0 ? [`… and ${rest} more lines in ${inFile.size} files in all.`] : [])].join('\n');
}
