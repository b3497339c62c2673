import * as z from 'zod';
import { MAX_TOOL_RESULT, type Tool, type Toolbox, type ToolUse } from '../../core/ports/tool.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { isRecord, jsonOrNothing } from '../../core/text/loose-json.ts';
import { oneLine } from '../../core/text/text.ts';
import { toolStopped } from '../messages.ts';

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

/** A tool whose arguments are read as its descriptor says. @param also other names under which it is used */
export function boundTool<A extends Arguments>(
  descriptor: ToolDescriptor<A>,
  use: Use<A>,
  { also = [], longestInput = LONGEST_INPUT }: { also?: readonly string[]; longestInput?: number } = {},
): BoundTool {
  const { name, description, args } = descriptor;
  return {
    tool: { name, description, parameters: parametersOf(args) },
    also,
    longestInput,
    use: (input, signal, usedAs) => use(readArguments(descriptor, input), signal, usedAs),
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

/** Returns the input as JSON; undefined if it is nested too deeply. */
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

/** A use that is refused. The message says why, and what to do instead; it names nothing outside the workspace. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Tells whether an error refuses a use, by its name: bundles have their own copies of the class. */
function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && error.name === 'Refusal';
}

/** One argument of a tool. */
export interface Argument<T = unknown> {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
  /** The values that a model may have written; `undefined` if it may be missing. */
  readonly schema: z.ZodType<T>;
  /** The words for what is missing or wrong, as in `a string`. */
  readonly what: string;
  /** Other names under which it is accepted. */
  readonly also: readonly string[];
  readonly isRequired: boolean;
  /** It is accepted without being offered. */
  readonly isHidden: boolean;
}

type Arguments = Readonly<Record<string, Argument>>;
export type Values<A extends Arguments> = { readonly [K in keyof A]: A[K] extends Argument<infer T> ? T : never };

/** A tool as its model sees it. */
export interface ToolDescriptor<A extends Arguments> {
  readonly name: string;
  readonly description: string;
  readonly args: A;
  /** The arguments that a refusal shows as an example that makes sense. */
  readonly example: Readonly<Record<string, unknown>>;
}

interface How {
  readonly also?: readonly string[];
  readonly isHidden?: boolean;
}

interface TextHow extends How {
  /** In characters; 1,000 by default. */
  readonly longest?: number;
}

/** Models write numbers as words, and words as numbers. */
const Text = z.union([z.string(), z.number().transform(String)]);
const Whole = z.union([
  z.int(),
  z
    .string()
    .regex(/^\s{0,9}\d{1,9}\s{0,9}$/)
    .transform(Number),
]);
const Flag = z.union([
  z.boolean(),
  z
    .string()
    .regex(/^(?:true|false)$/i)
    .transform((text) => /t/i.test(text)),
]);

/** Returns a text that may be missing; an empty one is. */
export function text(description: string, { longest = 1000, ...how }: TextHow = {}): Argument<string | undefined> {
  const given = Text.transform((value) => (value === '' ? undefined : value));
  const schema = given.optional().refine((value) => (value ?? '').length <= longest);
  return argument({ type: 'string', description, schema, what: `a string of at most ${longest} characters` }, how);
}

/** Returns a text that is needed; an empty one is refused, unless it makes sense. */
export function neededText(
  description: string,
  how: TextHow & { readonly mayBeEmpty?: boolean } = {},
): Argument<string> {
  const { longest = 1000, mayBeEmpty = false, ...rest } = how;
  const schema = Text.refine((value) => value.length <= longest && (mayBeEmpty || value !== ''));
  const what = `a string of at most ${longest} characters`;
  return { ...argument({ type: 'string', description, schema, what }, rest), isRequired: true };
}

/** Returns a whole number that may be missing; what is too much counts as the most, which wastes no round. */
export function whole(
  description: string,
  { least = 0, most = 10_000_000, ...how }: How & { readonly least?: number; readonly most?: number } = {},
): Argument<number | undefined> {
  const schema = Whole.optional()
    .transform((value) => (value === undefined ? undefined : Math.min(value, most)))
    .refine((value) => value === undefined || value >= least);
  const to = most < 10_000_000 ? `from ${least} to ${most}` : `from ${least} on`;
  return argument({ type: 'integer', description, schema, what: `a whole number ${to}` }, how);
}

/** Yes or no; may be missing. */
export function flag(description: string, how: How = {}): Argument<boolean | undefined> {
  return argument({ type: 'boolean', description, schema: Flag.optional(), what: 'true or false' }, how);
}

function argument<T>(
  given: Pick<Argument<T>, 'type' | 'description' | 'schema' | 'what'>,
  { also = [], isHidden = false }: How,
): Argument<T> {
  return { ...given, also, isHidden, isRequired: false };
}

/** Returns the arguments as a JSON schema. */
function parametersOf(args: Arguments): Readonly<Record<string, unknown>> {
  const shown = Object.entries(args).filter(([, { isHidden }]) => !isHidden);
  const required = shown.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(shown.map(([name, { type, description }]) => [name, { type, description }])),
    ...(required.length > 0 ? { required } : {}),
  };
}

/**
 * Reads the arguments of a tool that a model wrote.
 * @throws Refusal that says what to write instead
 */
function readArguments<A extends Arguments>(descriptor: ToolDescriptor<A>, input: unknown): Values<A> {
  const written = objectOf(input);
  if (!written) refuse(descriptor, 'takes an object');
  const left = new Map(Object.entries(written).filter(([, value]) => value !== null && value !== undefined));
  const values = Object.entries(descriptor.args).map(([name, each]) => {
    const given = [name, ...each.also].filter((key) => left.has(key)).map((key) => left.get(key));
    for (const key of [name, ...each.also]) left.delete(key);
    const read = (given.length > 0 ? given : [undefined]).map((value) => each.schema.safeParse(value));
    const good = read.find(({ success }) => success);
    if (good?.success) return [name, good.data];
    return refuse(descriptor, given.length === 0 || each.isRequired ? needs(name, each) : takes(name, each));
  });
  const unknown = [...left.keys()][0];
  if (unknown !== undefined) refuse(descriptor, `has no ${shown(unknown)}; it takes ${namesOf(descriptor.args)}`);
  return Object.fromEntries(values) as Values<A>;
}

function needs(name: string, { what }: Argument): string {
  return `needs ${shown(name)} (${what})`;
}

function takes(name: string, { what }: Argument): string {
  return `takes ${shown(name)} as ${what}`;
}

function refuse({ name, example }: ToolDescriptor<Arguments>, what: string): never {
  throw new Refusal(`${name} ${what}, for example ${JSON.stringify(example)}.`);
}

function namesOf(args: Arguments): string {
  const names = Object.entries(args).flatMap(([name, { isHidden }]) => (isHidden ? [] : [shown(name)]));
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function shown(name: string): string {
  return JSON.stringify(name.length <= 60 ? name : `${name.slice(0, 60)}…`).toWellFormed();
}

/** Some servers hand on what a model wrote as a text of JSON. */
function objectOf(input: unknown): object | undefined {
  const value = typeof input === 'string' ? jsonOrNothing(input) : (input ?? {});
  return isRecord(value) ? value : undefined;
}
