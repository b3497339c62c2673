import type { Passage } from '../cut/passage.ts';
import type { FirstRead, Quote } from './document-plan.ts';
import type { PlanInput } from './plan-document.ts';
import { labelOf } from './topic.ts';

const MAX_FILES = 3;
const BEST_HITS = 20;

/** The two or three files that matter most for the subject and the question, and why. */
export function planReading({ subject, question, both }: PlanInput, quotes: readonly Quote[]): FirstRead[] {
  const files = new Map<string, { worth: number; passages: Passage[]; quoted: Set<Passage> }>();
  const note = (passage: Passage, worth: number, quoted: boolean): void => {
    const file = files.get(passage.file.path) ?? { worth: 0, passages: [], quoted: new Set<Passage>() };
    file.worth += worth;
    if (!file.passages.includes(passage)) file.passages.push(passage);
    if (quoted) file.quoted.add(passage);
    files.set(passage.file.path, file);
  };
  for (const passage of subject.passages) note(passage, 3, true);
  for (const { passage, lane } of quotes) note(passage, lane === 'tested' ? 0.2 : 0.5, true);
  both.found.hits.forEach(({ passage }, place) => {
    // The best hits may all be in one file: later ones only contribute other files.
    const wanted = place < BEST_HITS || (files.size < MAX_FILES && !files.has(passage.file.path));
    if (wanted && passage.kind !== 'rest') note(passage, both.relevance(passage) * roleWorth(passage), false);
  });
  const ranked = [...files].sort(([a, x], [b, y]) => y.worth - x.worth || (a < b ? -1 : 1));
  return ranked.slice(0, MAX_FILES).map(([path, { passages, quoted }]) => {
    const order = passages.toSorted(
      (a, b) =>
        Number(quoted.has(b)) - Number(quoted.has(a)) || question.relevance(b) - question.relevance(a) || a.id - b.id,
    );
    const named = order.filter(({ kind }) => kind !== 'rest').slice(0, 3);
    return { path, row: order[0]?.head ?? 0, why: named.map(labelOf).join(', ') };
  });
}

function roleWorth({ file }: Passage): number {
  return file.role === 'source' ? 0.5 : 0.2;
}
