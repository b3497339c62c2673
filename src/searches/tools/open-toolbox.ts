import type { Experiments } from '../../core/ports/experiments.ts';
import type { Toolbox } from '../../core/ports/tool.ts';
import { listTool } from './list-tool.ts';
import { outlineTool } from './outline-tool.ts';
import { readTool } from './read-tool.ts';
import { referencesTool } from './references-tool.ts';
import { searchTool } from './search-tool.ts';
import { type BoundTool, toolboxOf } from './toolbox-of.ts';
import { WorkspaceFiles } from './workspace-files.ts';
import { runProgramTool } from './writing/run-program-tool.ts';

/**
 * The tools with which a model may read a workspace: nothing outside of it, nothing ignored by git, no secrets, no
 * searches, and never too much at once. They write and run nothing. A use that is stopped throws `aborted`.
 * @param workspace an absolute path
 * @param allowedFiles as for `SecretFilter`
 * @param searches as for `listFiles`
 * @param experiments where it may run small programs, if it may
 */
export function openToolbox(
  workspace: string,
  allowedFiles: readonly string[] = [],
  searches?: string,
  experiments?: Experiments,
): Toolbox {
  const reading = readingTools(new WorkspaceFiles(workspace, allowedFiles, searches));
  if (!experiments) return toolboxOf(reading);
  const toolbox = toolboxOf([...reading, runProgramTool(workspace, experiments)]);
  return { ...toolbox, close: () => experiments.close() };
}

/** The files of a workspace that a copy of it has: those that models may see, and what programs need with them. */
export function filesForCopy(
  workspace: string,
  allowedFiles: readonly string[] = [],
  searches?: string,
): Promise<readonly string[]> {
  return new WorkspaceFiles(workspace, allowedFiles, searches).forCopy();
}

/** The tools that read these files. */
export function readingTools(files: WorkspaceFiles): BoundTool[] {
  return [searchTool, readTool, listTool, outlineTool, referencesTool].map((tool) => tool(files));
}
