import * as z from 'zod';
import { wrongField } from '../../../core/messages/wrong-field.ts';
import type { ReadStore } from '../../../core/ports/store.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import * as say from '../messages.ts';

const FILE = 'front-matter.json';
const LONGEST = 10_000;

/** The rules for the front matter of a search's documents, in addition to title and summary. */
export interface FrontMatterRules {
  readonly schema: z.ZodType;
  /** The rules as a model reads them: JSON Schema in one line. */
  readonly text: string;
}

const value = z.union([z.string(), z.number(), z.boolean()]);
const count = z.number().int().min(0);

// No patterns and no references: the file may have come with a clone, and a model's text is checked by it.
const Item = z.strictObject({
  type: z.enum(['string', 'number', 'integer', 'boolean']).optional(),
  enum: z.array(value).min(1).max(200).optional(),
  description: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: count.optional(),
  maxLength: count.optional(),
});
const Field = Item.extend({
  type: z.enum(['string', 'number', 'integer', 'boolean', 'array']).optional(),
  items: Item.optional(),
  minItems: count.optional(),
  maxItems: count.optional(),
});
const Rules = z.strictObject({
  $schema: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  type: z.literal('object').optional(),
  properties: z.record(z.string().min(1), Field).default({}),
  required: z.array(z.string().min(1)).default([]),
});
type Field = z.infer<typeof Field>;

/**
 * Reads `prompts/front-matter.json`, in the part of JSON Schema that fields of front matter need; undefined without it.
 * @throws ThoughtTreeError `bad-input` naming the file and what is wrong with it
 */
export async function readFrontMatterRules(store: ReadStore): Promise<FrontMatterRules | undefined> {
  const text = await store.readPrompt(FILE);
  if (text === undefined) return undefined;
  if (text.length > LONGEST) throw new ThoughtTreeError('bad-input', say.templateTooLong({ name: FILE }));
  const { data, error } = Rules.safeParse(parsed(text));
  if (error) throw new ThoughtTreeError('bad-input', say.wrongRules({ name: FILE, why: wrongField(error) }));
  return { schema: schemaOf(data), text: JSON.stringify(data) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ThoughtTreeError('bad-input', say.rulesNotJson({ name: FILE }));
  }
}

function schemaOf({ properties, required }: z.infer<typeof Rules>): z.ZodType {
  const needed = new Set(required);
  const fields = Object.entries(properties).map(([name, field]): [string, z.ZodType] => {
    const schema = fieldSchema(field);
    return [name, needed.delete(name) ? schema : schema.optional()];
  });
  const others = [...needed].map((name): [string, z.ZodType] => [name, z.unknown().nonoptional()]);
  return z.looseObject(Object.fromEntries([...fields, ...others]));
}

function fieldSchema(field: Field): z.ZodType {
  if (field.enum) return z.literal(field.enum);
  return field.type ? BY_TYPE[field.type](field) : z.unknown().nonoptional();
}

const BY_TYPE: Readonly<Record<NonNullable<Field['type']>, (field: Field) => z.ZodType>> = {
  boolean: () => z.boolean(),
  string: ({ minLength, maxLength }) => within(z.string(), minLength, maxLength),
  number: ({ minimum, maximum }) => within(z.number(), minimum, maximum),
  integer: ({ minimum, maximum }) => within(z.number().int(), minimum, maximum),
  array: ({ items, minItems, maxItems }) =>
    within(z.array(items ? fieldSchema(items) : z.unknown()), minItems, maxItems),
};

/** Bounds of a value, or of a length; both ends are included. */
function within<T extends z.ZodString | z.ZodNumber | z.ZodArray>(schema: T, least?: number, most?: number): T {
  const from = least === undefined ? schema : (schema.min(least) as T);
  return most === undefined ? from : (from.max(most) as T);
}
