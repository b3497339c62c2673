import { MAX_TOOL_RESULT } from '../../core/ports/tool.ts';
import { linesOf } from './file-texts.ts';
import { type ToolFace, text, whole } from './tool-arguments.ts';
import { type BoundTool, boundTool } from './toolbox-of.ts';
import { leftOutOf, type WorkspaceFiles } from './workspace-files.ts';

/** The most files and folders that are listed. */
const MOST = 200;

const args = {
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

const face: ToolFace<typeof args> = {
  name: 'list',
  description:
    'Lists the files below a folder with their lines and sizes, and folders that are not opened with how many files they have. Says what is left out of it and of searches.',
  args,
  example: { folder: 'src', depth: 2 },
};

/** A file, or a folder that is not opened. */
interface Entry {
  readonly name: string;
  files: number;
  bytes: number;
}

/** The tool that lists files, with their sizes. */
export function listTool(files: WorkspaceFiles): BoundTool {
  return boundTool(
    face,
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
