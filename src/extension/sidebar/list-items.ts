import * as vscode from 'vscode';
import type { KindGroups } from '../../core/kind/kind-drawing.ts';
import type { AvailableActions } from '../actions/available-actions.ts';
import { translated } from '../kind-words.ts';
import type { DATE_GROUPS, STATUS_GROUPS } from './arrange-searches.ts';
import { folderName } from './folder-name.ts';
import { elementId, type GroupElement, type MoreElement, type SearchesElement } from './tree-element.ts';

/** The number of siblings shown at once. */
export const PAGE = 200;

/** A group of nodes as the sidebar shows it. */
export function groupItem({ name, nodes, ...element }: GroupElement, groups: KindGroups | undefined): vscode.TreeItem {
  const { title, icon } = groups?.all.find((each) => each.name === name) ?? { title: name, icon: 'list-unordered' };
  const item = new vscode.TreeItem(translated(title), vscode.TreeItemCollapsibleState.Expanded);
  item.id = elementId({ ...element, name });
  item.description = String(nodes.length);
  item.iconPath = new vscode.ThemeIcon(icon);
  item.contextValue = 'group';
  return item;
}

/** A group of searches as the sidebar shows it. */
export function searchesItem({ searches, ...element }: SearchesElement, available: AvailableActions): vscode.TreeItem {
  const item = new vscode.TreeItem(searchesTitle(element.name, available), vscode.TreeItemCollapsibleState.Expanded);
  item.id = elementId(element);
  item.description = String(searches.length);
  item.contextValue = 'searches';
  return item;
}

/** Groups by status and date have names of ours, others are kinds and folders. */
function searchesTitle(name: string, available: AvailableActions): string {
  const ours: Readonly<Record<string, string>> = {
    running: vscode.l10n.t('Running'),
    resting: vscode.l10n.t('Paused or interrupted'),
    finished: vscode.l10n.t('Finished'),
    unreadable: vscode.l10n.t('Cannot be read'),
    today: vscode.l10n.t('Today'),
    yesterday: vscode.l10n.t('Yesterday'),
    week: vscode.l10n.t('Last 7 days'),
    month: vscode.l10n.t('Last 30 days'),
    earlier: vscode.l10n.t('Earlier'),
    '': vscode.l10n.t('Unknown kind'),
  } satisfies Record<(typeof STATUS_GROUPS)[number] | (typeof DATE_GROUPS)[number] | '', string>;
  const kind = available.titleOf(name);
  return ours[name] ?? (kind === undefined ? folderName(name) : translated(kind));
}

/** The last row of a long list. */
export function moreItem(element: MoreElement): vscode.TreeItem {
  const left = element.total - element.shown;
  const item = new vscode.TreeItem(vscode.l10n.t('Show {0} More…', Math.min(PAGE, left)));
  item.id = elementId(element);
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = { command: 'thoughtTree.showMore', title: item.label as string, arguments: [element] };
  return item;
}
