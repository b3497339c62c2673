import * as vscode from 'vscode';
import type { Message } from '../../core/messages/message.ts';
import type { Sent } from '../../searches/reading.ts';
import { messageText } from '../message-text.ts';

const told = new Set<string>();

/** Says, once a window for each model and folder, what of the workspace goes to whom, with the way to change it. */
export async function tellSent(sent: Sent | undefined): Promise<void> {
  if (!sent) return;
  const text = messageText(sent.text);
  if (told.has(text)) return;
  told.add(text);
  const change = vscode.l10n.t('Change…');
  if ((await vscode.window.showInformationMessage(text, change)) === change)
    await vscode.commands.executeCommand('workbench.action.openSettings', 'thoughtTree.modelsMayRead');
}

/** Asks whether models may see files of a folder that holds more than what a search is about. */
export async function agreesToRead(why: Message): Promise<boolean> {
  const yes = vscode.l10n.t('Let Models See It');
  const question = vscode.l10n.t('{0} May models see its files?', messageText(why));
  return (await vscode.window.showWarningMessage(question, { modal: true }, yes)) === yes;
}
