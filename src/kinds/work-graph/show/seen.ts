import type { NodeMark } from '../../../core/kind/kind-descriptor.ts';
import { isRecord } from '../../../core/text/loose-json.ts';

// This reads node.json of an atom, a group or the goal unchecked and without libraries: descriptors are loaded at startup.

/** `own` of a node, as far as what is seen depends on it. */
export interface Seen {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly evidence?: unknown;
  readonly by?: unknown;
  readonly isProposed?: unknown;
  readonly work?: unknown;
  readonly selected?: unknown;
  readonly checks?: unknown;
  readonly tries?: unknown;
  readonly trail?: unknown;
  readonly probe?: unknown;
  readonly joined?: unknown;
  readonly does?: unknown;
  readonly run?: unknown;
  readonly touches?: unknown;
  readonly uses?: unknown;
}

/** Returns what is kept of a node; empty if it is nothing that can be read. */
export function seenIn(own: unknown): Seen {
  return isRecord(own) ? own : {};
}

/** Returns the records in a list; empty if it is none. */
export function recordsIn(list: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** Returns the texts in a list; empty if it is none. */
export function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
}

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
