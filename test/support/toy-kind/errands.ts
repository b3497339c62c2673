import * as z from 'zod';
import { USUAL_DEPTH } from '../../../src/core/search/limits.ts';
import { optionsSchema } from '../../../src/core/search/search-file.ts';
import { type Kind, type Kinds, PLAIN_RUN } from '../../../src/engine/kind.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { ERRAND_ACTIONS } from './errands-actions.ts';
import { errandsDescriptor } from './errands-descriptor.ts';
import { errandDocument, errandExecutors, errandOffers, Hours } from './errands-offers.ts';
import { ErrandsStrategy } from './errands-strategy.ts';

const errands: Kind = {
  descriptor: errandsDescriptor,
  options: optionsSchema(errandsDescriptor.options),
  own: z.object({ hours: Hours }),
  begin: ({ options }) => ({ options }),
  usualDepth: () => USUAL_DEPTH,
  system: () => '',
  folds: () => [],
  formats: [],
  forecast: { parts: () => [], purposes: {}, ofNode: [] },
  documentAgain: async (node, { answers }) => errandDocument(node, answers.at(-1)),
  extras: {},
  open: (ctx) => ({
    ...PLAIN_RUN,
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
export const WITH_ERRANDS: Kinds = [...KINDS, { descriptor: errandsDescriptor, load: async () => errands }];
