import * as vscode from 'vscode';
import type { KindFace, KindWords } from '../core/search/kind-face.ts';
import { faceOf, type Kinds } from '../engine/kinds.ts';

/** A text of a kind's face in the user's language. `scripts/manifest.mjs` collects those of the kinds that ship. */
export const translated: (text: string, ...args: (string | number)[]) => string = vscode.l10n.t;

/** What a search whose kind is not known here calls its things. */
const UNKNOWN: Pick<KindWords, 'addNode' | 'addPrompt' | 'whichNode' | 'notOneNode' | 'beginning' | 'finished'> = {
  addNode: 'Add a node',
  addPrompt: 'What should be looked at?',
  whichNode: 'Which node?',
  notOneNode: 'This can be done with a node, not with a whole search.',
  beginning: 'Looking for the first nodes',
  finished: '"{0}" is finished: {1} nodes.',
};

/** What the kind of a search calls its things. */
export function wordsOf(
  kinds: Kinds,
  { file }: { readonly file?: { readonly kind: string } | undefined },
): KindFace['words'] {
  const words = file && faceOf(kinds, file.kind)?.words;
  return words ?? ({ ...UNKNOWN } as KindFace['words']);
}
