import { identifiersIn, runsOf } from './split-words.ts';
import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';
import { simplified } from './tables/traditional.ts';
import { isFunctionWord } from './translate.ts';

const MAX_WORD = 64;
/** Beyond this, letters and digits in turn are no name but a hash. */
const MAX_PIECES = 4;
/** Most workspaces consist of a few thousand words; the bound is for unusual ones. */
const MAX_KNOWN = 100_000;
/** The term of each word, null for a stop word; and what is known of each run. */
const ofWords = new Map<string, string | null>();
const known = new Map<string, RunTerms>();

// Two words that are as often one, in code and in sentences.
const COMPOUNDS = `
  auto complete, back end, back log, back off, back pressure, back slash, back trace, back track, back up, bit map, bit mask,
  black list, block list, allow list, deny list, white list, book mark, boot strap, break point, broad cast, byte code,
  call back, call site, change log, check box, check out, check point, check sum, class path, clean up, clip board, code base,
  count down, data base, data set, data store, date time, dead line, dead lock, down grade, down load, down stream, drop down,
  end point, entry point, fall back, field name, file name, file path, file system, finger print, fire wall, folder name,
  for each, frame work, front end, full screen, gate way, hand shake, hard link, hash map, heart beat, high light, host name,
  hot key, hot reload, in line, keep alive, key board, key word, key store, key pair, life cycle, life time, line break,
  load balancer, local host, lock file, log in, log out, look ahead, look behind, look up, loop back, mark down, meta data,
  middle ware, mime type, multi part, multi thread, name space, net work, new line, note book, on load, out put, over flow,
  over lap, over load, over ride, over write, pass word, path name, pay load, ping pong, pipe line, place holder, plug in,
  pop up, post fix, pre fetch, pre load, proto type, query string, rate limit, read line, read me, read only, real path,
  real time, road map, roll back, roll out, round trip, run loop, run time, sand box, save point, screen shot, scroll bar,
  semi colon, set up, shut down, side bar, sign in, sign out, sign up, snap shot, source map, spin lock, stack trace,
  stand alone, start up, state less, status bar, status code, stop watch, sub class, sub command, sub directory, sub domain,
  sub path, sub process, sub set, sub string, sub tree, super class, sym link, tear down, text area, thread pool, time line,
  time out, time span, time stamp, time zone, tool bar, tool chain, tool kit, tool tip, top level, trace back, trade off,
  up date, up grade, up load, up stream, up time, user agent, user name, view port, wait group, walk through, warm up,
  watch dog, water mark, web hook, web page, web server, web site, web socket, white space, wild card, work around,
  work bench, work flow, work load, work place, work space, work tree, zip file
`;

const seconds = new Map<string, Set<string>>();
for (const pair of COMPOUNDS.split(',')) {
  const [first = '', second = ''] = pair.trim().split(' ');
  const known = seconds.get(first) ?? new Set();
  known.add(second);
  seconds.set(first, known);
}

interface RunTerms {
  readonly terms: readonly string[];
  /** The run in lower case, if it is a single word. */
  readonly alone: string;
}

/**
 * The search terms of a text: the stems of its meaningful words, in order, with repeats. After a name of two words comes
 * the name as one word, after two words that are as often one that one, and after a word with digits its letters.
 */
export function termsOf(text: string): string[] {
  return termsBy(text, knownRun);
}

/** Returns the search terms of a text whose runs are not likely to come again: none is remembered. */
export function termsOnce(text: string): string[] {
  return termsBy(text, newRun);
}

function termsBy(text: string, ofRun: (run: string) => RunTerms): string[] {
  const terms: string[] = [];
  let before = '';
  for (const run of runsOf(text)) {
    const { terms: own, alone } = ofRun(run);
    for (const term of own) terms.push(term);
    if (before !== '' && alone !== '' && isCompound(before, alone)) terms.push(stem(before + alone));
    before = alone;
  }
  return terms;
}

function knownRun(run: string): RunTerms {
  let found = known.get(run);
  if (!found) {
    found = newRun(run);
    if (known.size > MAX_KNOWN) known.clear();
    if (run.length <= MAX_WORD) known.set(copied(run), found);
  }
  return found;
}

function newRun(run: string): RunTerms {
  const identifiers = identifiersIn(run);
  const terms: string[] = [];
  const add = (word: string): void => {
    const term = termOf(word);
    if (term !== undefined) terms.push(term);
  };
  for (const parts of identifiers) {
    for (const part of parts) {
      add(part);
      for (const piece of piecesOf(part)) add(piece);
    }
    for (const joined of joinedIn(parts)) add(joined);
  }
  const [[first = '', ...others] = []] = identifiers;
  return { terms, alone: identifiers.length === 1 && others.length === 0 ? first : '' };
}

/** The names as one word that the words of an identifier make: of all of them if they are two, else of known pairs. */
export function joinedIn(parts: readonly string[]): string[] {
  const [first = '', second = ''] = parts;
  if (parts.length < 2) return [];
  if (parts.length === 2) return /^\p{L}/u.test(first) && first.length + second.length > 3 ? [first + second] : [];
  return parts.flatMap((part, place) => {
    const next = parts[place + 1];
    return next !== undefined && isCompound(part, next) ? [part + next] : [];
  });
}

/** The words of letters in a word with digits, and those with the digits after them: base64url → base, base64, url. */
export function piecesOf(word: string): string[] {
  if (!/\d/.test(word)) return [];
  const pieces = word.match(/\d+|\D+/g) ?? [];
  if (pieces.length < 2 || pieces.length > MAX_PIECES) return [];
  const words: string[] = [];
  pieces.forEach((piece, place) => {
    if (/^\d/.test(piece) || piece.length < 2) return;
    words.push(piece);
    const digits = pieces[place + 1];
    if (digits !== undefined && pieces.length > 2) words.push(piece + digits);
  });
  return words;
}

/** The search term of one word in lower case; undefined for stop words. */
export function termOf(word: string): string | undefined {
  if (word.length > MAX_WORD) return undefined;
  let term = ofWords.get(word);
  if (term === undefined) {
    term = newTerm(word);
    if (ofWords.size > MAX_KNOWN) ofWords.clear();
    ofWords.set(copied(word), term);
  }
  return term ?? undefined;
}

function newTerm(word: string): string | null {
  if (STOP_WORDS.has(word) || (word.length < 2 && /^[a-z0-9]$/.test(word))) return null;
  const plain = simplified(word);
  return isFunctionWord(plain) ? null : stem(plain);
}

/** A part of a text keeps all of it in memory, unless it is so short that it is a copy anyway. */
function copied(text: string): string {
  return text.length < 13 ? text : Buffer.from(text).toString();
}

/** Tells whether two words in lower case, one after the other, are as often written as one. */
function isCompound(first: string, second: string): boolean {
  return seconds.get(first)?.has(second) ?? false;
}
