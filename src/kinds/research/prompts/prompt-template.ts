import type { Message } from '../../../core/messages/message.ts';
import type { Topic } from '../../../core/ports/prompt-data.ts';
import type { ReadStore } from '../../../core/ports/store.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import * as say from '../messages.ts';
import type { ChildrenData, DocumentData, PickData } from './prompt-data.ts';
import { OUR_PROMPTS, type Prompts } from './prompts.ts';

const LONGEST_TEMPLATE = 100_000;

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
const DOCUMENT: Values<DocumentData> = TOPIC;
const CHILDREN: Values<ChildrenData> = { ...TOPIC, max: ({ maxChildren }) => String(maxChildren) };
const PICK: Values<PickData> = {
  question: ({ question }) => question,
  outline: ({ outline }) => outline,
  candidates: ({ candidates }) => list(candidates.map(({ path }) => path)),
  limit: ({ limit }) => String(limit),
};

/**
 * The prompts of a search: its own files `prompts/document.md`, `children.md` and `pick.md`, or OUR_PROMPTS for missing
 * ones. The first level is always asked for in our words.
 * @throws ThoughtTreeError `bad-input` naming the file and an unknown placeholder, or a missing one
 */
export async function readPrompts(store: ReadStore): Promise<Prompts> {
  const [document, children, pick] = await Promise.all([
    read(store, 'document.md', DOCUMENT, 'title'),
    read(store, 'children.md', CHILDREN, 'title'),
    read(store, 'pick.md', PICK, 'candidates'),
  ]);
  return {
    document: document ?? OUR_PROMPTS.document,
    children: (data) => (children && data.lineage.length > 0 ? children(data) : OUR_PROMPTS.children(data)),
    pick: pick ?? OUR_PROMPTS.pick,
  };
}

async function read<D>(
  store: ReadStore,
  name: string,
  values: Values<D>,
  needed: string,
): Promise<((data: D) => string) | undefined> {
  const text = await store.readPrompt(name);
  if (text === undefined) return undefined;
  if (text.length > LONGEST_TEMPLATE) throw wrong(say.templateTooLong({ name }));
  const used = new Set(Array.from(text.matchAll(PLACEHOLDER), ([, placeholder]) => placeholder as string));
  for (const placeholder of used)
    if (!Object.hasOwn(values, placeholder))
      throw wrong(
        say.unknownPlaceholder({
          name,
          placeholder: braced(placeholder),
          placeholders: Object.keys(values).map(braced).join(', '),
        }),
      );
  if (!used.has(needed)) throw wrong(say.missingPlaceholder({ name, placeholder: braced(needed) }));
  return (data) => text.trim().replace(PLACEHOLDER, (_match, placeholder: string) => values[placeholder]?.(data) ?? '');
}

const wrong = (what: Message): ThoughtTreeError => new ThoughtTreeError('bad-input', what);

const PLACEHOLDER = /\{\{\s*([^{}\n]*?)\s*\}\}/g;
const braced = (name: string): string => `{{${name}}}`;
