import type { SourceFile } from '../files/source-file.ts';
import type { LineWeights } from '../index/line-weights.ts';
import type { WorkspaceIndex } from '../index/workspace-index.ts';
import { signsOf } from './line-signs.ts';

/** How much of a line's words its neighbours have a share in, by their distance; a thing is said over several lines. */
const PP: any = { n1: 0.5, n2: 0.3, n3: 0.15, c: 0.5, d: 1.4, any: 0.04, s: 0.5, sa: 0.1, ...JSON.parse(process.env.PP ?? '{}') };
const NEAR = [1, PP.n1, PP.n2, PP.n3] as const;
/** Words of a comment speak of the code below it. */
const COMMENT = PP.c;
/** Conditions, limits, throws and returns decide; what only declares or passes on does not. */
const DECIDES =
  /^\s*(?:\}?\s*(?:else\s+)?(?:if|elif|switch|match|case|while|unless|when|guard|assert)\b|return\b|throw\b|raise\b|panic\(|yield\b|default:|break\b|continue\b|except\b|catch\b)|[^=]=>?\s*[^=]|[<>]=?\s*[\w(]|[!=]==?\s/;
const DECIDING = PP.d;
/** What any line of code is worth, so that windows grow where nothing speaks against it. */
const ANY = PP.any;

/** What each line of a file is worth for a question: 1 is about a line with its rarest word. Kept for each file. */
export class LineValues {
  readonly #index: WorkspaceIndex;
  readonly #weights: LineWeights;
  readonly #heaviest: number;
  readonly #signs: (line: string) => number;
  readonly #known = new Map<SourceFile, Float64Array>();

  /** @param heaviest the weight of the question's rarest word */
  constructor(index: WorkspaceIndex, weights: LineWeights, heaviest: number, question: string) {
    this.#signs = signsOf(question);
    this.#index = index;
    this.#weights = weights;
    this.#heaviest = Math.max(heaviest, Number.EPSILON);
  }

  of(file: SourceFile, row: number): number {
    let values = this.#known.get(file);
    if (!values) {
      values = this.#valuesOf(file);
      this.#known.set(file, values);
    }
    return values[row] ?? 0;
  }

  #valuesOf(file: SourceFile): Float64Array {
    const { lines } = file;
    const own = Float64Array.from(lines, (line) => this.#weights.ofWords(line) / this.#heaviest);
    return Float64Array.from(lines, (line, row) => {
      if (isEmpty(line) || this.#index.isComment(file, row)) return 0;
      let sum = 0;
      for (let near = -3; near <= 3; near++) {
        const other = row + near;
        const isComment = this.#index.isComment(file, other);
        if (isComment && near > 0) continue;
        sum += (own[other] ?? 0) * (NEAR[Math.abs(near)] ?? 0) * (isComment ? COMMENT : 1);
      }
      const signs = this.#signs(line);
      return ANY + PP.sa * signs + sum * (DECIDES.test(line) ? DECIDING : 1) * (1 + PP.s * signs);
    });
  }
}

function isEmpty(line: string): boolean {
  return /^[\s)\]};,]*$/.test(line);
}
