import { code, oneLine, shorten } from '../../../text/cut/markdown.ts';
import type { Passage } from '../../../text/cut/passage.ts';
import { firstSentence, sentenceAbove } from '../../../text/find/first-sentence.ts';
import type { WorkspaceIndex } from '../../../text/index/workspace-index.ts';
import { splitWords } from '../../../text/words/split-words.ts';
import { termOf } from '../../../text/words/terms.ts';
import { isVerb } from './phrase-of-name.ts';
import { listOf, MOST_NAMES, whatLinesDo, whichLines } from './what-lines-are.ts';

const MAX_CLAUSE = 70;
const MIN_CLAUSE = 24;
/** Names that the language's own types have as well: nobody can tell whose they are. */
const COMMON =
  /^(?:new|each|map|size|len|length|get|set|add|put|push|pop|has|is|as|to|inspect|merge|call|apply|bind|run|from|into|next|then|catch|finally|done|test|exec|match|replace|slice|filter|find|forEach|reduce|sort|on|once|off|emit|close|open|read|write|name|value|keys|values|toString|to_s|clone|copy|join|split|log|trace|debug|info|warn|error|fatal|print|format|String|Error|Len|Lock|Unlock)$/;
/** Names that make an object of a type: every type has one. */
const MAKES = /^(?:new|constructor|initialize|__\w+__)$/;
/** Errors whose names tell nothing. */
const ANY_ERROR = /^(?:Error|Exception|StandardError|RuntimeError)$/;

/** Writes a name: in a title as it is, in a sentence as code. */
type Write = (name: string) => string;

/** Says what a passage is, for a reader who sees its name: its author's words, else what its lines say that it does. */
export function whatItIs(passage: Passage, index: WorkspaceIndex): string {
  const said = passage.kind === 'section' ? '' : ownWords(passage, index);
  if (said !== '') return clauseOf(said, index);
  // A list that is cut says less than a shorter one.
  for (let most = MOST_NAMES; most > 1; most--) {
    const does = whatItDoes(passage, index, asItIs, most);
    if (does.length <= MAX_CLAUSE) return does;
  }
  return whatItDoes(passage, index, asItIs, 1);
}

function asItIs(name: string): string {
  return name;
}

/**
 * Says what a passage is as a sentence that begins with the name, without its end.
 * @param row the line that is shown: of lines without a name, the comment on it says the most
 */
export function saidOf(passage: Passage, label: string, index: WorkspaceIndex, row: number): string {
  const above = passage.kind === 'rest' ? sentenceAbove(passage.file, row, index) : '';
  if (above !== '') return `${label}, line ${row + 1}: ${lowered(above, index)}`;
  const name = passage.kind === 'rest' ? `${label}, ${whichLines(passage)}` : label;
  const said = ownWords(passage, index);
  if (said !== '') return `${name}: ${lowered(said, index)}`;
  const does = whatItDoes(passage, index, code);
  if (does === '') return passage.kind === 'rest' ? name : `${label} ${whereItIs(passage, index)}`;
  if (passage.kind === 'rest') return `${name}: ${does}`;
  return /^(?:an? )/.test(does) ? `${label} is ${does}` : `${label} ${does}`;
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

/** Where no author says it: whom it calls, and how it fails; of a type its members, of lines what they bring in. */
function whatItDoes(passage: Passage, index: WorkspaceIndex, write: Write, most = MOST_NAMES): string {
  const { kind } = passage;
  if (kind === 'section') return '';
  if (kind === 'rest') return whatLinesDo(passage, write, most);
  if (kind === 'class') return whatItHas(passage, index, write, most);
  const names = index.names.namedIn(passage).flatMap(([first]) => (isTold(first, passage) ? plainName(first) : []));
  const own = new Set(passage.name.split(/[.#(]|::/));
  const thrown = thrownIn(passage, index);
  const called = names.filter((name) => !own.has(name) && !thrown.has(name));
  if (kind === 'constant' || kind === 'type') return called.length === 0 ? '' : `uses ${listOf(called, write, most)}`;
  const told = [...thrown].filter((name) => !ANY_ERROR.test(name));
  const calls = called.length === 0 ? '' : `calls ${listOf(called, write, most)}`;
  const fails = told.length === 0 ? '' : `throws ${listOf(told, write, most)}`;
  return [calls, fails].filter((part) => part !== '').join('; ');
}

function whatItHas(passage: Passage, index: WorkspaceIndex, write: Write, most: number): string {
  const implemented = IMPLEMENTS.exec(passage.file.lines[passage.head] ?? '')?.[1];
  if (implemented !== undefined) return `implements ${write(implemented)}`;
  const parts = index.partsOf(passage).flatMap((part) => plainName(part));
  const telling = parts.filter((part) => !MAKES.test(part));
  return telling.length === 0 ? '' : `${aType(passage)} with ${listOf(telling, write, most)}`;
}

/** The trait, in Rust. */
const IMPLEMENTS =
  /^\s*(?:unsafe\s+)?impl\b(?:<[^{}]{0,200}?>)?\s+!?(?:\w{1,60}::){0,5}(\w{1,60})(?:<[^{}]{0,100}>)?\s+for\b/;

function thrownIn({ file, start, end }: Passage, index: WorkspaceIndex): ReadonlySet<string> {
  const thrown = new Set<string>();
  for (let row = start; row <= end; row++) {
    const error = /\b(?:throw new|raise)\s+((?:[\p{L}\p{N}_$]{1,40}[.:]{1,2}){0,3}\p{Lu}[\p{L}\p{N}_$]{0,60})/u.exec(
      file.lines[row] ?? '',
    )?.[1];
    if (error !== undefined && !index.isComment(file, row)) thrown.add(error);
  }
  return thrown;
}

/** Tells whether it tells what code does that it names something: of a call, and not of what every type has. */
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

/** Where nobody says anything of it, nor its lines: what it is, and who uses it, else how long it is. */
function whereItIs(passage: Passage, index: WorkspaceIndex): string {
  const { kind, name, file, start, end, inner, owner } = passage;
  if (kind === 'section') return `is a section of ${oneLine(file.path)}`;
  if (kind === 'rest') return '';
  // A name that several things have, or that the language's own types have, tells nothing of who uses which.
  const isShared =
    index.names.namesakes(passage).length > 1 || (kind === 'member' && COMMON.test(passage.identifier ?? ''));
  const uses = isShared ? [] : index.names.usesOf(passage);
  const users = uses.flatMap((use) => (use.passage.kind === 'rest' ? [] : oneLine(use.passage.name)));
  const isOwn = (row: number): boolean => !inner.some(([from, to]) => row >= from && row <= to);
  const written = file.lines.slice(start, end + 1).filter((line, at) => line.trim() !== '' && isOwn(start + at));
  const length = `${written.length} line${written.length === 1 ? '' : 's'}`;
  const made = kind === 'member' && MAKES.test(name.split(/[.#]|::/).at(-1) ?? '') && owner !== undefined;
  const type = made ? index.passages[owner]?.identifier : undefined;
  if (type !== undefined) return `makes ${articleOf(type)} ${code(oneLine(type))}`;
  // Of a member its name says whose it is.
  if (kind === 'member') return users.length > 0 ? `is used by ${listOf(users, code)}` : `is ${length} long`;
  const what = kind === 'class' ? aType(passage) : KIND[kind];
  return `is ${what} ${users.length > 0 ? `used by ${listOf(users, code)}` : `of ${length}`}`;
}

const KIND = {
  function: 'a function',
  constant: 'a constant',
  type: 'a type',
  block: 'a block',
} as const;

/** In the words of its language: a class, a struct, an interface. */
function aType({ file, head }: Passage): string {
  const word = /\b(?:class|enum|interface|mixin|module|namespace|protocol|record|struct|trait|union)\b/.exec(
    file.lines[head] ?? '',
  )?.[0];
  if (word === undefined && /^\s*impl\b/.test(file.lines[head] ?? '')) return 'an implementation';
  return word === undefined ? 'a type' : `${articleOf(word)} ${word}`;
}

/** By the first letter: good enough for names, which nobody has to say aloud. */
function articleOf(word: string): string {
  return /^[aeio]/i.test(word) ? 'an' : 'a';
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
