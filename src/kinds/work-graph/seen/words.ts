import type { NodeMark } from '../../../core/kind/kind-face.ts';

// Words that every host shows for how sure something is; the values of `Word`, without its library.

export const WORD_TEXTS = {
  reported: 'reported',
  checked: 'checked',
  verified: 'verified',
  contradicted: 'does not hold',
  uncheckable: 'cannot be checked here',
} as const;

type Word = keyof typeof WORD_TEXTS;

export const WORD_TONES: Readonly<Record<Word, NodeMark['tone']>> = {
  reported: 'plain',
  checked: 'plain',
  verified: 'good',
  contradicted: 'bad',
  uncheckable: 'busy',
};

export function isWord(value: unknown): value is Word {
  return typeof value === 'string' && Object.hasOwn(WORD_TEXTS, value);
}
