import * as vscode from 'vscode';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { folderNeeded } from '../messages.ts';
import { settingsFor } from '../settings.ts';
import { configurationFor, MCP_CLIENTS } from './mcp-configuration.ts';
import { writeLauncher } from './mcp-launcher.ts';
import { BESIDE_WINDOW } from './server-start.ts';

/** *Copy MCP Configuration*: puts the entry for our server in another program's file into the clipboard. */
export async function copyMcpConfiguration(context: vscode.ExtensionContext): Promise<void> {
  const workspace = await pickFolder();
  if (!workspace) return;
  const items = MCP_CLIENTS.map((client) => ({ label: client.name, description: client.file, client }));
  const title = vscode.l10n.t('Copy MCP Configuration');
  const placeHolder = vscode.l10n.t('Which program is to use the server? Agents of VS Code have it already.');
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder });
  if (!picked) return;
  const { client } = picked;
  const launch = await writeLauncher(context, process.execPath, process.platform);
  const place = {
    workspace: workspace.fsPath,
    folder: settingsFor(workspace).folder,
    more: client.hasExtension ? [BESIDE_WINDOW] : [],
  };
  await vscode.env.clipboard.writeText(configurationFor(client, launch, place));
  const said = vscode.l10n.t(
    'The configuration is in the clipboard: it belongs into {0}. Keys are not part of it.',
    client.file,
  );
  void vscode.window.showInformationMessage(said);
}

async function pickFolder(): Promise<vscode.Uri | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  if (folders.length === 0) throw new ThoughtTreeError('bad-input', folderNeeded());
  if (folders.length === 1) return folders[0]?.uri;
  const placeHolder = vscode.l10n.t('Which folder are the agents to work in?');
  return (await vscode.window.showWorkspaceFolderPick({ placeHolder }))?.uri;
}
