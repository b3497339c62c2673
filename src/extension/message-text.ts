import * as vscode from 'vscode';
import { messageOf } from '../core/messages/kept.ts';
import { type Message, type Translation, textOf } from '../core/messages/message.ts';

/** A message in the editor's language; in English if there is no translation. */
export function messageText(message: Message): string {
  return textOf(message, editorTranslation());
}

/** The editor's language; undefined for English. */
export function editorTranslation(): Translation | undefined {
  const texts = vscode.l10n.bundle;
  return texts && { language: vscode.env.language, texts };
}

/** Returns a message from disk in the editor's language; without data for a translation, in English. */
export function keptText(english: string, say: unknown): string {
  return messageText(messageOf(english, say));
}
