import MiniSearch from 'minisearch';
import type { Passage } from '../cut/passage.ts';
import type { Concept } from '../words/concept.ts';
import { splitWords } from '../words/split-words.ts';
import { termOf, termsOf } from '../words/terms.ts';
import type { FolderWords } from './first-pass/folder-words.ts';

/** What was found in one passage. */
interface Hit {
  readonly passage: Passage;
  /** Larger is better; comparable only within one question. */
  readonly score: number;
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
  /** Whether any file has the concept's own word. */
  readonly present: readonly boolean[];
}

interface Entry {
  readonly id: number;
  readonly name: string;
  readonly place: string;
  readonly text: string;
}

// A symbol's name says more about it than what it mentions; its path says a little. Length counts for less than in prose
// (`b`): a long function is long because it does much, and questions are about what is done.
const OPTIONS = { boost: { name: 2.5, place: 1.2, text: 1 }, bm25: { k: 1.2, b: 0.4, d: 0.5 } };
/** How many passages count towards their file. */
const BEST_OF_FILE = 4;
/** Found passages are remembered for many topics at a time; those after these matter to none. */
const MAX_HITS = 2000;
const SYNONYM_WEIGHT = 0.35;

/** BM25+ over the passages of a workspace. */
export class PassageSearch {
  readonly #index = new MiniSearch<Entry>({
    fields: ['name', 'place', 'text'],
    tokenize: (text) => text.split(' '),
    processTerm: (term) => term || null,
  });
  readonly #passages: readonly Passage[];
  readonly #words: Pick<FolderWords, 'present'>;

  /** @param words of all files of the workspace, also of those whose passages are not at hand */
  constructor(passages: readonly Passage[], words: Pick<FolderWords, 'present'>) {
    this.#passages = passages;
    this.#words = words;
    for (const passage of passages) this.#index.add(entryOf(passage));
  }

  /** Ranks the passages that match anything of the question. */
  search(concepts: readonly Concept[]): Found {
    const scores = new Map<number, { score: number; concepts: Set<number> }>();
    const present = concepts.map(
      ({ term }) => this.#index.search(term, OPTIONS).length > 0 || this.#words.present(term),
    );
    const weights = concepts.map((concept, place) => {
      const results = this.#resultsOf(concept);
      for (const [id, score] of results) {
        const one = scores.get(id) ?? { score: 0, concepts: new Set() };
        one.score += score;
        one.concepts.add(place);
        scores.set(id, one);
      }
      return results.size === 0 ? 0 : Math.log(1 + this.#passages.length / results.size);
    });
    const all = weights.reduce((sum, weight) => sum + weight, 0);
    const hits: Hit[] = [];
    for (const [id, { score, concepts: found }] of scores) {
      const passage = this.#passages[id];
      if (!passage) continue;
      let covered = 0;
      for (const place of found) covered += weights[place] ?? 0;
      hits.push({ passage, score: score * (0.5 + (0.5 * covered) / all) * factorOf(passage), concepts: found });
    }
    const ranked = withContext(hits)
      .sort((a, b) => b.score - a.score || a.passage.id - b.passage.id)
      .slice(0, MAX_HITS);
    return { hits: ranked, byPassage: new Map(ranked.map((hit) => [hit.passage.id, hit])), weights, present };
  }

  /** The passages with a concept, by its best-scoring word: two names for one thing are not two things. */
  #resultsOf({ term, synonyms }: Concept): Map<number, number> {
    const best = new Map<number, number>();
    for (const word of [term, ...synonyms]) {
      const weight = word === term ? 1 : SYNONYM_WEIGHT;
      for (const { id, score } of this.#index.search(word, OPTIONS))
        best.set(id, Math.max(best.get(id) ?? 0, score * weight));
    }
    return best;
  }
}

/** A passage in a file that covers more of the question is more likely to be right. */
function withContext(hits: readonly Hit[]): Hit[] {
  const best = new Map<string, number[]>();
  for (const { passage, score } of hits) {
    const scores = best.get(passage.file.path);
    if (scores) scores.push(score);
    else best.set(passage.file.path, [score]);
  }
  const whole = new Map<string, number>();
  let most = 0;
  for (const [path, scores] of best) {
    scores.sort((a, b) => b - a);
    const sum = scores.slice(0, BEST_OF_FILE).reduce((total, score) => total + score, 0);
    whole.set(path, sum);
    most = Math.max(most, sum);
  }
  return hits.map((hit) => ({
    ...hit,
    score: hit.score * (0.5 + (0.5 * (whole.get(hit.passage.file.path) ?? 0)) / most),
  }));
}

function factorOf({ kind, file }: Passage): number {
  if (/\.d\.[cm]?ts$|\.pyi$/.test(file.path)) return 0.5; // declares things without saying what they do
  if (/^(bench|benchmarks?|examples?|demos?|samples?)\//.test(file.path)) return 0.6;
  if (kind === 'rest') return 0.55;
  return kind === 'constant' || kind === 'type' ? 0.8 : 1;
}

function entryOf(passage: Passage): Entry {
  const { file, inner } = passage;
  const text: string[] = [];
  let next = passage.start;
  for (const [from, to] of [...inner, [passage.end + 1, passage.end]] as const) {
    if (from > next) text.push(...termsOf(file.lines.slice(next, from).join('\n')));
    next = Math.max(next, to + 1);
  }
  const folder = file.path.replace(/\.[^./]+$/, '');
  const owner = passage.identifier === undefined ? '' : passage.name.slice(0, -passage.identifier.length);
  return {
    id: passage.id,
    name: nameTerms(passage.identifier ?? (passage.kind === 'rest' ? '' : passage.name)).join(' '),
    place: termsOf(`${folder} ${owner}`).join(' '),
    text: text.join(' '),
  };
}

/** A name's terms and the name as one word: a question about `resetTimeout` means exactly that. */
function nameTerms(name: string): string[] {
  const words = splitWords(name);
  const whole = words.length > 1 && words.length < 6 ? termOf(words.join('')) : undefined;
  return [...termsOf(name), ...(whole === undefined ? [] : [whole])];
}
