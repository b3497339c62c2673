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
/** The places for which a reference to one finding or two has room, each a link of its own. */
const ROOM = 2;
/** The characters of a clause that says enough to have room for one more. */
const LONG_CLAUSE = 140;
/** Lines between places that are still shown as one. */
const MOST_BETWEEN = 15;
/** Numbers with the space and the brackets around them. */
const WHOLE_NUMBERS =
  /( ?)(?:\(\[(\d{1,4}(?:\s*(?:[,;]|[-–])\s*\d{1,4}){0,12})\]\)|\[(\d{1,4}(?:\s*(?:[,;]|[-–])\s*\d{1,4}){0,12})\](?!\())/g;
const MOST_IN_RANGE = 10;
const LONGEST_SENTENCE = 500;
/** An end of a sentence; before a small letter a full stop is that of an abbreviation. */
const SENTENCE_END = /(?<=[.!?])\s(?!\p{Ll})|(?<=[。！？])|\n/u;
/** Lines of a place whose words are looked at, and of places that are shown as one. */
const MOST_LINES = 60;
/** A link: what is split by it, or by code, is text that may be linked. Bounded, so that no line makes it slow. */
const LINK = /(\[[^[\]\n]{1,400}\]\([^()\n]{1,2000}\))/;
const LINKS = /\[[^[\]\n]{1,400}\]\([^()\n]{1,2000}\)/g;
const CODE_OR_LINK = /(`[^`\n]{1,300}`|\[[^[\]\n]{1,400}\]\([^()\n]{1,2000}\))/;
/** A link, or numbers. */
const REFERENCE = /\[[^[\]\n]{1,400}\]\([^()\n]{1,2000}\)|\[\d[\d,;\s–-]{0,100}\]/;
/** Lists of nothing but links, in brackets, one behind the other. */
const LISTS =
  /\(\[[^[\]\n]{1,400}\]\([^()\n]{1,2000}\)(?:(?:[,;] ?|\) ?\()\[[^[\]\n]{1,400}\]\([^()\n]{1,2000}\)){0,60}\)/g;
const CODE_SPAN = /(`[^`\n]{1,300}`)/;
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
  // Every second part is code, in which no list is touched.
  return out
    .join('')
    .split(CODE_SPAN)
    .map((part, at) =>
      at % 2 === 1 ? part : part.replace(LISTS, (lists) => `(${withoutInner(lists.match(LINKS) ?? []).join(', ')})`),
    )
    .join('');
}

/** Returns links without those whose lines another one shows as well. */
function withoutInner(links: readonly string[]): string[] {
  const placeOf = (label: string): FileLines | undefined => placesIn(label).find((place) => placeText(place) === label);
  const places = new Map(links.map((link) => [link, placeOf(link.slice(1, link.indexOf(']')))]));
  const all = [...places];
  return all.flatMap(([link, place], at) => {
    const isInner = all.some(([, other], index) => {
      if (!place || !other || index === at || !isWithin(place, other)) return false;
      // So many lines show nothing exactly.
      if (other.to - other.from >= MOST_LINES && !isWithin(other, place)) return false;
      return !isWithin(other, place) || index > at;
    });
    return isInner ? [] : [link];
  });
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
  return text.replace(
    WHOLE_NUMBERS,
    (all, space: string, bracketed: string | undefined, bare: string, index: number) => {
      const named = numbersIn(bracketed ?? bare).flatMap((number) => findings[number - 1] ?? []);
      if (named.length === 0) return all;
      const links = linksOf(named, places, claimOf(`${before}${text.slice(0, index)}`));
      return links.length > 0 ? `${space}(${links.join(', ')})` : '';
    },
  );
}

/** A claim that a reference is to bear out. */
interface Claim {
  readonly sentence: string;
  /** Its part behind the reference before. */
  readonly clause: string;
}

/** Returns what the end of a text claims; where a reference stands behind a full stop, it is the sentence before. */
function claimOf(text: string): Claim {
  const last = (parts: readonly string[]): string => parts.findLast((part) => /\p{L}/u.test(part)) ?? '';
  const parts = last(text.slice(-LONGEST_SENTENCE).split(SENTENCE_END)).split(REFERENCE);
  return { sentence: parts.join(' '), clause: last(parts) };
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

/**
 * Returns links to the lines that bear a claim out: for each finding that it names one, then as many as there is room
 * for, those first whose lines have most words of its sentence, counted for each finding that cites them.
 */
function linksOf(named: readonly CitedFinding[], places: Places, { sentence, clause }: Claim): string[] {
  const cited = named.map(({ cites }) => placesIn(cites.join('\n')).filter((place) => places.linkTo(place)));
  const words = wordsOf(sentence);
  const citing = (place: FileLines): typeof cited => cited.filter((own) => own.some((each) => isWithin(each, place)));
  const ranked = together(cited.flat())
    .map((place) => ({ place, score: places.sharedWith(place, words) * citing(place).length }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ place }) => place);
  const left = new Set(cited);
  const first = ranked.filter((place) => citing(place).filter((own) => left.delete(own)).length > 0);
  const most = Math.max(ROOM, named.length) + (clause.length > LONG_CLAUSE ? 1 : 0);
  const shown = [...new Set([...first, ...ranked])].slice(0, most);
  const documents = named.flatMap(({ node }, at) => (node && cited[at]?.length === 0 ? [node] : []));
  return [
    ...shown.map((place) => `[${placeText(place)}](${places.linkTo(place)})`),
    ...new Set(documents.map((node) => `[${node.title.replace(/[[\]\\`<>]/g, ' ').trim()}](${documentLink(node)})`)),
  ];
}

/** Returns places in their order, without those within others; those that are near each other are one. */
function together(places: readonly FileLines[]): FileLines[] {
  const byLine = places.toSorted((a, b) => a.path.localeCompare(b.path) || a.from - b.from || b.to - a.to);
  const merged: FileLines[] = [];
  for (const place of byLine) {
    const last = merged.at(-1);
    const both = last && { ...last, to: Math.max(last.to, place.to) };
    const isNear = last?.path === place.path && place.from - last.to <= MOST_BETWEEN + 1;
    if (both && isNear && both.to - both.from < MOST_LINES) merged[merged.length - 1] = both;
    else merged.push(place);
  }
  const first = (one: FileLines): number => places.findIndex((place) => isWithin(place, one));
  return merged.toSorted((a, b) => first(a) - first(b));
}

function isWithin(one: FileLines, other: FileLines): boolean {
  return one.path === other.path && one.from >= other.from && one.to <= other.to;
}

/** Files that a report links to, looked up once: a link to lines that are not there would be worse than none. */
export class Places {
  readonly #folder: string;
  /** The lines of files, by path. */
  readonly #files: ReadonlyMap<string, readonly string[]>;
  /** By place. */
  readonly #links = new Map<string, string>();
  /** The words of their lines, by place. */
  readonly #words = new Map<string, ReadonlySet<string>>();

  /** Looks up every place that any of the texts names. */
  static async lookUp(
    { workspaceText, folder }: Pick<SearchContext, 'workspaceText' | 'folder'>,
    texts: readonly string[],
  ): Promise<Places> {
    const files = new Map<string, readonly string[]>();
    const named = workspaceText ? placesIn(texts.join('\n')) : [];
    for (const { path } of named)
      if (!files.has(path)) files.set(path, await linesIn(workspaceText as WorkspaceText, path));
    const places = new Places(folder, files);
    for (const place of named) places.linkTo(place);
    return places;
  }

  private constructor(folder: string, files: ReadonlyMap<string, readonly string[]>) {
    this.#folder = folder;
    this.#files = files;
  }

  /** Returns how many of some words the lines of a place have. */
  sharedWith({ path, from, to }: FileLines, words: ReadonlySet<string>): number {
    const key = placeText({ path, from, to });
    let own = this.#words.get(key);
    if (!own) {
      const lines = this.#files.get(path)?.slice(from - 1, Math.min(to, from - 1 + MOST_LINES)) ?? [];
      own = wordsOf(lines.map((line) => line.slice(0, 1000)).join('\n'));
      this.#words.set(key, own);
    }
    let count = 0;
    for (const word of words) if (own.has(word)) count++;
    return count;
  }

  /** Returns the link to lines of a file, relative to the search's folder, and has it from then on; undefined if they are not there. */
  linkTo(place: FileLines): string | undefined {
    const isThere = place.to <= (this.#files.get(place.path)?.length ?? 0);
    const link = isThere ? citationLink(this.#folder, place) : undefined;
    if (link !== undefined) this.#links.set(placeText(place), link);
    return link;
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

/** Returns the names and numbers in a text, in small letters; of a name of several words these as well. */
function wordsOf(text: string): ReadonlySet<string> {
  const names = text.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}|\d{2,}/gu) ?? [];
  const parts = names.flatMap((name) => name.match(/\p{Lu}{3,}(?!\p{Ll})|\p{Lu}?\p{Ll}{2,}/gu) ?? []);
  return new Set([...names, ...parts.filter((part) => part.length > 2)].map((word) => word.toLowerCase()));
}
