import { splitWords } from '../../src/text/words/split-words.ts';
import { stem, termsOf } from '../../src/text/words/terms.ts';

const MAX_WORDS = 40;
const MIN_WORDS = 4;
/** Words that find something: "returns this one here" asks for nothing. */
const MIN_TERMS = 3;
/** Where the description of a function ends: tags, examples, sections of docstrings. */
const TAG =
  /^(?:[@:\\][a-z]|#+ |```|~~~|>>>|-{3,}|={3,}|(?:args|arguments|parameters|returns|raises|example|examples|usage):?$)/i;
const NO_DESCRIPTION =
  /^(?:todo|fixme|xxx|hack|eslint|biome|istanbul|c8|noinspection|prettier|nolint|deprecated|see|copyright|license|licen[cs]ed|this file|generated|\(c\)|override|internal|private|public|section|https?:)\b/i;

/** Returns the first sentence of a comment, or of a docstring; undefined if it would be no question. */
export function firstSentenceOf(lines: readonly string[]): string | undefined {
  const said: string[] = [];
  for (const line of lines) {
    const text = withoutMarks(line);
    if (text !== '' && !TAG.test(text)) said.push(text);
    else if (said.length > 0) break;
    else if (TAG.test(text)) return undefined;
  }
  const [sentence = ''] = plain(said.join(' ')).split(/(?<=[.!?])(?<!\b(?:e\.g|i\.e|etc|vs|cf)\.)\s+/i);
  const text = sentence.replace(/[.:!]+$/, '').trim();
  return NO_DESCRIPTION.test(text) || /[{};=<>|\\]|[^\x20-\x7e]|\$\(/.test(text) ? undefined : text;
}

/** Tells whether a sentence can be asked. */
export function isQuestion(sentence: string): boolean {
  const words = wordsOf(sentence).length;
  return words >= MIN_WORDS && words <= MAX_WORDS && new Set(termsOf(sentence)).size >= MIN_TERMS;
}

/** Returns a sentence without the words of a name. */
export function masked(sentence: string, name: string): string {
  const stems = new Set(splitWords(name).map(stem));
  const low = name.toLowerCase();
  const kept = sentence.split(/\s+/).filter((word) => {
    const parts = splitWords(word);
    const isName =
      word.toLowerCase().includes(low) || (parts.length > 0 && parts.every((part) => stems.has(stem(part))));
    return !isName;
  });
  return kept.join(' ').trim();
}

/** Returns what is compared to find the copies of a sentence, whatever marks stand between its words. */
export function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => !MARKUP.has(word));
}

/** Words of comment marks. */
export const MARKUP: ReadonlySet<string> = new Set([
  'link',
  'linkcode',
  'brief',
  'summary',
  'description',
  'code',
  'p',
]);

function withoutMarks(line: string): string {
  return line
    .trim()
    .replace(/^(?:\/\*+!?|\/\/+[!<]*|\*+\/|\*+(?!\*)|#+!?(?=\s|$)|--+|;+|[rbuRBU]{0,2}(?:"""|'''))\s*/, '')
    .replace(/\s*(?:\*+\/|"""|''')$/, '')
    .replace(/^(?:[@\\](?:summary|description|brief|desc)\b|<summary>)\s*/i, '')
    .trim();
}

/** Markup out of a sentence: links, code, tags. */
function plain(text: string): string {
  return text
    .replace(/\{@\w{1,20}\s{1,9}([^}]{1,200})\}/g, '$1')
    .replace(/:[a-z]{2,10}:(?=`)/g, '')
    .replace(/\[([^\]]{1,200})\]\([^)]{1,300}\)/g, '$1')
    .replace(/<\/?[a-zA-Z][^>]{0,80}>/g, ' ')
    .replace(/\bhttps?:\S+/g, '')
    .replace(/[`*_]{1,3}(?=\w)|(?<=[\w)])[`*_]{1,3}/g, (mark) => (mark.includes('_') ? mark : ''))
    .replace(/[[\]`]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
