import * as vscode from 'vscode';
import { answerProblems } from '../core/offers/answer-problems.ts';
import { toThoughtTreeError } from '../core/search/errors.ts';
import { messageText } from './message-text.ts';
import { withoutLinks } from './without-links.ts';

/** Shows an error to the person: everything that is wrong, if several answers were refused. */
export function tellError(error: unknown, log: vscode.LogOutputChannel): void {
  const { say, reason, details } = toThoughtTreeError(error);
  if (reason === 'internal') log.error(error instanceof Error ? error : String(error));
  const text = withoutLinks(messageText(say));
  const problems = answerProblems(details.problems).map((each) => withoutLinks(messageText(each)));
  // A notification shows one line: a list needs a dialog.
  if (problems.length === 0) void vscode.window.showErrorMessage(text);
  else void vscode.window.showErrorMessage(text, { modal: true, detail: problems.join('\n') });
}
