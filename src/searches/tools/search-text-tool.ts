import * as z from 'zod';
import { MAX_TOOL_RESULT } from '../../core/ports/tool.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { roleOf } from '../../text/files/file-role.ts';
import { splitLines } from '../../text/files/read-source.ts';
import { searchStopped } from '../messages.ts';
import type { WorkspaceFiles } from './workspace-files.ts';
import { Refusal, type WorkspaceTool } from './workspace-tool.ts';

/** The most lines that are shown; beyond that, only their number. */
const MOST = 26;
/** Per file, so that one file does not fill the answer. */
const MOST_OF_A_FILE = 5;
/** The longest line, in characters. */
const LONGEST = 240;
/** Characters of all files that are searched. */
const MAX_SEARCHED = 200_000_000;
const AT_ONCE = 8;

const Input = z.object({ text: z.string().trim().min(2).max(200), folder: z.string().max(1000).default('') });

/** What a reader wants first: the code, then what sets it up, tells of it and tests it. */
const ROLES = ['source', 'config', 'docs', 'test'] as const;
/** A line that defines what it names. */
const DEFINES =
  /\b(?:class|const|def|enum|fn|func|function|interface|let|macro|module|namespace|struct|trait|type|var)\b|^\s*(?:async |static |public |private )*[\w#$]{1,80}\(.{0,200}\)\s*\{$/;

/** The matching lines of a file: as shown, those that define something before others; and their number. */
interface FileHits {
  readonly rows: readonly string[];
  readonly count: number;
}

interface Row {
  readonly index: number;
  readonly text: string;
}

interface Hits extends FileHits {
  readonly files: number;
}

/** The best of the lines of all files that contain a text, ignoring case. No patterns: some would never end. */
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
    if (hits.count === 0) return { text: 'No line holds that text.', what };
    return { text: shown(hits), what };
  },
};

/** @throws ThoughtTreeError `aborted`: files that were not searched would count as having no match */
async function search(
  files: WorkspaceFiles,
  paths: readonly string[],
  wanted: string,
  signal: AbortSignal,
): Promise<Hits> {
  const rows = new Map<string, string[]>(ROLES.map((role) => [role, []]));
  let [count, inFiles, searched] = [0, 0, 0];
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    const texts = await Promise.all(
      paths.slice(at, at + AT_ONCE).map(async (file) => ({ file, found: await files.search(file, wanted) })),
    );
    if (signal.aborted) throw new ThoughtTreeError('aborted', searchStopped());
    for (const {
      file,
      found: { text, length },
    } of texts) {
      searched += length;
      if (searched > MAX_SEARCHED) throw new Refusal('That is too much to look through. Name a folder.');
      const hits = hitsIn(file, text, wanted);
      const own = rows.get(roleOf(file)) ?? [];
      own.push(...hits.rows.slice(0, MOST - own.length));
      count += hits.count;
      if (hits.count > 0) inFiles++;
    }
  }
  return { rows: [...rows.values()].flat().slice(0, MOST), count, files: inFiles };
}

function hitsIn(file: string, text: string, wanted: string): FileHits {
  const defining: Row[] = [];
  const others: Row[] = [];
  let count = 0;
  if (!text.toLowerCase().includes(wanted)) return { rows: [], count };
  for (const [index, line] of splitLines(text).entries()) {
    if (!line.toLowerCase().includes(wanted)) continue;
    count++;
    const like = line.length <= LONGEST && DEFINES.test(line) ? defining : others;
    if (like.length < MOST_OF_A_FILE)
      like.push({ index, text: copied(`${file}:${index + 1}: ${around(line, wanted)}`) });
  }
  const best = [...defining, ...others].slice(0, MOST_OF_A_FILE).sort((a, b) => a.index - b.index);
  return { rows: best.map((row) => row.text), count };
}

/** A well-formed copy of a text: a substring keeps the whole text in memory. */
function copied(text: string): string {
  return Buffer.from(text).toString();
}

/** A line or, if it is long, the part around the match. */
function around(line: string, wanted: string): string {
  const text = line.trim();
  if (text.length <= LONGEST) return text;
  const start = Math.max(0, text.toLowerCase().indexOf(wanted) - LONGEST / 2);
  return `…${text.slice(start, start + LONGEST).toWellFormed()}…`;
}

function shown({ rows, count, files }: Hits): string {
  let room = MAX_TOOL_RESULT - 100;
  const lines = rows.filter((row) => {
    room -= row.length + 1;
    return room >= 0;
  });
  const rest = count - lines.length;
  return [...lines, ...(rest > 0 ? [`… and ${rest} more lines in ${files} files in all.`] : [])].join('\n');
}
