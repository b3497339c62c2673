import type { Passage } from '../cut/passage.ts';
import { isQuotable } from '../files/read-source.ts';
import type { WorkspaceIndex } from '../index/workspace-index.ts';
import { ConceptsInLine } from './concepts-in-line.ts';
import type { Lines, QuotedLines } from './quoted-lines.ts';
import type { Research } from './research.ts';

/** The most lines for one look: what a reader would have on half a screen. */
const MOST_LINES = 26;
/** How many passages are looked at, and how many of the lines of one are given. */
const PASSAGES = 15;
const MOST_OF_PASSAGE = 12;
/** How many of those that were found are compared. */
const LOOKED_AT = 60;
/** What the words of the question and of the titles above count for, beside those of the node's own title. */
const ABOVE = 0.3;
/** A window is a line and so many around it. */
const AROUND = 2;
/** A line tells a little of what its neighbours are about. */
const NEIGHBOUR = 0.5;
/** Lines that decide weigh more than those that only name things, and comments less than what they are about. */
const DECIDES = 2;
const COMMENT = 0.25;
/** What a word still weighs after each window that has it: the next one should say something else. */
const AGAIN = 0.8;
/** Windows that say less than this share of the first one of source are left out. */
const WORTH = 0.35;
/** A passage this many places further down weighs half as much. */
const TRUST = 15;
/** Where code decides: conditions, ends, failures, limits. */
const DECISION =
  /\b(?:if|elif|else|unless|switch|case|match|when|while|for|return|throw|raise|catch|except|default|break|continue|yield|defer|panic)\b|[<>=!]==?|&&|\|\||\?\?|\b\d{2,}\b/;

/** What the lines for a model are chosen from. */
export interface ContextInput {
  readonly index: WorkspaceIndex;
  /** The passages that the node's title names, if any. */
  readonly named: readonly Passage[];
  /** Research on the titles down to the node, and the question. */
  readonly research: Research;
  /** Research on the node's own title, if it has one: it counts more than what is above it. */
  readonly own?: Research | undefined;
  /** What the conversation already has. */
  readonly quoted: QuotedLines;
}

/** A line that may be the middle of a window, with what it and its neighbours say: shares of concepts, by their place. */
interface Candidate {
  readonly passage: Passage;
  readonly row: number;
  readonly says: ReadonlyMap<number, number>;
}

interface Window {
  readonly passage: Passage;
  readonly start: number;
  readonly end: number;
}

/**
 * The few lines of the workspace that say most about some words: windows around the lines that have them and decide
 * something, from the passages that answer best. None that the conversation already has.
 */
export function chooseContext(input: ContextInput): Lines[] {
  const { research, own } = input;
  const concepts = new ConceptsInLine(research.concepts);
  const candidates = passagesOf(input).flatMap((passage, place) => candidatesOf(passage, place, concepts, input));
  const nearest = new Set((own ?? research).concepts.map(({ word }) => word));
  const weights = research.concepts.map(
    ({ word }, place) => (research.found.weights[place] ?? 0) * (nearest.has(word) ? 1 : ABOVE),
  );
  const worth = ({ says }: Candidate): number => {
    let sum = 0;
    for (const [place, share] of says) sum += share * (weights[place] ?? 0);
    return sum;
  };
  const chosen: Window[] = [];
  const used = new Map<Passage, number>();
  let room = MOST_LINES;
  let least = 0;
  while (room > AROUND) {
    const best = bestOf(candidates, worth);
    if (!best || worth(best) <= least) break;
    candidates.splice(candidates.indexOf(best), 1);
    const window = windowAround(best, input, chosen);
    const length = window ? window.end - window.start + 1 : 0;
    const before = used.get(best.passage) ?? 0;
    if (!window || length > room || before + length > MOST_OF_PASSAGE) continue;
    // A document that repeats the question must not keep the code out.
    if (least === 0 && best.passage.file.role === 'source') least = worth(best) * WORTH;
    used.set(best.passage, before + length);
    room -= length;
    chosen.push(window);
    for (const place of best.says.keys()) weights[place] = (weights[place] ?? 0) * AGAIN;
  }
  return joined(chosen);
}

/** The passages to look at: those that are named, then the best of the source, and the best of everything else. */
function passagesOf({ named, research, own }: ContextInput): Passage[] {
  const worth = (passage: Passage): number => (own?.relevance(passage) ?? 0) + ABOVE * research.relevance(passage);
  const found = new Set([...(own?.found.hits ?? []).slice(0, LOOKED_AT), ...research.found.hits.slice(0, LOOKED_AT)]);
  const hits = [...new Set([...found].map(({ passage }) => passage))]
    .filter((passage) => !named.includes(passage))
    .sort((a, b) => worth(b) - worth(a) || a.id - b.id);
  const isCode = ({ file }: Passage): boolean => file.role === 'source' || file.role === 'config';
  const other = hits.find((passage) => !isCode(passage));
  return [...named, ...hits.filter(isCode).slice(0, PASSAGES), ...(other ? [other] : [])];
}

function candidatesOf(passage: Passage, place: number, concepts: ConceptsInLine, input: ContextInput): Candidate[] {
  const { file, start, end, inner } = passage;
  const trust = 1 / (1 + place / TRUST);
  const rows = new Map<number, ReadonlyMap<number, number>>();
  for (let row = start; row <= end; row++) {
    if (inner.some(([from, to]) => row >= from && row <= to) || !isFree(input, passage, row)) continue;
    rows.set(row, concepts.in(file.lines[row] ?? ''));
  }
  return [...rows.keys()].map((row) => {
    const says = new Map<number, number>();
    for (let near = -AROUND; near <= AROUND; near++)
      for (const [concept, share] of rows.get(row + near) ?? []) {
        const part = share * trust * NEIGHBOUR ** Math.abs(near) * factorOf(input, passage, row + near);
        says.set(concept, (says.get(concept) ?? 0) + part);
      }
    return { passage, row, says };
  });
}

function factorOf({ index }: ContextInput, { file }: Passage, row: number): number {
  if (index.isComment(file, row)) return COMMENT;
  return DECISION.test(file.lines[row] ?? '') ? DECIDES : 1;
}

function isFree({ quoted }: ContextInput, { file }: Passage, row: number): boolean {
  return isQuotable(file.lines[row] ?? '') && !quoted.has(file, row);
}

function bestOf(candidates: readonly Candidate[], worth: (candidate: Candidate) => number): Candidate | undefined {
  let best: Candidate | undefined;
  let most = 0;
  for (const candidate of candidates) {
    const here = worth(candidate);
    if (here <= most) continue;
    most = here;
    best = candidate;
  }
  return best;
}

/** The window around a line without what is taken, nor comments and brackets at its ends; undefined if nothing is left. */
function windowAround({ passage, row }: Candidate, input: ContextInput, chosen: readonly Window[]): Window | undefined {
  const { file } = passage;
  const isTaken = (at: number): boolean =>
    !isFree(input, passage, at) ||
    chosen.some((other) => other.passage.file === file && at >= other.start && at <= other.end);
  if (isTaken(row)) return undefined;
  let [start, end] = [row, row];
  while (start > Math.max(passage.start, row - AROUND) && !isTaken(start - 1)) start--;
  while (end < Math.min(passage.end, row + AROUND) && !isTaken(end + 1)) end++;
  const isEmpty = (at: number): boolean =>
    !/[\p{L}\p{N}]/u.test(file.lines[at] ?? '') || (at !== row && input.index.isComment(file, at));
  while (start < end && isEmpty(start)) start++;
  while (end > start && isEmpty(end)) end--;
  return isEmpty(start) ? undefined : { passage, start, end };
}

/** Windows of one file that touch become one; the best file comes first, its lines in order. */
function joined(windows: readonly Window[]): Lines[] {
  const files = new Map(windows.map(({ passage: { file } }) => [file.path, file]));
  return [...files.values()].flatMap((file) => {
    const own = windows.filter(({ passage }) => passage.file === file).sort((a, b) => a.start - b.start);
    const runs: { start: number; end: number }[] = [];
    for (const { start, end } of own) {
      const last = runs.at(-1);
      if (last && start <= last.end + 1) last.end = Math.max(last.end, end);
      else runs.push({ start, end });
    }
    return runs.map(({ start, end }) => ({ file, start, end }));
  });
}
