import type { Model } from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { noModelCalled } from '../messages.ts';
import { isFreeModel } from './choose-model.ts';

/** A model that is never called: changing a search at rest only needs its name. */
export function silentModel(name: string): Model {
  return {
    name,
    label: name,
    free: isFreeModel(name),
    isSilent: true,
    generate: () => Promise.reject(new ThoughtTreeError('internal', noModelCalled(), { charged: false })),
  };
}
