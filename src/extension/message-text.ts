import * as vscode from 'vscode';
import { messageOf } from '../core/messages/kept.ts';
import { type Message, textOf } from '../core/messages/message.ts';

/** A message in the editor's language; in English where that has no text for it. */
export function messageText(message: Message): string {
  const texts = vscode.l10n.bundle;
  return textOf(message, texts && { language: vscode.env.language, texts });
}

/** What is kept on disk of a message, in the editor's language; a version of before kept its English text alone. */
export function keptText(english: string, say: unknown): string {
  return messageText(messageOf(english, say));
}
