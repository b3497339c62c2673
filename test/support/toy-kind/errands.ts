import * as z from 'zod';
import { optionsSchema } from '../../../src/core/kind/option-schema.ts';
import type { Kind } from '../../../src/engine/kind/kind.ts';
import type { Kinds } from '../../../src/engine/kind/kinds.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { ERRAND_ACTIONS } from './errands-actions.ts';
import { errandsFace } from './errands-face.ts';
import { errandDocument, errandExecutors, errandOffers, Hours } from './errands-offers.ts';
import { ErrandsStrategy } from './errands-strategy.ts';

const errands: Kind = {
  face: errandsFace,
  options: optionsSchema(errandsFace.options),
  own: z.object({ hours: Hours }),
  begin: ({ options }) => ({ options }),
  forecast: { parts: () => [], purposes: {}, ofNode: [] },
  documentAgain: async (node, { answers }) => errandDocument(node, answers.at(-1)),
  open: (ctx) => ({
    strategy: new ErrandsStrategy(),
    executors: errandExecutors(ctx),
    offers: errandOffers(ctx),
    actions: ERRAND_ACTIONS,
    writeReport: async () => {
      const { root } = ctx.tree;
      const done = root.children.map(({ title, summary }) => `- ${title}: ${summary ?? 'see below it'}`);
      await ctx.store.writeReport(`# ${root.title}\n\n${done.join('\n')}\n`);
    },
  }),
};

/** The kinds that ship, and one whose work is done from outside. */
export const WITH_ERRANDS: Kinds = [...KINDS, { face: errandsFace, load: async () => errands }];
