import { optionsSchema } from '../../core/kind/option-schema.ts';
import type { Kind } from '../../engine/kind/kind.ts';
import { workGraphFormats } from './exchange/work-graph-formats.ts';
import { workGraphFace } from './face.ts';
import { workGraphForecast } from './forecast.ts';
import { givenPlan } from './plan/given-plan.ts';
import { rolesOf } from './roles/roles-of.ts';
import { systemText } from './roles/system-text.ts';
import { BeganWithout } from './run/began-without.ts';
import { openWorkGraph } from './run/open-work-graph.ts';
import { documentAgain } from './run/tree/node-document.ts';
import { OwnFields } from './run/tree/own-fields.ts';
import { workStatus } from './status/status-of.ts';

/** "Reach a goal": a graph of atoms, each worked on apart from the others, until what was agreed on before holds. */
export const workGraph: Kind = {
  face: workGraphFace,
  options: optionsSchema(workGraphFace.options),
  own: OwnFields,
  begin: ({ options }) => ({ options }),
  planFrom: givenPlan,
  statusOf: workStatus,
  forecast: workGraphForecast,
  formats: workGraphFormats,
  system: systemText,
  folds: () => [new BeganWithout()],
  documentAgain: async (node) => documentAgain(node),
  open: (ctx) => openWorkGraph(ctx, rolesOf(ctx)),
};
