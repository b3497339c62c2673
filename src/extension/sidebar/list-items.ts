import * as vscode from 'vscode';
import type { KindGroups } from '../../core/search/kind-drawing.ts';
import { translated } from '../kind-words.ts';
import { elementId, type GroupElement, type MoreElement } from './tree-element.ts';

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

/** The last row of a long list. */
export function moreItem(element: MoreElement): vscode.TreeItem {
  const left = element.total - element.shown;
  const item = new vscode.TreeItem(vscode.l10n.t('Show {0} More…', Math.min(PAGE, left)));
  item.id = elementId(element);
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = { command: 'thoughtTree.showMore', title: item.label as string, arguments: [element] };
  return item;
}
