import * as vscode from 'vscode';
import { SEARCHES } from '../../searches/place.ts';
import { settingsFor } from '../settings.ts';

/** The last folder about which a person was asked in this workspace. */
const ASKED = 'thoughtTree.leavingOutOffered';

/**
 * Offers once to keep a folder of searches with a name of its own out of search and quick open; the usual one is by default.
 * @param workspace the folder that was searched
 * @returns whether it asked
 */
export async function offerLeavingOut(workspace: vscode.Uri, memory: vscode.Memento): Promise<boolean> {
  const { folder } = settingsFor(workspace);
  if (folder === SEARCHES || memory.get(ASKED) === folder || isLeftOut(workspace, folder)) return false;
  await memory.update(ASKED, folder);
  const yes = vscode.l10n.t('Leave It Out');
  const question = vscode.l10n.t('Searches are kept in {0}. Leave it out of search and quick open?', folder);
  const answer = await vscode.window.showInformationMessage(question, yes, vscode.l10n.t('No'));
  if (answer !== yes) return true;
  await exclude(workspace, ['search', 'exclude'], `**/${folder}`);
  await exclude(workspace, ['files', 'exclude'], `**/${folder}/*/.search`);
  await exclude(workspace, ['files', 'watcherExclude'], `**/${folder}/*/.search/**`);
  return true;
}

function isLeftOut(workspace: vscode.Uri, folder: string): boolean {
  const patterns = vscode.workspace.getConfiguration('search', workspace).get<object>('exclude') ?? {};
  return Object.keys(patterns).some((each) => each.replace(/^\*\*\//, '').replace(/\/(?:\*\*)?$/, '') === folder);
}

/** Adds a pattern to a setting in the place where the folder was named. */
async function exclude(workspace: vscode.Uri, [section, key]: [string, string], pattern: string): Promise<void> {
  const config = vscode.workspace.getConfiguration(section, workspace);
  const known = config.inspect<object>(key);
  const named = vscode.workspace.getConfiguration('thoughtTree', workspace).inspect('folder');
  const { Global, Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
  const add = (before: object | undefined, target: vscode.ConfigurationTarget): Thenable<void> =>
    config.update(key, { ...before, [pattern]: true }, target);
  if (named?.workspaceFolderValue !== undefined) await add(known?.workspaceFolderValue, WorkspaceFolder);
  else if (named?.workspaceValue !== undefined) await add(known?.workspaceValue, Workspace);
  else await add(known?.globalValue, Global);
}
