import * as vscode from 'vscode';
import { toThoughtTreeError } from '../core/search/errors.ts';
import { messageText } from './message-text.ts';
import { withoutLinks } from './without-links.ts';

/** Shows an error to the person. */
export function tellError(error: unknown, log: vscode.LogOutputChannel): void {
  const { say, reason } = toThoughtTreeError(error);
  if (reason === 'internal') log.error(error instanceof Error ? error : String(error));
  void vscode.window.showErrorMessage(withoutLinks(messageText(say)));
}
