import { oneLine, shorten } from '../../../text/cut/markdown.ts';
import type { Passage } from '../../../text/cut/passage.ts';
import type { WorkspaceIndex } from '../../../text/index/workspace-index.ts';
import { splitWords } from '../../../text/words/split-words.ts';
import { termOf } from '../../../text/words/terms.ts';
import { firstSentence } from './first-sentence.ts';
import { isVerb } from './phrase-of-name.ts';

const MAX_CLAUSE = 70;
const MIN_CLAUSE = 24;
const MOST_NAMES = 3;
/** What the language's own types have as well: nobody can tell whose it is. */
const COMMON =
  /^(?:new|each|map|size|len|length|get|set|add|put|push|pop|has|is|as|to|inspect|merge|call|run|from|into|next|close|open|read|write|name|value|keys|values|toString|to_s|clone|copy|join|split|log|print|format|String|Error|Len)$/;

/** What a passage is, for a reader who sees its name: its author's words, else what its lines say that it does. */
export function whatItIs(passage: Passage, index: WorkspaceIndex): string {
  const said = passage.kind === 'section' ? '' : ownWords(passage, index);
  return said === '' ? whatItDoes(passage, index) : clauseOf(said, index);
}

/** The same as a sentence that begins with the name, without its end. */
export function saidOf(passage: Passage, label: string, index: WorkspaceIndex): string {
  const said = ownWords(passage, index);
  if (said !== '') return `${label}: ${lowered(said, index)}`;
  const does = whatItDoes(passage, index);
  if (does === '') return `${label} ${whereItIs(passage, index)}`;
  return /^(?:calls|throws) /.test(does) ? `${label} ${does}` : `${label} is ${does}`;
}

/**
 * The author's sentence, without the name that it begins with: Go's begin so, and a title has the name already. Empty if it
 * only repeats the name.
 */
export function ownWords(passage: Passage, index: WorkspaceIndex): string {
  const said = firstSentence(passage, index)
    .replace(/^This (?:(?:class|file|function|method|module|package|type) )?is (?=an? |the )/, '')
    .replace(/^This (?:class|file|function|method|module|package|type) (?=\p{Ll}{2,}s\s)/u, '');
  if (repeatsName(said, passage)) return '';
  const { identifier } = passage;
  if (identifier === undefined || !said.startsWith(identifier)) return said;
  const rest = /^(?:\(\))?\s+(?:(?:is|are)\s+|(?=(?:\p{Ll}{2,}s|will|can|may|must|should)\s))(\p{Ll}.*)$/u.exec(
    said.slice(identifier.length),
  );
  return rest?.[1] ?? said;
}

/** Words that tell nothing of a thing whose name stands beside them. */
const NOTHING = new Set(
  'a an class constructor enum field function interface method of struct the this type'.split(' '),
);

/** "InvalidArgumentError class" says nothing of `InvalidArgumentError`. */
function repeatsName(said: string, { kind, name }: Passage): boolean {
  if (kind === 'section' || kind === 'rest' || said.length > 3 * name.length + 30) return false;
  const own = new Set(splitWords(name).map((word) => termOf(word) ?? word));
  return splitWords(said).every((word) => NOTHING.has(word) || own.has(termOf(word) ?? word));
}

/** Where no author says it: whom it calls, and how it fails; of a type its members. */
function whatItDoes(passage: Passage, index: WorkspaceIndex): string {
  const { file, start, end, kind } = passage;
  if (kind === 'section' || kind === 'rest') return '';
  const names = index.names.namedIn(passage).flatMap(([first]) => (isTold(first, passage) ? plainName(first) : []));
  const own = new Set(passage.name.split(/[.#]|::/));
  const others = names.filter((name) => !own.has(name));
  if (kind === 'class') {
    const parts = index.partsOf(passage).flatMap((part) => plainName(part));
    return parts.length === 0 ? '' : `${aType(passage)} with ${listed(parts)}`;
  }
  const thrown = new Set<string>();
  for (let row = start; row <= end; row++) {
    const error = /\b(?:throw new|raise)\s+((?:[\p{L}\p{N}_$]{1,40}[.:]{1,2}){0,3}\p{Lu}[\p{L}\p{N}_$]{0,60})/u.exec(
      file.lines[row] ?? '',
    )?.[1];
    if (error !== undefined && !index.isComment(file, row)) thrown.add(error);
  }
  const called = others.filter((name) => !thrown.has(name));
  if (kind === 'constant' || kind === 'type') return called.length === 0 ? '' : `${KIND[kind]} with ${listed(called)}`;
  const calls = called.length === 0 ? '' : `calls ${listed(called)}`;
  const fails = thrown.size === 0 ? '' : `throws ${[...thrown].slice(0, 2).join(', ')}`;
  return [calls, fails].filter((part) => part !== '').join(' and ');
}

/** Whether it tells what code does that it names something: of a call, and not of what every type has. */
function isTold(named: Passage | undefined, { kind, file, start, end }: Passage): boolean {
  const name = named?.identifier;
  if (!named || name === undefined) return false;
  if (kind === 'class' || kind === 'constant' || kind === 'type') return true;
  if (named.kind !== 'function' && (named.kind !== 'member' || COMMON.test(name))) return false;
  const hasCalls = file.language?.grammar === 'ruby';
  return (
    hasCalls || file.lines.slice(start, end + 1).some((line) => line.includes(`${name}(`) || line.includes(`${name}<`))
  );
}

/** Where nobody says anything of it, nor its lines: what it is, and who uses it. */
function whereItIs(passage: Passage, index: WorkspaceIndex): string {
  const { kind, file, start, end, inner } = passage;
  const isOwn = (row: number): boolean => !inner.some(([from, to]) => row >= from && row <= to);
  const written = file.lines.slice(start, end + 1).filter((line, at) => line.trim() !== '' && isOwn(start + at));
  const lines = `${written.length} line${written.length === 1 ? '' : 's'}`;
  if (kind === 'section') return `is a section of ${oneLine(file.path)}`;
  if (kind === 'rest' && written.length === file.lines.filter((line) => line.trim() !== '').length)
    return `has ${lines}`;
  if (kind === 'rest')
    return end > start ? `says it in lines ${start + 1} to ${end + 1}` : `says it in line ${start + 1}`;
  // A name that several things have tells nothing of who uses which.
  const uses = index.names.namesakes(passage).length > 1 ? [] : index.names.usesOf(passage);
  const users = uses.flatMap((use) => (use.passage.kind === 'rest' ? [] : plainName(use.passage)));
  const used = users.length === 0 ? `of ${lines}` : `used by ${listed(users)}`;
  return `is ${kind === 'class' ? aType(passage) : KIND[kind]} ${used}`;
}

const KIND = {
  function: 'a function',
  member: 'a member',
  constant: 'a constant',
  type: 'a type',
  block: 'a block',
} as const;

/** In the words of its language: a class, a struct, an interface. */
function aType({ file, head }: Passage): string {
  const word = /\b(?:class|enum|interface|mixin|module|namespace|protocol|record|struct|trait|union)\b/.exec(
    file.lines[head] ?? '',
  )?.[0];
  return word === undefined ? 'a type' : `${/^[ei]/.test(word) ? 'an' : 'a'} ${word}`;
}

/** The first few of some names. */
function listed(names: readonly string[]): string {
  return [...new Set(names)].slice(0, MOST_NAMES).join(', ');
}

/** Names between underscores are the language's own. */
function plainName(passage: Passage | undefined): string[] {
  const name = passage?.identifier;
  return name === undefined || name.startsWith('__') ? [] : [name];
}

/** The first part of a sentence that is too long for a title; it follows a colon, so it starts in lower case. */
function clauseOf(sentence: string, index: WorkspaceIndex): string {
  const end = sentence.length <= MAX_CLAUSE ? -1 : lastPause(sentence.slice(0, MAX_CLAUSE));
  return shorten(oneLine(lowered(end > MIN_CLAUSE ? `${sentence.slice(0, end)}…` : sentence, index)), MAX_CLAUSE);
}

/** Where a clause ends, outside of parentheses: half of one says nothing. */
function lastPause(text: string): number {
  let depth = 0;
  let last = -1;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '(' && depth === 0 && text[at - 1] === ' ') last = at - 1;
    if (character === '(' || character === '[') depth++;
    else if (character === ')' || character === ']') depth--;
    else if (depth === 0 && /[,;:]/.test(character) && text[at + 1] === ' ') last = at;
  }
  return last;
}

/** A sentence behind a colon starts in lower case, unless it starts with a name. */
function lowered(sentence: string, index: WorkspaceIndex): string {
  const first = /^[\p{L}\p{N}_]+/u.exec(sentence)?.[0] ?? '';
  if (
    !/^\p{Lu}(?:\p{Ll}|$)/u.test(first) ||
    /\p{Lu}/u.test(first.slice(1)) ||
    (index.names.has(first) && !isVerb(first))
  )
    return sentence;
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
