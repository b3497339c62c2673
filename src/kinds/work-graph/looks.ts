import type { Look } from '../../core/kind/kind-drawing.ts';
import { type KindMarks, lookOfStatus, type NodeMark, type NodeView } from '../../core/kind/kind-face.ts';
import { type Seen, seenIn } from './seen/unchecked.ts';
import { WORD_TEXTS, WORD_TONES } from './seen/words.ts';

// The looks of atoms in every host: light, as faces are. The content of node.json is unchecked here.

const TEXTS = {
  ...WORD_TEXTS,
  alternative: 'alternative',
  person: 'for a person',
  proposed: 'proposed',
} as const;

/** The word that counts for several items is the first of these that any of them has. */
const WORST_FIRST = ['contradicted', 'uncheckable', 'reported', 'checked', 'verified'] as const;

function wordOf({ evidence }: Seen): (typeof WORST_FIRST)[number] | undefined {
  const words = Array.isArray(evidence) ? evidence.map((each) => (each as { word?: unknown } | null)?.word) : [];
  return WORST_FIRST.find((word) => words.includes(word));
}

/** Work that is not verified yet looks unfinished; what is resolved looks like any finished node. */
export function lookOfAtom(node: NodeView): Look {
  const own = seenIn(node.own);
  if (own.type === 'group' && node.status === 'expanded') return { glyph: 'aside', tone: 'plain' };
  if (node.status === 'unexpanded' && own.work !== undefined) return { glyph: 'aside', tone: 'busy' };
  return lookOfStatus(node);
}

/** The name, and how sure it is that it is done. */
export const atomMarks: KindMarks = {
  texts: Object.values(TEXTS),
  of: (given) => {
    const own = seenIn(given);
    const marks: NodeMark[] = typeof own.name === 'string' ? [{ text: own.name, tone: 'dim' }] : [];
    const word = wordOf(own);
    if (word) marks.push({ text: TEXTS[word], tone: WORD_TONES[word] });
    if (own.by === 'person') marks.push({ text: TEXTS.person, tone: 'busy' });
    if (own.isProposed === true) marks.push({ text: TEXTS.proposed, tone: 'dim' });
    return marks;
  },
};
