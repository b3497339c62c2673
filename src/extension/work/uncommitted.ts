import { relative } from 'node:path';
import * as vscode from 'vscode';
import { oneLine } from '../../core/text/text.ts';

/** How many paths a question names. */
const MOST_NAMED = 8;

interface GitChange {
  readonly uri: vscode.Uri;
}

/** As much of the editor's own git extension as is asked. */
interface GitApi {
  getRepository(uri: vscode.Uri): {
    status(): Promise<void>;
    readonly state: {
      readonly indexChanges: readonly GitChange[];
      readonly workingTreeChanges: readonly GitChange[];
      readonly mergeChanges: readonly GitChange[];
      readonly untrackedChanges?: readonly GitChange[];
    };
  } | null;
}

/** What is not committed in a folder, as the editor knows it; nothing where it knows no repository. */
export async function uncommittedIn(folder: vscode.Uri, searches: string): Promise<string[]> {
  const git = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
  try {
    const repository = (await git?.activate())?.getAPI(1).getRepository(folder);
    if (!repository) return [];
    await repository.status();
    const { indexChanges, workingTreeChanges, mergeChanges, untrackedChanges = [] } = repository.state;
    const changes = [...indexChanges, ...workingTreeChanges, ...mergeChanges, ...untrackedChanges];
    const paths = changes.map(({ uri }) => relative(folder.fsPath, uri.fsPath).replaceAll('\\', '/'));
    const isOurs = (path: string): boolean => path === searches || path.startsWith(`${searches}/`);
    return [...new Set(paths)].filter((path) => !path.startsWith('..') && !isOurs(path)).sort();
  } catch {
    return []; // the plan names them, too
  }
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
