import * as vscode from 'vscode';
import { type ActionFace, maySpend } from '../../core/actions/action-face.ts';
import type { GraphAction } from '../../protocol/graph-node.ts';
import { titleFor } from '../actions/available-actions.ts';
import type { FollowedSearch } from '../library/followed-search.ts';

/** The panel's own action: from a node in the drawing to its row in the sidebar. */
export const REVEAL = 'reveal';

/** Where they are offered, the node waits for a person. */
const FIRST: ReadonlySet<string> = new Set(['doneByHand', 'doByHand']);

/** Actions as the panel shows them, without those that an untrusted workspace must not have. */
export function panelActions(actions: readonly ActionFace[], search: FollowedSearch): GraphAction[] {
  const { isTrusted } = vscode.workspace;
  const allowed = actions.filter((face) => isTrusted || !maySpend(face));
  const shown = allowed.toSorted((a, b) => Number(FIRST.has(b.name)) - Number(FIRST.has(a.name)));
  return [
    ...shown.map((face) => ({ name: face.name, title: titleFor(face, search) })),
    { name: REVEAL, title: vscode.l10n.t('Reveal in sidebar') },
  ];
}
