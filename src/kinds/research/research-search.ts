import * as z from 'zod';
import type { Message } from '../../core/messages/message.ts';
import { wrongField } from '../../core/messages/wrong-field.ts';
import type { Topic } from '../../core/ports/model.ts';
import type { ReadStore } from '../../core/ports/store.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { optionsSchema } from '../../core/search/search-file.ts';
import type { NodeId } from '../../core/tree/tree-node.ts';
import type { SearchContext } from '../../engine/context.ts';
import { KnownTitles } from './answers.ts';
import { RESEARCH_OPTIONS, type ResearchOptions } from './descriptor.ts';
import * as say from './messages.ts';
import {
  type ChildrenData,
  type DocumentData,
  OUR_PROMPTS,
  type OwnPrompt,
  type PickData,
  type Prompts,
} from './prompts.ts';

/** One open research search: the parts of all searches, and this kind's own state. */
export interface ResearchSearch extends SearchContext, OptionsInForce {
  /** Finds topics that would be researched twice; missing in the source's form, which knows none. */
  readonly titles: KnownTitles | undefined;
  /** The search's own prompts, or ours. */
  readonly prompts: Prompts;
  /** Rankings and answers follow rules, so the tree can be the same whatever the timing. */
  readonly inRounds: boolean;
  /**
   * Leaves that a person wants expanded, whatever the depth limit: they are asked for children again unless the model has
   * since given more lists than this.
   */
  readonly askAgain: Map<NodeId, number>;
}

/** @throws ThoughtTreeError `bad-input` if the search's own prompts are unusable */
export async function openResearch(search: SearchContext): Promise<ResearchSearch> {
  const prompts = await readPrompts(search.store);
  const inRounds = [search.model, search.modelFor('pick')].every(({ prose }) => prose === false);
  const options = researchOptionsIn(search.options);
  // A model that only quotes answers each question by a rule of its own; a person's prompts know nothing of our form.
  const writes = search.model.prose !== false;
  const surveys = options.surveys && writes && !prompts.own.has('root');
  search.closing.reportsOnPause = surveys;
  const together =
    options.together &&
    writes &&
    !['document', 'children', 'front-matter'].some((name) => prompts.own.has(name as OwnPrompt));
  return {
    ...search,
    ...options,
    surveys,
    together,
    titles: surveys || together ? new KnownTitles(search.tree) : undefined,
    inRounds,
    prompts,
    askAgain: new Map(),
  };
}

/** Checks the options of a research search in search.json. */
export const researchOptionsSchema = optionsSchema(RESEARCH_OPTIONS);

/** The form that a new search writes down by default; a search.json without these options means the source's form. */
export const NEW_FORM = {
  rootSession: 'survey',
  subtopics: 'together',
  leastScore: 4,
} as const satisfies ResearchOptions;

/** The way in which the next node is chosen: ranked ahead of need, or by one call for each leaf. */
export type Picker = NonNullable<ResearchOptions['picker']>;

/** The options in force. */
interface OptionsInForce {
  readonly maxChildren: number;
  readonly picker: Picker;
  /** The first level is forked from a conversation that surveyed the workspace and answered provisionally. */
  readonly surveys: boolean;
  /** A document ends with its subtopics. */
  readonly together: boolean;
  /** The least that a topic below the first level must be expected to add, 0 to 10, to be worked on unasked. */
  readonly leastScore: number;
}

/** Returns the options in force: the given ones, else the defaults. */
export function researchOptionsIn(options: object): OptionsInForce {
  const { maxChildren = 50, picker = 'ranked', rootSession, subtopics, leastScore = 0 } = options as ResearchOptions;
  return { maxChildren, picker, surveys: rootSession === 'survey', together: subtopics === 'together', leastScore };
}

const LONGEST_TEMPLATE = 100_000;
const FIELDS = 'Besides title and summary, its front matter has what this JSON Schema says:';

/** The values of placeholders, by name. */
type Values<D> = Readonly<Record<string, (data: D) => string>>;

const topicOf = ({ lineage }: { lineage: readonly Topic[] }): Topic => lineage.at(-1) as Topic;
const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

const TOPIC: Values<DocumentData | ChildrenData> = {
  question: ({ question }) => question,
  title: (data) => topicOf(data).title,
  siblings: (data) => list(topicOf(data).siblings),
  path: ({ lineage }) => lineage.map(({ title }) => title).join(' > '),
  depth: ({ lineage }) => String(lineage.length),
};
const ROOT: Values<ChildrenData> = {
  question: ({ question }) => question,
  max: ({ maxChildren }) => String(maxChildren),
};
const DOCUMENT: Values<DocumentData> = TOPIC;
const CHILDREN: Values<ChildrenData> = { ...TOPIC, max: ({ maxChildren }) => String(maxChildren) };
const PICK: Values<PickData> = {
  question: ({ question }) => question,
  outline: ({ outline }) => outline,
  candidates: ({ candidates }) => list(candidates.map(({ path }) => path)),
  limit: ({ limit }) => String(limit),
};

/**
 * The prompts that a search brings in files of its own: `prompts/root.md` for the first level, `document.md`,
 * `children.md` and `pick.md`; for those that are missing ours are used. What `front-matter.json` asks of documents is
 * said at the end of their prompts.
 * @throws ThoughtTreeError `bad-input` naming the file and a placeholder that does not exist, or one that is missing
 */
async function readPrompts(store: ReadStore): Promise<Prompts> {
  const ours = OUR_PROMPTS;
  const [root, ownDocument, children, pick, rules] = await Promise.all([
    read(store, 'root.md', ROOT),
    read(store, 'document.md', DOCUMENT, 'title'),
    read(store, 'children.md', CHILDREN, 'title'),
    read(store, 'pick.md', PICK, 'candidates'),
    readFrontMatterRules(store),
  ]);
  const document = ownDocument ?? ours.document;
  const brought = { root, document: ownDocument, children, pick, 'front-matter': rules };
  return {
    own: new Set((Object.keys(brought) as OwnPrompt[]).filter((name) => brought[name] !== undefined)),
    document: rules ? (data) => `${document(data)}\n\n${FIELDS}\n${rules.text}` : document,
    children: (data) => ((data.lineage.length === 0 ? root : children) ?? ours.children)(data),
    pick: pick ?? ours.pick,
    frontMatter: rules?.schema,
  };
}

async function read<D>(
  store: ReadStore,
  name: string,
  values: Values<D>,
  needed?: string,
): Promise<((data: D) => string) | undefined> {
  const text = await store.readPrompt(name);
  if (text === undefined) return undefined;
  if (text.length > LONGEST_TEMPLATE) throw wrong(say.templateTooLong({ name }));
  const used = new Set(Array.from(text.matchAll(PLACEHOLDER), ([, inner = '']) => inner.trim()).filter(isOneLine));
  for (const placeholder of used)
    if (!Object.hasOwn(values, placeholder))
      throw wrong(
        say.unknownPlaceholder({
          name,
          placeholder: braced(placeholder),
          placeholders: Object.keys(values).map(braced).join(', '),
        }),
      );
  if (needed !== undefined && !used.has(needed))
    throw wrong(say.missingPlaceholder({ name, placeholder: braced(needed) }));
  return (data) =>
    text
      .trim()
      .replace(PLACEHOLDER, (match, inner: string) =>
        isOneLine(inner.trim()) ? (values[inner.trim()]?.(data) ?? '') : match,
      );
}

const wrong = (what: Message): ThoughtTreeError => new ThoughtTreeError('bad-input', what);

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const isOneLine = (name: string): boolean => !name.includes('\n');
const braced = (name: string): string => `{{${name}}}`;

const FILE = 'front-matter.json';
const LONGEST = 10_000;

/** The rules for the front matter of a search's documents, in addition to title and summary. */
interface FrontMatterRules {
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
