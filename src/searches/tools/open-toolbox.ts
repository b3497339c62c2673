import * as z from 'zod';
import { MAX_TOOL_RESULT, type Toolbox, type ToolUse } from '../../core/ports/tool.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { toolStopped } from '../messages.ts';
import { listFilesTool } from './list-files-tool.ts';
import { readLinesTool } from './read-lines-tool.ts';
import { searchTextTool } from './search-text-tool.ts';
import { WorkspaceFiles } from './workspace-files.ts';
import { Refusal, type WorkspaceTool } from './workspace-tool.ts';

const TOOLS: readonly WorkspaceTool[] = [listFilesTool, searchTextTool, readLinesTool];
/** The longest input, as JSON: a path or a text has 1,000 characters at most. */
const LONGEST_INPUT = 10_000;

/**
 * The tools with which a model may read a workspace: nothing outside of it, nothing ignored by git, no secrets, no
 * searches, and never too much at once. They write and run nothing. A use that is stopped throws `aborted`.
 * @param workspace an absolute path
 * @param allowedFiles as for `SecretFilter`
 */
export function openToolbox(workspace: string, allowedFiles: readonly string[] = []): Toolbox {
  const files = new WorkspaceFiles(workspace, allowedFiles);
  return {
    tools: TOOLS.map(({ tool }) => tool),
    async use({ name, input }, signal): Promise<ToolUse> {
      const found = TOOLS.find(({ tool }) => tool.name === name);
      const names = TOOLS.map(({ tool }) => tool.name).join(', ');
      if (!found) return refused(`There is no such tool. There are: ${names}.`);
      const asked = written(input);
      if (asked === undefined || asked.length > LONGEST_INPUT)
        return refused('That input is too large. Write only what the tool takes.', asked && oneLine(asked, 300));
      try {
        const { text, what } = await found.use(files, input ?? {}, signal);
        return { text: text.slice(0, MAX_TOOL_RESULT).toWellFormed(), what: oneLine(what, 300), isRefused: false };
      } catch (error) {
        if (signal.aborted || isThoughtTreeError(error, 'aborted')) throw stopped(error);
        if (error instanceof Refusal) return refused(error.message, oneLine(asked, 300));
        if (error instanceof z.ZodError) return refused(`That cannot be done: ${wrong(error)}.`, oneLine(asked, 300));
        return refused('That could not be read.', oneLine(asked, 300));
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

/** The input as JSON; undefined if it is nested too deeply. */
function written(input: unknown): string | undefined {
  try {
    return JSON.stringify(input) ?? '';
  } catch {
    return undefined;
  }
}

/** A use that was stopped has no result for the model. */
function stopped(error: unknown): ThoughtTreeError {
  if (isThoughtTreeError(error, 'aborted')) return error;
  return new ThoughtTreeError('aborted', toolStopped(), { cause: error });
}
