import * as vscode from 'vscode';

/**
 * The language of documents in which a question is written: by it the editor knows where to offer *Start Tree Search*, also
 * after a reload of the window, which keeps what was written there as it keeps every unsaved document.
 */
const QUESTION_LANGUAGE = 'thoughtTreeQuestion';

/** Shows the editor for a question of several lines, with what was typed so far. */
export async function openQuestionEditor(content: string): Promise<void> {
  const open = vscode.workspace.textDocuments.find(
    (each) => each.languageId === QUESTION_LANGUAGE && !each.isClosed && each.getText().trim() === content.trim(),
  );
  const document = open ?? (await vscode.workspace.openTextDocument({ language: QUESTION_LANGUAGE, content }));
  const { end } = document.lineAt(document.lineCount - 1).range;
  // Set as it opens: what is typed at once goes on where the person was.
  await vscode.window.showTextDocument(document, { preview: false, selection: new vscode.Range(end, end) });
}

/** Tells what is written in editors for questions: they can be closed without saving. */
export function whenWritten(tell: (question: string) => void): vscode.Disposable {
  return vscode.workspace.onDidChangeTextDocument(({ document }) => {
    // Closing one empties it.
    if (document.languageId === QUESTION_LANGUAGE && document.getText() !== '') tell(document.getText());
  });
}

/** Says above the first line what the editor is for, and begins from there. */
export function offerStart(): vscode.Disposable {
  const command = {
    title: `$(play) ${vscode.l10n.t('Start Tree Search with this question')}`,
    command: 'thoughtTree.startWritten',
  };
  const provideCodeLenses = (): vscode.CodeLens[] => [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command)];
  return vscode.languages.registerCodeLensProvider({ language: QUESTION_LANGUAGE }, { provideCodeLenses });
}

/** The question in the editor that the person is in; undefined if it is another one. */
export function writtenQuestion(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === QUESTION_LANGUAGE ? document : undefined;
}

/** Closes the editor of a question that is a search now; what was written is its prompt. */
export async function closeQuestion(document: vscode.TextDocument): Promise<void> {
  if (document.isClosed || !document.isUntitled) return;
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
}
