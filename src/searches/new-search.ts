import type { FindHooks } from '../core/kind/kind-hooks.ts';
import { WORTH_OPTION } from '../core/money/several-models.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../core/search/errors.ts';
import { saysReading, USUAL_READ } from '../core/search/reading.ts';
import { FORMAT_VERSION, type SearchFile } from '../core/search/search-file.ts';
import { LONGEST_NOW } from '../core/tree/slug.ts';
import type { Asked } from '../engine/kind.ts';
import { type Kind, type Kinds, loadKind, optionsOf } from '../engine/kind.ts';
import { sharedBy } from './models/choose-model.ts';
import { earlierWorth } from './trust/search-use.ts';

/** The choices from which a new search is created. */
export interface NewSearch extends Pick<Asked, 'prompt' | 'options'> {
  readonly strategy?: string | undefined;
  readonly findHooks?: FindHooks | undefined;
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
  const { strategy, options } = kind.begin({
    prompt,
    options: { ...checked(kind, whole), ...worthBefore(whole, kind) },
    strategy: asked.strategy,
    findHooks: asked.findHooks,
  });
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

/** Returns what this user's earlier searches tell of the models that share the work: from here on, nothing changes it. */
function worthBefore(asked: Pick<Asked, 'options'>, { descriptor }: Kind): SearchFile['options'] {
  const names = sharedBy(descriptor, asked).map(({ name }) => name);
  const worth = names.length > 0 ? earlierWorth(names) : [];
  return worth.length > 0 ? { [WORTH_OPTION]: JSON.stringify(worth) } : {};
}

function checked(kind: Parameters<typeof optionsOf>[0], asked: NewSearch): SearchFile['options'] {
  try {
    return optionsOf(kind, asked);
  } catch (error) {
    throw new ThoughtTreeError('bad-input', toThoughtTreeError(error).say, { cause: error });
  }
}
