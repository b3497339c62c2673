import { oneLine, utf8Length } from '../../../core/text/text.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { notesFor, notesText } from '../../../engine/calls/notes.ts';
import type { CitedFinding, Found } from '../../../engine/report/findings.ts';
import { documentLink } from '../../../engine/report/link-target.ts';
import { blocksOf } from '../../../engine/report/markdown-blocks.ts';
import { visibleText } from '../../../engine/report/safe-markdown.ts';
import type { SynthesisData, SynthesisDocument } from '../prompts/prompt-data.ts';
import type { Material } from './material.ts';
import type { Digest } from './read-documents.ts';

/** The maximum length of the opening's prompt, in bytes of UTF-8. */
export const PROMPT_BYTES = 72_000;
/** The most of its parts; the rest is for its fixed words. */
const DOCUMENT_BYTES = 60_000;
const PROVISIONAL_BYTES = 12_000;
const NOTE_BYTES = 1000;
const LONGEST_TEXT = 3000;
const OPEN_TITLES = 20;
/** For a model with a known context, what system text and prompt may take together, in bytes for each of its tokens. */
const BYTES_A_TOKEN = 2;

/** In a word that names lines of a file. */
const PLACE = /:\d/;

const NO_DOCUMENT = { title: '', link: '', summary: '', text: '' };

/** The model's data for the opening, and the nodes and findings that it may refer to. */
export interface Synthesis {
  readonly data: SynthesisData;
  /** By number, from 1. */
  readonly findings: readonly CitedFinding[];
  /** The nodes that it may link to, by their links. */
  readonly nodeLinks: ReadonlyMap<string, TreeNode>;
}

/** The answer that a search began with; of one without it nothing. */
export type FirstAnswer = Found & { readonly text: string };

/** The form in which the opening is asked for. */
export type Asking = Pick<SynthesisData, 'reads' | 'isForked'>;

/**
 * Collects what the opening is made from: the findings and open questions of the answer that the search began with and of
 * every document, the most informative first, as far as there is room; then the prose of those that name no findings.
 */
export async function synthesisData(material: Material, first: FirstAnswer, asking: Asking): Promise<Synthesis> {
  const { ctx, digests, survey } = material;
  const context = ctx.model.contextTokens;
  const most = context === undefined ? DOCUMENT_BYTES : context * BYTES_A_TOKEN - utf8Length(ctx.system);
  let room = Math.min(DOCUMENT_BYTES, Math.floor(most));
  // In a small context the documents count more.
  const isSmall = 2 * sizeOf({ ...NO_DOCUMENT, ...foundInShort(first, 0) }) > room;
  const begun = isSmall ? { findings: [], open: [] } : first;
  const surveyed = foundInShort(begun, 0);
  const findings: CitedFinding[] = [...begun.findings];
  const documents: SynthesisDocument[] = [];
  room -= sizeOf({ ...NO_DOCUMENT, ...surveyed });
  // It is to be revised, so it comes whole before any document does.
  const provisional = asking.isForked
    ? ''
    : cutToBytes(visibleText(first.text), Math.min(PROVISIONAL_BYTES, Math.max(0, Math.floor(room / 2))));
  room -= utf8Length(provisional);
  for (const digest of digests) {
    const document = inShort(digest, findings.length);
    const size = sizeOf(document);
    if (size > room) continue;
    room -= size;
    documents.push(document);
    findings.push(...digest.found.findings.map((finding) => ({ ...finding, node: digest.node })));
  }
  const byLink = new Map(digests.map((digest) => [documentLink(digest.node), digest]));
  const whole = documents.map((document) => {
    const text = document.findings.length > 0 ? '' : proseOf(byLink.get(document.link) as Digest);
    const size = utf8Length(text) + 2;
    if (text === '' || size > room) return document;
    room -= size;
    return { ...document, text };
  });
  return {
    data: {
      purpose: 'synthesize',
      question: ctx.file.prompt,
      provisional,
      draftWords: wordsIn(first.text),
      surveyed,
      documents: whole,
      further: survey.documents - documents.length,
      openTopics: survey.open.named.slice(0, OPEN_TITLES).map(({ title }) => oneLine(title, 100)),
      notes: cutToBytes(visibleText(notesText(await notesFor(ctx, undefined))), NOTE_BYTES),
      ...asking,
    },
    findings,
    nodeLinks: new Map(documents.map(({ link }) => [link, (byLink.get(link) as Digest).node])),
  };
}

function inShort({ node, found }: Digest, before: number): SynthesisDocument {
  return {
    title: oneLine(node.title, 200).replace(/[<>]/g, ' '),
    link: documentLink(node),
    summary: tame(node.summary ?? ''),
    ...foundInShort(found, before),
    text: '',
  };
}

/** Findings with their numbers. @param before how many have one already */
function foundInShort({ findings, open }: Found, before: number): SynthesisData['surveyed'] {
  const numbered = findings.map(({ text, cites }, at) => ({
    number: before + at + 1,
    text: tame(text),
    cites: cites.map(tame),
  }));
  return { findings: numbered, open: open.map(tame) };
}

function sizeOf({ title, link, summary, findings, open }: SynthesisDocument): number {
  const said = findings.flatMap(({ text, cites }) => [text, ...cites, '[000] (, , )']);
  return utf8Length([title, link, summary, ...said, ...open.map((each) => `Open: ${each}`)].join('\n')) + 60;
}

/** The text of a document without its fences, whose lines the findings name. */
function proseOf({ blocks }: Digest): string {
  const parts = blocks.flatMap((block) => {
    if (block.kind === 'fence') return [];
    return [block.kind === 'heading' ? `${'#'.repeat(block.level)} ${block.text}` : block.lines.join('\n')];
  });
  return cutToBytes(tame(parts.join('\n\n')), LONGEST_TEXT);
}

/** Returns about how many words a text has, without what it quotes and the places that it names. */
function wordsIn(text: string): number {
  const said = blocksOf(text).flatMap((block) => {
    if (block.kind === 'fence') return [];
    return block.kind === 'heading' ? [block.text] : block.lines;
  });
  const all = said.join(' ').split(/\s+/);
  const words = all.filter((word) => /[\p{L}\p{N}]/u.test(word) && !PLACE.test(word)).length;
  return Math.round(words / 50) * 50;
}

/** Text of a document that cannot end the tags around it. */
function tame(text: string): string {
  return text.replace(/<(?=\/?(?:document|provisional|notes)\b)/gi, '< ');
}

function cutToBytes(text: string, bytes: number): string {
  if (utf8Length(text) <= bytes) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (utf8Length(text.slice(0, middle)) <= bytes - 3) low = middle;
    else high = middle - 1;
  }
  const cut = text.slice(0, low).replace(/[\ud800-\udbff]$/, '');
  const end = Math.max(cut.lastIndexOf('\n'), cut.lastIndexOf('. ') + 1, cut.lastIndexOf('。') + 1);
  return `${(end > cut.length / 2 ? cut.slice(0, end) : cut).trimEnd()} …`;
}
