import * as vscode from 'vscode';

/** The file in front of the person, as text or rendered. */
export function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom ? input.uri : vscode.window.activeTextEditor?.document.uri;
}

/** When the person turns to a file, as text or rendered. */
export function onDidTurnToFile(turned: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor) turned();
    }),
    vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
      if ([...opened, ...changed].some(({ isActive, input }) => isActive && input instanceof vscode.TabInputCustom))
        turned();
    }),
  );
}
