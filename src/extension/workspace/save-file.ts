import * as vscode from 'vscode';
import { replaceFile } from '../../store/files/replace-file.ts';

/** Writes a file that a person named, whole or not at all; elsewhere than on this computer's disk, as the editor does it. */
export async function saveFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
  if (uri.scheme === 'file') await replaceFile(uri.fsPath, content);
  else await vscode.workspace.fs.writeFile(uri, content);
}
