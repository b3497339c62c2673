import * as vscode from 'vscode';
import { type ActionFace, maySpend } from '../../core/actions/action-face.ts';
import { oneLine } from '../../core/text/text.ts';
import { lineageOf, nodeAt, type Tree } from '../../core/tree/tree.ts';
import type { ActionCommands } from '../actions/action-commands.ts';
import { type AvailableActions, titleFor } from '../actions/available-actions.ts';
import { leftWords } from '../forecast-words.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import { standingText } from '../sidebar/search-item.ts';

/** The functions from which lists are made. Loaded with the first list: most commands need none. */
export const menus = { pickSearch, pickNode, showSearchMenu };

interface MenuParts {
  readonly available: AvailableActions;
  readonly actions: Pick<ActionCommands, 'run'>;
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

/** One of several searches, by its question; the first one is chosen by Enter. */
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

/** One of several nodes of a search, by its title, with the titles above it. */
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

interface MenuItem extends vscode.QuickPickItem {
  readonly run?: () => PromiseLike<unknown>;
}

/**
 * Shows what can be done now, for one search. Of several, it asks first which one is meant.
 * @param shown those that are meant, the most urgent one first; empty if there are none
 * @param others whether there are more
 */
async function showSearchMenu(
  parts: MenuParts,
  shown: readonly FollowedSearch[],
  all: readonly FollowedSearch[],
): Promise<void> {
  const search = shown.length > 1 ? await pickSearch(shown, vscode.l10n.t('Which search?')) : shown[0];
  if (!search && shown.length > 0) return;
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
  const isAllowed = (face: ActionFace): boolean => vscode.workspace.isTrusted || !maySpend(face);
  const can = available.onSearch(search).filter((face) => IN_MENU.includes(face.name) && isAllowed(face));
  const inOrder = can.toSorted((a, b) => IN_MENU.indexOf(a.name) - IN_MENU.indexOf(b.name));
  const ofActions = inOrder.map((face) =>
    item(ICONS[face.name] ?? 'circle', titleFor(face, search), () => actions.run(face.name, { folder })),
  );
  const open = (): PromiseLike<unknown> =>
    vscode.commands.executeCommand('thoughtTree.openGraph', { folder, path: '' });
  return [...ofActions, item('type-hierarchy', vscode.l10n.t('Open Thought Tree'), open)];
}

function item(icon: string, label: string, run: () => PromiseLike<unknown>): MenuItem {
  return { label: `$(${icon}) ${label}`, run };
}
