import type { Model } from '../core/ports/model.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import type { Kind } from '../engine/kind.ts';
import { research } from './research/research.ts';
import { thoughts } from './thoughts/thoughts.ts';

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['research', research],
  ['thoughts', thoughts],
]);

/** @throws ThoughtTreeError `bad-input` where this version knows no such kind */
export function kindOf({ kind }: Pick<SearchFile, 'kind'>): Kind {
  const found = KINDS.get(kind);
  if (found) return found;
  const known = [...KINDS.keys()].map((name) => `"${name}"`).join(' and ');
  throw new ThoughtTreeError('bad-input', `This version knows no searches of kind "${kind}", only ${known}.`);
}

/** @throws ThoughtTreeError `bad-input` where the model cannot do what searches of this kind ask of it */
export function checkModel(file: Pick<SearchFile, 'kind'>, model: Pick<Model, 'label' | 'prose'>): void {
  if (kindOf(file).needsProse && model.prose === false)
    throw new ThoughtTreeError(
      'bad-input',
      `${model.label} quotes the workspace's own text and writes nothing of its own, so it can neither propose thoughts nor judge them. Name a language model for this kind of search.`,
    );
}
