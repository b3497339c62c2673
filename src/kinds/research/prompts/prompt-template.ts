import type { Message } from '../../../core/messages/message.ts';
import type { Topic } from '../../../core/ports/prompt-data.ts';
import type { ReadStore } from '../../../core/ports/store.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import * as say from '../messages.ts';
import { readFrontMatterRules } from './front-matter.ts';
import type { ChildrenData, DocumentData, PickData } from './prompt-data.ts';
import { OUR_PROMPTS, type OwnPrompt, type Prompts } from './prompts.ts';

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
export async function readPrompts(store: ReadStore): Promise<Prompts> {
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
