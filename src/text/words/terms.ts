import { identifiersIn, runsOf } from './split-words.ts';
import { isFunctionWord, simplified } from './translate.ts';

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

/**
 * Returns the names as one word that the words of an identifier make: of all of them if they are two, else of known
 * pairs.
 */
export function joinedIn(parts: readonly string[]): string[] {
  const [first = '', second = ''] = parts;
  if (parts.length < 2) return [];
  if (parts.length === 2) return /^\p{L}/u.test(first) && first.length + second.length > 3 ? [first + second] : [];
  return parts.flatMap((part, place) => {
    const next = parts[place + 1];
    return next !== undefined && isCompound(part, next) ? [part + next] : [];
  });
}

/**
 * Returns the words of letters in a word with digits, and those with the digits after them: base64url → base, base64,
 * url.
 */
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

/** Returns the search term of one word in lower case; undefined for stop words. */
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

const VOWEL = /[aeiouy]/;
const MARKED = /[äöüß]/;
const ACCENTED = /[àâæçèéêëîïôœùûÿ]/;
const GERMAN = /(?:ung|ungen|heit|heiten|keit|keiten|schaft|schaften|lich|liche[nrms]?|ieren|iert|ierte[nrms]?)$/;

/**
 * The stem of a word in lower case, lightly: "enforced" and "enforces", "retried" and "retries", "execution" and
 * "execute" match; "reporter" and "report" do not. German and French words, told by their letters and endings alone,
 * lose theirs, and Korean ones their particles. Words of other scripts are left unchanged.
 */
export function stem(word: string): string {
  if (/^[a-z]+$/.test(word)) {
    if (word.length < 4) return word;
    return word.length > 6 && GERMAN.test(word) ? stemGerman(word) : stemEnglish(word);
  }
  if (/^\p{Script=Hangul}+$/u.test(word)) return stemKorean(word);
  if (!/^\p{Script=Latin}+$/u.test(word)) return word;
  if (MARKED.test(word)) return stemGerman(word);
  return ACCENTED.test(word) ? stemEnglish(stemFrench(word)) : word;
}

function stemEnglish(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  let base = withoutPlural(word);
  base = withoutEnding(base, 'ing', 3) ?? withoutEnding(base, 'ied', 2, 'y') ?? withoutEnding(base, 'ed', 3) ?? base;
  base = withoutEnding(base, 'ment', 4) ?? withoutEnding(base, 'ness', 4) ?? withoutEnding(base, 'ly', 4) ?? base;
  if (/[st]ion$/.test(base) && base.length > 6) base = base.slice(0, -3);
  else base = withoutEnding(base, 'ance', 5) ?? withoutEnding(base, 'ence', 5) ?? base;
  if (base.length > 3 && base.endsWith('e')) base = base.slice(0, -1);
  if (base.length > 3 && base.at(-1) === base.at(-2)) base = base.slice(0, -1);
  return base.length > 2 && base.endsWith('y') ? `${base.slice(0, -1)}i` : base;
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(sses|shes|ches|xes|zes)$/.test(word)) return word.slice(0, -2);
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}

/** The word without an ending, if enough is left to be a word. */
function withoutEnding(word: string, ending: string, least: number, instead = ''): string | undefined {
  if (!word.endsWith(ending)) return undefined;
  const base = word.slice(0, -ending.length);
  return base.length >= least && VOWEL.test(base) ? base + instead : undefined;
}

/** The number of letters that must be left of a word. */
const LEAST = 3;
const GERMAN_NOUNS = /(?:ung|ungen|heit|heiten|keit|keiten|schaft|schaften)$/;
const GERMAN_VERBS = /(?:ierungen|ierung|ieren|ierten|ierter|iertes|iertem|ierte|iert)$/;
const GERMAN_ENDINGS = /(?:ern|em|en|er|es|e|n|s)$/;
const FRENCH_ENDINGS = /(?:ements?|euses?|eurs?|antes?|ants?|ées?|és?|er|ez|ent)$/;
const KOREAN_ENDINGS =
  /(?:에서는|으로는|에서|으로|까지|부터|에게|하는|되는|하면|되면|합니다|됩니다|하나요|되나요|할|될|한|된|은|는|이|가|을|를|의|에|로|와|과|도|만)$/;

/**
 * Returns the stem of a German word in lower case: without the marks of its vowels, its plural, case and verb endings.
 */
function stemGerman(word: string): string {
  const plain = word.replaceAll('ä', 'a').replaceAll('ö', 'o').replaceAll('ü', 'u').replaceAll('ß', 'ss');
  const verb = cut(plain, GERMAN_VERBS);
  if (verb !== plain) return verb;
  const noun = cut(plain, GERMAN_NOUNS);
  if (noun !== plain) return cut(noun, /(?:lich|ig|er)$/);
  return cut(cut(plain, GERMAN_ENDINGS), /(?:lich|t)$/);
}

/**
 * Returns a French word in lower case without accents and endings, as an English word of the same root may be written.
 */
function stemFrench(word: string): string {
  const plain = cut(cut(word, /(?<=[^sè])s$/), FRENCH_ENDINGS);
  return plain.replaceAll('œ', 'oe').replaceAll('æ', 'ae').normalize('NFD').replaceAll(/\p{M}/gu, '');
}

/** Returns a Korean word without its particle. */
function stemKorean(word: string): string {
  return cut(word, KOREAN_ENDINGS, 2);
}

function cut(word: string, ending: RegExp, least = LEAST): string {
  const base = word.replace(ending, '');
  return base.length >= least ? base : word;
}

/**
 * Words of English questions that say nothing about what a person is looking for. Words that code is made of are not
 * among them, however common (`get`, `return`, `null`): how rare they are in a folder tells their weight.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above all also am an and another any are aren as at be because been being below between both but by can
  cannot could couldn did didn do does doesn doing don during each either else ever every few for from further had has
  hasn have haven having he her here hers him his how however i if in into is isn it its itself just let lets like many
  may me might more most much must my neither no nor not of on one onto or other others our own per please rather same shall
  she should shouldn since so some such than that the their them then there these they thing things this those through
  thus to too under until up upon us very via vs was wasn way ways we well were what whatever when whenever where wherever
  whether which while who whom whose why will with within without won would you your yours happen happens happened mean
  means exactly actually really s t ll re ve d m`.split(/\s+/),
);
