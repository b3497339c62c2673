import * as z from 'zod';
import type { OptionDescriptor } from '../kind/kind-descriptor.ts';
import { Title } from '../tree/node-file.ts';
import { ForkedFrom } from './events.ts';
import { READS } from './reading.ts';

/** The version of the files that this program writes, and the newest it can read. */
export const FORMAT_VERSION = 1;

/** The maximum number of slots. */
export const MOST_SLOTS = 4096;

/**
 * The options that a clone may decide: nothing that spends, contacts a host or runs code. These exist for all kinds;
 * each kind checks its own when a search of it is opened.
 */
export const SearchOptions = z.looseObject({
  size: z.enum(['small', 'medium', 'large', 'all']).optional(),
  maxDepth: z.number().int().min(1).max(64).optional(),
  concurrency: z.number().int().min(1).max(MOST_SLOTS).optional(),
  /** The parts of the workspace that models may see; by default, passages. */
  read: z.enum(READS).optional(),
  /** An option from before `read`: false if prompts are to contain nothing of the workspace. */
  context: z.boolean().optional(),
  /** An option from before `read`: true if the model may use tools to read the workspace. */
  tools: z.boolean().optional(),
});
export type SearchOptions = z.infer<typeof SearchOptions>;

/** search.json */
export const SearchFile = z.looseObject({
  version: z.number().int(),
  kind: z.string().min(1).max(60),
  title: Title,
  prompt: z.string().min(1).max(100_000),
  strategy: z.string().max(60).optional(),
  model: z.string().max(300).optional(),
  options: SearchOptions.default({}),
  createdAt: z.string().max(60).optional(),
  /** The longest name of a node's folder that is made from now on, in characters; 60 if missing. */
  longestName: z.number().int().min(8).max(60).optional(),
  forkedFrom: ForkedFrom.optional().catch(undefined),
});
export type SearchFile = z.infer<typeof SearchFile>;

/** children.json: membership and order. */
export const ChildrenFile = z.array(z.looseObject({ title: Title, slug: z.string().min(1).max(255) })).max(100_000);
export type ChildrenFile = z.infer<typeof ChildrenFile>;

/** Others may come later. */
const LEAST_PLANNED = 4;

/** Returns the slots that a search plans with if it takes as many as there are: so far ahead it ranks names. */
export function plannedSlots(count: number): number {
  return Math.min(MOST_SLOTS, Math.max(LEAST_PLANNED, count));
}

const NAME = /^[a-z][a-z0-9-]{0,59}$/;

/**
 * Returns the schema of a kind's options in search.json, made from their descriptors; unknown options pass unchanged.
 */
export function optionsSchema(options: readonly OptionDescriptor[]): z.ZodObject {
  return z.looseObject(shapeOf(options.filter(({ field }) => field === undefined)));
}

function shapeOf(options: readonly OptionDescriptor[]): Record<string, z.ZodType> {
  const named = (option: OptionDescriptor): string[] => [
    option.name,
    ...(option.formerly === undefined ? [] : [option.formerly]),
  ];
  return Object.fromEntries(
    options.flatMap((option) => named(option).map((name) => [name, valueSchema(option).optional()])),
  );
}

/** Returns the schema of one option's value. */
export function valueSchema({ type, least, most, choices = [] }: OptionDescriptor): z.ZodType {
  if (type === 'boolean') return z.boolean();
  if (type === 'choice') return z.enum(choices as [string, ...string[]]);
  if (type === 'name') return z.string().regex(NAME);
  if (type === 'text') return most === undefined ? z.string().min(1) : z.string().min(1).max(most);
  let number = type === 'integer' ? z.number().int() : z.number();
  if (least !== undefined) number = number.min(least);
  if (most !== undefined) number = number.max(most);
  return number;
}

/** Returns options under the names that they have now. */
export function renamedOptions<T extends object>(options: readonly OptionDescriptor[], given: T): T {
  const named = { ...given } as Record<string, unknown>;
  for (const { name, formerly } of options) {
    if (formerly === undefined || named[formerly] === undefined) continue;
    named[name] ??= named[formerly];
    delete named[formerly];
  }
  return named as T;
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Returns the fields that are not undefined, for what must be missing rather than undefined. */
export function withoutMissing<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}
