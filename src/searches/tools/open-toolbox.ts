import type { Toolbox } from '../../core/ports/tool.ts';
import { listFilesTool } from './list-files-tool.ts';
import { readLinesTool } from './read-lines-tool.ts';
import { searchTextTool } from './search-text-tool.ts';
import { type BoundTool, toolboxOf } from './toolbox-of.ts';
import { WorkspaceFiles } from './workspace-files.ts';
import type { WorkspaceTool } from './workspace-tool.ts';

const TOOLS: readonly WorkspaceTool[] = [listFilesTool, searchTextTool, readLinesTool];

/**
 * The tools with which a model may read a workspace: nothing outside of it, nothing ignored by git, no secrets, no
 * searches, and never too much at once. They write and run nothing. A use that is stopped throws `aborted`.
 * @param workspace an absolute path
 * @param allowedFiles as for `SecretFilter`
 * @param searches as for `listFiles`
 */
export function openToolbox(workspace: string, allowedFiles: readonly string[] = [], searches?: string): Toolbox {
  return toolboxOf(readingTools(new WorkspaceFiles(workspace, allowedFiles, searches)));
}

/** The tools that read these files. */
export function readingTools(files: WorkspaceFiles): BoundTool[] {
  return TOOLS.map(({ tool, use }) => ({ tool, use: (input, signal) => use(files, input, signal) }));
}
