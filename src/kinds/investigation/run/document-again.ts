import type { TreeNode } from '../../../core/tree/tree.ts';
import type { KeptAnswers } from '../../../engine/kind/kind.ts';
import { findingsDocument } from './findings.ts';
import { keptCallOf } from './kept-change.ts';
import { ownFieldsOf } from './own-fields.ts';

/** A node's document, made again from the commit that the journal keeps. */
export async function documentAgain(node: TreeNode, { store }: KeptAnswers): Promise<string | undefined> {
  const own = ownFieldsOf(node.file?.own);
  if (!own) return undefined;
  for (const event of (await store.readJournal()).toReversed()) {
    if (event.type !== 'offers-answered') continue;
    for (const { result } of event.answers) {
      const change = keptCallOf(result)?.change;
      const found = change?.do === 'commit' ? change.results.find(({ id }) => id === own.nodeId) : undefined;
      const title = own.title ?? node.file?.title ?? node.title;
      if (found) return findingsDocument({ ...found, title });
    }
  }
  return undefined;
}
