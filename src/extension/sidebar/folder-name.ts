import { basename } from 'node:path';
import * as vscode from 'vscode';

/** Returns what a person calls one of the workspace's folders. */
export function folderName(path: string): string {
  return vscode.workspace.workspaceFolders?.find(({ uri }) => uri.fsPath === path)?.name ?? basename(path);
}
