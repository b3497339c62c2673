import type { Model } from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { noModelCalled } from '../messages.ts';
import { isFreeModel } from './choose-model.ts';

/** Stands in for a search's model where none is called: steering a search that rests needs its name alone. */
export function silentModel(name: string): Model {
  return {
    name,
    label: name,
    free: isFreeModel(name),
    generate: () => Promise.reject(new ThoughtTreeError('internal', noModelCalled(), { charged: false })),
  };
}
