import { constants } from 'node:fs';
import { lstat, mkdir, open, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { MAX_TOOL_RESULT } from '../../core/ports/tool.ts';
import { isOddPath, LEFT_OUT, leftOut } from '../../core/text/text.ts';
import { isNotebook, notebookText } from '../../text/files/read-text.ts';
import { isOfGit, placeWithin } from '../../text/files/real-place.ts';
import { SecretFilter } from '../../text/secrets/secret-filter.ts';
import { type BoundTool, boundTool, neededText, Refusal, type ToolDescriptor, text, whole } from './toolbox.ts';
import { leftOutOf, linesOf, type WorkspaceFiles } from './workspace-files.ts';

/** The most files and folders that are listed. */
const MOST = 200;

const listArgs = {
  folder: text('relative to the workspace, with /; all of it by default', {
    also: ['path', 'dir', 'directory', 'root', 'target_directory', 'relative_workspace_path'],
  }),
  glob: text('only these files, as in "*.ts" or "src/**/*.py"', { also: ['pattern', 'include', 'filter'] }),
  depth: whole('how many levels of folders to open; by default as many as there is room for', {
    least: 1,
    most: 50,
    also: ['levels', 'max_depth', 'maxDepth'],
  }),
  recursive: text('', { isHidden: true, also: ['ignore', 'offset', 'limit'] }),
};

const listDescriptor: ToolDescriptor<typeof listArgs> = {
  name: 'list',
  description:
    'Lists the files below a folder with their lines and sizes, and folders that are not opened with how many files they have. Says what is left out of it and of searches.',
  args: listArgs,
  example: { folder: 'src', depth: 2 },
};

/** A file, or a folder that is not opened. */
interface Entry {
  readonly name: string;
  files: number;
  bytes: number;
}

/** Returns the tool that lists files, with their sizes. */
export function listTool(files: WorkspaceFiles): BoundTool {
  return boundTool(
    listDescriptor,
    async ({ folder: asked = '', glob, depth }) => {
      const { files: paths, skipped, folder } = await files.choose(asked, glob);
      const base = folder ? `${folder}/` : '';
      // A path without a size is a link: git lists them, too.
      const sizes = paths.flatMap((path) => {
        const bytes = files.texts.sizeOf(path);
        return bytes === undefined ? [] : [[path, bytes] as const];
      });
      const entries = depth === undefined ? deepest(sizes, base) : entriesAt(sizes, base, depth);
      const rows = entries.slice(0, MOST).map((entry) => rowOf(files, entry));
      const left = leftOutOf(skipped);
      const none = glob === undefined ? 'There are no files to be seen.' : 'No file is called so.';
      return {
        text: cut(rows.length > 0 ? rows : [none], entries.length, left),
        what: (asked || '.') + (glob ? ` ${glob}` : ''),
      };
    },
    { also: ['list_files', 'ls', 'list_dir', 'list_directory', 'glob', 'find_files', 'tree'] },
  );
}

/** With as many folders opened as there is room for. */
function deepest(sizes: readonly (readonly [string, number])[], base: string): Entry[] {
  let found = entriesAt(sizes, base, 1);
  for (let depth = 2; found.some(({ name }) => name.endsWith('/')); depth++) {
    const next = entriesAt(sizes, base, depth);
    if (next.length > MOST) return found;
    found = next;
  }
  return found;
}

function entriesAt(sizes: readonly (readonly [string, number])[], base: string, depth: number): Entry[] {
  const entries = new Map<string, Entry>();
  for (const [path, bytes] of sizes) {
    const steps = path.slice(base.length).split('/');
    const name = base + steps.slice(0, depth).join('/') + (steps.length > depth ? '/' : '');
    const entry = entries.get(name) ?? { name, files: 0, bytes: 0 };
    entries.set(name, entry);
    entry.files++;
    entry.bytes += bytes;
  }
  return [...entries.values()];
}

function rowOf(files: WorkspaceFiles, { name, files: count, bytes }: Entry): string {
  if (name.endsWith('/')) return `${name} (${count} ${count === 1 ? 'file' : 'files'}, ${sizeOf(bytes)})`;
  const file = files.texts.written(name);
  if (!file) return `${name} (${sizeOf(bytes)})`;
  const lines = linesOf(file.text).length;
  const built = file.isGenerated ? ', built or generated' : '';
  return `${name} (${lines} ${lines === 1 ? 'line' : 'lines'}, ${sizeOf(bytes)}${built})`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  return `${(bytes / 1000).toFixed(bytes < 100_000 ? 1 : 0)} KB`;
}

function cut(rows: readonly string[], count: number, left: string): string {
  let room = MAX_TOOL_RESULT - 2000;
  const kept = rows.filter((row) => {
    room -= row.length + 1;
    return room >= 0;
  });
  const rest = Math.max(count, rows.length) - kept.length;
  const more = rest > 0 ? [`… and ${rest} more; name a subfolder, or a lower "depth".`] : [];
  return [...kept, ...more, ...(left === '' ? [] : [`Not listed: ${left}.`])].join('\n');
}

/** Characters of one line. */
const LONGEST = 1000;
/** Empty lines in a row; a notebook has one for each line of its outputs. */
const MOST_EMPTY = 3;

/** The names by which models call the file that they mean. */
export const PATH_NAMES = ['file', 'filename', 'file_path', 'filepath', 'filePath', 'name', 'uri'];

const readArgs = {
  path: neededText('a file, relative to the workspace, with /', { also: PATH_NAMES }),
  from: whole('first line, from 1; the beginning by default', {
    also: ['start', 'start_line', 'startLine', 'line_start', 'offset', 'line', 'first'],
  }),
  to: whole('last line; as many as there is room for by default', {
    also: ['end', 'end_line', 'endLine', 'line_end', 'last'],
  }),
  symbol: text('a function, method or class of the file to read whole, in place of lines: its name is enough', {
    longest: 200,
    also: ['function', 'method', 'class', 'symbol_name', 'identifier'],
  }),
  limit: whole('how many lines, in place of the last one', {
    least: 1,
    isHidden: true,
    also: ['lines', 'count', 'num_lines', 'max_lines'],
  }),
};

const readDescriptor: ToolDescriptor<typeof readArgs> = {
  name: 'read',
  description: `Reads a text file, or lines of it, each as its number, a tab, and the line as it is. A result has at most ${MAX_TOOL_RESULT} characters; it says how to go on.`,
  args: readArgs,
  example: { path: 'README.md', from: 1, to: 80 },
};

/** Lines from 1, inclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

type ReadFile = Awaited<ReturnType<WorkspaceFiles['read']>>;

/** Where a file defines a symbol, in the order of the lines. */
export interface Defined {
  readonly file: ReadFile;
  readonly ranges: readonly Range[];
  /** Says so if that is another file. */
  readonly note?: string;
}

/**
 * Finds what is meant by a symbol in a file; undefined if the file does not define it, unless others are looked at.
 * @throws Refusal if neither it nor the only other one defines it, and it does not even name it
 */
export type FindSymbol = (
  files: WorkspaceFiles,
  asked: ReadFile,
  symbol: string,
  how: { readonly isElsewhere: boolean; readonly signal: AbortSignal },
) => Promise<Defined | undefined>;

/** Returns the tool that reads lines of one file, or what it defines, with the numbers of its lines. */
export function readTool(files: WorkspaceFiles, findSymbol: FindSymbol): BoundTool {
  return boundTool(
    readDescriptor,
    async ({ path: written, from: first = 1, to: last, limit, symbol }, signal) => {
      const asked = await files.read(written);
      // Lines that were named with it decide where it is not found.
      const isElsewhere = first === 1 && last === undefined;
      const found = symbol === undefined ? undefined : await findSymbol(files, asked, symbol, { isElsewhere, signal });
      const { path, text, secrets = 0 } = found?.file ?? asked;
      const lines = linesOf(text);
      const from = Math.max(1, first);
      const to = last ?? (limit === undefined ? lines.length : from + limit - 1);
      if (lines.length === 0) return { text: `${path} is empty.`, what: path };
      if (!found && from > lines.length) throw new Refusal(`That file has ${lines.length} lines.`);
      if (!found && to < from) throw new Refusal('The last line is before the first.');
      const { chosen, others } = chosenOf(found?.ranges ?? [{ from, to: Math.min(to, lines.length) }]);
      const { rows, shown, next } = fitting(lines, chosen);
      const left = secrets === 0 ? '' : ` (${leftOut(secrets, path)})`;
      const named = shown.map((one) => `${one.from} to ${one.to}`).join(', ');
      const head = `${found?.note ? `${found.note}\n` : ''}${path}, lines ${named} of ${lines.length}${left}:`;
      const more = next === undefined ? [] : [`There is no room for more. Go on with "from": ${next}.`];
      if (others.length > 0)
        more.push(`Also defined in lines ${others.map((one) => `${one.from}-${one.to}`).join(', ')}.`);
      return { text: [head, ...rows, ...more].join('\n'), what: `${path}:${shown[0]?.from}-${shown[0]?.to}` };
    },
    { also: ['read_lines', 'read_file', 'view', 'cat', 'open', 'open_file', 'view_file'] },
  );
}

/** The most lines of what else has the name of a symbol that are shown with it: overloads, a setter, the same of others. */
const MOST_BESIDE = 60;
/** The most definitions that are named besides. */
const MOST_OTHERS = 10;

/** Returns the longest of what has the same name, with those that there is room for, and the others; in their order. */
function chosenOf(ranges: readonly Range[]): { readonly chosen: readonly Range[]; readonly others: readonly Range[] } {
  const size = ({ from, to }: Range): number => to - from + 1;
  const longest = ranges.reduce((best, one) => (size(one) > size(best) ? one : best));
  let room = MOST_BESIDE;
  const isIn = (one: Range, other: Range): boolean => one.from >= other.from && one.to <= other.to;
  const chosen = ranges.filter((one, at) => {
    if (one === longest) return true;
    // One inside of another is shown with it.
    if (isIn(one, longest) || ranges.slice(0, at).some((other) => isIn(one, other))) return false;
    const fits = size(one) <= room;
    if (fits) room -= size(one);
    return fits;
  });
  const isShown = ({ from, to }: Range): boolean => chosen.some((one) => from >= one.from && to <= one.to);
  return { chosen, others: ranges.filter((one) => !isShown(one)).slice(0, MOST_OTHERS) };
}

interface Fitting {
  readonly rows: string[];
  readonly shown: readonly Range[];
  /** The first line for which there is no room. */
  readonly next?: number;
}

/** Returns as many lines as there is room for, with their numbers. */
function fitting(lines: readonly string[], ranges: readonly Range[]): Fitting {
  const rows: string[] = [];
  const shown: Range[] = [];
  let room = MAX_TOOL_RESULT - 1200;
  let empty = 0;
  for (const { from, to } of ranges) {
    if (shown.length > 0) rows.push('--');
    for (let number = from; number <= to; number++) {
      const line = lines[number - 1] as string;
      empty = line === '' ? empty + 1 : 0;
      if (empty > MOST_EMPTY) continue;
      const row = `${number}\t${shortened(line)}`;
      room -= row.length + 1;
      if (room < 0 && rows.length > 0)
        return { rows, shown: number > from ? [...shown, { from, to: number - 1 }] : shown, next: number };
      rows.push(row);
    }
    shown.push({ from, to });
  }
  return { rows, shown };
}

function shortened(line: string): string {
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST).toWellFormed()}… (cut; ${line.length} characters)`;
}

/** The largest file that is written or changed, in bytes. */
const LARGEST_FILE = 1024 * 1024;

const OUTSIDE = 'That path leads out of the folder, or belongs to git. Give a path relative to the folder, with /.';
const NOT_FOR_YOU = 'That file is not for you: it usually holds a secret, or lies in a dot folder.';
const NO_FILE = 'There is no such file. Look with list or search.';
const NO_NOTEBOOK = 'That is no notebook. You are shown what its cells say; what is written is its whole JSON.';
const NOT_TEXT = 'That is not a text file in UTF-8 of at most 1 MB. It cannot be changed here.';

/**
 * The files of a checkout that a model changes. Paths are hostile, and so are links that are in the folder: nothing is
 * changed outside of it, nor in `.git`, and no file with secrets that the model cannot see.
 */
export class CheckoutFiles {
  readonly #folder: string;
  readonly #filter: SecretFilter;

  /**
   * @param folder absolute
   * @param allowedFiles as for `SecretFilter`
   */
  constructor(folder: string, allowedFiles: readonly string[] = []) {
    this.#folder = folder;
    this.#filter = new SecretFilter(folder, allowedFiles);
  }

  /**
   * Writes a file, whether it exists or not, with the folders above it.
   * @returns whether it is new
   */
  async write(path: string, text: string): Promise<boolean> {
    const place = this.#placeOf(path);
    if (isNotebook(place) && notebookText(text) === undefined) throw new Refusal(NO_NOTEBOOK);
    const before = await this.#textAt(place);
    if (before !== undefined) {
      const { secrets } = await this.#filter.hide(place, before);
      if (secrets > 0)
        throw new Refusal(`You do not see all of that file: ${leftOut(secrets, path)}. Change it with edit_file.`);
    }
    await this.#put(place, text);
    return before === undefined;
  }

  /** Replaces a passage that occurs exactly once; returns the line where it begins, from 1. */
  async edit(path: string, old: string, replacement: string): Promise<number> {
    const place = this.#placeOf(path);
    const text = await this.#textAt(place);
    if (text === undefined) throw new Refusal(NO_FILE);
    const at = text.indexOf(old);
    if (at < 0) throw new Refusal('The file does not hold that passage. Give it exactly, with all spaces and lines.');
    if (text.indexOf(old, at + 1) >= 0)
      throw new Refusal('The file holds that passage more than once. Give more of what is around it.');
    await this.#put(place, text.slice(0, at) + replacement + text.slice(at + old.length));
    return text.slice(0, at).split('\n').length;
  }

  /** Removes a file, or a link rather than what it leads to. */
  async remove(path: string): Promise<void> {
    const steps = stepsOf(path);
    const name = steps.pop() ?? '';
    const above = steps.length === 0 ? '' : this.#placeOf(steps.join('/'));
    const place = above === '' ? name : `${above}/${name}`;
    if (isOfGit(place)) throw new Refusal(OUTSIDE);
    if (this.#filter.isKept(place)) throw new Refusal(NOT_FOR_YOU);
    const file = join(this.#folder, ...place.split('/'));
    const there = await lstat(file).catch(() => undefined);
    if (!there) throw new Refusal(NO_FILE);
    if (there.isDirectory()) throw new Refusal('That is a folder. Name each file.');
    await unlink(file);
  }

  #placeOf(path: string): string {
    const place = placeWithin(this.#folder, stepsOf(path).join('/'));
    if (place === undefined || isOfGit(place)) throw new Refusal(OUTSIDE);
    if (this.#filter.isKept(place)) throw new Refusal(NOT_FOR_YOU);
    return place;
  }

  /** Returns the text of a file; undefined if there is none. */
  async #textAt(place: string): Promise<string | undefined> {
    const file = join(this.#folder, ...place.split('/'));
    const there = await lstat(file).catch(() => undefined);
    if (!there) return undefined;
    if (there.isDirectory()) throw new Refusal('That is a folder.');
    if (!there.isFile() || there.size > LARGEST_FILE) throw new Refusal(NOT_TEXT);
    const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(LARGEST_FILE + 1), 0, LARGEST_FILE + 1, 0);
      const bytes = buffer.subarray(0, bytesRead);
      if (bytesRead > LARGEST_FILE || bytes.includes(0)) throw new Refusal(NOT_TEXT);
      // With its mark, if it has one: what is written back has to equal what was not changed.
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (error) {
      throw error instanceof TypeError ? new Refusal(NOT_TEXT) : error;
    } finally {
      await handle.close();
    }
  }

  /** Writes into the file that is there, so that it stays executable; never through a link. */
  async #put(place: string, text: string): Promise<void> {
    const bytes = Buffer.from(text.toWellFormed());
    if (bytes.length > LARGEST_FILE) throw new Refusal('A file can have 1 MB at most.');
    const file = join(this.#folder, ...place.split('/'));
    await mkdir(dirname(file), { recursive: true });
    // Folders that were made, or replaced, meanwhile: where it leads now has to be where it led.
    if (placeWithin(this.#folder, file) !== place || basename(file) === '') throw new Refusal(OUTSIDE);
    const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    const handle = await open(file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, 0o666);
    try {
      await handle.writeFile(bytes);
    } finally {
      await handle.close();
    }
  }
}

/** Returns the steps of a path as written by a model: `./src/` is `src`. */
function stepsOf(path: string): string[] {
  const steps = path.split('/');
  if (path.startsWith('/') || /^(~|[a-z]:|file:)/i.test(path) || steps.includes('..') || isOddPath(path))
    throw new Refusal(OUTSIDE);
  const kept = steps.filter((step) => step !== '' && step !== '.');
  if (kept.length === 0) throw new Refusal(OUTSIDE);
  return kept;
}

// The tools with which a model changes the files of its checkout.

/** As JSON, a text of the largest size may take up to six times as much. */
const longestInput = LARGEST_FILE * 2;

const path = neededText('relative to the folder, with /', { also: PATH_NAMES });

function content(description: string, mayBeEmpty: boolean, also: readonly string[]) {
  return neededText(description, { longest: LARGEST_FILE, mayBeEmpty, also });
}

/** @param changed called after files came or went */
export function writingTools(files: CheckoutFiles, changed: () => void): BoundTool[] {
  return [writeFile(files, changed), editFile(files), deleteFile(files, changed)];
}

function writeFile(files: CheckoutFiles, changed: () => void): BoundTool {
  const descriptor = {
    name: 'write_file',
    description: 'Writes a whole text file, new or in place of what it held. Use edit_file to change a part of one.',
    args: { path, text: content('the whole new text', true, ['content', 'contents']) },
    example: { path: 'notes.txt', text: 'One line.\n' },
  };
  return boundTool(
    descriptor,
    async (asked) => {
      rejectPlaceholder(asked.text);
      const isNew = await files.write(asked.path, asked.text);
      changed();
      return { text: isNew ? 'It is written, as a new file.' : 'It is written.', what: `write ${asked.path}` };
    },
    { longestInput },
  );
}

function editFile(files: CheckoutFiles): BoundTool {
  const descriptor = {
    name: 'edit_file',
    description: 'Replaces one passage of a text file. The passage has to occur in it exactly once, word for word.',
    args: {
      path,
      old: content('the passage, without line numbers', false, ['old_string', 'old_str', 'old_text']),
      new: content('what takes its place; may be empty', true, ['new_string', 'new_str', 'new_text']),
    },
    example: { path: 'notes.txt', old: 'One line.', new: 'Another line.' },
  };
  return boundTool(
    descriptor,
    async (asked) => {
      rejectPlaceholder(asked.new);
      const line = await files.edit(asked.path, asked.old, asked.new);
      return { text: `It is changed, at line ${line}.`, what: `edit ${asked.path}:${line}` };
    },
    { longestInput },
  );
}

function deleteFile(files: CheckoutFiles, changed: () => void): BoundTool {
  const descriptor = {
    name: 'delete_file',
    description: 'Deletes one file.',
    args: { path },
    example: { path: 'notes.txt' },
  };
  return boundTool(descriptor, async (asked) => {
    await files.remove(asked.path);
    changed();
    return { text: 'It is deleted.', what: `delete ${asked.path}` };
  });
}

/** Rejects the words that a model was shown in place of a secret: they would take the secret's place. */
function rejectPlaceholder(written: string): void {
  if (written.includes(LEFT_OUT))
    throw new Refusal(`"${LEFT_OUT}" stands for a text that you do not see. Leave its lines out of what you change.`);
}
