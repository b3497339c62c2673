import type { Candidate, Grade, PromptData, QuoteRule, RankRule, SubtopicsRule } from '../../core/ports/model.ts';
import { lookupBlock } from '../../core/ports/workspace-text.ts';
import { codeSpan, escapeMarkdown, fenced, leftOut } from '../../core/text/text.ts';
import type { Passage } from '../../text/chunk/chunk-file.ts';
import { lineAddress, oneLine, shorten, yamlString } from '../../text/chunk/markdown.ts';
import { unsearched } from '../../text/files/skipped-files.ts';
import type { DecisiveLine } from '../../text/find/decisive-line.ts';
import { QuotationFinder } from '../../text/find/find-quotations.ts';
import { firstSentence } from '../../text/find/first-sentence.ts';
import type { DocumentPlan, Lane, Quote } from '../../text/find/plan-document.ts';
import { Research } from '../../text/find/research.ts';
import { isOnlyNear, labelOf } from '../../text/find/topics.ts';
import type { Watching } from '../../text/index/folder-index.ts';
import { Lru } from '../../text/index/lru.ts';
import type { WorkspaceIndex } from '../../text/index/workspace-index.ts';
import { type Asked, WorkspaceIndexes } from '../../text/index/workspace-indexes.ts';
import { overviewText } from '../../text/overview/overview-text.ts';
import { asksForOverview } from '../../text/rank/asked-for.ts';
import { termsOf } from '../../text/words/terms.ts';
import { Answers, type Callers } from './answers.ts';
import { decisiveOf, fenceLanguage, isSaidIn, lookupOf, shownLine } from './lookup.ts';
import { namesOf, type OverviewPlan } from './overview.ts';
import type { AnswerTo, Ask, Reply, WorkerOptions } from './quotes-thread.ts';
import { ownWords } from './titles.ts';

/** Answers the worker's questions about one workspace; its index is read on first use. */
export function answersTo({
  workspace,
  allowedFiles,
  searches,
}: WorkerOptions): (question: Ask, watching?: Watching) => Promise<AnswerTo<Ask>> {
  const indexes = new WorkspaceIndexes(workspace, { allowedFiles, searches });
  const answer = answerer(indexes);
  const finders = new WeakMap<WorkspaceIndex, QuotationFinder>();
  return async (question, watching) => {
    if ('data' in question) return answer(question.data, watching);
    if ('file' in question) {
      const text = await indexes.textOf(question.file);
      return text === undefined ? {} : { text };
    }
    if ('overview' in question) {
      const { overview } = question;
      const index = await indexFor({ question: overview.question }, indexes, watching);
      const research = new Research(index, overview.question);
      const text = await overviewText({ ...overview, index, research, read: (path) => indexes.sourceOf(path) });
      return { text: await indexes.withoutSecrets(text) };
    }
    const { question: asked, titles, naming = [], shown } = question.find;
    const named = [...naming, ...shown.map(({ path }) => path)];
    const index = await indexes.of({ question: asked, closer: titles.toReversed(), naming: named }, watching);
    const finder = finders.get(index) ?? new QuotationFinder(index);
    finders.set(index, finder);
    return finder.find(question.find);
  };
}

/** Answers requests in the format of a language model, by the rules of their kinds. */
function answerer(indexes: WorkspaceIndexes): (data: PromptData, watching?: Watching) => Promise<Reply> {
  const known = new WeakMap<WorkspaceIndex, Lru<Answers>>();
  return async ({ question, rule }, watching) => {
    // It declares that it writes no prose, so this is not reached.
    if (!rule) throw new Error('the quotes model writes no words of its own');
    if (rule.by === 'expectation') return { text: output(pickCandidates(question, rule).join('\n')) };
    const index = await indexFor({ question, naming: rule.lineage.map(({ title }) => title) }, indexes, watching);
    const ofIndex = known.get(index) ?? new Lru<Answers>(4);
    known.set(index, ofIndex);
    const answers = ofIndex.get(question, () => new Answers(index, question));
    return rule.by === 'quotations' ? document(rule, index, answers) : subtopics(rule, index, answers);
  };
}

/** Opens the index; a question about the whole may use the folder's name, which is known only when some was read. */
async function indexFor(asked: Asked, indexes: WorkspaceIndexes, watching?: Watching): Promise<WorkspaceIndex> {
  const index = await indexes.of(asked, watching);
  if (!asksForOverview(asked.question, namesOf(index))) return index;
  return indexes.of({ ...asked, isOfWhole: true }, watching);
}

function document({ lineage, folder, grade }: QuoteRule, index: WorkspaceIndex, answers: Answers): Reply {
  const plan = answers.plan(lineage);
  const text = writeDocument({ index, plan, question: answers.question, callers: answers.callers, folder });
  return { text: grade ? graded(text, grade, plan, index, answers) : text };
}

function subtopics({ lineage, most, folder = '' }: SubtopicsRule, index: WorkspaceIndex, answers: Answers): Reply {
  const list = answers.subtopics(lineage).slice(0, Math.max(0, most));
  const shown = list.map(({ title, score, why }) => JSON.stringify({ title, score, why }));
  const lookup = lineage.length > 0 ? '' : `\n${lookupBlock(lookupOf(list, index, answers, folder))}`;
  const text = `${output(list.length === 0 ? '[]' : `[\n${shown.join(',\n')}\n]`)}${lookup}`;
  return list.length === 0 ? { text, leafReason: 'no-sources' } : { text };
}

function output(text: string): string {
  // No answer may close its own block early.
  return `<output>\n${text.replaceAll('</output>', '<\\/output>')}\n</output>`;
}

/** By how much each further pick from the same first-level branch counts less, so that a ranking covers the question. */
const SAME_BRANCH = 1.2;
const DEEPER = 0.8;
const SHARED_WORD = 1;
const UNSCORED = 5;

interface Branch {
  readonly open: { path: string; worth: number; place: number }[];
  picked: number;
}

/** Ranks open leaves by expected value and by what they share with the question, alternating between branches. */
export function pickCandidates(question: string, { candidates, limit }: RankRule): string[] {
  const asked = new Set(termsOf(question));
  const branches = new Map<string, Branch>();
  candidates.forEach((candidate, place) => {
    const name = candidate.path.split('/')[0] ?? '';
    const branch = branches.get(name) ?? { open: [], picked: 0 };
    branch.open.push({ path: candidate.path, worth: worthOf(candidate, asked), place });
    branches.set(name, branch);
  });
  for (const { open } of branches.values()) open.sort((a, b) => b.worth - a.worth || a.place - b.place);
  const picks: string[] = [];
  const left = [...branches.values()];
  while (picks.length < limit) {
    let best: Branch | undefined;
    let bestWorth = Number.NEGATIVE_INFINITY;
    for (const branch of left) {
      const next = branch.open[0];
      const worth = next ? next.worth - SAME_BRANCH * branch.picked : Number.NEGATIVE_INFINITY;
      if (worth > bestWorth) [best, bestWorth] = [branch, worth];
    }
    const next = best?.open.shift();
    if (!best || !next) break;
    best.picked++;
    picks.push(next.path);
  }
  return picks;
}

function worthOf({ path, title, score }: Candidate, asked: ReadonlySet<string>): number {
  const shared = new Set(termsOf(title).filter((term) => asked.has(term))).size;
  return (score ?? UNSCORED) + SHARED_WORD * Math.min(3, shared) - DEEPER * (path.split('/').length - 1);
}

const FRONT = '---\n';
/** The number of a question's words that a place about it needs, if the question has so many. */
const WORDS = 2;

/** A document that also says in its front matter how much of it is about the question, and at its end where it looked. */
function graded(
  document: string,
  grade: Grade,
  plan: DocumentPlan | OverviewPlan,
  index: WorkspaceIndex,
  answers: Pick<Answers, 'question' | 'callers' | 'isOverview'>,
): string {
  const { quotes } = plan;
  const decides = decisiveOf(plan, answers, index);
  const isAbout = decides !== undefined && (answers.isOverview || isAboutQuestion(decides, answers.question));
  const about = isAbout ? quotes : [];
  const word = grade.values.find(({ least }) => about.length >= least) ?? grade.values.at(-1);
  const field = word ? `${grade.field}: ${yamlString(word.value)}\n` : '';
  const places = Map.groupBy(quotes, ({ file }) => file.path);
  const looked = [...places].map(([path, found]) => {
    const rows = found.map(({ start, end }) => (end > start ? `${start + 1}-${end + 1}` : `${start + 1}`));
    return `- ${oneLine(path)} - lines ${rows.join(', ')}`;
  });
  const none = `- all ${index.files.length} files of this workspace - nothing that matches`;
  const references = `## References\n${looked.length > 0 ? looked.join('\n') : none}\n`;
  return `${FRONT}${field}${document.slice(FRONT.length)}\n${references}`;
}

/** Tells whether the line that decides has a word of the question, in a place with enough of them, most of it said. */
function isAboutQuestion({ quote, row }: DecisiveLine, question: Research): boolean {
  if (isOnlyNear(question)) return false;
  const known = new Set(question.concepts.filter((_, place) => question.found.present[place]).map(({ word }) => word));
  const isSaid = question.lines.of(quote.file, row) > 0;
  return isSaid && question.wordsIn(quote.passage).length >= Math.min(WORDS, known.size);
}

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

/** Returns a title as a heading: our own codeSpan spans stay, all other markup is escaped. */
function headingOf(title: string): string {
  const span = /^(`+)(.+?)\1(?!`)(.*)$/su.exec(title);
  return span ? `${codeSpan((span[2] ?? '').trim())}${escapeMarkdown(span[3] ?? '')}` : escapeMarkdown(title);
}

/** Returns a sentence of ours with codeSpan spans in it. */
function escapeSaid(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => (part.startsWith('`') && part.length > 1 ? part : escapeMarkdown(part)))
    .join('');
}

/**
 * Returns one line for lists and reports: where it is, the line that decides, and who uses it. The title says what it
 * is.
 */
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
  // A codeSpan span that is cut in two is none.
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

/** Returns the line as a codeSpan span for lists. */
function spanOf(line: DecisiveLine): string {
  return codeSpan(shorten(shownLine(line), MAX_LINE));
}

function introduce({ plan, index, question, callers, folder }: DocumentInput): string {
  const line = decisiveOf(plan, { question, callers }, index);
  const link = line && lineAddress(index.workspace, folder, line.quote.file.path, line.row + 1, line.row + 1);
  const decides = line
    ? `[${escapeMarkdown(placeOf(line))}](${link})${isSaid(plan, line) ? '' : `: ${spanOf(line)}`}`
    : '';
  const passage = plan.subject.passages[0];
  if ('says' in plan) return `${escapeSaid(plan.says)}. ${decides}`;
  if (!passage) return `The places in this workspace that have most of these words. ${decides}`.trim();
  const { file, start, end } = passage;
  const said = passage.kind === 'section' ? '' : firstSentence(passage, index);
  const where = `${KIND[passage.kind]} in ${escapeMarkdown(file.path)}, ${end > start ? `lines ${start + 1} to ${end + 1}` : `line ${start + 1}`}.`;
  const opening = [said === '' ? '' : `${escapeMarkdown(said)}.`, decides].filter((part) => part !== '').join(' ');
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

/** Returns the section that a quotation belongs in: what decides near a symbol does not define it. */
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
  return `${codeSpan(passage.identifier)} is defined in ${others.length} places; these lines may mean another of them.`;
}

function writeReadFirst({ plan, index, folder }: DocumentInput): string {
  if (plan.readFirst.length === 0) return '';
  const items = plan.readFirst.map(({ path, row, why }, place) => {
    const link = `[${escapeMarkdown(path)}](${lineAddress(index.workspace, folder, path, row + 1, row + 1)})`;
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
  return left.length === 0 ? '' : `## Left out\n\n${left.map((line) => `- ${escapeMarkdown(line)}`).join('\n')}`;
}

function writeNotFound({ plan, index }: DocumentInput): string {
  const searched = `${count(index.fileCount, 'file')} searched`;
  const read = index.files.length;
  const closely = read < index.fileCount ? ` by their words, ${read} of them read closely` : '';
  const { files, folders } = unsearched(index.skipped);
  const left = [files > 0 ? count(files, 'file') : '', folders > 0 ? count(folders, 'folder') : ''].filter(Boolean);
  const skipped = left.length > 0 ? `; ${left.join(' and ')} not read` : '';
  const missing = plan.missing.map((word) => `*${escapeMarkdown(word)}*`);
  if (missing.length === 0) return `## Searched\n\n${searched}${closely}${skipped}.`;
  const where = left.length > 0 ? 'In no file that was read' : 'In no file';
  return `## Not found\n\n${where}: ${missing.join(', ')}. ${searched}${closely}${skipped}.`;
}

function linkTo(quote: Pick<Quote, 'file' | 'start' | 'end'>, index: WorkspaceIndex, folder: string): string {
  const { file, start, end } = quote;
  return `[${escapeMarkdown(place(quote))}](${lineAddress(index.workspace, folder, file.path, start + 1, end + 1)})`;
}

function place({ file, start, end }: Pick<Quote, 'file' | 'start' | 'end'>): string {
  return `${oneLine(file.path)}:${start + 1}${end > start ? `-${end + 1}` : ''}`;
}

function labelText(passage: Passage): string {
  return passage.kind === 'section' ? escapeMarkdown(labelOf(passage)) : labelOf(passage);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
