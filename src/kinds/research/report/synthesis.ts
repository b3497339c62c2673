import type { Turn } from '../../../core/ports/model.ts';
import { turnOf } from '../../../core/search/conversation.ts';
import { oneLine, utf8Length } from '../../../core/text/text.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import type { CountedTools } from '../../../engine/question.ts';
import { toolPrompt } from '../../../engine/tools.ts';
import type { CitedFinding, Found } from '../../../engine-parts/report/findings.ts';
import { documentLink, placeOf, webAddress } from '../../../engine-parts/report/link-target.ts';
import { blocksOf, type LinkRule, visibleText } from '../../../engine-parts/report/safe-markdown.ts';
import type { CleanAnswer } from '../../../engine-parts/report/written-answer.ts';
import { answerThatFits, toolsForAnswer, writtenAnswer } from '../../../engine-parts/report/written-answer.ts';
import { notesFor, notesText, ROOT_SESSION } from '../../../engine-parts/transcripts/conversations.ts';
import { isSmallSurvey } from '../node-prompt.ts';
import { type SynthesisData, type SynthesisDocument, synthesisPrompt } from '../prompts.ts';
import type { ResearchSearch } from '../research-search.ts';
import { citedPages, type Digest, type Material } from './material.ts';

/** The rounds in which the model may read files before it answers, where it has what the survey read. */
const ROUNDS_IN_SURVEY = 1;

/** The maximum length of the opening's prompt, in bytes of UTF-8. */
const PROMPT_BYTES = 72_000;

/** The call for the opening: a page in any language, and the model's thinking before it. */
export const OPENING_CALL = { purpose: 'synthesize', bytes: PROMPT_BYTES, maxOutputTokens: 4000 } as const;

/**
 * Asks the model for the report's opening: `text` is Markdown that can be used in the report as it is, `why` says why there
 * is none. Where the survey's conversation fits, it goes on in it: what was read there decides many a doubt.
 * @param first the answer that the search began with
 * @throws ThoughtTreeError if another process now holds the search, or its files cannot be written
 */
export async function askForOpening(ctx: ResearchSearch, material: Material, first: FirstAnswer): Promise<CleanAnswer> {
  const { turns, tools } = await wayOfAsking(ctx);
  const asking = { reads: tools !== undefined, isForked: turns.length > 0 };
  const { data, findings, nodeLinks } = await synthesisData(material, first, asking);
  const prompt = [synthesisPrompt(data), ...(tools ? [toolPrompt(tools.toolbox.tools, tools.rounds)] : [])].join(
    '\n\n',
  );
  const { purpose } = OPENING_CALL;
  const maxOutputTokens = answerThatFits(ctx.modelFor(purpose), OPENING_CALL.maxOutputTokens);
  const words = { prompt, turns, data, maxOutputTokens, ...(tools && { tools }) };
  return await writtenAnswer(ctx, { purpose, words, findings, link: linksFrom(material, nodeLinks) });
}

interface WayOfAsking {
  /** The survey's conversation; empty where it is asked apart. */
  readonly turns: readonly Turn[];
  readonly tools: CountedTools | undefined;
}

/** Takes the best way that the budget has room for. */
async function wayOfAsking(ctx: ResearchSearch): Promise<WayOfAsking> {
  const turns = await surveyTurns(ctx);
  const tools = turns.length > 0 ? toolsForAnswer(ctx, OPENING_CALL, ROUNDS_IN_SURVEY, turns) : undefined;
  return tools ? { turns, tools } : { turns: [], tools: toolsForAnswer(ctx, OPENING_CALL) };
}

/**
 * Returns the conversation that surveyed the workspace; empty if there is none that read files, or if it is too large
 * for the model.
 */
async function surveyTurns(ctx: ResearchSearch): Promise<Turn[]> {
  const kept = ctx.surveys ? await ctx.store.readConversation(ROOT_SESSION) : undefined;
  const turns = (kept?.turns ?? []).map(turnOf);
  const hasRead = turns.some(({ toolCalls }) => toolCalls);
  return hasRead && isSmallSurvey(ctx, turns, ctx.modelFor(OPENING_CALL.purpose)) ? turns : [];
}

/** Links lead to the given nodes, and to pages that the documents cite. */
export function linksFrom(material: Material, nodeLinks: ReadonlyMap<string, TreeNode>): LinkRule {
  const { tree, folder } = material.ctx;
  const pages = citedPages(material.digests);
  return (target) => {
    const page = webAddress(target);
    if (page !== undefined) return pages.has(page) ? page : undefined;
    const node = placeOf(tree, folder, '', target)?.node;
    const link = node && documentLink(node);
    return link !== undefined && nodeLinks.get(link) === node ? link : undefined;
  };
}

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
interface Synthesis {
  readonly data: SynthesisData;
  /** By number, from 1. */
  readonly findings: readonly CitedFinding[];
  /** The nodes that it may link to, by their links. */
  readonly nodeLinks: ReadonlyMap<string, TreeNode>;
}

/** The answer that a search began with; of one without it nothing. */
type FirstAnswer = Found & { readonly text: string };

/** The form in which the opening is asked for. */
type Asking = Pick<SynthesisData, 'reads' | 'isForked'>;

/**
 * Collects what the opening is made from: the findings and open questions of the answer that the search began with and of
 * every document, the most informative first, as far as there is room; then the prose of those that name no findings.
 */
async function synthesisData(material: Material, first: FirstAnswer, asking: Asking): Promise<Synthesis> {
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

/** Returns the text of a document without its fences, whose lines the findings name. */
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
