import * as vscode from 'vscode';
import { type KindWords, UNKNOWN_WORDS } from '../core/search/kind-face.ts';
import { faceOf, type Kinds } from '../engine/kind/kinds.ts';

/** A text of a kind's face in the user's language. `scripts/manifest.mjs` collects those of the kinds that ship. */
export const translated: (text: string, ...args: (string | number)[]) => string = vscode.l10n.t;

/** What the kind of a search calls its things. */
export function wordsOf(kinds: Kinds, { file }: { readonly file?: { readonly kind: string } | undefined }): KindWords {
  return (file && faceOf(kinds, file.kind)?.words) ?? UNKNOWN_WORDS;
}
