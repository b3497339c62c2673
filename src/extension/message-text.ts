import * as vscode from 'vscode';
import { type KindTerms, UNKNOWN_TERMS } from '../core/kind/kind-descriptor.ts';
import { type Message, messageOf, type Translation, textOf } from '../core/messages/message.ts';
import { descriptorOf, type Kinds } from '../engine/kind.ts';

/** Returns a message in the editor's language; in English if there is no translation. */
export function messageText(message: Message): string {
  return textOf(message, editorTranslation());
}

/** Returns the editor's language; undefined for English. */
export function editorTranslation(): Translation | undefined {
  const texts = vscode.l10n.bundle;
  return texts && { language: vscode.env.language, texts };
}

/** Returns a message from disk in the editor's language; without data for a translation, in English. */
export function keptText(english: string, say: unknown): string {
  return messageText(messageOf(english, say));
}

/**
 * Text of a model, a server or a file made safe for a notification: the editor turns `[text](address)` into a link there,
 * and an address can be a command.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}

/** A text of a kind's descriptor in the user's language. `scripts/manifest.mjs` collects those of the built-in kinds. */
export const translated: (text: string, ...args: (string | number)[]) => string = vscode.l10n.t;

/** Returns the terms of a search's kind. */
export function wordsOf(kinds: Kinds, { file }: { readonly file?: { readonly kind: string } | undefined }): KindTerms {
  return (file && descriptorOf(kinds, file.kind)?.words) ?? UNKNOWN_TERMS;
}
