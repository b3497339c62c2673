import type { Passage } from '../cut/passage.ts';
import type { WorkspaceIndex } from '../index/workspace-index.ts';
import type { Research } from './research.ts';
import type { Subject } from './topic.ts';

/** A passage that could be a separate topic. */
export interface CandidateTopic {
  readonly passage: Passage;
  /** Larger is better. */
  readonly worth: number;
  readonly why: string;
}

/** Twice as many as become topics, since some bring nothing new. */
const MAX_CANDIDATES = 24;
const MAX_NAMESAKES = 8;
const MAX_HITS = 200;
/** Lines of which so many are the same are a copy. */
const MOST_COMPARED = 60;
/** The weight of each further topic of a file: three files likelier have the answer than three places of one. */
const SAME_FILE = 0.5;
const ASKS = /^(?:how|what|when|where|which|who|whose|why)\b/;
/** In characters: a shorter text may be a name. */
const SHORTEST_ASKED = 20;
/** Passages less related to their parent and the question than this would only fill the tree. */
const MIN_WORTH = 0.2;

/** The most important passages for a question, best first; those of the same file count less and less. */
export function firstLevel(index: WorkspaceIndex, question: Research): CandidateTopic[] {
  const hits = question.concepts.length > 0 ? question.found.hits.slice(0, MAX_HITS) : overview(index);
  const pool = hits.map(({ passage, score }) => ({ passage, worth: score }));
  const top = Math.max(0, ...pool.map(({ worth }) => worth));
  const chosen: CandidateTopic[] = [];
  /** A file may be there twice, as its source and as what is built of it. */
  const seen = new Set<string>();
  const asks = asking(question.text);
  const left = pool.filter(({ worth, passage }) => worth > 0.12 * top && !asks(passage));
  while (chosen.length < MAX_CANDIDATES && left.length > 0) {
    const adjusted = left.map(({ passage, worth }) => worth * variety(passage, chosen));
    const best = adjusted.reduce((at, worth, place) => (worth > (adjusted[at] ?? 0) ? place : at), 0);
    const [one] = left.splice(best, 1);
    if (!one) break;
    const text = linesOf(one.passage);
    if (seen.has(text)) continue;
    seen.add(text);
    const words = question.wordsIn(one.passage);
    const why = words.length > 0 ? `has ${words.join(', ')}` : 'named from many places';
    chosen.push({ passage: one.passage, worth: (adjusted[best] ?? 0) / top, why });
  }
  return chosen;
}

/** Tells code that has the very question as a string: it asks it, as an example or a test does, and does not answer it. */
function asking(question: string): (passage: Passage) => boolean {
  const asked = question.trim().replace(/\?$/, '').toLowerCase();
  // A text without a question may be that of an error, whose source is wanted.
  if (asked.length < SHORTEST_ASKED || !ASKS.test(asked)) return () => false;
  const strings = ['"', "'", '`'].map((quote) => quote + asked);
  return ({ kind, file, start, end, inner }) => {
    if (kind === 'section') return false;
    const isOwn = (row: number): boolean => !inner.some(([from, to]) => row >= from && row <= to);
    const lines = file.lines.slice(start, end + 1).filter((_, at) => isOwn(start + at));
    return lines.some((line) => strings.some((string) => line.toLowerCase().includes(string)));
  };
}

/** The first lines of a passage. */
function linesOf({ file, start, end }: Passage): string {
  return file.lines.slice(start, Math.min(end + 1, start + MOST_COMPARED)).join('\n');
}

function variety(passage: Passage, chosen: readonly CandidateTopic[]): number {
  let factor = 1;
  for (const { passage: other } of chosen) {
    if (other.file !== passage.file) continue;
    factor *= SAME_FILE;
    if (passage.start <= other.end && other.start <= passage.end) factor *= 0.6;
  }
  return factor;
}

/** For a question with nothing to search for ("What is this?"): what the rest of the code names most. */
function overview(index: WorkspaceIndex): { passage: Passage; score: number }[] {
  const scored = index.passages
    .filter(({ kind, file }) => kind !== 'rest' && kind !== 'block' && file.role !== 'test')
    .map((passage) => {
      if (passage.kind === 'section')
        return { passage, score: /^readme\b/i.test(passage.file.path) && passage.start < 40 ? 10 : 1 };
      const uses = index.names.usesOf(passage).length;
      const meanings = Math.max(1, index.names.namesakes(passage).length);
      return { passage, score: Math.log2(1 + uses / meanings) * (passage.kind === 'class' ? 1.5 : 1) };
    });
  return scored.sort((a, b) => b.score - a.score || a.passage.id - b.passage.id).slice(0, 200);
}

/** The narrower topics of a subject: its parts, what it calls, what calls it, its tests and its docs. */
export function nextLevel(index: WorkspaceIndex, subject: Subject, research: Research): CandidateTopic[] {
  const found = new Map<number, CandidateTopic>();
  const note = (passage: Passage, closeness: number, why: string): void => {
    if (passage.kind === 'rest' || subject.passages.includes(passage)) return;
    const role = passage.file.role === 'source' ? 1 : 0.6;
    const worth = closeness * role * (0.35 + research.relevance(passage));
    if (worth >= MIN_WORTH && worth > (found.get(passage.id)?.worth ?? 0))
      found.set(passage.id, { passage, worth, why });
  };
  if (subject.passages.length === 0)
    for (const { passage } of research.found.hits.slice(0, 40))
      note(passage, 1, `has ${research.wordsIn(passage).join(', ')}`);
  for (const passage of subject.passages) {
    const parts = index.partsOf(passage);
    for (const part of parts) note(part, 1, `part of ${passage.name}`);
    for (const part of [passage, ...parts])
      for (const meant of index.names.namedIn(part))
        for (const other of meant) note(other, 0.9 / meant.length, `${part.name} names it`);
    const meanings = index.names.namesakes(passage);
    for (const use of index.names.usesOf(passage))
      note(use.passage, 0.7 / Math.sqrt(meanings.length), `names ${passage.name}`);
    if (meanings.length <= MAX_NAMESAKES)
      for (const other of meanings) note(other, 0.6, `also called ${passage.identifier}`);
  }
  return [...found.values()].sort((a, b) => b.worth - a.worth || a.passage.id - b.passage.id).slice(0, MAX_CANDIDATES);
}
