import type treeSitter from '@vscode/tree-sitter-wasm';
import type { Node } from './told-apart.ts';

type Parser = InstanceType<typeof treeSitter.Parser>;
type Tree = NonNullable<ReturnType<Parser['parse']>>;
type Query = InstanceType<typeof treeSitter.Query>;

// Some texts take tree-sitter time that grows with the square of their length: behind each of many `/*` it looks for an end
// of the comment up to the end of the text. What it does is counted, and not timed, so that the same text gives the same
// marks on every computer. The bounds are about ten times what 1600 files of the code bases of the evaluation took.

/** Characters that are handed to the parser at a time. What it reads again within them is not counted, so they are few. */
const CHUNK = 256;
/** How often it may read each character of a text: people's code took 4.3 times. */
const MOST_READS = 40;
/** Hundreds of steps, of a parser or of a query, for each character: people's code took 0.014. */
const MOST_STEPS = 0.15;
/**
 * How many pairs of children of errors, for each character. A query looks for what follows a child among all children of the
 * same error: elsewhere they are in a tree, there in one row.
 */
const MOST_PAIRS = 500;
/** What a text may take whatever its length, in characters that it were longer. */
const BASE = 2000;

/** The parser or a query did more than a text of such a length takes. */
class TooMuchWork extends Error {
  constructor() {
    super('too much work');
  }
}

/** The tree of a text, for the caller to delete. @throws if it takes too much work, or no language is set */
export function parseBounded(parser: Parser, text: string): Tree {
  const length = text.length + BASE;
  const steps = new Allowance(MOST_STEPS * length);
  const reads = new Allowance((MOST_READS * length) / CHUNK);
  // A text that ends lets the parser come to its next step at once.
  const read = (index: number): string => (reads.take() ? text.slice(index, index + CHUNK) : '');
  let tree: Tree | null = null;
  try {
    tree = parser.parse(read, null, { progressCallback: () => !steps.take() || reads.isExceeded });
    if (reads.isExceeded || steps.isExceeded) throw new TooMuchWork();
    if (!tree) throw new Error('not parsed');
    return tree;
  } catch (error) {
    tree?.delete();
    throw error;
  } finally {
    // What was stopped would be continued by the next parse.
    parser.reset();
  }
}

/** What a query finds. @param length of the text @throws if it takes too much work */
export function matchesBounded(query: Query, root: Node, length: number): ReturnType<Query['matches']> {
  if (pairsInErrors(root) > MOST_PAIRS * (length + BASE)) throw new TooMuchWork();
  const steps = new Allowance(MOST_STEPS * (length + BASE));
  const matches = query.matches(root, { progressCallback: () => !steps.take() });
  if (steps.isExceeded) throw new TooMuchWork();
  return matches;
}

function pairsInErrors(root: Node): number {
  const errors = root.hasError ? root.descendantsOfType('ERROR') : [];
  return errors.reduce((sum, error) => sum + (error?.childCount ?? 0) ** 2, 0);
}

/** How often something may be done. */
class Allowance {
  #left: number;

  constructor(times: number) {
    this.#left = times;
  }

  get isExceeded(): boolean {
    return this.#left < 0;
  }

  /** Whether it may be done once more. */
  take(): boolean {
    this.#left--;
    return !this.isExceeded;
  }
}
