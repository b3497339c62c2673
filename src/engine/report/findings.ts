import * as z from 'zod';
import { placeText } from '../../core/citations/citation.ts';
import { placesIn } from '../../core/citations/line-references.ts';
import { type CheckedDocument, parseDocument, writeDocument } from '../../core/text/document.ts';
import { oneLine } from '../../core/text/text.ts';
import type { TreeNode } from '../../core/tree/tree.ts';
import { blocksOf } from './markdown-blocks.ts';

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
