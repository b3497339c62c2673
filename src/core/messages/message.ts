/**
 * Text for people as data: the key of a sentence in the catalogue, its arguments, and the sentence in English. Hosts show
 * it in their reader's language by `textOf`; code distinguishes messages by `key`, never by their words.
 */
export interface Message {
  readonly key: string;
  readonly args: Args;
  readonly text: string;
}

/** A message whose English text is kept next to it, as in a journal's event. */
export type Said = Pick<Message, 'key' | 'args'>;

/** An argument of a message: foreign text, a number to be formatted for the reader, a message, or a list of messages. */
export type Arg = string | number | Message | readonly Message[];
type Args = Readonly<Record<string, Arg>>;

/** The texts of one language: a text by its key, or by key and plural category as in `engine.calls.few`. */
export interface Translation {
  /** A BCP 47 tag, which decides on number formats and plural categories. */
  readonly language: string;
  readonly texts: Readonly<Record<string, string>>;
}

/** An entry of the catalogue: makes a message from its arguments. */
export interface Entry<A> {
  (...args: keyof A extends never ? [] : [args: A]): Message;
  readonly key: string;
  /** The English texts by their keys in a translation. */
  readonly english: Readonly<Record<string, string>>;
}

type Places<Text extends string> = Text extends `${string}{${infer Place}}${infer Rest}` ? Place | Places<Rest> : never;
type NameOf<Place extends string> = Place extends `${infer Name}:${string}` ? Name : Place;
/** The arguments of a text: its places `{name}` take any, the others a number. */
type ArgsOf<Text extends string> = {
  readonly [Place in Places<Text> as NameOf<Place>]: Place extends `${string}:${string}` ? number : Arg;
};

/** Returns an entry with one text. Its places, `{name}`, are its arguments. */
export function message<Text extends string>(key: string, text: Text): Entry<ArgsOf<Text>> {
  return entry(key, { [key]: text });
}

/** An entry whose text depends on its argument `count`: English text for one, and for any other number. */
export function counted<Text extends string>(
  key: string,
  one: string,
  other: Text,
): Entry<ArgsOf<Text> & { readonly count: number }> {
  return entry(key, { [`${key}.one`]: one, [`${key}.other`]: other });
}

function entry<A>(key: string, english: Record<string, string>): Entry<A> {
  const translation = { language: 'en-US', texts: english };
  const make = (args: Args = {}): Message => ({ key, args, text: translated({ key, args }, translation) ?? key });
  return Object.assign(make as (...args: unknown[]) => Message, { key, english }) as Entry<A>;
}

/** Text that is not ours, such as a library's message. */
export const foreign = message('foreign', '{text}');

/** Text of ours outside the catalogue, which is its own key; its places are `{0}`, `{1}`. */
export function plain(text: string, ...values: readonly Arg[]): Message {
  const said = { key: text, args: Object.fromEntries(values.entries()) };
  return { ...said, text: translated(said, { language: 'en-US', texts: { [text]: text } }) ?? text };
}

/** Returns a message in a translation; in English without one, or if it lacks the text or an argument. */
export function textOf(message: Message, translation?: Translation): string {
  return (translation && translated(message, translation)) ?? message.text;
}

/** Returns a message with a function applied to each text in it, including those of its arguments. */
export function mapTexts({ key, args, text }: Message, map: (text: string) => string): Message {
  const mapped = Object.entries(args).map(([name, arg]): [string, Arg] => [name, mapArg(arg, map)]);
  return { key, args: Object.fromEntries(mapped), text: map(text) };
}

function mapArg(arg: Arg, map: (text: string) => string): Arg {
  if (typeof arg === 'number') return arg;
  if (typeof arg === 'string') return map(arg);
  return isList(arg) ? arg.map((each) => mapTexts(each, map)) : mapTexts(arg, map);
}

function translated(said: Said, translation: Translation): string | undefined {
  const template = templateOf(said, translation);
  if (template === undefined) return undefined;
  if (!template.includes('{')) return template;
  let isWhole = true;
  const text = template.replace(/\{(\w+)(?::(\w+))?\}/g, (_, name: string, format?: string) => {
    const arg = Object.hasOwn(said.args, name) ? said.args[name] : undefined;
    if (arg === undefined) isWhole = false;
    return arg === undefined ? '' : shown(arg, format, translation);
  });
  return isWhole ? text : undefined;
}

function templateOf({ key, args }: Said, { language, texts }: Translation): string | undefined {
  const find = (name: string): string | undefined => (Object.hasOwn(texts, name) ? texts[name] : undefined);
  const count = Object.hasOwn(args, 'count') ? args['count'] : undefined;
  if (typeof count !== 'number') return find(key);
  return find(`${key}.${new Intl.PluralRules(language).select(count)}`) ?? find(`${key}.other`) ?? find(key);
}

function shown(arg: Arg, format: string | undefined, translation: Translation): string {
  if (typeof arg === 'string') return arg;
  if (typeof arg === 'object') return isList(arg) ? listed(arg, translation) : textOf(arg, translation);
  if (format === 'usd') return usdIn(translation.language, arg);
  if (format === 'exactUsd') return `$${arg.toLocaleString(translation.language, EXACT)}`;
  return format === 'number' ? arg.toLocaleString(translation.language) : String(arg);
}

function isList(arg: Message | readonly Message[]): arg is readonly Message[] {
  return Array.isArray(arg);
}

function listed(list: readonly Message[], translation: Translation): string {
  const parts = list.map((each) => textOf(each, translation));
  return new Intl.ListFormat(translation.language, { type: 'unit' }).format(parts);
}

/** An amount that a person gave, unrounded. */
const EXACT = { minimumFractionDigits: 2, maximumFractionDigits: 12 };

/** Cents if they suffice, more digits for small amounts. */
function usdIn(language: string, usd: number): string {
  const digits = usd > 0 && usd < 0.1 ? 4 : 2;
  return `$${usd.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

/** Arguments of one message, and messages in one list. */
const MOST = 100;
const LONGEST = 4000;
/** The maximum nesting of messages. */
const DEEPEST = 4;

/**
 * A message in the two fields in which events and failures keep it.
 * @param longest the maximum length of each of its texts, in characters
 */
export function kept(said: Message, longest = LONGEST): { message: string; say: Said } {
  const { key, args, text } = mapTexts(said, (each) => each.slice(0, longest).toWellFormed());
  return { message: text, say: { key, args } };
}

/** Keeps a message whose English text is called `text`, as in a `progress` event. */
export function noted(said: Message, longest?: number): { text: string; say: Said } {
  const { message, say } = kept(said, longest);
  return { text: message, say };
}

/** Keeps a message as the reason why a node was cut off. */
export function because(said: Message): { why: string; whySay: Said } {
  const { message, say } = kept(said, 1000);
  return { why: message, whySay: say };
}

/** Returns a message that was kept, also by a version that kept its English text alone. */
export function messageOf(english: string, say?: unknown): Message {
  return isSaid(say) ? { key: say.key, args: say.args, text: english } : foreign({ text: english });
}

/** Tells whether a value from a file, which anybody may have written, is a message within bounds. */
export function isSaid(value: unknown, depth = DEEPEST): value is Said {
  const { key, args } = (value ?? {}) as Record<string, unknown>;
  if (typeof key !== 'string' || key.length > 100) return false;
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return false;
  const given = Object.values(args);
  return given.length <= MOST && given.every((arg) => isArg(arg, depth));
}

function isArg(value: unknown, depth: number): value is Arg {
  if (typeof value === 'string') return value.length <= LONGEST;
  if (typeof value === 'number') return true;
  if (Array.isArray(value)) return value.length <= MOST && value.every((each) => isMessage(each, depth));
  return isMessage(value, depth);
}

function isMessage(value: unknown, depth: number): value is Message {
  if (depth === 0 || !isSaid(value, depth - 1)) return false;
  const { text } = value as { text?: unknown };
  return typeof text === 'string' && text.length <= LONGEST;
}
