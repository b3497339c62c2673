import { oneLine, shorten } from '../../../text/cut/markdown.ts';
import type { Passage } from '../../../text/cut/passage.ts';
import type { WorkspaceIndex } from '../../../text/index/workspace-index.ts';
import { firstSentence } from './first-sentence.ts';
import { isVerb, phraseOfName } from './phrase-of-name.ts';

const MAX_CLAUSE = 70;
const MIN_CLAUSE = 24;
const MOST_NAMES = 3;

/** What a passage is, for a reader who sees its name: its author's words, else what its name or its lines say that it does. */
export function whatItIs(passage: Passage, index: WorkspaceIndex): string {
  const said = passage.kind === 'section' ? '' : ownWords(passage, index);
  return said === '' ? whatItDoes(passage, index) : clauseOf(said, index);
}

/** The same as a sentence that begins with the name, without its end. */
export function saidOf(passage: Passage, label: string, index: WorkspaceIndex): string {
  const said = ownWords(passage, index);
  if (said === '') {
    const does = passage.identifier === undefined ? '' : phraseOfName(passage.identifier);
    const what = does === '' ? whatItDoes(passage, index) : does;
    return what === '' ? label : `${label} ${what}`;
  }
  return `${label}: ${lowered(said, index)}`;
}

/** The author's sentence, without the name that it begins with: Go's begin so, and a title has the name already. */
export function ownWords(passage: Passage, index: WorkspaceIndex): string {
  const said = firstSentence(passage, index)
    .replace(/^This (?:(?:class|file|function|method|module|package|type) )?is (?=an? |the )/, '')
    .replace(/^This (?:class|file|function|method|module|package|type) (?=\p{Ll}{2,}s\s)/u, '');
  const { identifier } = passage;
  if (identifier === undefined || !said.startsWith(identifier)) return said;
  const rest =
    /^(?:\(\))?\s+(?:(?:is|are)\s+(?=an?\s|the\s)|(?=(?:\p{Ll}{2,}s|will|can|may|must|should)\s))(\p{Ll}.*)$/u.exec(
      said.slice(identifier.length),
    );
  return rest?.[1] ?? said;
}

/** Where no author says it: whom it calls, and how it fails. */
function whatItDoes(passage: Passage, index: WorkspaceIndex): string {
  const { file, start, end, kind } = passage;
  if (kind === 'section' || kind === 'rest') return '';
  const names = index.names.namedIn(passage).flatMap(([first]) => plainName(first));
  const others = [...new Set(names)].filter((name) => name !== passage.identifier);
  if (kind === 'class') {
    const parts = index.partsOf(passage).flatMap((part) => plainName(part));
    return parts.length === 0 ? '' : `with ${[...new Set(parts)].slice(0, MOST_NAMES).join(', ')}`;
  }
  const thrown = new Set<string>();
  for (const line of file.lines.slice(start, end + 1)) {
    const error = /\b(?:throw new|raise)\s+([\p{L}_$][\p{L}\p{N}_$.]{0,60})/u.exec(line)?.[1];
    if (error !== undefined) thrown.add(error);
  }
  const isCode = kind === 'function' || kind === 'member' || kind === 'block';
  const called = others.filter((name) => !thrown.has(name)).slice(0, MOST_NAMES);
  const calls = called.length === 0 ? '' : `${isCode ? 'calls' : 'with'} ${called.join(', ')}`;
  const fails = thrown.size === 0 ? '' : `throws ${[...thrown].slice(0, 2).join(', ')}`;
  return [calls, fails].filter((part) => part !== '').join(' and ');
}

/** Names between underscores are the language's own. */
function plainName(passage: Passage | undefined): string[] {
  const name = passage?.identifier;
  return name === undefined || name.startsWith('__') ? [] : [name];
}

/** The first part of a sentence that is too long for a title; it follows a colon, so it starts in lower case. */
function clauseOf(sentence: string, index: WorkspaceIndex): string {
  const end = sentence.length <= MAX_CLAUSE ? -1 : lastPause(sentence.slice(0, MAX_CLAUSE));
  return shorten(oneLine(lowered(end > MIN_CLAUSE ? sentence.slice(0, end) : sentence, index)), MAX_CLAUSE);
}

/** Where a clause ends, outside of parentheses: half of one says nothing. */
function lastPause(text: string): number {
  let depth = 0;
  let last = -1;
  for (const [at, character] of [...text].entries()) {
    if (character === '(' && depth === 0) last = at - 1;
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
