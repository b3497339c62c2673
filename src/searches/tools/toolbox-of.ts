import * as z from 'zod';
import { MAX_TOOL_RESULT, type Tool, type Toolbox, type ToolUse } from '../../core/ports/tool.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { toolStopped } from '../messages.ts';
import { Refusal } from './workspace-tool.ts';

/** One tool, with what it works on. */
export interface BoundTool {
  readonly tool: Tool;
  /** The longest input, as JSON. */
  readonly longestInput?: number;
  /** @throws Refusal with words for the model */
  use(input: unknown, signal: AbortSignal): Promise<Omit<ToolUse, 'isRefused'>>;
}

/** The longest input, as JSON: a path or a text has 1,000 characters at most. */
const LONGEST_INPUT = 10_000;

/** Tools as models use them: hostile input is refused in words, and results are bounded. A use that is stopped throws `aborted`. */
export function toolboxOf(tools: readonly BoundTool[]): Toolbox {
  return {
    tools: tools.map(({ tool }) => tool),
    async use({ name, input }, signal): Promise<ToolUse> {
      const found = tools.find(({ tool }) => tool.name === name);
      const names = tools.map(({ tool }) => tool.name).join(', ');
      if (!found) return refused(`There is no such tool. There are: ${names}.`);
      const asked = written(input);
      if (asked === undefined || asked.length > (found.longestInput ?? LONGEST_INPUT))
        return refused('That input is too large. Write only what the tool takes.', asked && oneLine(asked, 300));
      try {
        const { text, what } = await found.use(input ?? {}, signal);
        return { text: text.slice(0, MAX_TOOL_RESULT).toWellFormed(), what: oneLine(what, 300), isRefused: false };
      } catch (error) {
        if (signal.aborted || isThoughtTreeError(error, 'aborted')) throw stopped(error);
        if (error instanceof Refusal) return refused(error.message, oneLine(asked, 300));
        if (error instanceof z.ZodError) return refused(`That cannot be done: ${wrong(error)}.`, oneLine(asked, 300));
        return refused('That could not be done.', oneLine(asked, 300));
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
