import * as z from 'zod';
import { MAX_TOOL_RESULT } from '../../core/ports/tool.ts';
import type { WorkspaceTool } from './workspace-tool.ts';

/** Up to this many files are listed one by one; beyond that, folders are. */
const MOST = 200;

const Input = z.object({ folder: z.string().max(1000).default('') });

/** The files of a folder; if there are many, its subfolders with their numbers of files. */
export const listFilesTool: WorkspaceTool = {
  tool: {
    name: 'list_files',
    description:
      'Lists the files below a folder of the workspace. A large folder is shown as its subfolders with their numbers of files.',
    parameters: {
      type: 'object',
      properties: {
        folder: { type: 'string', description: 'relative to the workspace, with /; leave out for all of it' },
      },
    },
  },
  async use(files, input) {
    const { folder } = Input.parse(input);
    const found = await files.below(folder);
    const what = folder || '.';
    if (found.length === 0) return { text: 'The workspace has no files to be seen.', what };
    if (found.length <= MOST) return { text: cut(found), what };
    const depth = folder.split('/').filter((step) => step !== '' && step !== '.').length;
    return { text: `${found.length} files:\n${cut(entries(found, depth))}`, what };
  },
};

/** Names directly below a folder, those of folders with the number of files below. */
function entries(files: readonly string[], depth: number): string[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const steps = file.split('/');
    const name = steps.slice(0, depth + 1).join('/');
    counts.set(steps.length > depth + 1 ? `${name}/` : name, (counts.get(`${name}/`) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => (name.endsWith('/') ? `${name} (${count} files)` : name));
}

function cut(lines: readonly string[]): string {
  let room = MAX_TOOL_RESULT - 100;
  const kept = lines.filter((line) => {
    room -= line.length + 1;
    return room >= 0;
  });
  const rest = lines.length - kept.length;
  return [...kept, ...(rest > 0 ? [`… and ${rest} more; name a subfolder.`] : [])].join('\n');
}
