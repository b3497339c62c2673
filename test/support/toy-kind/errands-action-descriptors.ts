import type { ActionDescriptors } from '../../../src/core/actions/action-descriptor.ts';
import { OFFER_ACTIONS } from '../../../src/core/actions/actions.ts';

/** What can be done with errands, as every host shows it. */
export const ERRAND_DESCRIPTORS: ActionDescriptors = {
  ...OFFER_ACTIONS,
  propose: {
    name: 'propose',
    on: 'both',
    title: 'Propose errands…',
    help: 'propose errands of your own, below one that is done or on the first level',
    args: [{ name: 'titles', type: 'json', required: true, help: 'a list of titles' }],
    waitsForRun: true,
    when: ({ isDivided }, node) => (node ? node.status !== 'pruned' && !node.isCutOff : isDivided),
  },
  tally: {
    name: 'tally',
    on: 'both',
    title: 'Count errands',
    help: 'count the errands of a branch',
    args: [],
    when: () => true,
  },
};
