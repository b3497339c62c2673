import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import type { FollowedSearch } from '../library/followed-search.ts';
import { saveFile } from '../workspace/save-file.ts';

/** Asks where a drawing is to be saved, and says where it is then. */
export async function savePicture(search: Pick<FollowedSearch, 'folder' | 'workspace'>, svg: string): Promise<void> {
  const defaultUri = vscode.Uri.file(join(search.workspace, `${basename(search.folder)}.svg`));
  const uri = await vscode.window.showSaveDialog({ defaultUri, filters: { SVG: ['svg'] } });
  if (!uri) return;
  await saveFile(uri, Buffer.from(svg, 'utf8'));
  void tellSaved(uri);
}

async function tellSaved(uri: vscode.Uri): Promise<void> {
  const open = vscode.l10n.t('Open');
  const said = vscode.l10n.t('Saved {0}.', basename(uri.fsPath));
  if ((await vscode.window.showInformationMessage(said, open)) === open)
    await vscode.commands.executeCommand('vscode.open', uri);
}
