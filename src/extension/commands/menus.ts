import * as vscode from 'vscode';
import { type ActionDescriptor, maySpend } from '../../core/actions/action-descriptor.ts';
import { oneLine } from '../../core/text/text.ts';
import { lineageOf, nodeAt, pathOf, type Tree, type TreeNode } from '../../core/tree/tree.ts';
import { type AvailableActions, titleFor } from '../actions/available-actions.ts';
import { COMMON_ACTIONS } from '../actions/editor-actions.ts';
import { figures, leftWords } from '../figures.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import { translated } from '../message-text.ts';
import {
  type Arrangement,
  arrangeSearches,
  GROUP_BY,
  type GroupBy,
  type ListOrder,
  ONLY_BY,
  SORT_BY,
  type SortBy,
} from '../sidebar/arrange-searches.ts';
import { searchesTitle, standingText } from '../sidebar/search-item.ts';
import { urgent } from '../sidebar/status-bar.ts';
import { guardWords } from '../start/sizes.ts';
import type { SearchTarget } from './command-table.ts';

/** The functions from which lists are made. Loaded with the first list: most commands need none. */
export const menus = { pickSearch, searchItem, pickNode, pickBelow, showSearchMenu, showRare, arrange };

interface MenuParts {
  readonly available: AvailableActions;
  readonly actions: {
    run(name: string, target: SearchTarget): Promise<void>;
    act(search: FollowedSearch, path: string, name: string): Promise<void>;
    learnNeed(search: FollowedSearch): Promise<void>;
  };
}

const ICONS: Readonly<Record<string, string>> = {
  pause: 'debug-pause',
  pauseNow: 'debug-stop',
  raise: 'arrow-up',
  resume: 'debug-continue',
  resumeWith: 'chip',
  finish: 'checklist',
  openReport: 'book',
  report: 'refresh',
  retry: 'refresh',
  grow: 'expand-all',
};
/** In this order: what the search waits for comes first. */
const IN_MENU = Object.keys(ICONS);

interface SearchItem extends vscode.QuickPickItem {
  readonly search: FollowedSearch;
}

/** Returns one of several searches, by its question; the first one is chosen by Enter. */
async function pickSearch(searches: readonly FollowedSearch[], title: string): Promise<FollowedSearch | undefined> {
  const items = searches.map(searchItem);
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.search;
}

function searchItem(search: FollowedSearch): SearchItem {
  const state = standingText(search);
  const folders = vscode.workspace.workspaceFolders ?? [];
  const root = folders.length > 1 ? folders.find(({ uri }) => uri.fsPath === search.workspace) : undefined;
  return {
    label: oneLine(search.title, 200),
    description: [state, ...(root ? [root.name] : [])].join(' · '),
    search,
  };
}

/** Returns one of several nodes of a search, by its title, with the titles above it. */
async function pickNode(
  search: FollowedSearch,
  paths: readonly string[],
  question: string,
): Promise<string | undefined> {
  const tree = await search.tree().catch(() => undefined);
  const items = paths.map((path) => ({ ...nodeLabel(tree, path), path }));
  const title = `${oneLine(search.title, 100)}: ${question}`;
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.path;
}

function nodeLabel(tree: Tree | undefined, path: string): { label: string; description?: string } {
  const node = tree && nodeAt(tree, path);
  if (!node) return { label: path };
  const above = lineageOf(node).slice(0, -1);
  const titles = above.map(({ title }) => oneLine(title, 60));
  return { label: oneLine(node.title, 200), ...(titles.length > 0 && { description: titles.join(' › ') }) };
}

/** The number of open nodes that are proposed, and that are listed at most. */
const PROPOSED = 3;
const MOST_BELOW = 100;

/**
 * Returns those open nodes in a branch that the person picks, the best scores first; undefined if they cancel or there is none.
 * What one took so far is the price that is said.
 */
async function pickBelow(search: FollowedSearch, path: string): Promise<string[] | undefined> {
  const tree = await search.tree();
  const top = nodeAt(tree, path);
  const open = top ? openBelow(top).sort((a, b) => scoreOf(b) - scoreOf(a)) : [];
  const title = vscode.l10n.t('Expand below "{0}"', oneLine(top?.title ?? search.title, 80));
  const items = open.slice(0, MOST_BELOW).map((node, index) => {
    const { label, description = '' } = nodeLabel(tree, pathOf(node));
    const said = node.evaluation ? `${figures.score(node.evaluation.score)} · ${description}` : description;
    return { label, description: said, path: pathOf(node), picked: index < PROPOSED };
  });
  if (items.length === 0) {
    const nothing = vscode.l10n.t('Nothing in this branch is open. Add something below it, or redo it.');
    return void vscode.window.showInformationMessage(nothing);
  }
  const worked = Math.max(1, search.count('expanded') + search.count('leaf'));
  const { calls, usd, usdComplete } = search.record.spend;
  const each = [guardWords('calls', Number((calls / worked).toFixed(1)))];
  if (usd > 0 && usdComplete) each.push(figures.usd(usd / worked));
  const placeHolder = vscode.l10n.t('What comes next? So far, one took {0}.', each.join(', '));
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder, canPickMany: true });
  return picked?.map((item) => item.path);
}

function openBelow(node: TreeNode): TreeNode[] {
  return node.children
    .filter(({ status, sameAs }) => status !== 'pruned' && sameAs === undefined)
    .flatMap((child) => [...(child.status === 'unexpanded' ? [child] : []), ...openBelow(child)]);
}

function scoreOf({ evaluation }: TreeNode): number {
  return evaluation?.score ?? 0;
}

interface MenuItem extends vscode.QuickPickItem {
  readonly run?: () => PromiseLike<unknown>;
}

/**
 * Shows what can be done now, for one search. Of several, it asks first which one is meant.
 * @param named the ones that are meant; by default what the status bar shows
 */
async function showSearchMenu(
  parts: MenuParts,
  named: readonly FollowedSearch[] | undefined,
  all: readonly FollowedSearch[],
): Promise<void> {
  const shown = named ?? urgent(all);
  const search = shown.length > 1 ? await pickSearch(shown, vscode.l10n.t('Which search?')) : shown[0];
  if (!search && shown.length > 0) return;
  if (search) await parts.actions.learnNeed(search);
  const others = all.filter((each) => each !== search);
  const again: MenuItem[] =
    search && others.length > 0
      ? [item('list-tree', vscode.l10n.t('Another Search…'), () => showSearchMenu(parts, [...others], [...all]))]
      : [];
  const items: MenuItem[] = [
    ...(search ? actionItems(parts, search) : []),
    ...again,
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    item('add', vscode.l10n.t('Start Tree Search'), () => vscode.commands.executeCommand('thoughtTree.start')),
    item('output', vscode.l10n.t('Show Log'), () => vscode.commands.executeCommand('thoughtTree.showLog')),
  ];
  const forecast = search?.forecast?.();
  const placeHolder = forecast ? { placeHolder: leftWords(forecast.left) } : {};
  const title = search ? oneLine(search.title, 100) : 'Thought Tree';
  const picked = await vscode.window.showQuickPick(items, { title, ...placeHolder });
  await picked?.run?.();
}

function actionItems({ available, actions }: MenuParts, search: FollowedSearch): MenuItem[] {
  const { folder } = search;
  const isAllowed = (descriptor: ActionDescriptor): boolean => vscode.workspace.isTrusted || !maySpend(descriptor);
  const can = available
    .onSearch(search)
    .filter((descriptor) => (IN_MENU.includes(descriptor.name) || isOfKind(descriptor)) && isAllowed(descriptor));
  const inOrder = can.toSorted((a, b) => placeIn(a) - placeIn(b));
  const ofActions = inOrder.map((descriptor) =>
    item(ICONS[descriptor.name] ?? 'circle', titleFor(descriptor, search), () =>
      actions.run(descriptor.name, { folder }),
    ),
  );
  const open = (): PromiseLike<unknown> =>
    vscode.commands.executeCommand('thoughtTree.openGraph', { folder, path: '' });
  return [...ofActions, item('type-hierarchy', vscode.l10n.t('Open Thought Tree'), open)];
}

/** Tells whether only searches of its kind have it, as *Review changes*: the palette leaves it to rows and to this menu. */
function isOfKind({ name, isRare, isForClients }: ActionDescriptor): boolean {
  return !isRare && !isForClients && !Object.hasOwn(COMMON_ACTIONS, name);
}

/** Those of its kind come before the report. */
function placeIn({ name }: ActionDescriptor): number {
  return IN_MENU.includes(name) ? IN_MENU.indexOf(name) : IN_MENU.indexOf('openReport') - 0.5;
}

/** *More…*: what can be done with a search or a node and is needed seldom; what a row shows is not in it. */
async function showRare({ available, actions }: MenuParts, search: FollowedSearch, path: string): Promise<void> {
  const isAllowed = (descriptor: ActionDescriptor): boolean => vscode.workspace.isTrusted || !maySpend(descriptor);
  const can = (await available.at(search, path)).filter((each) => each.isRare && isAllowed(each));
  const items = can.map((descriptor) => ({
    label: titleFor(descriptor, search),
    detail: translated(descriptor.help),
    run: () => actions.act(search, path, descriptor.name),
  }));
  const picked = await vscode.window.showQuickPick(items, { title: oneLine(search.title, 100) });
  await picked?.run();
}

function item(icon: string, label: string, run: () => PromiseLike<unknown>): MenuItem {
  return { label: `$(${icon}) ${label}`, run };
}

interface ArrangeItem extends vscode.QuickPickItem {
  readonly by?: Partial<Arrangement>;
}

/** *Filter, Group and Sort…*: one change of the list of searches, with a check at what applies now. */
async function arrange(
  order: Pick<ListOrder, 'now' | 'set'>,
  searches: readonly FollowedSearch[],
  available: AvailableActions,
): Promise<void> {
  const { groupBy, sortBy, only } = order.now;
  const groups: Readonly<Record<GroupBy, string>> = {
    none: vscode.l10n.t('No groups'),
    status: vscode.l10n.t('By status'),
    kind: vscode.l10n.t('By kind'),
    date: vscode.l10n.t('By date'),
    folder: vscode.l10n.t('By folder'),
  };
  const sorts: Readonly<Record<SortBy, string>> = {
    date: vscode.l10n.t('Newest first'),
    title: vscode.l10n.t('By title'),
    status: vscode.l10n.t('By status'),
  };
  const checked = (is: boolean): string => (is ? '$(check) ' : '$(blank) ');
  const separator = (label: string): ArrangeItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const some = ONLY_BY.flatMap((by) =>
    arrangeSearches(searches, { groupBy: by, sortBy }).map(({ name, searches: { length } }): ArrangeItem => {
      const isChosen = only?.by === by && only.name === name;
      const label = checked(isChosen) + searchesTitle(name, available);
      return { label, description: String(length), by: { only: { by, name } } };
    }),
  );
  const items: ArrangeItem[] = [
    separator(vscode.l10n.t('Shown')),
    { label: checked(!only) + vscode.l10n.t('Every search'), by: { only: undefined } },
    ...some,
    separator(vscode.l10n.t('Groups')),
    ...GROUP_BY.map((each) => ({ label: checked(each === groupBy) + groups[each], by: { groupBy: each } })),
    separator(vscode.l10n.t('Order')),
    ...SORT_BY.map((each) => ({ label: checked(each === sortBy) + sorts[each], by: { sortBy: each } })),
  ];
  const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Filter, Group and Sort') });
  if (picked?.by) await order.set(picked.by);
}
