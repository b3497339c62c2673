import { openTree } from '../../engine/nodes/open-tree.ts';
import { reconcile } from '../../engine/nodes/reconcile.ts';
import { detailsOf } from './node-details.ts';
import { exchangeAt } from './node-exchange.ts';

/** What reads more of a search than whether it runs: a bundle of its own, so that lists of searches are there before it. */
export const reading = { detailsOf, exchangeAt, openTree, reconcile };
