import { type KindMarks, type Look, lookOfStatus, type NodeMark, type NodeView } from '../../core/search/kind-face.ts';

// How atoms look, in every host: light, as faces are. What node.json says is unchecked here.

const TEXTS = {
  reported: 'reported',
  checked: 'checked',
  verified: 'verified',
  contradicted: 'contradicted',
  uncheckable: 'cannot be checked here',
  alternative: 'alternative',
  person: 'for a person',
  proposed: 'proposed',
} as const;

const TONES: Readonly<Record<string, NodeMark['tone']>> = {
  reported: 'plain',
  checked: 'plain',
  verified: 'good',
  contradicted: 'bad',
  uncheckable: 'busy',
};
/** The word that counts for several items is the first of these that any of them has. */
const WORST_FIRST = ['contradicted', 'uncheckable', 'reported', 'checked', 'verified'] as const;

interface Own {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly evidence?: unknown;
  readonly by?: unknown;
  readonly isProposed?: unknown;
  readonly work?: unknown;
}

function ownOf(own: unknown): Own {
  return typeof own === 'object' && own !== null ? own : {};
}

function wordOf({ evidence }: Own): (typeof WORST_FIRST)[number] | undefined {
  const words = Array.isArray(evidence) ? evidence.map((each) => (each as { word?: unknown } | null)?.word) : [];
  return WORST_FIRST.find((word) => words.includes(word));
}

/** Work that is not verified yet looks unfinished; what is resolved looks like any finished node. */
export function lookOfAtom(node: NodeView): Look {
  const own = ownOf(node.own);
  if (own.type === 'group' && node.status === 'expanded') return { glyph: 'aside', tone: 'plain' };
  if (node.status === 'unexpanded' && own.work !== undefined) return { glyph: 'aside', tone: 'busy' };
  return lookOfStatus(node);
}

/** The name, and how sure it is that it is done. */
export const atomMarks: KindMarks = {
  texts: Object.values(TEXTS),
  of: (given) => {
    const own = ownOf(given);
    const marks: NodeMark[] = typeof own.name === 'string' ? [{ text: own.name, tone: 'dim' }] : [];
    const word = wordOf(own);
    if (word) marks.push({ text: TEXTS[word], tone: TONES[word] ?? 'plain' });
    if (own.by === 'person') marks.push({ text: TEXTS.person, tone: 'busy' });
    if (own.isProposed === true) marks.push({ text: TEXTS.proposed, tone: 'dim' });
    return marks;
  },
};
