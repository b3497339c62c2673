import type { Passage } from '../../src/text/chunk/chunk-file.ts';
import type { WorkspaceIndex } from '../../src/text/index/workspace-index.ts';
import { indexWorkspace } from '../../src/text/index/workspace-indexes.ts';
import { PassageRanker } from '../../src/text/rank/passage-search.ts';
import { conceptsOf } from '../../src/text/words/concept.ts';
import { decidingLines, type Question } from '../questions.ts';
import type { MadeUp } from './made-up.ts';
import { withoutComments } from './without-comments.ts';

/** A question as the learner sees it: the features of its candidates, and which of them are right. */
export interface Example {
  readonly base: string;
  /** The files that are right. */
  readonly files: readonly string[];
  readonly candidates: readonly Seen[];
}

/** A candidate. */
interface Seen {
  readonly path: string;
  readonly features: Float64Array;
  /** 1 for the passage that answers, less for others of its file, 0 for wrong ones. */
  readonly worth: number;
}

/** The right file in the wrong place is worth something: a topic counts with its file. */
const SAME_FILE = 0.3;
/** No package may teach more than others. */
const MOST_OF_PACKAGE = 30;
/** Wrong candidates after these teach little, and there are many made-up questions. */
const MOST_MADE_UP = 50;

/** Asks the questions of one code base, and takes down what ranking sees of their candidates. */
export async function examplesOf(base: string, folder: string, questions: readonly Question[]): Promise<Example[]> {
  const rank = looker(await indexWorkspace(folder));
  return questions.map((one) => {
    const deciding = decidingLines(one);
    const isExact = ({ file, start, end, inner }: Passage): boolean =>
      deciding.some(
        (lines) =>
          lines.path === file.path &&
          lines.start - 1 <= end &&
          lines.end - 1 >= start &&
          !inner.some(([first, last]) => lines.start - 1 >= first && lines.end - 1 <= last),
      );
    return { base, files: one.files, candidates: rank(one.question, one.files, isExact) };
  });
}

/** The same for made-up questions, whose answer is a function. */
export async function examplesOfMadeUp({ name: base, folder, triples }: MadeUp): Promise<Example[]> {
  const index = await indexWorkspace(folder);
  withoutComments(index);
  const rank = looker(index);
  const every = Math.ceil(triples.length / MOST_OF_PACKAGE);
  return triples
    .filter((_, place) => place % every === 0)
    .map(({ question, files, name, end }) => {
      const isExact = (passage: Passage): boolean =>
        files.includes(passage.file.path) && passage.name === name && passage.end + 1 === end;
      const candidates = rank(question, files, isExact);
      return { base, files, candidates: candidates.filter(({ worth }, place) => worth > 0 || place < MOST_MADE_UP) };
    });
}

type Look = (question: string, files: readonly string[], isExact: (passage: Passage) => boolean) => Seen[];

function looker(index: WorkspaceIndex): Look {
  const ranker = new PassageRanker(index.passages, index);
  return (question, files, isExact) =>
    ranker.rank(conceptsOf(question), question).reranked.map(({ passage, features }) => ({
      path: passage.file.path,
      features,
      worth: isExact(passage) ? 1 : files.includes(passage.file.path) ? SAME_FILE : 0,
    }));
}
