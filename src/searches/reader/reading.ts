import { openTree } from '../../engine/nodes/open-tree.ts';
import { reconcile } from '../../engine/nodes/reconcile.ts';
import { detailsOf } from './node-details.ts';
import { exchangeAt } from './node-exchange.ts';
import { toldTree } from './told-tree.ts';

/** Everything needed to read more of a search than its state: a separate bundle, so that lists of searches appear first. */
export const reading = { detailsOf, exchangeAt, openTree, reconcile, toldTree };
