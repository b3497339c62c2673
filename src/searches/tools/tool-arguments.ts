import * as z from 'zod';

/** A use that is refused. The message says why, and what to do instead; it names nothing outside the workspace. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Tells whether an error refuses a use, by its name: bundles have their own copies of the class. */
export function isRefusal(error: unknown): error is Refusal {
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

export type Arguments = Readonly<Record<string, Argument>>;
export type Values<A extends Arguments> = { readonly [K in keyof A]: A[K] extends Argument<infer T> ? T : never };

/** A tool as its model sees it. */
export interface ToolFace<A extends Arguments> {
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

/** A text that may be missing; an empty one is. */
export function text(description: string, { longest = 1000, ...how }: TextHow = {}): Argument<string | undefined> {
  const given = Text.transform((value) => (value === '' ? undefined : value));
  const schema = given.optional().refine((value) => (value ?? '').length <= longest);
  return argument({ type: 'string', description, schema, what: `a string of at most ${longest} characters` }, how);
}

/** A text that is needed; an empty one is refused, unless it makes sense. */
export function neededText(
  description: string,
  how: TextHow & { readonly mayBeEmpty?: boolean } = {},
): Argument<string> {
  const { longest = 1000, mayBeEmpty = false, ...rest } = how;
  const schema = Text.refine((value) => value.length <= longest && (mayBeEmpty || value !== ''));
  return { ...argument({ type: 'string', description, schema, what: 'a string' }, rest), isRequired: true };
}

/** A whole number that may be missing; what is too much counts as the most, which wastes no round. */
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

/** The arguments as a JSON schema. */
export function parametersOf(args: Arguments): Readonly<Record<string, unknown>> {
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
export function readArguments<A extends Arguments>(face: ToolFace<A>, input: unknown): Values<A> {
  const written = objectOf(input);
  if (!written) refuse(face, 'takes an object');
  const left = new Map(Object.entries(written).filter(([, value]) => value !== null && value !== undefined));
  const values = Object.entries(face.args).map(([name, each]) => {
    const given = [name, ...each.also].filter((key) => left.has(key)).map((key) => left.get(key));
    for (const key of [name, ...each.also]) left.delete(key);
    const read = (given.length > 0 ? given : [undefined]).map((value) => each.schema.safeParse(value));
    const good = read.find(({ success }) => success);
    if (good?.success) return [name, good.data];
    return refuse(face, given.length === 0 || each.isRequired ? needs(name, each) : takes(name, each));
  });
  const unknown = [...left.keys()][0];
  if (unknown !== undefined) refuse(face, `has no ${shown(unknown)}; it takes ${namesOf(face.args)}`);
  return Object.fromEntries(values) as Values<A>;
}

function needs(name: string, { what }: Argument): string {
  return `needs ${shown(name)} (${what})`;
}

function takes(name: string, { what }: Argument): string {
  return `takes ${shown(name)} as ${what}`;
}

function refuse({ name, example }: ToolFace<Arguments>, what: string): never {
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
  const value = typeof input === 'string' ? parsed(input) : (input ?? {});
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
