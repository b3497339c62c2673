import { relative } from 'node:path';
import * as vscode from 'vscode';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { noLongerThere } from '../messages.ts';
import { settingsFor } from '../settings.ts';

/** As much of a search as tells where its documents are. */
interface Searched {
  readonly folder: string;
  readonly workspace: string;
}

/**
 * Opens the editor's own search on our documents, which is otherwise kept out of them. It begins with what is selected.
 * @param search the one whose documents are searched; by default those of all
 */
export async function findInDocuments(search?: Searched): Promise<void> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const places = search ? [placeOf(search, folders)] : folders.map((folder) => inFolder(folder, folders));
  await vscode.commands.executeCommand('workbench.action.findInFiles', {
    query: selectedText(),
    filesToInclude: [...new Set(places)].map((place) => `${place}/**/*.md`).join(', '),
    // Files that the engine keeps for itself, such as earlier versions.
    filesToExclude: '**/.search',
    useExcludeSettingsAndIgnoreFiles: false,
    showIncludesExcludes: true,
    triggerSearch: true,
  });
}

/**
 * Finds text in the documents of one search.
 * @throws ThoughtTreeError `not-found` if it is gone: the documents of all others were not asked for
 */
export async function findInSearch(
  library: { search(folder: string): Searched | undefined },
  folder: string,
): Promise<void> {
  const search = library.search(folder);
  if (!search) throw new ThoughtTreeError('not-found', noLongerThere({ path: folder }));
  await findInDocuments(search);
}

/** The selected line in a text editor; empty if there is none. */
function selectedText(): string {
  const { document, selection } = vscode.window.activeTextEditor ?? {};
  return document && selection?.isSingleLine ? document.getText(selection) : '';
}

function inFolder(folder: vscode.WorkspaceFolder, all: readonly vscode.WorkspaceFolder[]): string {
  return below(folder, settingsFor(folder.uri).folder, all);
}

function placeOf({ folder, workspace }: Searched, all: readonly vscode.WorkspaceFolder[]): string {
  const root = all.find(({ uri }) => uri.fsPath === workspace);
  const path = relative(workspace, folder).replaceAll('\\', '/');
  return root ? below(root, path, all) : literal(folder.replaceAll('\\', '/'));
}

/** Where there are several folders, a place begins with the name of one. */
function below({ name }: vscode.WorkspaceFolder, path: string, all: readonly vscode.WorkspaceFolder[]): string {
  return `./${literal(all.length > 1 ? `${name}/${path}` : path)}`;
}

/** A path that means only itself where globs, separated by commas, are expected. */
function literal(path: string): string {
  return path.replaceAll(/[*?[\]{},]/g, '?');
}
