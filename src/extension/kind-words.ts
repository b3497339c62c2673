import * as vscode from 'vscode';
import { type KindWords, UNKNOWN_WORDS } from '../core/kind/kind-face.ts';
import { faceOf, type Kinds } from '../engine/kind/kinds.ts';

/** A text of a kind's face in the user's language. `scripts/manifest.mjs` collects those of the built-in kinds. */
export const translated: (text: string, ...args: (string | number)[]) => string = vscode.l10n.t;

/** The terms of a search's kind. */
export function wordsOf(kinds: Kinds, { file }: { readonly file?: { readonly kind: string } | undefined }): KindWords {
  return (file && faceOf(kinds, file.kind)?.words) ?? UNKNOWN_WORDS;
}
