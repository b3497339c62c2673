import * as vscode from 'vscode';
import { type Message, textOf } from '../core/messages/message.ts';

/** A message in the editor's language; in English where that has no text for it. */
export function messageText(message: Message): string {
  const texts = vscode.l10n.bundle;
  return textOf(message, texts && { language: vscode.env.language, texts });
}
