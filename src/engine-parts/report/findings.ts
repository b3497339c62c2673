import * as z from 'zod';
import { type FileLines, placeText } from '../../core/citations/citation.ts';
import { citationLink } from '../../core/citations/citation-marks.ts';
import { placesIn, withPlaces } from '../../core/citations/line-references.ts';
import type { WorkspaceText } from '../../core/ports/workspace-text.ts';
import { type CheckedDocument, parseDocument, writeDocument } from '../../core/text/document.ts';
import { oneLine } from '../../core/text/text.ts';
import type { TreeNode } from '../../core/tree/tree.ts';
import type { SearchContext } from '../../engine/context.ts';
import { documentLink } from './link-target.ts';
import { blocksOf } from './safe-markdown.ts';

/** A sentence of a document that can be checked, with the places that bear it out. */
export interface Finding {
  readonly text: string;
  /** As in `src/queue.ts:12-15`; what a model wrote, unchecked. Empty for a model's own knowledge. */
  readonly cites: readonly string[];
}

/** A finding, and the document that says it; missing for one of no document. */
export interface CitedFinding extends Finding {
  readonly node?: TreeNode;
}

/** The findings and the open questions in the front matter of a document or a survey. */
export interface Found {
  readonly findings: readonly Finding[];
  readonly open: readonly string[];
}

const MOST_FINDINGS = 12;
const MOST_OPEN = 8;
const MOST_CITES = 6;
const LONGEST = 700;
const LONGEST_CITE = 300;
/** The number of findings that are taken from a text that names none. */
const MOST_TAKEN = 6;

const texts = z.union([z.string(), z.array(z.unknown())]);
const Said = z.union([
  z.string(),
  z.looseObject({
    text: z.string().optional(),
    finding: z.string().optional(),
    claim: z.string().optional(),
    cites: texts.optional(),
    cite: texts.optional(),
  }),
]);

/** Returns what front matter says, whatever else is in it; what cannot be read is left out. */
export function foundIn(data: Readonly<Record<string, unknown>>): Found {
  return {
    findings: listOf(data['findings'])
      .flatMap((each) => findingOf(each) ?? [])
      .slice(0, MOST_FINDINGS),
    open: listOf(data['open'])
      .flatMap((each) => (typeof each === 'string' ? line(each) || [] : []))
      .slice(0, MOST_OPEN),
  };
}

/** Returns what a document's front matter says that it found; a document that cannot be read found nothing. */
export function foundInDocument(text: string): Found {
  return foundIn(frontAndBody(text).data);
}

/** Returns a document with its findings in one form; where it names none, they are taken from its sentences that cite lines. */
export function withFindings(document: CheckedDocument): CheckedDocument {
  const { findings, open } = foundIn(document.data);
  const told = findings.length > 0 ? findings : findingsTakenFrom(document.body);
  const { findings: _f, open: _o, ...others } = document.data;
  const data = {
    ...others,
    ...(told.length > 0 ? { findings: told.map(({ text, cites }) => ({ text, cites: [...cites] })) } : {}),
    ...(open.length > 0 ? { open: [...open] } : {}),
  };
  return { ...document, data, text: writeDocument(data, document.body) };
}

/** Returns the parts of a text that a model or a person wrote, whatever its front matter is like. */
export function frontAndBody(text: string): { data: Readonly<Record<string, unknown>>; body: string } {
  try {
    return parseDocument(text.trim());
  } catch {
    return { data: {}, body: text.replace(/^---\n[\s\S]*?\n---(?:\n|$)/, '') }; // the words count more than their form
  }
}

/** Returns the findings of a text that has none in its front matter: its sentences that name lines of a file. */
export function findingsTakenFrom(body: string): Finding[] {
  const found: Finding[] = [];
  let before = '';
  for (const block of blocksOf(body)) {
    if (block.kind !== 'text') continue;
    const text = block.lines.join(' ');
    const label = LABEL.exec(text)?.[1];
    // A citation on a line of its own bears out the sentence above it.
    if (label !== undefined) add(found, before, [label]);
    else {
      const sentences = text.replace(LINKED, '$1').split(/(?<=[.!?。])\s+/);
      for (const sentence of sentences) {
        // A place in the address of a link is none that the sentence cites.
        const cites = placesIn(sentence.replaceAll('#L', ' ')).flatMap((place) =>
          place.isSure ? placeText(place) : [],
        );
        if (cites.length > 0) add(found, sentence, cites);
      }
      before = sentences.at(-1) ?? '';
    }
    if (found.length >= MOST_TAKEN) break;
  }
  return found.slice(0, MOST_TAKEN);
}

/** A place of a file with the address that a check gave it. */
const LINKED = /\[([^[\]\n]{1,300}:\d{1,7}(?:-\d{1,7})?`?)\]\([^()\n#]{0,3500}#L\d{1,7}(?:-L\d{1,7})?\)/g;
/** A line that is nothing but the label of a citation, with or without its address. */
const LABEL = /^\s*\[([^\]]{1,300}:\d{1,7}(?:-\d{1,7})?)\](?:\([^)]*\))?\s*$/;

function add(found: Finding[], sentence: string, cites: readonly string[]): void {
  const text = line(sentence.replace(/^[-*+>#\s]+/, ''));
  const same = found.find((each) => each.text === text);
  if (same || text.length < 20) return;
  found.push({ text, cites: cites.slice(0, MOST_CITES) });
}

function findingOf(said: unknown): Finding | undefined {
  const parsed = Said.safeParse(said).data;
  if (parsed === undefined) return undefined;
  if (typeof parsed === 'string') return line(parsed) === '' ? undefined : { text: line(parsed), cites: [] };
  const text = line(parsed.text ?? parsed.finding ?? parsed.claim ?? '');
  if (text === '') return undefined;
  const cites = listOf(parsed.cites ?? parsed.cite).flatMap((each) =>
    typeof each === 'string' ? oneLine(each, LONGEST_CITE).replace(/^[[`]+|[\]`]+$/g, '') || [] : [],
  );
  return { text, cites: cites.slice(0, MOST_CITES) };
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

const line = (text: string): string => oneLine(text, LONGEST);

/** `[3]`, `[3, 7]`, `[3][7]`, `[3-5]`, not before an address. */
export const NUMBERS = /\[(\d{1,4}(?:\s*(?:[,;]|[-–])\s*\d{1,4}){0,12})\](?!\()/g;
/** The most places that are shown for a finding that is cited alone: each is a link of its own. */
const MOST_OF_ONE = 2;
const MOST_IN_RANGE = 10;
const LONGEST_SENTENCE = 500;
const SENTENCE_END = /(?<=[.!?])\s|\n/;
/** Lines of a place whose words are looked at. */
const MOST_LINES = 60;
/** A link, or code: what is split by them is text that may be linked. Bounded, so that no line makes them slow. */
const LINK = /(\[[^[\]\n]{1,400}\]\([^()\n]{1,2000}\))/;
const CODE_OR_LINK = /(`[^`\n]{1,300}`|\[[^[\]\n]{1,400}\]\([^()\n]{1,2000}\))/;
const FENCE = /(^|\n)(`{3,}|~{3,})[\s\S]*?(?:\n\2[^\n]*(?=\n|$)|$)/g;
const CODE = /`([^`\n]{1,300})`/g;

/**
 * Returns an answer in which numbers of findings, and places that it names itself, are links to the lines, or to the
 * document where a finding cites none. Code stays as it is.
 */
export function withReferences(answer: string, findings: readonly CitedFinding[], places: Places): string {
  let out = '';
  let at = 0;
  for (const { 0: fence, index } of answer.matchAll(FENCE)) {
    out += linked(answer.slice(at, index), findings, places) + fence;
    at = index + fence.length;
  }
  return out + linked(answer.slice(at), findings, places);
}

function linked(text: string, findings: readonly CitedFinding[], places: Places): string {
  // A place in code marks is one as well; other code may hold anything.
  const plain = text.replace(CODE, (code, inside: string) => (isPlace(inside, places) ? inside : code));
  const parts = plain.split(CODE_OR_LINK);
  let before = '';
  const out = parts.map((part, at) => {
    const text = at % 2 === 1 ? part : numbers(mentions(part, places), { before, findings, places });
    before = `${before}${part}`.slice(-LONGEST_SENTENCE);
    return text;
  });
  return out.join('');
}

function isPlace(text: string, places: Places): boolean {
  const [place, ...more] = placesIn(text);
  return (
    place !== undefined &&
    more.length === 0 &&
    placeText(place).length >= text.length - 2 &&
    places.linkTo(place) !== undefined
  );
}

function mentions(text: string, places: Places): string {
  const named = (place: FileLines): string | undefined => {
    const link = places.linkTo(place);
    return link === undefined ? undefined : `[${placeText(place)}](${link})`;
  };
  return text
    .split(LINK)
    .map((part, at) => (at % 2 === 1 ? part : withPlaces(part, named)))
    .join('');
}

interface Sentences {
  /** The end of what comes before the text. */
  readonly before: string;
  readonly findings: readonly CitedFinding[];
  readonly places: Places;
}

function numbers(text: string, { before, findings, places }: Sentences): string {
  return text.replace(NUMBERS, (all, inside: string, index: number) => {
    const named = numbersIn(inside).flatMap((number) => findings[number - 1] ?? []);
    if (named.length === 0) return all;
    const most = named.length > 1 ? 1 : MOST_OF_ONE;
    const sentence = `${before}${text.slice(0, index)}`.slice(-LONGEST_SENTENCE).split(SENTENCE_END).at(-1) ?? '';
    const links = new Set(named.flatMap((finding) => linksOf(finding, { places, most, sentence })));
    return links.size > 0 ? `(${[...links].join(', ')})` : '';
  });
}

/** Returns the numbers between such brackets; those of a range as well. */
export function numbersIn(text: string): number[] {
  return text.split(/[,;]/).flatMap((part) => {
    const [first = 0, last = first] = part.split(/[-–]/).map(Number);
    return Array.from({ length: Math.max(0, Math.min(MOST_IN_RANGE, last - first + 1)) }, (_, at) => first + at);
  });
}

/** Returns links to the lines that a finding cites, as far as they are there. */
export function linksToLines(cites: readonly string[], places: Places): string[] {
  const links = placesIn(cites.join('\n')).flatMap((place) => {
    const link = places.linkTo(place);
    return link === undefined ? [] : [`[${placeText(place)}](${link})`];
  });
  return [...new Set(links)];
}

/** Returns the links of a finding that bear a sentence out: those first whose lines have most of its words. */
function linksOf(
  { cites, node }: CitedFinding,
  { places, most, sentence }: { readonly places: Places; readonly most: number; readonly sentence: string },
): string[] {
  const lines = linksToLines(cites, places);
  if (lines.length > most) {
    const words = wordsOf(sentence);
    const shared = new Map(
      placesIn(cites.join('\n')).map((place) => [placeText(place), places.sharedWith(place, words)]),
    );
    const scoreOf = (link: string): number => shared.get(link.slice(1, link.indexOf(']'))) ?? 0;
    lines.sort((a, b) => scoreOf(b) - scoreOf(a));
  }
  if (lines.length > 0) return lines.slice(0, most);
  if (!node) return [];
  return [`[${node.title.replace(/[[\]\\`<>]/g, ' ').trim()}](${documentLink(node)})`];
}

/** Files that a report links to, looked up once: a link to lines that are not there would be worse than none. */
export class Places {
  readonly #links: ReadonlyMap<string, string>;
  /** The words of their lines, by place. */
  readonly #words: ReadonlyMap<string, ReadonlySet<string>>;

  /** Looks up every place that any of the texts names. */
  static async lookUp(
    { workspaceText, folder }: Pick<SearchContext, 'workspaceText' | 'folder'>,
    texts: readonly string[],
  ): Promise<Places> {
    const links = new Map<string, string>();
    const words = new Map<string, ReadonlySet<string>>();
    const files = new Map<string, readonly string[]>();
    for (const place of workspaceText ? placesIn(texts.join('\n')) : []) {
      const lines = files.get(place.path) ?? (await linesIn(workspaceText as WorkspaceText, place.path));
      files.set(place.path, lines);
      const link = place.to <= lines.length ? citationLink(folder, place) : undefined;
      if (link === undefined) continue;
      links.set(placeText(place), link);
      const shown = lines.slice(place.from - 1, Math.min(place.to, place.from - 1 + MOST_LINES));
      words.set(placeText(place), wordsOf(shown.join('\n')));
    }
    return new Places(links, words);
  }

  private constructor(links: ReadonlyMap<string, string>, words: ReadonlyMap<string, ReadonlySet<string>>) {
    this.#links = links;
    this.#words = words;
  }

  /** Returns how many of some words the lines of a place have. */
  sharedWith(place: FileLines, words: ReadonlySet<string>): number {
    return [...(this.#words.get(placeText(place)) ?? [])].filter((word) => words.has(word)).length;
  }

  /** Returns the link to lines of a file, relative to the search's folder; undefined if they are not there. */
  linkTo(place: FileLines): string | undefined {
    return this.#links.get(placeText(place));
  }

  /** Tells whether one of these links is the target. */
  has(link: string): boolean {
    for (const each of this.#links.values()) if (each === link) return true;
    return false;
  }
}

/** Returns the lines of a file; none if it cannot be read as a source. */
async function linesIn(workspace: WorkspaceText, path: string): Promise<readonly string[]> {
  const found = await workspace.read(path).catch(() => undefined);
  if (!found || !('text' in found)) return [];
  const lines = found.text.split(/\r\n|\n|\r/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Returns the names and numbers in a text, in small letters. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set((text.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}|\d{2,}/gu) ?? []).map((word) => word.toLowerCase()));
}
