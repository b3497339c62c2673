import type { Passage } from '../chunk/chunk-file.ts';
import type { FileStanding } from '../files/file-role.ts';
import type { ExactNames, Support } from './evidence.ts';
import type { Match, QuestionMatches } from './question-matches.ts';
import { FIELDS } from './term-table.ts';

/** The features by which a passage is reranked. Each has a weight in `weights.ts`. */
export const FEATURES = [
  // BM25 by where the words stand, as a share of what the question's words can score.
  'inBody',
  'inComment',
  'inSignature',
  'inName',
  'inOwner',
  'inPath',
  'inWhole',
  // Share of the question: by number of words, and by rarity
  'shareOfWords',
  'coverage',
  'coverageOfHead',
  'coverageOfFile',
  'coverageOfPath',
  // Share without synonyms, and by them alone
  'ownWhole',
  'ownCoverage',
  'bySynonyms',
  // Nearness of the words to one another
  'onOneLine',
  'withinFourLines',
  'withinTwelveLines',
  'phrases',
  'phrasesInName',
  // Names.
  'nameIsAsked',
  'namesWritten',
  'fileIsNamed',
  'shareOfName',
  // The place around it.
  'window',
  'windowIsBest',
  'fileByPassages',
  'fileByWindows',
  'fileIsBest',
  'firstInFile',
  'ownerScore',
  'partScore',
  // Support by other passages
  'called',
  'calls',
  'tested',
  'documented',
  'uses',
  // Terms of the code that such questions are usually about
  'expected',
  'expectedOften',
  'expectedInFile',
  // Kind of the passage and its file
  'isAsked',
  'isTest',
  'isDocs',
  'isConfig',
  'isDeclaration',
  'isExample',
  'isTwin',
  'isShape',
  'isClass',
  'isConstant',
  'isBlock',
  'isRest',
  'length',
  'tiny',
  'lengthOfFile',
  // Lines that decide something, and lines of the form that the question asks for.
  'decisions',
  'signs',
] as const;
export type Feature = (typeof FEATURES)[number];
/** Those that tell what a file is. */
export const ROLE_FEATURES: ReadonlySet<Feature> = new Set([
  'isAsked',
  'isTest',
  'isDocs',
  'isConfig',
  'isDeclaration',
  'isExample',
  'isTwin',
]);

/** Those that tell what a passage is. */
export const KIND_FEATURES: ReadonlySet<Feature> = new Set(['isShape', 'isClass', 'isConstant', 'isBlock', 'isRest']);

/** Those that tell how much it says of what such questions are usually about. */
export const CONCERN_FEATURES: ReadonlySet<Feature> = new Set(['expected', 'expectedOften', 'expectedInFile']);

/** A passage and all that was found out about it. */
export interface Candidate {
  readonly passage: Passage;
  readonly standing: FileStanding;
  readonly matches: readonly Match[];
  readonly support: Support;
  readonly uses: number;
  /**
   * See `ExpectedTerms`: by the likely concern that fits best, by those that fit best, and the latter of the best of its
   * file; less where the question's own words are found together.
   */
  readonly expected: number;
  readonly expectedOften: number;
  readonly expectedInFile: number;
  readonly inFile: number;
  readonly window: number;
  readonly windowRank: number;
  readonly fileByPassages: number;
  readonly fileByWindows: number;
  /** From 1; by passages. */
  readonly fileRank: number;
  /** From 1: among the candidates of its file. */
  readonly rankInFile: number;
  /** Which share of the words of its name the question has. */
  readonly shareOfName: number;
  /** The number of its lines that decide something, and of those in a form that the question asks for. */
  readonly decisions: number;
  readonly signs: number;
  readonly ownerScore: number;
  readonly partScore: number;
}

const FIELD_COUNT = FIELDS.length;
const [, , SIGNATURE, NAME, , PATH] = FIELDS.map((_, place) => place);
const STANDING_FEATURE: Partial<Record<FileStanding, Feature>> = {
  test: 'isTest',
  docs: 'isDocs',
  config: 'isConfig',
  declaration: 'isDeclaration',
  example: 'isExample',
  twin: 'isTwin',
};
const SHAPE =
  /^\s*(?:export\s+|pub(?:\([^)]*\))?\s+|declare\s+|public\s+|abstract\s+|default\s+)*(?:interface|trait|enum|type|protocol)\b/;

/** Returns the features of one passage for one question, in the order of `FEATURES`. */
export function featuresOf(
  one: Candidate,
  question: QuestionMatches,
  names: ExactNames,
  asked: ReadonlySet<FileStanding>,
): Float64Array {
  const { passage, matches, standing, support } = one;
  const total = question.coverage.total || 1;
  const field = (place: number): number => (question.byField[passage.id * FIELD_COUNT + place] ?? 0) / total;
  const inPassage = question.inPassage[passage.id] ?? 0;
  const ownInPassage = question.ownInPassage[passage.id] ?? 0;
  const text = matches.filter((match) => match.field < (NAME ?? 0));
  const inName = matches.filter((match) => match.field === NAME);
  const rows = passage.end - passage.start + 1 - passage.inner.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  const isShaped = isShape(passage);
  const values: Record<Feature, number> = {
    inBody: field(0),
    inComment: field(1),
    inSignature: field(2),
    inName: field(3),
    inOwner: field(4),
    inPath: field(5),
    inWhole: (question.whole[passage.id] ?? 0) / total,
    shareOfWords: count(inPassage) / Math.max(1, question.telling),
    coverage: question.coverage.of(inPassage),
    coverageOfHead: question.coverage.of(bits(matches, SIGNATURE, NAME)),
    coverageOfFile: question.coverage.of(one.inFile),
    coverageOfPath: question.coverage.of(bits(matches, PATH)),
    ownWhole: (question.ownWhole[passage.id] ?? 0) / total,
    ownCoverage: question.coverage.of(ownInPassage),
    bySynonyms: question.coverage.of(inPassage & ~ownInPassage),
    onOneLine: nearness(text, 1, question.idf) / total,
    withinFourLines: nearness(text, 4, question.idf) / total,
    withinTwelveLines: nearness(text, 12, question.idf) / total,
    phrases: phrases(text, question.idf) / total,
    phrasesInName: phrases(inName, question.idf) / total,
    nameIsAsked: Number(names.names(passage)),
    namesWritten: names.shareIn(passage),
    fileIsNamed: Number(names.namesFile(passage.file.path)),
    shareOfName: one.shareOfName,
    window: one.window,
    windowIsBest: 1 / one.windowRank,
    fileByPassages: one.fileByPassages,
    fileByWindows: one.fileByWindows,
    fileIsBest: 1 / one.fileRank,
    firstInFile: 1 / one.rankInFile,
    ownerScore: one.ownerScore,
    partScore: one.partScore,
    called: support.called,
    calls: support.calls,
    tested: support.tested,
    documented: support.documented,
    uses: Math.log2(1 + one.uses),
    expected: one.expected,
    expectedOften: one.expectedOften,
    expectedInFile: one.expectedInFile,
    isAsked: 0,
    isTest: 0,
    isDocs: 0,
    isConfig: 0,
    isDeclaration: 0,
    isExample: 0,
    isTwin: 0,
    isShape: Number(isShaped),
    isClass: Number(passage.kind === 'class' && !isShaped),
    isConstant: Number(passage.kind === 'constant'),
    isBlock: Number(passage.kind === 'block'),
    isRest: Number(passage.kind === 'rest'),
    length: Math.log2(1 + rows),
    tiny: Number(rows < 4),
    lengthOfFile: Math.log2(1 + passage.file.lines.length),
    decisions: Math.log2(1 + one.decisions),
    signs: Math.log2(1 + one.signs),
  };
  const role = asked.has(standing) ? 'isAsked' : STANDING_FEATURE[standing];
  if (role) values[role] = 1;
  const features = new Float64Array(FEATURES.length);
  for (let at = 0; at < features.length; at++) features[at] = values[FEATURES[at] as Feature];
  return features;
}

/** Interfaces and types say what things look like, and rarely what is done. */
export function isShape({ kind, file, head }: Passage): boolean {
  if (kind === 'type') return true;
  return kind === 'class' && SHAPE.test(file.lines[head] ?? '') && !/\bstruct\b/.test(file.lines[head] ?? '');
}

function bits(matches: readonly Match[], ...fields: (number | undefined)[]): number {
  let all = 0;
  for (const { field, concept } of matches) if (fields.includes(field)) all |= 1 << concept;
  return all;
}

function count(concepts: number): number {
  let sum = 0;
  for (let rest = concepts; rest !== 0; rest &= rest - 1) sum++;
  return sum;
}

/** The most that any run of so many lines has of the question, by rarity; in reading order. */
function nearness(matches: readonly Match[], lines: number, idf: Float64Array): number {
  let best = 0;
  const strengths = new Float64Array(idf.length);
  for (let first = 0; first < matches.length; first++) {
    const start = matches[first]?.row ?? 0;
    if (first > 0 && matches[first - 1]?.row === start) continue;
    strengths.fill(0);
    let sum = 0;
    for (let at = first; at < matches.length; at++) {
      const match = matches[at];
      if (!match || match.row >= start + lines) break;
      const more = match.strength - (strengths[match.concept] ?? 0);
      if (more <= 0) continue;
      strengths[match.concept] = match.strength;
      sum += more * (idf[match.concept] ?? 0);
    }
    best = Math.max(best, sum);
  }
  return best;
}

/** Neighbours in the question that are neighbours here too, by rarity. */
function phrases(matches: readonly Match[], idf: Float64Array): number {
  const best = new Float64Array(idf.length);
  for (let at = 0; at < matches.length; at++) {
    const a = matches[at];
    for (let next = at + 1; a && next < matches.length; next++) {
      const b = matches[next];
      if (!b || b.token - a.token > 2) break;
      if (Math.abs(a.concept - b.concept) !== 1) continue;
      const pair = Math.min(a.concept, b.concept);
      const worth =
        (Math.min(a.strength, b.strength) * Math.min(idf[a.concept] ?? 0, idf[b.concept] ?? 0)) /
        Math.max(1, b.token - a.token);
      best[pair] = Math.max(best[pair] ?? 0, worth);
    }
  }
  return best.reduce((sum, worth) => sum + worth, 0);
}
