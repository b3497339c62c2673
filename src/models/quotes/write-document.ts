import { leftOut } from '../../core/text/left-out.ts';
import { code, escapeText, fenced, lineAddress, oneLine, shorten, yamlString } from '../../text/cut/markdown.ts';
import type { Passage } from '../../text/cut/passage.ts';
import { unsearched } from '../../text/files/skipped.ts';
import type { DecisiveLine } from '../../text/find/decisive-line.ts';
import type { DocumentPlan, Lane, Quote } from '../../text/find/document-plan.ts';
import { firstSentence } from '../../text/find/first-sentence.ts';
import type { Research } from '../../text/find/research.ts';
import { labelOf } from '../../text/find/topic.ts';
import type { WorkspaceIndex } from '../../text/index/workspace-index.ts';
import type { Callers } from './callers.ts';
import { fenceLanguage } from './lookup/fence-language.ts';
import { decisiveOf, isSaidIn } from './lookup/lookup-of.ts';
import { shownLine } from './lookup/shown-line.ts';
import type { OverviewPlan } from './overview.ts';
import { ownWords } from './titles/what-it-is.ts';

type Section = Lane | 'around';
const HEADINGS: Record<Section, string> = {
  defined: 'Defined in',
  around: 'Around it',
  docs: 'What the docs say',
  used: 'Used by',
  tested: 'Tested in',
};
const MAX_TITLE = 300;
const MAX_SUMMARY = 300;
const MAX_LINE = 140;
/** Of a sentence, so much is in a title at least, if any. */
const MAX_TITLED = 40;

export interface DocumentInput {
  readonly index: WorkspaceIndex;
  readonly plan: DocumentPlan | OverviewPlan;
  readonly question: Research;
  readonly callers?: Callers | undefined;
  /** Of the node, relative to the workspace. */
  readonly folder: string;
}

/** Writes a document: Markdown with front matter, consisting of quotations and their sources. */
export function writeDocument(input: DocumentInput): string {
  const { plan, index } = input;
  const title = shorten(oneLine(plan.subject.title), MAX_TITLE) || 'Untitled';
  const summary = summarize(input);
  const sections = (Object.keys(HEADINGS) as Section[])
    .map((one) => writeSection(one, input))
    .filter((one) => one !== '');
  const nothing = `Nothing in this workspace matches. ${count(index.fileCount, 'file')} searched.`;
  return [
    `---\ntitle: ${yamlString(title)}\nsummary: ${yamlString(summary)}\n---`,
    `# ${headingOf(title)}`,
    plan.quotes.length === 0 ? nothing : introduce(input),
    ...sections,
    writeReadFirst(input),
    writeLeftOut(input),
    writeNotFound(input),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

/** A title as a heading: our own code spans stay, all other markup is escaped. */
function headingOf(title: string): string {
  const span = /^(`+)(.+?)\1(?!`)(.*)$/su.exec(title);
  return span ? `${code((span[2] ?? '').trim())}${escapeText(span[3] ?? '')}` : escapeText(title);
}

/** A sentence of ours with code spans in it. */
function escapeSaid(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => (part.startsWith('`') && part.length > 1 ? part : escapeText(part)))
    .join('');
}

/** One line for lists and reports: where it is, the line that decides, and who uses it. The title says what it is. */
function summarize({ plan, index, question, callers }: DocumentInput): string {
  const { quotes, subject } = plan;
  const line = decisiveOf(plan, { question, callers }, index);
  if (!line) return `Nothing in this workspace matches; ${count(index.fileCount, 'file')} searched.`;
  const passage = subject.passages[0] ?? line.quote.passage;
  const said = 'says' in plan ? '' : ownWords(passage, index);
  // A name that several things have tells nothing of who uses which.
  const isKnown = subject.passages.every((one) => index.names.namesakes(one).length < 2);
  const users = unique(quotes.filter(({ lane }) => isKnown && lane === 'used').map((quote) => labelOf(quote.passage)));
  const test = quotes.find(({ lane, named }) => lane === 'tested' && named);
  const where = subject.title.endsWith(`(${oneLine(line.quote.file.path)})`) ? `line ${line.row + 1}` : placeOf(line);
  const repeats = isSaidIn(shownLine(line), line.quote.passage, index) && line.quote.passage === passage;
  const parts = [
    subject.title.includes(said.slice(1)) ? '' : said,
    isSaid(plan, line) ? unlessTitled(plan, where) : repeats ? where : `${where}: ${spanOf(line)}`,
    users.length > 0 ? `used by ${users.join(', ')}` : '',
    test ? `tested in ${test.file.path}` : '',
  ];
  const whole = parts.filter((part) => part !== '');
  // A code span that is cut in two is none.
  while (whole.length > 1 && whole.join('; ').length > MAX_SUMMARY) whole.pop();
  return shorten(oneLine(whole.join('; ')), MAX_SUMMARY);
}

/** Of an overview, what prose says is said already. */
function isSaid(plan: DocumentPlan | OverviewPlan, { quote }: DecisiveLine): plan is OverviewPlan {
  return 'says' in plan && quote.lane === 'docs';
}

/** Returns what an overview says of a topic, without its label; only its place if the title says as much. */
function unlessTitled({ says, subject }: OverviewPlan, where: string): string {
  const said = says.slice(says.indexOf(': ') + 1).trim();
  return subject.title.includes(said.slice(0, MAX_TITLED)) ? where : said;
}

function placeOf({ quote, row }: DecisiveLine): string {
  return `${oneLine(quote.file.path)}:${row + 1}`;
}

/** The line as a code span for lists. */
function spanOf(line: DecisiveLine): string {
  return code(shorten(shownLine(line), MAX_LINE));
}

function introduce({ plan, index, question, callers, folder }: DocumentInput): string {
  const line = decisiveOf(plan, { question, callers }, index);
  const link = line && lineAddress(index.workspace, folder, line.quote.file.path, line.row + 1, line.row + 1);
  const decides = line ? `[${escapeText(placeOf(line))}](${link})${isSaid(plan, line) ? '' : `: ${spanOf(line)}`}` : '';
  const passage = plan.subject.passages[0];
  if ('says' in plan) return `${escapeSaid(plan.says)}. ${decides}`;
  if (!passage) return `The places in this workspace that have most of these words. ${decides}`.trim();
  const { file, start, end } = passage;
  const said = passage.kind === 'section' ? '' : firstSentence(passage, index);
  const where = `${KIND[passage.kind]} in ${escapeText(file.path)}, ${end > start ? `lines ${start + 1} to ${end + 1}` : `line ${start + 1}`}.`;
  const opening = [said === '' ? '' : `${escapeText(said)}.`, decides].filter((part) => part !== '').join(' ');
  return [opening, where].filter((part) => part !== '').join('\n\n');
}

const KIND: Record<Passage['kind'], string> = {
  class: 'A type',
  function: 'A function',
  member: 'A member',
  constant: 'A constant',
  type: 'A type',
  block: 'A block',
  section: 'A section',
  rest: 'Lines',
};

/** The section that a quotation belongs in: what decides near a symbol does not define it. */
function sectionOf({ lane, passage }: Quote, { subject }: Pick<DocumentPlan, 'subject'>): Section {
  if (lane !== 'defined' || subject.passages.length === 0) return lane;
  const isOf = (one: Passage): boolean =>
    (passage.file === one.file && passage.start >= one.start && passage.end <= one.end) ||
    (passage.identifier !== undefined && passage.identifier === one.identifier);
  return subject.passages.some(isOf) ? 'defined' : 'around';
}

function writeSection(section: Section, input: DocumentInput): string {
  const { index, plan, folder } = input;
  const quotes = plan.quotes.filter((quote) => sectionOf(quote, plan) === section);
  const more = section === 'used' ? plan.moreUses : [];
  if (quotes.length === 0 && more.length === 0) return '';
  const blocks = quotes.map((quote) => {
    const lines = quote.file.lines.slice(quote.start, quote.end + 1);
    const name = quote.passage.kind === 'rest' ? '' : ` ${labelText(quote.passage)}`;
    return `${linkTo(quote, index, folder)}${name}\n\n${fenced(lines, fenceLanguage(quote.file.path))}`;
  });
  const links = more.map(({ passage, row }) => {
    const at = { file: passage.file, start: row, end: row };
    return `- ${labelText(passage)}, ${linkTo(at, index, folder)}`;
  });
  if (links.length > 0) blocks.push(`${quotes.length > 0 ? 'Also in:' : 'Named in:'}\n\n${links.join('\n')}`);
  const note = section === 'used' ? ambiguity(plan, index) : '';
  return [`## ${HEADINGS[section]}`, ...(note === '' ? [] : [note]), ...blocks].join('\n\n');
}

/** A name does not say which symbol it means: if several share one, the reader is told. */
function ambiguity({ subject }: DocumentPlan, index: WorkspaceIndex): string {
  const [passage] = subject.passages;
  const others = passage ? index.names.namesakes(passage) : [];
  if (!passage?.identifier || others.length < 2) return '';
  return `${code(passage.identifier)} is defined in ${others.length} places; these lines may mean another of them.`;
}

function writeReadFirst({ plan, index, folder }: DocumentInput): string {
  if (plan.readFirst.length === 0) return '';
  const items = plan.readFirst.map(({ path, row, why }, place) => {
    const link = `[${escapeText(path)}](${lineAddress(index.workspace, folder, path, row + 1, row + 1)})`;
    return `${place + 1}. ${link}${why === '' ? '' : `: ${why}`}`;
  });
  return `## Read first\n\n${items.join('\n')}`;
}

/** Of the files that are quoted, or named to be read. */
function writeLeftOut({ plan, index }: DocumentInput): string {
  const files = [...plan.quotes.map(({ file }) => file), ...plan.readFirst.map(({ path }) => index.fileNamed(path))];
  const left = unique(
    files.flatMap((file) => (file && file.secrets > 0 ? [leftOut(file.secrets, oneLine(file.path))] : [])),
  );
  return left.length === 0 ? '' : `## Left out\n\n${left.map((line) => `- ${escapeText(line)}`).join('\n')}`;
}

function writeNotFound({ plan, index }: DocumentInput): string {
  const searched = `${count(index.fileCount, 'file')} searched`;
  const read = index.files.length;
  const closely = read < index.fileCount ? ` by their words, ${read} of them read closely` : '';
  const { files, folders } = unsearched(index.skipped);
  const left = [files > 0 ? count(files, 'file') : '', folders > 0 ? count(folders, 'folder') : ''].filter(Boolean);
  const skipped = left.length > 0 ? `; ${left.join(' and ')} not read` : '';
  const missing = plan.missing.map((word) => `*${escapeText(word)}*`);
  if (missing.length === 0) return `## Searched\n\n${searched}${closely}${skipped}.`;
  const where = left.length > 0 ? 'In no file that was read' : 'In no file';
  return `## Not found\n\n${where}: ${missing.join(', ')}. ${searched}${closely}${skipped}.`;
}

function linkTo(quote: Pick<Quote, 'file' | 'start' | 'end'>, index: WorkspaceIndex, folder: string): string {
  const { file, start, end } = quote;
  return `[${escapeText(place(quote))}](${lineAddress(index.workspace, folder, file.path, start + 1, end + 1)})`;
}

function place({ file, start, end }: Pick<Quote, 'file' | 'start' | 'end'>): string {
  return `${oneLine(file.path)}:${start + 1}${end > start ? `-${end + 1}` : ''}`;
}

function labelText(passage: Passage): string {
  return passage.kind === 'section' ? escapeText(labelOf(passage)) : labelOf(passage);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
