import type { GraphSearch } from '../../src/protocol/graph-node.ts';
import type { PanelCommand } from '../../src/protocol/view-message.ts';
import { l10n } from './l10n.ts';
import { isCutOff, type ViewNode } from './tree-model.ts';

/** Something that can be done with a node now. */
export interface NodeAction {
  readonly command: PanelCommand;
  readonly label: string;
  readonly key?: string;
}

/**
 * What can be done with a node, as the sidebar offers it too.
 * @param hasDocument where that is known; else its status tells
 */
export function actionsFor(node: ViewNode, search: GraphSearch, hasDocument = false): NodeAction[] {
  if (!node.parent) return actionsOnSearch(search);
  const { status } = node.data;
  const actions: NodeAction[] = [];
  const add = (when: boolean, action: NodeAction): void => void (when && actions.push(action));
  const isLive = !isCutOff(node) || status === 'pruned';
  const isWritten = hasDocument || status === 'expanded' || status === 'leaf';
  const isOpen = status === 'unexpanded' || status === 'leaf';
  add(isLive && isOpen && search.isTrusted, {
    command: 'expand',
    label: l10n.t('Expand next'),
    key: l10n.t('Ctrl+Enter'),
  });
  add(isLive && status === 'failed' && search.isTrusted, { command: 'retry', label: l10n.t('Retry') });
  add(isLive && status !== 'pruned', { command: 'prune', label: l10n.t('Prune branch'), key: l10n.t('Delete') });
  add(isLive && status === 'pruned', { command: 'restore', label: l10n.t('Restore branch') });
  add(isLive && status !== 'pruned', { command: 'addChild', label: l10n.t('Add topic…') });
  add(isLive, { command: 'note', label: l10n.t('Add note…') });
  const isRewritable = isLive && (status === 'expanded' || status === 'leaf');
  add(isRewritable && search.isTrusted, { command: 'redo', label: l10n.t('Write document anew') });
  add(isWritten, { command: 'openDocument', label: l10n.t('Open document') });
  actions.push({ command: 'reveal', label: l10n.t('Reveal in sidebar') });
  return actions;
}

/** What can be done with a search as a whole. */
export function actionsOnSearch(search: GraphSearch): NodeAction[] {
  const actions: NodeAction[] = [];
  const add = (when: boolean, action: NodeAction): void => void (when && actions.push(action));
  const isActive = search.state === 'running' || search.state === 'waiting';
  add(isActive, { command: 'pause', label: l10n.t('Pause') });
  add(isActive, { command: 'pauseNow', label: l10n.t('Pause now') });
  add(!isActive && search.isResumable && search.isTrusted, { command: 'resume', label: l10n.t('Resume') });
  add(search.state !== 'finished' && search.isTrusted, { command: 'finish', label: l10n.t('Finish now') });
  add(search.isTrusted, { command: 'grow', label: l10n.t('Go further…') });
  add(search.hasReport, { command: 'openReport', label: l10n.t('Open report') });
  add(true, { command: 'addChild', label: l10n.t('Add topic…') });
  add(true, { command: 'note', label: l10n.t('Add note…') });
  add(true, { command: 'reveal', label: l10n.t('Reveal in sidebar') });
  return actions;
}
