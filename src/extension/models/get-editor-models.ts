import * as vscode from 'vscode';

/** The editor's own commands that lead to models of its own, the most direct one first: which exist depends on its version. */
const WAYS: readonly (readonly [command: string, ...args: unknown[]])[] = [
  ['workbench.action.chat.triggerSetup'],
  ['workbench.action.chat.manage'],
  ['workbench.extensions.search', 'GitHub.copilot-chat'],
];

/** Shows how the editor gets models of its own. */
export async function getEditorModels(): Promise<void> {
  const known = new Set(await vscode.commands.getCommands(true));
  const way = WAYS.find(([command]) => known.has(command));
  if (way) await vscode.commands.executeCommand(...way);
}
