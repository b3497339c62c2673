import * as vscode from 'vscode';
import { answerProblems } from '../core/offers/verdict.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../core/search/errors.ts';
import { oneLine } from '../core/text/text.ts';
import { messageText, withoutLinks } from './message-text.ts';
import { inSearch } from './messages.ts';

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

/** Returns an error that says which search it is about. */
export function aboutSearch(error: unknown, title: string): unknown {
  const { reason, say, details } = toThoughtTreeError(error);
  const name = oneLine(title, 100);
  if (reason === 'internal' || say.text.includes(`"${name}"`)) return error;
  return new ThoughtTreeError(reason, inSearch({ title: name, said: say }), details);
}

/** Tells what was done to a search in the status bar, where it goes by itself. */
export function tellBriefly(title: string, text: string): void {
  vscode.window.setStatusBarMessage(oneLine(`"${oneLine(title, 60)}": ${text}`, 250), 5000);
}
