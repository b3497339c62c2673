import { oneLine, shorten } from '../cut/markdown.ts';
import type { Passage } from '../cut/passage.ts';
import { isQuotable } from '../files/read-source.ts';
import { firstLevel } from '../find/candidates.ts';
import { firstSentence } from '../find/first-sentence.ts';
import { isElsewhere } from '../find/good-topics.ts';
import type { Research } from '../find/research.ts';
import { signatureEnd } from '../find/signature.ts';
import type { WorkspaceIndex } from '../index/workspace-index.ts';

/** A place that may answer a question. */
export interface Place {
  readonly path: string;
  /** Where it is, its name and its signature, on one line. */
  readonly text: string;
  /** Its author's words about it; may be empty. */
  readonly says: string;
}

const LONGEST_SIGNATURE = 110;
const LONGEST_SENTENCE = 90;
/** Lines that only name what is elsewhere. */
const IMPORTS = /^\s*(?:import|from|export \*|use|package|require|using|#include)\b|\brequire\(['"]/;

/** The places that the researcher would begin with, in its order; none for a question about something else. */
export function placesFor(question: Research, index: WorkspaceIndex, most: number): Place[] {
  if (question.concepts.length === 0 || isElsewhere(question)) return [];
  const left = { source: most, config: 2, docs: 3, test: 3 };
  return firstLevel(index, question)
    .flatMap(({ passage }) => {
      const { file, start, end } = lineOf(passage, question);
      if (IMPORTS.test(file.lines[start] ?? '') || --left[file.role] < 0) return [];
      const range = end > start ? `${start + 1}-${end + 1}` : `${start + 1}`;
      const said = passage.kind === 'rest' ? '' : shorten(firstSentence(passage, index), LONGEST_SENTENCE);
      return [{ path: file.path, text: `${file.path}:${range} ${nameOf(passage, start)}`, says: said }];
    })
    .slice(0, most);
}

/** The lines of a symbol; of those that have no name, the one that says most about the question. */
function lineOf(passage: Passage, question: Research): Pick<Passage, 'file' | 'start' | 'end'> {
  const { kind, file, head, end, inner } = passage;
  if (kind !== 'rest') return { file, start: head, end };
  let best = head;
  for (let row = passage.start; row <= end; row++) {
    if (inner.some(([from, to]) => row >= from && row <= to) || !isQuotable(file.lines[row] ?? '')) continue;
    if (question.values.of(file, row) > question.values.of(file, best)) best = row;
  }
  return { file, start: best, end: best };
}

function nameOf(passage: Passage, row: number): string {
  const { kind, name, identifier, file } = passage;
  if (kind === 'section') return `“${oneLine(name)}”`;
  if (kind === 'block') return shorten(oneLine(name), LONGEST_SIGNATURE);
  if (kind === 'rest') return shorten(oneLine(file.lines[row] ?? ''), LONGEST_SIGNATURE);
  const lines = file.lines.slice(row, signatureEnd(passage) + 1).filter(isQuotable);
  const whole = oneLine(lines.join(' '))
    .replace(/([(<[]) /g, '$1')
    .replace(/,? ([)>\]])/g, '$1')
    .replace(/ ?(?:[{(:]|=>(?: \{)?)$/, '');
  const signature = shorten(whole, LONGEST_SIGNATURE);
  // A signature mostly has the name, but seldom that of what it belongs to.
  const isSaid = name === (identifier ?? name) && signature.includes(name);
  return isSaid ? signature : `${oneLine(name)}: ${signature}`;
}
