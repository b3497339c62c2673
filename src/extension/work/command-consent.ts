import * as vscode from 'vscode';
import type { Message } from '../../core/messages/message.ts';
import { oneLine } from '../../core/text/text.ts';
import { shownLine } from '../../work/shown.ts';
import { messageText } from '../message-text.ts';
import { withoutLinks } from '../without-links.ts';

/** How many command lines a dialog can show, and their letters together; more are shown in a document first. */
const MOST_LINES = 12;
const MOST_LETTERS = 2000;

/**
 * Asks a person whether exactly these command lines may run for a search. What they agreed to is remembered by whoever
 * asks, outside of the search's folder.
 * @param title the search's, since several may ask
 * @param says what holds the commands, and what does not
 */
export async function askForCommands(
  title: string,
  lines: readonly string[],
  says: readonly Message[] = [],
): Promise<boolean> {
  const name = oneLine(title, 100);
  const held = says.map(messageText).join(' ');
  const exact = lines.map(shownLine);
  const question =
    exact.length === 1
      ? vscode.l10n.t('"{0}" wants to run a command. May it?', name)
      : vscode.l10n.t('"{0}" wants to run {1} commands. May it?', name, exact.length);
  const run = exact.length === 1 ? vscode.l10n.t('Run It') : vscode.l10n.t('Run Them');
  const whole = exact.join('\n');
  if (exact.length <= MOST_LINES && whole.length <= MOST_LETTERS)
    return await ask(question, [whole, held].filter(Boolean).join('\n\n'), run);
  const document = await vscode.workspace.openTextDocument({ content: `${whole}\n`, language: 'shellscript' });
  await vscode.window.showTextDocument(document, { preview: true });
  // A modal dialog would keep the person from scrolling through what they are asked about.
  const text = withoutLinks([question, held].filter(Boolean).join(' '));
  return (await vscode.window.showWarningMessage(text, run, vscode.l10n.t('Not Now'))) === run;
}

async function ask(question: string, detail: string, run: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, run)) === run;
}
