import { MAX_TOOL_RESULT, type Tool, type Toolbox, type ToolUse } from '../../core/ports/tool.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { toolStopped } from '../messages.ts';
import {
  type Arguments,
  isRefusal,
  parametersOf,
  readArguments,
  type ToolFace,
  type Values,
} from './tool-arguments.ts';

/** One tool, with what it works on. */
export interface BoundTool {
  readonly tool: Tool;
  /** Other names under which it is used. */
  readonly also: readonly string[];
  /** The longest input, as JSON. */
  readonly longestInput: number;
  /**
   * @param name the one under which it is used
   * @throws Refusal with words for the model
   */
  use(input: unknown, signal: AbortSignal, name: string): Promise<Result>;
}

type Result = Omit<ToolUse, 'isRefused'>;

/** Uses a tool with its arguments. @throws Refusal with words for the model */
type Use<A extends Arguments> = (values: Values<A>, signal: AbortSignal, name: string) => Promise<Result>;

/** The longest input, as JSON: a path or a text has 1,000 characters at most. */
const LONGEST_INPUT = 10_000;

/** A tool whose arguments are read as its face says. @param also other names under which it is used */
export function boundTool<A extends Arguments>(
  face: ToolFace<A>,
  use: Use<A>,
  { also = [], longestInput = LONGEST_INPUT }: { also?: readonly string[]; longestInput?: number } = {},
): BoundTool {
  const { name, description, args } = face;
  return {
    tool: { name, description, parameters: parametersOf(args) },
    also,
    longestInput,
    use: (input, signal, usedAs) => use(readArguments(face, input), signal, usedAs),
  };
}

/** Tools as models use them: hostile input is refused in words, and results are bounded. A use that is stopped throws `aborted`. */
export function toolboxOf(tools: readonly BoundTool[]): Toolbox {
  const byName = new Map(tools.flatMap((each) => [each.tool.name, ...each.also].map((name) => [name, each] as const)));
  return {
    tools: tools.map(({ tool }) => tool),
    async use({ name, input }, signal): Promise<ToolUse> {
      const found = byName.get(name) ?? byName.get(name.toLowerCase());
      const names = tools.map(({ tool }) => tool.name).join(', ');
      if (!found) return refused(`There is no such tool. There are: ${names}.`);
      const asked = written(input);
      if (asked === undefined || asked.length > found.longestInput)
        return refused('That input is too large. Write only what the tool takes.', asked && oneLine(asked, 300));
      try {
        const { text, what } = await found.use(input, signal, name);
        return { text: text.slice(0, MAX_TOOL_RESULT).toWellFormed(), what: oneLine(what, 300), isRefused: false };
      } catch (error) {
        if (signal.aborted || isThoughtTreeError(error, 'aborted')) throw stopped(error);
        if (isRefusal(error)) return refused(error.message, oneLine(asked, 300));
        return refused('That could not be done.', oneLine(asked, 300));
      }
    },
  };
}

function refused(text: string, what = ''): ToolUse {
  return { text, what, isRefused: true };
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
