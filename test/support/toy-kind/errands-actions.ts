import * as z from 'zod';
import { counted } from '../../../src/core/messages/message.ts';
import { isPruned, pathOf, walk } from '../../../src/core/tree/tree.ts';
import type { Action, Actions } from '../../../src/engine/context.ts';
import { OFFERING } from '../../../src/engine-parts/offers/offering-actions.ts';
import { placeErrands } from './errands-offers.ts';

const ProposeArgs = z.object({ titles: z.array(z.string().min(1).max(200)).min(1).max(20) });
const Proposed = z.object({ paths: z.array(z.string()) });
const proposed = counted('toy.proposed', '1 errand is proposed.', '{count:number} errands are proposed.');

const propose: Action<z.infer<typeof ProposeArgs>, z.infer<typeof Proposed>> = {
  args: ProposeArgs,
  result: Proposed,
  async run({ ctx, node, by }, { titles }) {
    const children = await ctx.nodes.add(node, placeErrands(node, titles), 'list-last', { by });
    if (node.status === 'leaf') await ctx.nodes.change(node, { status: 'expanded', leafReason: null }, { by });
    return { paths: children.map(pathOf) };
  },
  say: ({ paths }) => proposed({ count: paths.length }),
};

const Tally = z.object({ done: z.number(), open: z.number(), hours: z.number() });
const open = counted('toy.open', '1 errand is open.', '{count:number} errands are open.');

const tally: Action<object, z.infer<typeof Tally>> = {
  args: z.object({}),
  result: Tally,
  async run({ node }) {
    const below = [...walk(node)].filter((each) => each.parent && !isPruned(each));
    const done = below.filter(({ status }) => status === 'leaf' || status === 'expanded').length;
    const hours = below.reduce((sum, { file }) => sum + Number(file?.own?.['hours'] ?? 0), 0);
    return { done, open: below.length - done, hours };
  },
  say: (result) => open({ count: result.open }),
};

/** What carries them out. */
export const ERRAND_ACTIONS: Actions = { ...OFFERING, propose, tally } as Actions;
