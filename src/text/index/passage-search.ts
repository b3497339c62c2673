import type { Passage } from '../cut/passage.ts';
import { withOthersOfFile } from '../rank/file-evidence.ts';
import { fitOf, scoreOf } from '../rank/learnt-score.ts';
import { PassageRanker, type Surroundings } from '../rank/passage-ranker.ts';
import { type Concept, ownTerms } from '../words/concept.ts';
import type { FolderWords } from './first-pass/folder-words.ts';

/** A passage that was found. */
interface Hit {
  readonly passage: Passage;
  /** Larger is better, 1 for the best; comparable only within one question. */
  readonly score: number;
  /** The fit of its words, whatever its file: a test or a document may fit without being an answer. 1 for the best. */
  readonly relevance: number;
  /** The concepts found in it, by their place in the question. */
  readonly concepts: ReadonlySet<number>;
}

/** The result of a question. */
export interface Found {
  /** Best first; ties by path and line. */
  readonly hits: readonly Hit[];
  readonly byPassage: ReadonlyMap<number, Hit>;
  /** The weight of each concept: rarer ones weigh more. 0 if no file has it. */
  readonly weights: readonly number[];
  /** By concept: true if any file has its own word. */
  readonly present: readonly boolean[];
}

/** Found passages are remembered for many topics at a time; those after these matter to none. */
const MAX_HITS = 2000;
/** The distance below the best at which a passage has half its score. */
const HALF = 4;

/** Ranks the passages of a workspace by what was learnt of questions and their answers. */
export class PassageSearch {
  readonly #ranker: PassageRanker;
  readonly #passages: readonly Passage[];
  readonly #words: Pick<FolderWords, 'present'>;

  /** @param words of all files of the workspace, also of those whose passages are not at hand */
  constructor(passages: readonly Passage[], surroundings: Surroundings, words: Pick<FolderWords, 'present'>) {
    this.#passages = passages;
    this.#words = words;
    this.#ranker = new PassageRanker(passages, surroundings);
  }

  /**
   * Ranks the passages that match anything of the question.
   * @param text the question itself, if known: how it writes names, and which kind of file it asks for
   */
  search(concepts: readonly Concept[], text = concepts.map(({ word }) => word).join(' ')): Found {
    const { matches, order, scores, looked } = this.#ranker.look(concepts, text);
    const ranked = looked
      .map(({ passage, features }) => ({ passage, learnt: scoreOf(features), fit: fitOf(features) }))
      .sort(byScore);
    const best = withOthersOfFile(ranked, ({ passage }) => passage.file).sort(byScore);
    const top = best[0]?.learnt ?? 0;
    const placesIn = placesOf();
    const topFit = Math.max(...best.map(({ fit }) => fit));
    const hits: Hit[] = best.map(({ passage, learnt, fit }) => ({
      passage,
      score: shareOf(top - learnt),
      relevance: shareOf(topFit - fit),
      concepts: placesIn(matches.inPassage[passage.id] ?? 0),
    }));
    // Those that got no second look come after all that did.
    const last = hits.at(-1)?.score ?? 0;
    const mostLeft = scores.first[order[looked.length] ?? -1] || 1;
    for (const id of order.slice(looked.length, MAX_HITS)) {
      const passage = this.#passages[id];
      if (!passage) continue;
      const score = (last * (scores.first[id] ?? 0)) / mostLeft;
      hits.push({ passage, score, relevance: score, concepts: placesIn(matches.inPassage[id] ?? 0) });
    }
    return {
      hits,
      byPassage: new Map(hits.map((hit) => [hit.passage.id, hit])),
      weights: [...matches.weights],
      present: concepts.map(
        (concept, place) =>
          (matches.present[place] ?? false) || ownTerms(concept).some((term) => this.#words.present(term)),
      ),
    };
  }
}

/** Larger scores first; ties by path and line. */
function byScore(a: { learnt: number; passage: Passage }, b: { learnt: number; passage: Passage }): number {
  return b.learnt - a.learnt || a.passage.id - b.passage.id;
}

/** Returns the share of the best score that is left some way below it. */
function shareOf(below: number): number {
  return 1 / (1 + below / HALF);
}

/** The places of concepts that are bits of a number: the same set for the same number. */
function placesOf(): (concepts: number) => ReadonlySet<number> {
  const known = new Map<number, ReadonlySet<number>>();
  return (concepts) => {
    let places = known.get(concepts);
    if (!places) {
      places = new Set(Array.from({ length: 32 }, (_, place) => place).filter((place) => (concepts >>> place) & 1));
      known.set(concepts, places);
    }
    return places;
  };
}
