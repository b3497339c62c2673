import type { WorkspaceIndex } from '../index/workspace-index.ts';
import type { Research } from './research.ts';

/** How many passages may support a question together. */
const BEST = 10;
/** The share of the question that they need to cover together: a little more than half. */
const ENOUGH = 0.52;
const SAYS_SO =
  /\b(?:this|the|our|my) (?:code ?base|code|repo(?:sitory)?|workspace|project|package|library|extension)\b/i;
const LOOKS_LIKE_CODE = /`([^`\n]{2,100})`|([\p{L}\p{N}_$@./-]{3,200})/gu;

/**
 * Whether a question is about this workspace. It is if it says so ("this project"), if it names a file or a symbol of it
 * in the way code does (`src/queue.ts`, `resetTimeout`, `Queue#push`), or if its best ten passages, each with at least
 * two of its words, cover more than half of it: by the mean of the share of its words and of their weight, where rarer
 * words weigh more. A word that occurs nowhere weighs as much as one that occurs in a single passage; numbers do not
 * count.
 */
export function touchesWorkspace(index: WorkspaceIndex, text: string, question: Research): boolean {
  if (index.passages.length === 0) return false;
  return SAYS_SO.test(text) || namesCode(index, text) || hasEnough(index, question);
}

function namesCode(index: WorkspaceIndex, text: string): boolean {
  for (const [, quoted, bare] of text.matchAll(LOOKS_LIKE_CODE)) {
    const name = (quoted ?? bare ?? '').replace(/^[.,;:/-]+|(?<![.,;:/-])[.,;:/-]+$/g, '').replace(/\(\)$/, '');
    const isWritten = quoted !== undefined || /[\p{Ll}\p{N}]\p{Lu}|_\p{L}|\.\p{Ll}{1,4}$|\//u.test(name);
    if (isWritten && (index.names.has(name) || index.fileNamed(name) !== undefined)) return true;
  }
  return false;
}

function hasEnough(index: WorkspaceIndex, { concepts, found }: Research): boolean {
  const rarest = Math.log(1 + index.passages.length);
  const weights = concepts.map(({ word, term }, place) => {
    if (term === '' || !/\p{L}/u.test(word)) return 0;
    return found.present[place] ? (found.weights[place] ?? 0) : rarest;
  });
  const telling = weights.filter((weight) => weight > 0).length;
  // Beside numbers, one word says too little: "make 24".
  const needed = Math.min(2, concepts.filter(({ term }) => term !== '').length);
  const covered = new Set<number>();
  let passages = 0;
  for (const { concepts: hit } of found.hits) {
    const words = [...hit].filter((place) => found.present[place] && (weights[place] ?? 0) > 0);
    if (words.length < needed || needed === 0) continue;
    for (const place of words) covered.add(place);
    if (++passages === BEST) break;
  }
  const sum = (places: Iterable<number>): number => [...places].reduce((all, place) => all + (weights[place] ?? 0), 0);
  if (covered.size === 0) return false;
  return (covered.size / telling + sum(covered) / sum(weights.keys())) / 2 >= ENOUGH;
}
