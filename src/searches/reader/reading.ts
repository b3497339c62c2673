import { SearchRecord } from '../../core/search/record/search-record.ts';
import { putToRest, type Tree } from '../../core/tree/tree.ts';
import { TreeRecord } from '../../core/tree/tree-record.ts';
import { reconcile } from '../../engine/reconcile.ts';
import { openTree } from '../../engine-parts/opening/open-tree.ts';
import { Calls, nodeStory } from '../../engine-parts/transcripts/transcript.ts';
import type { SearchReadStore } from '../../store/search-read-store.ts';
import { detailsOf, transcriptAt } from './node-details.ts';

/**
 * The tree as the journal tells it, which takes a small part of the time that its files take: good for a first picture, as
 * changes by hand that nobody has seen yet are not in it.
 * @param isActive whether somebody works on the search, so that nodes really are in progress
 */
async function toldTree(store: SearchReadStore, title: string, isActive: boolean): Promise<Tree> {
  const { told } = await store.readRecord(() => ({ record: new SearchRecord(), told: new TreeRecord(title) }));
  if (!isActive) putToRest(told.tree);
  return told.tree;
}

/** Makes a fold that collects every call of a search. */
function allCalls(): Calls {
  return new Calls();
}

/** Everything needed to read more of a search than its state: a separate bundle, so that lists of searches appear first. */
export const reading = { detailsOf, transcriptAt, openTree, reconcile, toldTree, allCalls, nodeStory };
