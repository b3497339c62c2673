import type { KindFace } from '../../core/kind/kind-face.ts';
import { plain } from '../../core/messages/message.ts';
import type { Model } from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { proseNeeded, tiedToWorkspace } from '../messages.ts';

/** @throws ThoughtTreeError `bad-input` if the model does not support what searches of this kind need */
export function checkModel(
  { needsProse, takesWork, words }: Pick<KindFace, 'needsProse' | 'takesWork' | 'words'>,
  model: Pick<Model, 'label' | 'prose' | 'isTiedToWorkspace'>,
  judge?: Pick<Model, 'label' | 'isTiedToWorkspace'>,
): void {
  if (needsProse && model.prose === false)
    throw new ThoughtTreeError('bad-input', proseNeeded({ model: model.label, nodes: plain(words.nodes) }));
  const tied = takesWork && [model, judge].find((each) => each?.isTiedToWorkspace);
  if (tied) throw new ThoughtTreeError('bad-input', tiedToWorkspace({ model: tied.label }));
}
