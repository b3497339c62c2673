import * as z from 'zod';
import { oneLine } from '../../core/text.ts';
import { MAX_TOOL_RESULT, type Toolbox, type ToolUse } from '../../core/tool.ts';
import { listFilesTool } from './list-files-tool.ts';
import { readLinesTool } from './read-lines-tool.ts';
import { searchTextTool } from './search-text-tool.ts';
import { WorkspaceFiles } from './workspace-files.ts';
import { Refusal, type WorkspaceTool } from './workspace-tool.ts';

const TOOLS: readonly WorkspaceTool[] = [listFilesTool, searchTextTool, readLinesTool];

/**
 * What a model may use to read a workspace: nothing outside of it, nothing that git ignores, no secrets, no searches,
 * and never too much at once. Nothing is written and nothing is run.
 * @param workspace an absolute path
 */
export function openToolbox(workspace: string): Toolbox {
  const files = new WorkspaceFiles(workspace);
  return {
    tools: TOOLS.map(({ tool }) => tool),
    async use({ name, input }, signal): Promise<ToolUse> {
      const found = TOOLS.find(({ tool }) => tool.name === name);
      const names = TOOLS.map(({ tool }) => tool.name).join(', ');
      if (!found) return refused(`There is no such tool. There are: ${names}.`);
      try {
        const { text, what } = await found.use(files, input ?? {}, signal);
        return { text: text.slice(0, MAX_TOOL_RESULT), what: oneLine(what, 300), isRefused: false };
      } catch (error) {
        if (error instanceof Refusal) return refused(error.message, pathIn(input));
        if (error instanceof z.ZodError) return refused(`That cannot be done: ${wrong(error)}.`, pathIn(input));
        return refused('That could not be read.', pathIn(input));
      }
    },
  };
}

function refused(text: string, what = ''): ToolUse {
  return { text, what, isRefused: true };
}

function wrong(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`).join('; ');
}

/** What was asked for, for the journal. */
function pathIn(input: unknown): string {
  return oneLine(JSON.stringify(input) ?? '', 300);
}
