import { foreign } from '../../core/messages/message.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { optionsSchema } from '../../core/search/option-schema.ts';
import type { Kind } from '../../engine/kind/kind.ts';
import { workGraphFormats } from './exchange/work-graph-formats.ts';
import { workGraphFace } from './face.ts';
import { workGraphForecast } from './forecast.ts';
import { givenPlan } from './plan/given-plan.ts';
import { OwnFields } from './run/own-fields.ts';

/** "Reach a goal": a graph of atoms, each worked on apart from the others, until what was agreed on before holds. */
export const workGraph: Kind = {
  face: workGraphFace,
  options: optionsSchema(workGraphFace.options),
  own: OwnFields,
  begin: ({ options }) => ({ options }),
  planFrom: givenPlan,
  forecast: workGraphForecast,
  formats: workGraphFormats,
  open: () => {
    throw new ThoughtTreeError('bad-input', foreign({ text: 'not built yet' }));
  },
};
