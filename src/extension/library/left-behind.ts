import type * as vscode from 'vscode';

/** Where a workspace remembers the folders of the searches that its window runs. */
export const RUNNING = 'running';

/** The folders of the searches that ran when the window was closed or reloaded. */
export function leftBehind(memory: vscode.Memento): string[] {
  return [memory.get<unknown>(RUNNING, [])].flat().filter((folder) => typeof folder === 'string');
}
