import { ThoughtTreeError, toThoughtTreeError } from '../core/search/errors.ts';
import { saysReading, USUAL_READ } from '../core/search/reading.ts';
import { FORMAT_VERSION, type SearchFile } from '../core/search/search-file.ts';
import { LONGEST_NOW } from '../core/tree/slug.ts';
import type { Asked } from '../engine/kind/kind.ts';
import { optionsOf } from '../engine/kind/kind-options.ts';
import { type Kinds, loadKind } from '../engine/kind/kinds.ts';

/** The choices from which a new search is created. */
export interface NewSearch extends Asked {
  readonly kind: string;
  readonly title: string;
  readonly model: string;
}

/**
 * search.json of a new search of any kind.
 * @throws ThoughtTreeError `bad-input` if the kind does not exist, or rejects the question or the options
 */
export async function newSearch(kinds: Kinds, asked: NewSearch): Promise<SearchFile> {
  const { kind: name, title, prompt, model } = asked;
  const kind = await loadKind(kinds, { kind: name });
  // Said in the file, since searches from before say nothing and mean less.
  const whole = saysReading(asked.options) ? asked : { ...asked, options: { read: USUAL_READ, ...asked.options } };
  const { strategy, options } = kind.begin({ ...whole, options: checked(kind, whole) });
  const createdAt = new Date().toISOString();
  return {
    version: FORMAT_VERSION,
    kind: name,
    title,
    prompt,
    strategy,
    model,
    options,
    createdAt,
    longestName: LONGEST_NOW,
  };
}

function checked(kind: Parameters<typeof optionsOf>[0], asked: Asked): SearchFile['options'] {
  try {
    return optionsOf(kind, asked);
  } catch (error) {
    throw new ThoughtTreeError('bad-input', toThoughtTreeError(error).say, { cause: error });
  }
}
