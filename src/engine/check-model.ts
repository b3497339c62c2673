import type { Model } from '../core/ports/model.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import type { KindFace } from '../core/search/kind-face.ts';

/** @throws ThoughtTreeError `bad-input` where the model cannot do what searches of this kind ask of it */
export function checkModel(
  { needsProse, words }: Pick<KindFace, 'needsProse' | 'words'>,
  model: Pick<Model, 'label' | 'prose'>,
): void {
  if (needsProse && model.prose === false)
    throw new ThoughtTreeError(
      'bad-input',
      `${model.label} quotes the workspace's own text and writes nothing of its own, so it can neither propose ${words.nodes} nor judge them. Name a language model for this kind of search.`,
    );
}
