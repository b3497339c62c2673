import { join } from 'node:path';
import type * as vscode from 'vscode';

/** The folder of the launcher for other programs; it is there once somebody copied a configuration. */
export function launcherFolder({ globalStorageUri }: Pick<vscode.ExtensionContext, 'globalStorageUri'>): string {
  return join(globalStorageUri.fsPath, 'mcp');
}
