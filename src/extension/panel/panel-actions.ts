import * as vscode from 'vscode';
import { type ActionFace, maySpend } from '../../core/actions/action-face.ts';
import type { GraphAction } from '../../protocol/graph-node.ts';
import { translated } from '../kind-words.ts';

/** The panel's own action: from a node in the drawing to its row in the sidebar. */
export const REVEAL = 'reveal';

/** Actions as the panel shows them, without those that an untrusted workspace must not have. */
export function panelActions(actions: readonly ActionFace[]): GraphAction[] {
  const { isTrusted } = vscode.workspace;
  const shown = actions.filter((face) => isTrusted || !maySpend(face));
  return [
    ...shown.map(({ name, title }) => ({ name, title: translated(title) })),
    { name: REVEAL, title: vscode.l10n.t('Reveal in sidebar') },
  ];
}
