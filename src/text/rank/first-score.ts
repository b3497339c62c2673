import type { Passage } from '../cut/passage.ts';
import type { FileStanding } from './file-standing.ts';
import type { QuestionMatches } from './question-matches.ts';
import type { TermTable } from './term-table.ts';

/** The number of passages and chunks that count towards their file. */
const BEST_OF_FILE = 4;
const PASSAGE_SHARE = 0.5;
const FILE_SHARE = 0.25;
const CHUNK_SHARE = 0.25;
const STANDING: Record<FileStanding, number> = {
  code: 1,
  docs: 0.6,
  config: 0.5,
  test: 0.4,
  example: 0.4,
  declaration: 0.4,
  twin: 0.3,
};

/** The factor of files that are not asked for; a guess by the question's words, so that code stays in the running. */
const NOT_ASKED = 0.7;

/** A cheap score of every passage, which chooses those worth a second look. All from 0 to 1 for the best. */
export interface FirstScores {
  /** By passage. */
  readonly first: Float32Array;
  /** By passage: of its own words alone. */
  readonly own: Float32Array;
  /** By chunk. */
  readonly chunk: Float32Array;
  /** By file: its best passages, and its best chunks. */
  readonly byPassages: Float32Array;
  readonly byChunks: Float32Array;
}

/** Scores by the words of a passage, of the lines around it, and of its file. */
export function firstScores(
  table: TermTable,
  passages: readonly Passage[],
  matches: QuestionMatches,
  asked: ReadonlySet<FileStanding>,
): FirstScores {
  const own = new Float32Array(passages.length);
  for (const id of matches.touched) {
    const standing = table.files[table.fileOf[id] ?? 0]?.standing ?? 'code';
    const covered = matches.coverage.of(matches.inPassage[id] ?? 0);
    own[id] = (matches.whole[id] ?? 0) * (0.5 + 0.5 * covered) * standingFactor(standing, asked);
  }
  const chunk = matches.chunkScore.map((score, at) => score * (0.5 + 0.5 * shareOf(matches.inChunk[at] ?? 0, matches)));
  const ofFile: number[][] = table.files.map(() => []);
  for (const id of matches.touched) ofFile[table.fileOf[id] ?? 0]?.push(own[id] ?? 0);
  const byPassages = Float32Array.from(ofFile, sumOfBest);
  const byChunks = Float32Array.from(table.files, ({ chunks: [from, to] }) => sumOfBest([...chunk.subarray(from, to)]));
  for (const scores of [own, chunk, byPassages, byChunks]) normalize(scores);
  const first = new Float32Array(passages.length);
  for (const id of matches.touched) {
    const passage = passages[id];
    const file = table.fileOf[id] ?? 0;
    if (!passage) continue;
    first[id] =
      PASSAGE_SHARE * (own[id] ?? 0) +
      FILE_SHARE * (byPassages[file] ?? 0) +
      CHUNK_SHARE * bestChunk(table, passage, chunk);
  }
  return { first, own, chunk, byPassages, byChunks };
}

/** The best score of the chunks that a passage's lines are in. */
export function bestChunk(table: TermTable, passage: Passage, scores: Float32Array): number {
  const [from, to] = table.chunksOf(passage) ?? [0, -1];
  let best = 0;
  for (let at = from; at <= to; at++) best = Math.max(best, scores[at] ?? 0);
  return best;
}

/** Code answers, unless the question asks for something else: then that does. */
function standingFactor(standing: FileStanding, asked: ReadonlySet<FileStanding>): number {
  if (asked.has(standing)) return 1;
  return STANDING[standing] * (asked.size > 0 ? NOT_ASKED : 1);
}

/** Returns the share of the question's words that are there, whatever they tell. */
function shareOf(concepts: number, { present }: QuestionMatches): number {
  let count = 0;
  for (let rest = concepts; rest !== 0; rest &= rest - 1) count++;
  return count / Math.max(1, present.length);
}

function sumOfBest(scores: number[]): number {
  return scores
    .sort((a, b) => b - a)
    .slice(0, BEST_OF_FILE)
    .reduce((sum, score) => sum + score, 0);
}

function normalize(scores: Float32Array): void {
  let most = 0;
  for (const score of scores) most = Math.max(most, score);
  if (most > 0)
    scores.forEach((score, at) => {
      scores[at] = score / most;
    });
}
