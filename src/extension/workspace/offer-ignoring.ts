import { lstat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { settingsFor } from '../settings.ts';
import { changedPaths } from './changed-paths.ts';
import { ignoreLine } from './ignore-line.ts';
import { saveFile } from './save-file.ts';

/** The key that is set if a person was asked in this workspace. */
const ASKED = 'thoughtTree.ignoreOffered';
/** The key that is set if they never want to be asked again, anywhere. */
const NEVER = 'thoughtTree.neverOfferIgnoring';

/**
 * Offers once to have git ignore the folder of searches, where they are among what is not committed.
 * @param workspace the folder that was searched
 */
export async function offerIgnoring(
  workspace: vscode.Uri,
  { workspaceState, globalState }: Pick<vscode.ExtensionContext, 'workspaceState' | 'globalState'>,
): Promise<void> {
  if (workspaceState.get(ASKED) === true || globalState.get(NEVER) === true || !vscode.workspace.isTrusted) return;
  const { folder } = settingsFor(workspace);
  if (!(await changedPaths(workspace)).some((path) => isIn(path, folder))) return;
  const file = vscode.Uri.joinPath(workspace, '.gitignore');
  // Git follows no link there, and one that a clone brought may lead to any file.
  if (await isLink(file)) return;
  await workspaceState.update(ASKED, true);
  const [add, notNow, never] = [vscode.l10n.t('Add'), vscode.l10n.t('Not Now'), vscode.l10n.t('Never')];
  const question = vscode.l10n.t('Source Control lists the files of your searches. Add {0} to .gitignore?', folder);
  const answer = await vscode.window.showInformationMessage(question, add, notNow, never);
  if (answer === never) await globalState.update(NEVER, true);
  if (answer === add) await ignore(file, folder);
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

async function isLink({ fsPath }: vscode.Uri): Promise<boolean> {
  return await lstat(fsPath).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}

async function ignore(file: vscode.Uri, folder: string): Promise<void> {
  const before = await vscode.workspace.fs.readFile(file).then(undefined, (error: { code?: unknown }) => {
    if (error.code === 'FileNotFound') return new Uint8Array();
    throw error;
  });
  // Whatever else is in it, in whatever encoding, stays as it is.
  const line = new TextEncoder().encode(ignoreLine(new TextDecoder().decode(before), folder));
  if (line.length > 0) await saveFile(file, Uint8Array.from([...before, ...line]));
}
