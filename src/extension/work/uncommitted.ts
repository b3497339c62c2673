import * as vscode from 'vscode';
import { oneLine } from '../../core/text/text.ts';
import { changedPaths } from '../workspace/changed-paths.ts';

const MOST_NAMED = 8;

/** Lists what is not committed in a folder besides its searches; nothing where the editor knows no repository. */
export async function uncommittedIn(folder: vscode.Uri, searches: string): Promise<string[]> {
  const isOurs = (path: string): boolean => path === searches || path.startsWith(`${searches}/`);
  return (await changedPaths(folder)).filter((path) => !isOurs(path));
}

/**
 * Asks whether work begins with what is not committed.
 * @returns undefined if the person cancels
 */
export async function askUncommitted(paths: readonly string[]): Promise<boolean | undefined> {
  if (paths.length === 0) return false;
  const more = paths.length - MOST_NAMED;
  const named = paths.slice(0, MOST_NAMED).map((path) => oneLine(path, 100));
  const list = named.join(', ');
  const detail = more > 0 ? vscode.l10n.t('{0} and {1} more', list, more) : list;
  const items = [
    { label: vscode.l10n.t('At the last commit'), detail: vscode.l10n.t('Without {0}', detail), value: false },
    { label: vscode.l10n.t('With what is not committed, too'), detail: vscode.l10n.t('With {0}', detail), value: true },
  ];
  const title = vscode.l10n.t('Where does the work begin?');
  return (await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true }))?.value;
}
