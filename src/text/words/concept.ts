import { readFileSync } from 'node:fs';
import { foreignWords, isAsking, quotedIn, withoutPhrasing } from './asking.ts';
import { ACTIONS, QUALITIES, THINGS } from './english-words.ts';
import { packedTable, SortedLines, thesaurusTextOf, unpackThesaurus } from './packed-tables.ts';
import { identifiersIn, runsOf, splitWords } from './split-words.ts';
import { joinedIn, piecesOf, STOP_WORDS, stem, termOf } from './terms.ts';
import { translationOf } from './translate.ts';

/** One concept in a question: a word of it, and the terms that a file may use for it. */
export interface Concept {
  /** As in the question, in lower case. */
  readonly word: string;
  /** Empty for a phrase, such as "too long", which code has no word for: only its synonyms count. */
  readonly term: string;
  /** Terms of the same meaning, with the same weight: a name of two words as one, the word that was translated. */
  readonly same: readonly string[];
  /** Synonyms, with less weight. */
  readonly synonyms: readonly string[];
}

const MAX_CONCEPTS = 24;
/** Of a file that is named: no word of its own, as in `client.rb`; in Node.js it is part of the name. */
const EXTENSION = /\b([a-z_]\w{0,60})\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|cc?|cpp|h|hpp|cs|php|swift|md)\b(?![.(])/g;
/** Words that make one name with the word before it: "time out", "log in", "set up". */
const PARTICLES: ReadonlySet<string> = new Set('away back down in off on out over up'.split(' '));
/** Words that say nothing beside what their phrase stands for. */
const VAGUE: ReadonlySet<string> = new Set(
  'again gives giving give late left long longer often out soon wrong'.split(' '),
);

// Words that programmers use interchangeably, whichever of them a code base happens to have chosen.
const groups = new Map<string, Set<string>>();
for (const line of [ACTIONS, THINGS, QUALITIES].flatMap((table) => table.trim().split('\n')).sort()) {
  const words = line.trim().split(' ');
  for (const word of words) {
    const others = groups.get(word) ?? new Set();
    for (const other of words) if (other !== word) others.add(other);
    groups.set(word, others);
  }
}

interface Draft {
  readonly word: string;
  readonly term: string;
  readonly same: Set<string>;
  readonly synonyms: Set<string>;
}

/** Returns the concepts of a text: each meaningful word, once, in order, then what its phrases stand for. */
export function conceptsOf(text: string): Concept[] {
  const question = withoutPhrasing(text).replace(EXTENSION, '$1 ');
  const drafts = new Drafts(question);
  for (const run of runsOf(question)) {
    if (drafts.isFull) break;
    for (const parts of identifiersIn(run)) drafts.add(parts);
  }
  for (const phrase of phrasesIn(question.toLowerCase())) drafts.addPhrase(phrase.text, phrase.words);
  return drafts.concepts();
}

/** Returns the terms of a concept that have its full weight; none for a phrase. */
export function ownTerms({ term, same }: Concept): readonly string[] {
  return term === '' ? same : [term, ...same];
}

class Drafts {
  readonly #drafts = new Map<string, Draft>();
  readonly #skipped: ReadonlySet<string>;
  readonly #quoted: ReadonlySet<string>;
  /** The identifier before, if it was one word. */
  #before = '';

  constructor(question: string) {
    this.#skipped = foreignWords(question.toLowerCase().match(/\p{L}+/gu) ?? []);
    this.#quoted = new Set(splitWords(quotedIn(question)));
  }

  get isFull(): boolean {
    return this.#drafts.size >= MAX_CONCEPTS;
  }

  add(parts: readonly string[]): void {
    const [first = '', second = ''] = parts;
    const isNumbered = parts.length === 2 && /^\p{L}+$/u.test(first) && /^\d{1,4}$/.test(second);
    for (const part of isNumbered ? [first + second] : parts) this.#addWord(part);
    for (const joined of joinedIn(parts))
      this.#join(
        parts.filter((part) => joined.includes(part)),
        joined,
      );
    const alone = parts.length === 1 ? first : '';
    const isMeant = /^\p{L}+$/u.test(alone) && (termOf(alone) !== undefined || PARTICLES.has(alone));
    if (isMeant && this.#before !== '') this.#join([this.#before, alone], this.#before + alone);
    this.#before = isMeant && termOf(alone) !== undefined && !this.#skipped.has(alone) ? alone : '';
  }

  addPhrase(text: string, words: readonly string[]): void {
    if (this.isFull) return;
    const verb = this.#verbOf(text);
    if (verb !== undefined) this.#drafts.delete(verb);
    const terms = [verb ?? [], ...words.map((word) => termOf(word) ?? [])].flat();
    const others = terms.filter((term) => !this.#drafts.has(term));
    if (others.length === 0) return;
    for (const word of text.split(' '))
      if (VAGUE.has(word) && !this.#quoted.has(word)) this.#drafts.delete(termOf(word) ?? word);
    this.#drafts.set(text, {
      word: text,
      term: '',
      same: new Set(verb === undefined ? [] : [verb]),
      synonyms: new Set(others),
    });
  }

  /** The term of a verb that alone would say nothing, as in "take over": a name may have it without its particle. */
  #verbOf(phrase: string): string | undefined {
    const [verb = '', particle = '', ...rest] = phrase.split(' ');
    if (rest.length > 0 || !PARTICLES.has(particle) || !isAsking(verb) || this.#quoted.has(verb)) return undefined;
    return termOf(verb);
  }

  concepts(): Concept[] {
    const all = [...this.#drafts.values()];
    const telling = all.filter(({ word }) => !isAsking(word) || this.#quoted.has(word));
    return (telling.length > 0 ? telling : all).map(({ word, term, same, synonyms }) => ({
      word,
      term,
      same: [...same].filter((one) => one !== term),
      // A synonym that is also a word of the question already counts as that.
      synonyms: [...synonyms].filter((one) => one !== term && !same.has(one) && !this.#drafts.has(one)),
    }));
  }

  #addWord(word: string): void {
    const translation = translationOf(word);
    if (translation) {
      const own = termOf(word);
      for (const [english = '', ...others] of translation) this.#addTerm(word, english, others, own);
    } else if (!this.#skipped.has(word)) this.#addTerm(word, word);
  }

  #addTerm(word: string, english: string, others: readonly string[] = [], own?: string): void {
    const term = termOf(english);
    if (term === undefined || this.#drafts.has(term) || this.isFull) return;
    const same = new Set(own === undefined ? [] : [own]);
    for (const other of [...others, ...otherForms(english)]) same.add(termOf(other) ?? term);
    const synonyms = new Set([english, ...others].flatMap((one) => synonymTerms(one)));
    for (const piece of piecesOf(english)) synonyms.add(termOf(piece) ?? term);
    this.#drafts.set(term, { word, term, same, synonyms });
  }

  /** Lets a name as one word count for the words that it is made of. */
  #join(parts: readonly string[], joined: string): void {
    const whole = termOf(joined);
    if (whole === undefined || this.#drafts.has(whole)) return;
    for (const part of parts) this.#drafts.get(termOf(part) ?? '')?.same.add(whole);
  }
}

function synonymTerms(word: string): string[] {
  const singular = word.endsWith('s') ? [word.slice(0, -1)] : [];
  const undoubled = word.replace(/([bdgmnpt])\1(?:ed|ing)$/, '$1');
  const bare = [
    word,
    ...singular,
    word.replace(/(ed|ing|d)$/, ''),
    word.replace(/(ed|ing)$/, 'e'),
    word.replace(/ies$|ied$/, 'y'),
    word.replace(/es$/, ''),
    undoubled,
    termOf(word) ?? word,
  ];
  return [...new Set(bare)].flatMap((form) => synonymsOf(form)).flatMap((synonym) => termOf(synonym) ?? []);
}

// Phrases of people's questions, and the words of code for them.
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:too|so|very|how) (?:long|late)\b|\btakes? (?:too )?long(?:er)?\b/g, 'timeout limit deadline duration elapsed'],
  [/\b(?:too|how) (?:slow|fast)(?:ly)?\b/g, 'timeout rate duration throttle'],
  [/\b(?:too|how) (?:big|large|much|high|deep|wide)\b/g, 'limit max size length exceed bound'],
  [/\b(?:too|how) (?:small|short|low|few|little)\b/g, 'min minimum length least'],
  [/\btoo many\b/g, 'limit max exceed count'],
  [/\bhow many\b|\bthe (?:number|amount) of\b/g, 'count limit max number length size'],
  [/\bhow (?:often|frequently)\b/g, 'interval count rate period retry'],
  [/\bhow soon\b/g, 'delay interval timeout'],
  [/\bat (?:the same time|once)\b|\bin parallel\b|\bsimultaneously\b/g, 'concurrent concurrency parallel limit'],
  [/\bone (?:after another|by one|at a time)\b|\bin turn\b/g, 'sequential serial queue lock'],
  [/\b(?:at most|no more than|not more than|up to)\b/g, 'limit max maximum'],
  [/\b(?:at least|no fewer than|no less than)\b/g, 'min minimum'],
  [/\b(?:more|longer|larger|bigger|greater) than\b/g, 'exceed max limit over'],
  [/\b(?:less|fewer|shorter|smaller) than\b/g, 'min minimum least'],
  [/\bgives? up\b|\bgiving up\b/g, 'fail abort retry limit'],
  [/\b(?:again and again|over and over|once more|another time)\b|\bagain\b/g, 'retry repeat attempt'],
  [/\b(?:goes|go|went) wrong\b/g, 'error fail exception'],
  [/\btimed out\b|\btimes out\b|\btiming out\b/g, 'timeout deadline expire'],
  [/\b(?:runs?|ran|running) out\b/g, 'exhaust empty limit exceed'],
  [/\b(?:gets?|is|are|got) stuck\b|\bhangs?\b/g, 'timeout deadlock block wait'],
  [/\b(?:never|not) (?:ends?|finish(?:es)?|returns?)\b/g, 'timeout deadlock infinite'],
  [/\b(?:if nothing is (?:set|given)|unless (?:set|told))\b/g, 'default fallback'],
  [/\bno longer\b/g, 'remove stale expire'],
  [/\b(?:not there|is missing|cannot be found|not found|does not exist|is absent)\b/g, 'missing exist undefined null'],
  [/\bout of date\b/g, 'stale expire outdated'],
  [/\bin (?:which|what) order\b/g, 'order sort priority sequence'],
  [/\b(?:cleaned|tidied) up\b/g, 'cleanup clear dispose'],
  [/\bthrown away\b|\bthrows? away\b/g, 'discard drop ignore'],
  [/\bleft out\b|\bleaves? out\b/g, 'skip ignore exclude omit'],
  [/\b(?:set|put) aside\b/g, 'reserve queue'],
  [/\b(?:shuts?|shutting) down\b/g, 'shutdown close stop'],
  [/\b(?:let|lets|letting) go\b/g, 'release free'],
  [/\b(?:broken|cut|torn) off\b/g, 'abort truncate disconnect'],
  [/\bcuts? off\b/g, 'truncate limit'],
  [/\bkeeps? track\b/g, 'track record count'],
  [/\b(?:hold|holds|held) back\b/g, 'buffer queue delay throttle'],
  [/\b(?:looks?|looked) up\b/g, 'lookup find resolve'],
  [/\bon the fly\b/g, 'dynamic stream lazy'],
  [/\bahead of time\b|\bin advance\b/g, 'early prepare preload'],
];

/**
 * Returns the phrases of a question in lower case that stand for something in code; what two sources say of one is
 * joined.
 */
function phrasesIn(question: string): Phrase[] {
  const asked = PHRASES.flatMap(([pattern, words]) => {
    const found = question.match(pattern)?.[0];
    return found === undefined ? [] : [{ text: found, words: words.split(' ') }];
  });
  const found = new Map<string, Phrase>();
  for (const { text, words } of [...asked, ...spokenPhrases(question)]) {
    const key = stemsOf(text).join(' ');
    const known = found.get(key);
    found.set(key, { text: known?.text ?? text, words: [...(known?.words ?? []), ...words] });
  }
  return [...found.values()];
}

/** Returns other words of code for a word in lower case. */
export function synonymsOf(word: string): readonly string[] {
  return [...(groups.get(word) ?? []), ...meaningsOf(word)];
}

/** Endings by which words of one root differ, beyond those that a stem is without. */
const COMMON_ENDINGS = 'ers er ors or ings ing ed ions ion ables able ren es s e y'.split(' ');
const LEARNED_ENDINGS =
  'ations ation ators ator itions ition ments ment ance ence ibles ible als al ives ive ities ity ness ly en'.split(
    ' ',
  );
/** Of less than this nobody knows the root, and behind less than that stand only the common endings. */
const [SHORTEST, SHORT] = [4, 5];

/**
 * The terms of words that are likely of the same root as a word in lower case: cancellation and cancelled, child and
 * children, woken and wake. Enough to say that a word is not in some text when none of these is; far too many to search for.
 */
export function kinOf(word: string): string[] {
  if (!/^[a-z]{4,40}$/.test(word)) return [];
  const roots = new Set([word, termOf(word) ?? word, ...otherForms(word)]);
  for (const ending of [...COMMON_ENDINGS, ...LEARNED_ENDINGS])
    if (word.endsWith(ending)) roots.add(word.slice(0, -ending.length));
  const terms = new Set<string>();
  for (const root of roots) {
    if (root.length < SHORTEST) continue;
    for (const ending of ['', ...COMMON_ENDINGS, ...(root.length < SHORT ? [] : LEARNED_ENDINGS)]) {
      const term = termOf(root + ending);
      if (term !== undefined) terms.add(term);
    }
  }
  return [...terms];
}

/** Words whose forms have no stem in common: those of verbs, and plurals. The first is the one in dictionaries. */
const IRREGULAR = `
become became; begin began begun; bend bent; bleed bled; blow blew blown; break broke broken;
bring brought; build built; burst; buy bought; catch caught; choose chose chosen; come came; creep crept; deal dealt;
dig dug; draw drew drawn; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed; fight fought;
find found; flee fled; fly flew flown; forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven;
freeze froze frozen; give gave given; go went gone; grow grew grown; hang hung; hide hid hidden; hold held; keep kept;
know knew known; lay laid; lead led; lend lent; lose lost; make made; meet met;
overtake overtook overtaken; override overrode overridden; overwrite overwrote overwritten; pay paid; rebuild rebuilt;
resend resent; rewrite rewrote rewritten; ride rode ridden; ring rang rung; rise rose risen; run ran; say said; see saw seen;
seek sought; sell sold; send sent; shake shook shaken; shine shone; shoot shot; show shown; shrink shrank shrunk;
sing sang sung; sink sank sunk; sit sat; sleep slept; speak spoke spoken; spend spent; spin spun; spring sprang sprung;
stand stood; steal stole stolen; stick stuck; strike struck; swear swore sworn; sweep swept; swing swung; take took taken;
teach taught; tear tore torn; tell told; think thought; throw threw thrown; understand understood; undo undid undone;
unbind unbound; wake woke woken; wear wore worn; weave wove woven; win won; wind wound; withdraw withdrew withdrawn;
withhold withheld; write wrote written;
axis axes; child children; foot feet; half halves; index indices; man men; matrix matrices;
mouse mice; person people; self selves; shelf shelves; thief thieves; vertex vertices; woman women
`;

const formsOf = new Map<string, readonly string[]>();
for (const line of IRREGULAR.split(';')) {
  const forms = line.trim().split(/\s+/);
  for (const form of forms) formsOf.set(form, forms);
}

/** Returns the other forms of an irregular word in lower case; none for any other. */
function otherForms(word: string): readonly string[] {
  return formsOf.get(word)?.filter((form) => form !== word) ?? [];
}

/** A phrase in a question, and the words that code may have for it. */
interface Phrase {
  readonly text: string;
  readonly words: readonly string[];
}

/** The longest phrase of the table, in words. */
const MAX_PHRASE = 4;
const WORDS = /[\p{L}\p{N}'-]+/gu;

// Written from general knowledge of English and of programs, without any question or code base at hand. A question looks
// up a few dozen of some ten thousand: the others are never more than text.
const { words, phrases } = openTexts();
/** By their first two letters. */
const read = new Map<string, Stemmed[]>();

interface Stemmed extends Phrase {
  readonly stems: string;
}

function openTexts(): { readonly words: SortedLines; readonly phrases: SortedLines } {
  const packed = packedTable('thesaurus');
  const text = packed ? unpackThesaurus(packed) : thesaurusTextOf(readTable());
  return { words: new SortedLines(text.words), phrases: new SortedLines(text.phrases) };
}

function readTable(): Readonly<Record<string, string>> {
  const file = new URL('../../../data/thesaurus.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
}

/** Returns what code may say for a word in lower case. */
function meaningsOf(word: string): readonly string[] {
  const [line] = words.beginningWith(`${word}\t`);
  return line === undefined || saysNothing(word) ? [] : line.slice(word.length + 1).split(' ');
}

/** Returns the phrases in a text in lower case, the longest at each place. */
function spokenPhrases(text: string): Phrase[] {
  const stems = stemsOf(text);
  const found = new Map<string, Phrase>();
  stems.forEach((_, at) => {
    for (let size = Math.min(MAX_PHRASE, stems.length - at); size > 1; size--) {
      const phrase = phraseOf(stems.slice(at, at + size).join(' '));
      if (!phrase) continue;
      found.set(phrase.text, phrase);
      break;
    }
  });
  return [...found.values()];
}

/** Returns the stems of all words, also of those that are no search terms. */
function stemsOf(text: string): string[] {
  return (text.match(WORDS) ?? []).map(stem);
}

function phraseOf(stems: string): Phrase | undefined {
  const beginning = stems.slice(0, 2);
  const known = read.get(beginning) ?? phrases.beginningWith(beginning).map(stemmed);
  read.set(beginning, known);
  const phrase = known.findLast((one) => one.stems === stems);
  return phrase === undefined || phrase.text.split(' ').every(saysNothing) ? undefined : phrase;
}

function stemmed(line: string): Stemmed {
  const [text = '', meaning = ''] = line.split('\t');
  return { text, words: meaning.split(' '), stems: stemsOf(text).join(' ') };
}

/** Tells whether a question has a word only because it is one. */
function saysNothing(word: string): boolean {
  return STOP_WORDS.has(word) || isAsking(word);
}
