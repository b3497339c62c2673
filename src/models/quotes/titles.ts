import { codeSpan } from '../../core/text/text.ts';
import { type Passage, signatureEnd } from '../../text/chunk/chunk-file.ts';
import { oneLine, shorten } from '../../text/chunk/markdown.ts';
import { isQuotable } from '../../text/files/read-source.ts';
import { saysNothing } from '../../text/find/decisive-line.ts';
import { firstSentence, sentenceAbove } from '../../text/find/first-sentence.ts';
import type { Research } from '../../text/find/research.ts';
import type { WorkspaceIndex } from '../../text/index/workspace-index.ts';
import { splitWords } from '../../text/words/split-words.ts';
import { termOf } from '../../text/words/terms.ts';

const MAX_CLAUSE = 70;
const MIN_CLAUSE = 24;
/** Of a signature in a title, and of a line that stands for its file. */
const LONGEST_SIGNATURE = 72;

/** Says what a passage is, for a reader who sees its name: its author's words; of lines without a name the one that decides. */
export function whatItIs(passage: Passage, index: WorkspaceIndex, question?: Research): string {
  const said = passage.kind === 'section' ? '' : ownWords(passage, index);
  if (said !== '') return clauseOf(said, index);
  return passage.kind === 'rest' && question ? tellingLine(passage, index, question) : '';
}

/** Returns the name of a passage as a title has it: with what it takes, or is, where its author says nothing of it. */
export function nameOf(passage: Passage, index: WorkspaceIndex): string {
  const { kind, name, identifier, file, head } = passage;
  if (
    kind === 'section' ||
    kind === 'rest' ||
    identifier === undefined ||
    !name.endsWith(identifier) ||
    ownWords(passage, index) !== ''
  )
    return name;
  const lines = file.lines.slice(head, signatureEnd(passage) + 1);
  if (!lines.every(isQuotable)) return name;
  const text = lines.map(oneLine).reduce(joinLines);
  const at = text.indexOf(identifier);
  if (at < 0) return name;
  const behind = withoutEnd(text.slice(at + identifier.length)).replace(/^\s+(?=\()/, '');
  return /^(?:[(<[]|\s*[:=]|\s\w)/.test(behind) ? shorten(oneLine(name + behind), LONGEST_SIGNATURE) : name;
}

/** Two lines of a signature as one: no space stands where only a line was broken, behind a bracket or before its end. */
export function joinLines(before: string, next: string): string {
  if (/[([<]$/.test(before)) return before + next;
  return /^[)\]>]/.test(next) ? before.replace(/,$/, '') + next : `${before} ${next}`;
}

/** Without the mark behind which a body begins, or which ends a line. */
function withoutEnd(text: string): string {
  const line = text.trimEnd();
  const open = /[{;:,]$/.test(line) ? line.slice(0, -1).trimEnd() : line;
  return open.endsWith('=>') ? open.slice(0, -2).trimEnd() : open;
}

/**
 * Returns the one of some lines without a name that says most about the question: a constant or a condition, no import.
 */
function tellingLine({ file, start, end, inner }: Passage, index: WorkspaceIndex, question: Research): string {
  let best = { worth: 0, row: -1 };
  for (let row = start; row <= end; row++) {
    if (inner.some(([from, to]) => row >= from && row <= to) || saysNothing(file, row, index)) continue;
    const worth = question.values.of(file, row);
    if (worth > best.worth) best = { worth, row };
  }
  const line = withoutEnd(
    oneLine(file.lines[best.row] ?? '').replace(/^(?:export |const |let |var |static |pub )+/, ''),
  );
  return shorten(line, MAX_CLAUSE);
}

/**
 * Says what a passage is as a sentence that begins with the name, without its end.
 * @param row the line that is shown: of lines without a name, the comment on it says the most
 */
export function saidOf(passage: Passage, label: string, index: WorkspaceIndex, row: number): string {
  const above = passage.kind === 'rest' ? sentenceAbove(passage.file, row, index) : '';
  if (above !== '') return `${label}, line ${row + 1}: ${lowered(above, index)}`;
  const said = ownWords(passage, index);
  if (passage.kind === 'rest')
    return said === ''
      ? `${label}, ${whichLines(passage)}`
      : `${label}, ${whichLines(passage)}: ${lowered(said, index)}`;
  if (said !== '') return `${label}: ${lowered(said, index)}`;
  return passage.kind === 'section' ? label : codeSpan(nameOf(passage, index));
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
  if (identifier === undefined) return said;
  const named = said.replace(/^(?:An?|The)\s(?=\S)/, '');
  if (!startsWithName(named, identifier)) return said;
  const behind = BEHIND_NAME.exec(named.slice(identifier.length))?.[1];
  return behind === undefined || isOrder(identifier, behind) ? said : behind;
}

/** "Store credentials" begins with the verb that the name is, and not with the name: what follows is no verb. */
function isOrder(identifier: string, behind: string): boolean {
  const [next = ''] = behind.split(' ');
  const verb = /(?:sse|she|che|xe|zze|oe)s$/.test(next) ? next.slice(0, -2) : next.slice(0, -1);
  const does = isVerb(verb) || isVerb(`${verb.slice(0, -2)}y`) || NO_NOUN.test(next);
  return isVerb(identifier) && !does;
}

/** Words behind a name that show that it is not the first half of a longer one: "is", but not "this". */
const NO_NOUN = /^(?:is|are|was|were|will|can|may|must|should|an?|the)$/;

/** The words after the name with which a sentence begins. In "Log entries are", the name is only half of a name. */
const BEHIND_NAME =
  /^(?:\(\))?\s+(?:(?:is|are)\s+|(?=(?:(?!this\b|its\b)\p{Ll}{2,}s(?!\s+(?:is|are|was|were|have|has|can|may|must|will)\b)|will|can|may|must|should)\s))(\p{Ll}.*)$/u;

/** A sentence begins with a capital, whatever it begins with. */
function startsWithName(said: string, identifier: string): boolean {
  const start = said.slice(0, identifier.length);
  return start === identifier || start === identifier.charAt(0).toUpperCase() + identifier.slice(1);
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

/**
 * Returns the first part of a sentence that is too long for a title; it follows a colon, so it starts in lower case.
 */
function clauseOf(sentence: string, index: WorkspaceIndex): string {
  const end = sentence.length <= MAX_CLAUSE ? -1 : lastPause(sentence.slice(0, MAX_CLAUSE));
  return shorten(oneLine(lowered(end > MIN_CLAUSE ? `${sentence.slice(0, end)}…` : sentence, index)), MAX_CLAUSE);
}

/** Returns where a clause ends, outside of parentheses: half of one says nothing. */
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

/** The number of names that are listed. */
const MOST_NAMES = 3;

/** Returns which lines of their file they are, without empty ones at the end: `lines 1 to 9`. */
function whichLines({ file, start, end }: Passage): string {
  let last = end;
  while (last > start && (file.lines[last] ?? '').trim() === '') last--;
  return last > start ? `lines ${start + 1} to ${last + 1}` : `line ${start + 1}`;
}

/** Some names as people list them; of many the first few. */
export function listOf(names: readonly string[], write: (name: string) => string, most = MOST_NAMES): string {
  const all = [...new Set(names)];
  const shown = all.slice(0, all.length > most + 1 ? most : most + 1).map(write);
  const more = all.length - shown.length;
  const listed = more > 0 ? [...shown, `${more} more`] : shown;
  return listed.length < 2 ? listed.join('') : `${listed.slice(0, -1).join(', ')} and ${listed.at(-1)}`;
}

/** Verbs that names of functions begin with. */
const VERBS: ReadonlySet<string> = new Set(
  `abort accept add allow append apply assert assign attach await begin bind build cache calculate call cancel change check
  choose clamp clean clear clone close collect commit compare compile compute configure connect consume convert copy count
  create cut decide decode decrypt define delete deliver deny describe detach detect disable discard dispatch display draw
  drop dump emit enable encode encrypt end enforce ensure enter escape evaluate evict execute exit expand expire extend
  extract fail fetch fill filter find finish flush format forward generate get give grow guard handle hash hide hold ignore
  import increase increment init initialize insert inspect install invoke join keep kill leave limit link list listen load
  lock log look lookup make map mark match measure merge move normalize notify observe open order pack parse patch pause
  peek pick place plan poll pop prepare print process produce prune publish pull push put quote raise rank read receive
  record recover reduce refresh register reject release reload remove rename render repeat replace report request reset
  resolve restore resume retry return reverse revoke rotate run sanitize save scan schedule score search select send
  serialize serve set show shrink shutdown skip sort split start stop store strip submit subscribe swap switch take tell
  test throw touch track transform translate trim truncate try unlock unpack unregister unsubscribe update upgrade use
  validate verify visit wait wake walk watch wrap write yield`.split(/\s+/),
);
const MOST_WORDS = 5;
/** After these a name tells when or how, not what. */
const NO_OBJECT = /^(?:all|and|any|as|at|by|for|from|if|in|into|next|now|of|on|one|or|out|to|until|up|when|with)$/;

/** Tells whether names of functions begin with a word, as they do with verbs. */
function isVerb(word: string): boolean {
  return VERBS.has(word.toLowerCase());
}

/** Says what a function does by its name: `checkTimeout` "checks the timeout". Empty if it names no act. */
export function phraseOfName(identifier: string): string {
  const [verb = '', ...words] = splitWords(identifier);
  if (!VERBS.has(verb) || words.length === 0 || words.length >= MOST_WORDS) return '';
  const [first = ''] = words;
  return [thirdPerson(verb), ...(NO_OBJECT.test(first) ? [] : ['the']), ...words].join(' ');
}

function thirdPerson(verb: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(verb)) return `${verb}es`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}
