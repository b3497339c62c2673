import { ACTIONS } from './tables/actions.ts';
import { QUALITIES } from './tables/qualities.ts';
import { THINGS } from './tables/things.ts';
import { meaningsOf } from './thesaurus.ts';

// Words that programmers use interchangeably, whichever of them a code base happens to have chosen.
const groups = new Map<string, Set<string>>();
for (const line of [ACTIONS, THINGS, QUALITIES].flatMap((table) => table.trim().split('\n')).sort()) {
  const words = line.trim().split(' ');
  for (const word of words) {
    const others = groups.get(word) ?? new Set();
    for (const other of words) if (other !== word) others.add(other);
    groups.set(word, others);
  }
}

/** Returns other words of code for a word in lower case. */
export function synonymsOf(word: string): readonly string[] {
  return [...(groups.get(word) ?? []), ...meaningsOf(word)];
}
