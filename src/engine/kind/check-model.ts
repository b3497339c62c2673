import { plain } from '../../core/messages/message.ts';
import type { Model } from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { KindFace } from '../../core/search/kind-face.ts';
import { proseNeeded } from '../messages.ts';

/** @throws ThoughtTreeError `bad-input` if the model does not support what searches of this kind need */
export function checkModel(
  { needsProse, words }: Pick<KindFace, 'needsProse' | 'words'>,
  model: Pick<Model, 'label' | 'prose'>,
): void {
  if (needsProse && model.prose === false)
    throw new ThoughtTreeError('bad-input', proseNeeded({ model: model.label, nodes: plain(words.nodes) }));
}
