import { indexWorkspace } from '../../src/text/index/workspace-indexes.ts';
import { PassageRanker } from '../../src/text/rank/passage-ranker.ts';
import { conceptsOf } from '../../src/text/words/concept.ts';

/** A question with its answer: the files that are right, and the lines that decide, such as `lib/a.js:3-5`. */
export interface Asked {
  readonly question: string;
  readonly files: readonly string[];
  readonly lines: readonly string[];
}

/** A question as the learner sees it: the features of its candidates, and which of them are right. */
export interface Example {
  readonly base: string;
  readonly features: readonly Float64Array[];
  /** By candidate: 1 for the passage with the lines that decide, less for others of its file, 0 for wrong ones. */
  readonly worth: readonly number[];
  /** By candidate. */
  readonly paths: readonly string[];
  readonly files: readonly string[];
}

/** The right file in the wrong place is worth something: a topic counts with its file. */
const SAME_FILE = 0.3;

/** Asks the questions of one code base, and takes down what ranking sees of their candidates. */
export async function examplesOf(base: string, folder: string, questions: readonly Asked[]): Promise<Example[]> {
  const index = await indexWorkspace(folder);
  const ranker = new PassageRanker(index.passages, index);
  return questions.map(({ question, files, lines }) => {
    const { looked } = ranker.look(conceptsOf(question), question);
    const decisive = lines.map(placeOf);
    return {
      base,
      files,
      features: looked.map(({ features }) => features),
      paths: looked.map(({ passage }) => passage.file.path),
      worth: looked.map(({ passage: { file, start, end, inner } }) => {
        const isExact = decisive.some(
          ({ path, from, to }) =>
            path === file.path &&
            from <= end &&
            to >= start &&
            !inner.some(([first, last]) => from >= first && to <= last),
        );
        return isExact ? 1 : files.includes(file.path) ? SAME_FILE : 0;
      }),
    };
  });
}

/** A place such as `lib/a.js:3-5`; lines count from 0. */
function placeOf(text: string): { path: string; from: number; to: number } {
  const match = /^(.+):(\d+)(?:-(\d+))?$/.exec(text);
  if (!match) throw new Error(`not a place: ${text}`);
  const [, path = '', from = '', to = from] = match;
  return { path, from: Number(from) - 1, to: Number(to) - 1 };
}
