import { MAX_TOOL_RESULT } from '../../core/ports/tool.ts';
import { PATH_NAMES } from './read-tool.ts';
import { symbolsOf } from './symbols.ts';
import { neededText, type ToolFace } from './tool-arguments.ts';
import { type BoundTool, boundTool } from './toolbox-of.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

const args = { path: neededText('a file, relative to the workspace, with /', { also: PATH_NAMES }) };

const face: ToolFace<typeof args> = {
  name: 'outline',
  description:
    'Lists the classes, functions, methods and types of a file, or the headings of a document: first and last line, a tab, and the signature.',
  args,
  example: { path: 'README.md' },
};

/** The tool that lists the symbols of a file. */
export function outlineTool(files: WorkspaceFiles): BoundTool {
  return boundTool(
    face,
    async ({ path: written }) => {
      const { path, text } = await files.read(written);
      const { symbols, lines } = await symbolsOf(path, text);
      const head = `${path}, ${lines.length} lines`;
      if (symbols.length === 0)
        return { text: `${head}: no symbols or headings are found in it. Read it.`, what: path };
      let room = MAX_TOOL_RESULT - 500 - head.length;
      const rows = symbols.map(({ from, to, signature }) => `${from}-${to}\t${signature}`);
      const end = rows.findIndex((row) => {
        room -= row.length + 1;
        return room < 0;
      });
      const kept = end < 0 ? rows : rows.slice(0, end);
      const more = kept.length < rows.length ? [`… and ${rows.length - kept.length} more; search the file.`] : [];
      return { text: [`${head}:`, ...kept, ...more].join('\n'), what: `outline of ${path}` };
    },
    { also: ['symbols', 'document_symbols', 'list_symbols', 'list_code_definition_names'] },
  );
}
