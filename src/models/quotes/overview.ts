import { posix } from 'node:path';
import { codeSpan } from '../../core/text/text.ts';
import type { Passage } from '../../text/chunk/chunk-file.ts';
import { oneLine, shorten } from '../../text/chunk/markdown.ts';
import { isQuotable } from '../../text/files/read-source.ts';
import type { SourceFile } from '../../text/files/source-file.ts';
import type { Lines } from '../../text/find/choose-lines.ts';
import { chooseLines } from '../../text/find/choose-lines.ts';
import type { DecisiveLine } from '../../text/find/decisive-line.ts';
import { firstSentence, sentenceIn } from '../../text/find/first-sentence.ts';
import type { DocumentPlan, Quote } from '../../text/find/plan-document.ts';
import { titleOf } from '../../text/find/topics.ts';
import type { WorkspaceIndex } from '../../text/index/workspace-index.ts';
import {
  firstParagraph,
  IS_A,
  introducing,
  introductionIn,
  introductionOf,
  isReadme,
  type Part,
  partsOf,
} from '../../text/overview/introduction.ts';
import { type Manifest, manifestsOf, startOf } from '../../text/overview/start-of.ts';
import { splitWords } from '../../text/words/split-words.ts';

/** A topic of an overview: what it quotes is known before it is asked for. */
export interface OverviewTopic {
  readonly title: string;
  /** From 0 to 1. */
  readonly worth: number;
  readonly why: string;
  /** A sentence without its end. */
  readonly says: string;
  readonly plan: OverviewPlan;
  /** The symbols below it. */
  readonly symbols: readonly Passage[];
}

/** The content of such a topic's document. */
export interface OverviewPlan extends DocumentPlan {
  readonly says: string;
  readonly decides: DecisiveLine;
}

const MOST_PARTS = 8;
const MOST_DOCUMENTS = 9;
const MOST_QUOTES = 4;
const QUOTES_A_FILE = 2;
const QUOTED_LINES = 8;
/** Enough to know a symbol by: the rest is for its own document. */
const SYMBOL_LINES = 3;

/** Returns the name of a workspace, in the words of its manifests. */
export function namesOf(index: WorkspaceIndex): string[] {
  return [posix.basename(index.workspace.replaceAll('\\', '/')), ...manifestsOf(index).map(({ name }) => name)];
}

/** Lists the topics of a question about the whole: what a workspace is, how it starts and what it consists of. */
export function overviewOf(index: WorkspaceIndex): OverviewTopic[] {
  const manifests = manifestsOf(index);
  const parts = partsOf(index);
  const topics = [whatIs(index, manifests) ?? introducedBy(parts, index), howItStarts(index, manifests)];
  topics.push(...partTopics(parts, index));
  return topics.flatMap((topic) => topic ?? []);
}

/** Lists what it consists of: parts with symbols, else documents, else files without any. */
function partTopics(parts: readonly Part[], index: WorkspaceIndex): OverviewTopic[] {
  const topicsOf = (some: readonly Part[]): OverviewTopic[] =>
    some.slice(0, MOST_PARTS).flatMap((part, place) => partTopic(part, place, index) ?? []);
  const withSymbols = topicsOf(parts.filter(({ symbols }) => symbols.length > 0));
  const shown = withSymbols.length > 0 ? withSymbols : documentTopics(index);
  return shown.length > 0 ? shown : topicsOf(parts.filter(({ read }) => read.length > 0));
}

function whatIs(index: WorkspaceIndex, manifests: readonly Manifest[]): OverviewTopic | undefined {
  const readme = index.files.find(({ path }) => isReadme(path));
  const paragraph = readme && firstParagraph(readme);
  const [manifest] = manifests;
  const description = oneLine(manifest?.description ?? '');
  const isFirst = paragraph && (!DESCRIBES.test(description) || isAbout(paragraph.text, description, namesOf(index)));
  const said = isFirst ? sentenceIn(paragraph.text) : description;
  const ofReadme = paragraph ? [quoteOf(index, paragraph, 'docs')] : [];
  const lines = manifest ? runsOf(manifest.file, manifest.rows) : [];
  const ofManifest = lines.map((one) => quoteOf(index, one, isFirst ? 'defined' : 'docs'));
  const quotes = (isFirst ? [...ofReadme, ...ofManifest] : [...ofManifest, ...ofReadme]).slice(0, MOST_QUOTES);
  const row = isFirst ? paragraph.start : manifest?.row;
  const quote = quotes.find(({ start, end }) => row !== undefined && start <= row && row <= end) ?? quotes[0];
  if (!quote || said === '') return undefined;
  const title = `What it is (${oneLine(quote.file.path)})`;
  const decides = { quote, row: row ?? quote.start };
  return topicOf(title, `What it is: ${said}`, 1, 'what it is', quotes, decides);
}

/** A label is no description: it has some words, or is in a script without spaces. */
const DESCRIBES = /\S\s+\S+\s+\S|\p{Lo}{4}/u;

/**
 * Tells whether a README's paragraph says what something is: it defines it, names the project, or has the words of its
 * description. Others praise, or tell why it is needed.
 */
function isAbout(text: string, description: string, names: readonly string[]): boolean {
  const words = splitWords(text);
  const isNamed = (name: string): boolean => {
    const own = splitWords(name.split('/').at(-1) ?? '').join(' ');
    return own !== '' && ` ${words.join(' ')} `.includes(` ${own} `);
  };
  return IS_A.test(text) || names.some(isNamed) || splitWords(description).every((word) => words.includes(word));
}

/**
 * Where neither a README nor a manifest says what it is, the codeSpan may: where it is all in one file, or the folder of all
 * codeSpan has an introduction. What one of several parts says is not about the whole.
 */
function introducedBy(parts: readonly Part[], index: WorkspaceIndex): OverviewTopic | undefined {
  const [only] = parts.length === 1 ? parts : [];
  const file = introductionIn(index.layout().folder, index) ?? (only && introductionOf(only, index));
  const whole = file ? introducing(file, index) : '';
  if (!file || whole === '') return undefined;
  const said = whole.replace(/^Package \S+ is /, '');
  const words = said.split(' ').slice(0, 3).join(' ');
  const row = Math.max(
    0,
    file.lines.findIndex((line) => line.includes(words)),
  );
  const quote = quoteOf(index, { file, start: row, end: row }, 'docs');
  return topicOf(`What it is (${oneLine(file.path)})`, `What it is: ${said}`, 1, 'what it is', [quote], { quote, row });
}

function howItStarts(index: WorkspaceIndex, manifests: readonly Manifest[]): OverviewTopic | undefined {
  const start = startOf(index, manifests, index.layout().folder);
  const manifest = manifests.find(({ startRows }) => startRows.length > 0);
  const quotes = [
    ...(start ? [quoteOf(index, start.lines, 'defined')] : []),
    ...(manifest ? runsOf(manifest.file, manifest.startRows).map((lines) => quoteOf(index, lines, 'defined')) : []),
  ];
  const [first] = quotes;
  if (!first) return undefined;
  const row = start?.row ?? manifest?.startRows[0] ?? first.start;
  const path = oneLine(first.file.path);
  const says = start ? `How it starts: ${start.says}` : `How it starts: see ${path}`;
  return topicOf(`How it starts (${path})`, says, 0.9, 'how it starts', quotes.slice(0, MOST_QUOTES), {
    quote: first,
    row,
  });
}

function partTopic(part: Part, place: number, index: WorkspaceIndex): OverviewTopic | undefined {
  const { path, files, bytes, lines, language, symbols } = part;
  const intro = introductionOf(part, index);
  const said = intro ? introducing(intro, index) : '';
  // Whichever file says what a package of Go is, does not say what itself is.
  const words = path.endsWith('/') || !/^Package\b/.test(said) ? said : '';
  const amount = lines === undefined ? sizeText(bytes) : `${lines.toLocaleString('en-US')} lines`;
  const size = [
    ...(path.endsWith('/') ? [`${files.toLocaleString('en-US')} file${files === 1 ? '' : 's'}`] : []),
    `${amount}${language === '' ? '' : ` of ${language}`}`,
  ].join(', ');
  const quotes = symbols.length > 0 ? quotesOf(symbols, index) : openingOf(part, index);
  const [first] = quotes;
  if (!first) return undefined;
  const names = [...new Set(symbols.map(({ name }) => name))].slice(0, 3).map(codeSpan).join(', ');
  // Of a part that was not read whole, others may be used more.
  const has = names === '' ? '' : `; ${lines === undefined ? 'among others' : 'most used'}: ${names}`;
  const says = `${codeSpan(oneLine(path))}: ${words === '' ? `${size}${has}` : `${words} (${size})`}`;
  const title = `${codeSpan(oneLine(path))}: ${shorten(words === '' ? size : words, 70)}`;
  const decides = { quote: first, row: symbols.length > 0 ? first.passage.head : first.start };
  const topic = topicOf(title, says, 0.8 * 0.95 ** place, `${size}, used by other parts`, quotes, decides);
  return { ...topic, symbols };
}

/** Returns the first lines of a part's codeSpan, where nothing of it has a name. */
function openingOf({ read }: Part, index: WorkspaceIndex): Quote[] {
  for (const file of read) {
    const start = file.lines.findIndex((line) => /\w/.test(line) && isQuotable(line));
    if (start >= 0) return [quoteOf(index, { file, start, end: start }, 'defined')];
  }
  return [];
}

/** As people say it: "330 KB", "1.2 MB". */
function sizeText(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1000))} KB`;
  return `${(bytes / 1_000_000).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB`;
}

function quotesOf(symbols: readonly Passage[], index: WorkspaceIndex): Quote[] {
  const quotes: Quote[] = [];
  for (const passage of symbols) {
    if (quotes.length === MOST_QUOTES) break;
    if (quotes.filter(({ file }) => file === passage.file).length === QUOTES_A_FILE) continue;
    const lines = chooseLines(passage, {
      weigh: (row) => (index.isComment(passage.file, row) ? 0.5 : 1),
      taken: (row) => quotes.some(({ file, start, end }) => file === passage.file && row >= start && row <= end),
      isComment: (row) => index.isComment(passage.file, row),
      around: passage.head,
      most: SYMBOL_LINES,
    });
    if (lines) quotes.push({ ...lines, lane: 'defined', passage, named: true });
  }
  return quotes;
}

/** A folder of prose consists of its documents: the longest first, after those that introduce. */
function documentTopics(index: WorkspaceIndex): OverviewTopic[] {
  const docs = index.files.filter(({ role, path }) => role === 'docs' && !isReadme(path));
  const first = docs.toSorted((a, b) => Number(isIndex(b)) - Number(isIndex(a)) || b.lines.length - a.lines.length);
  return first.slice(0, MOST_DOCUMENTS).flatMap((file, place) => {
    const sections = index.passages.filter((passage) => passage.file === file && passage.kind === 'section');
    const section = sections.find((one) => firstSentence(one, index) !== '') ?? sections[0];
    const paragraph = firstParagraph(file);
    if (!section || !paragraph) return [];
    const quote = quoteOf(index, paragraph, 'docs');
    const said = sentenceIn(paragraph.text);
    const size = `${file.lines.length.toLocaleString('en-US')} lines`;
    const title = titleOf(sections[0] ?? section, shorten(said, 70));
    const says = `“${oneLine((sections[0] ?? section).name)}”: ${said === '' ? size : said}`;
    const topic = topicOf(title, says, 0.85 * 0.95 ** place, `a document of ${size}`, [quote], {
      quote,
      row: quote.start,
    });
    return [{ ...topic, symbols: sections.slice(1) }];
  });
}

function isIndex({ path }: SourceFile): boolean {
  return /(?:^|\/)(?:index|overview|introduction|getting-started|about)\b/i.test(path);
}

function topicOf(
  title: string,
  says: string,
  worth: number,
  why: string,
  quotes: readonly Quote[],
  decides: DecisiveLine,
): OverviewTopic {
  const subject = { title, passages: [] };
  const readFirst = [...new Set(quotes.map(({ file }) => file))].slice(0, 3).map(({ path }) => {
    const row = quotes.find(({ file }) => file.path === path)?.start ?? 0;
    return { path, row, why: '' };
  });
  const plan = { subject, quotes, moreUses: [], readFirst, missing: [], says, decides };
  return { title, worth, why, says, plan, symbols: [] };
}

/** Lines as a quotation, with the passage that they belong to. */
function quoteOf(index: WorkspaceIndex, lines: Lines, lane: Quote['lane']): Quote {
  const inFile = index.passages.filter(({ file }) => file === lines.file);
  const around = inFile.filter(({ start, end }) => start <= lines.start && end >= lines.start);
  const whole = { kind: 'rest' as const, name: posix.basename(lines.file.path), start: 0, head: 0, end: lines.end };
  return { ...lines, lane, passage: around.at(-1) ?? { ...whole, id: -1, file: lines.file, inner: [] }, named: false };
}

/** Rows as runs of lines, near ones together. */
function runsOf(file: SourceFile, rows: readonly number[]): Lines[] {
  const runs: { file: SourceFile; start: number; end: number }[] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    if (last && row - last.end <= 3 && row - last.start < QUOTED_LINES) last.end = row;
    else runs.push({ file, start: row, end: row });
  }
  return runs.slice(0, 2);
}
