import { type CitationCounts, type CitationMark, placeText } from '../../../core/citations/citation.ts';
import { markWords } from '../../../core/citations/messages.ts';
import { type Entry, type Message, messageOf } from '../../../core/messages/message.ts';
import type { Results } from '../../../core/search/events.ts';
import { expansionsOf } from '../../../core/search/limits.ts';
import { progressOf } from '../../../core/search/progress.ts';
import { prunedWords } from '../../../core/tree/messages.ts';
import type { NodeStatus } from '../../../core/tree/node-file.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import type { SearchContext } from '../../../engine/context.ts';
import { isNothing, resultsOf } from '../../../engine/loop.ts';
import { nothingWritten } from '../../../engine/messages.ts';
import { mendedReport } from '../../../engine-parts/citations/mark-document.ts';
import { Places, withReferences } from '../../../engine-parts/report/findings.ts';
import { documentLink } from '../../../engine-parts/report/link-target.ts';
import { andMore, cost } from '../../../engine-parts/report/messages.ts';
import {
  inShort,
  MOST_IN_SHORT,
  modelsLine,
  moneyLine,
  timeLine,
  tokensLine,
  whyNothing,
} from '../../../engine-parts/report/report-lines.ts';
import { interimNotice } from '../../../engine-parts/report/report-writing.ts';
import { keyPassage, plainLine, scoreText, titleOf } from '../../../engine-parts/report/safe-markdown.ts';
import { cleanAnswer } from '../../../engine-parts/report/written-answer.ts';
import type { SurveyAnswer } from '../document-answer.ts';
import { surveyOf } from '../list-root.ts';
import * as say from '../messages.ts';
import type { ResearchSearch } from '../research-search.ts';
import { lookedUp, nothingFound } from './looked-up.ts';
import { type Group, isOwn, Material, type Source, sourcesOf } from './material.ts';
import { askForOpening, linksFrom } from './synthesis.ts';

const LONGEST_HEADING = 500;
const LONGEST_QUESTION = 2000;
const LINES_OF_QUESTION = 12;

/**
 * Writes report.md: the answer first, then its basis. At most one call to the model, and a report in any case.
 * @param results the search's results before the report's own call
 * @throws ThoughtTreeError `lease-lost`, or if files cannot be written
 */
export async function writeReport(ctx: ResearchSearch, results: Results): Promise<void> {
  const material = await Material.gather(ctx);
  const opening = await openingOf(ctx, material);
  const spent = resultsOf(ctx.tree, ctx.history.ledger.spend, results.skipped);
  const parts = [
    `# ${plainLine(headingOf(ctx.file), LONGEST_HEADING) || '?'}`,
    ...interimNotice(ctx),
    ...opening,
    ...question(ctx),
    ...topicTree(material),
    ...sourceSection(material),
    // Of a search without topics there is nothing more to say.
    ...(material.lookup && ctx.tree.root.children.length === 0 ? [] : openEnds(material)),
    ...costSection(material, spent),
  ];
  await ctx.store.writeReport(`${parts.join('\n\n')}\n`);
}

/** Returns the question whole, where it is short enough for a heading; a title may have been cut. */
function headingOf({ title, prompt }: SearchContext['file']): string {
  const isOneLine = prompt.trim().length <= LONGEST_HEADING && !/[\r\n]/.test(prompt.trim());
  return isOneLine && prompt.trim().startsWith(title.replace(/…$/, '')) ? prompt.trim() : title;
}

/** Returns the question, quoted, unless the heading says it all. */
function question(ctx: SearchContext): string[] {
  const { prompt } = ctx.file;
  if (prompt.trim() === headingOf(ctx.file).trim()) return [];
  const lines = prompt.slice(0, LONGEST_QUESTION).split(/\r\n|\r|\n/);
  const shown = lines.slice(0, LINES_OF_QUESTION).map((line) => `> ${plainLine(line, LONGEST_QUESTION)}`.trimEnd());
  if (lines.length > shown.length || prompt.length > LONGEST_QUESTION) shown.push('> …');
  return [`## ${ctx.show(say.question())}`, shown.join('\n')];
}

async function openingOf(ctx: ResearchSearch, material: Material): Promise<string[]> {
  const { survey, digests, lookup } = material;
  if (lookup)
    return survey.documents === 0 && ctx.tree.root.children.length === 0
      ? nothingFound(material, lookup)
      : lookedUp(material, lookup);
  const first = ctx.surveys ? await surveyOf(ctx) : undefined;
  const isWritten = survey.documents > 0 && digests.length > 0 && ctx.model.prose !== false && !ctx.closing.isSilent;
  if (isWritten) {
    const opening = await askForOpening(ctx, material, first ?? { text: '', findings: [], open: [] });
    if ('text' in opening) return [opening.text];
    return [
      ...(await provisionalAnswer(material, first)),
      ...outlineOpening(material, say.noOpening({ why: opening.why })),
    ];
  }
  const provisional = await provisionalAnswer(material, first);
  if (survey.documents > 0) return [...provisional, ...outlineOpening(material, say.outlineOnly())];
  const hasFailed = !ctx.closing.isInterim && isNothing({ ...ctx.tree.counts, leaves: ctx.tree.counts.leaf });
  if (hasFailed) return [ctx.show(nothingWritten()), ...provisional];
  if (provisional.length > 0) return provisional;
  return [ctx.show(whyNothing(ctx) ?? (ctx.tree.root.listed ? say.nothing() : say.nothingListed()))];
}

/**
 * Returns the answer that the search began with, where the report has no better one yet; its findings and open
 * questions with it.
 */
async function provisionalAnswer(material: Material, first: SurveyAnswer | undefined): Promise<string[]> {
  if (!first || first.text === '') return [];
  const { ctx } = material;
  const findings = first.findings.map(
    ({ text, cites: at }) => `- ${text}${at.length > 0 ? ` (${at.join(', ')})` : ''}`,
  );
  const lists = [
    ...(findings.length > 0 ? [`**${ctx.show(say.found())}**`, findings.join('\n')] : []),
    ...(first.open.length > 0
      ? [`**${ctx.show(say.stillUnknown())}**`, first.open.map((each) => `- ${each}`).join('\n')]
      : []),
  ];
  const [text, list] = await Promise.all(
    [first.text, lists.join('\n\n')].map(async (each) => {
      const mended = await mendedReport(ctx.workspaceText, each);
      const places = await Places.lookUp(ctx, [mended]);
      const link = linksFrom(material, new Map());
      const linked = (target: string): string | undefined => (places.has(target) ? target : link(target));
      return cleanAnswer(mended, linked, (body) => withReferences(body, [], places));
    }),
  );
  if (!text || !('text' in text)) return [];
  return [`_${ctx.show(say.provisionalAnswer())}_`, text.text, ...(list && 'text' in list ? [list.text] : [])];
}

const MOST_TOPICS = 25;
/** Lines for all topics below the first level together, and for those of one. */
const LINES_OF_TOPICS = 60;
const MOST_BELOW = 6;
const LONGEST_SUMMARY = 300;

/** Returns the topics and what is below them as one list, each with a line on what it found. */
function topicTree(material: Material): string[] {
  const { root } = material.ctx.tree;
  if (root.children.length === 0) return [];
  const topics = root.children.slice(0, MOST_TOPICS);
  const room = Math.min(MOST_BELOW, Math.floor(LINES_OF_TOPICS / topics.length));
  const shown = new Set(topics);
  for (const topic of topics)
    if (topic.status !== 'pruned') for (const node of subtopics(material, topic, room)) shown.add(node);
  for (const node of material.survey.own) shown.add(node);
  const list = nestedList(root, shown, (node) => topicLine(material, node, shown));
  const more = root.children.length - topics.length;
  return [
    `## ${material.show(say.topics())}`,
    list.join('\n'),
    ...(more > 0 ? [material.show(say.moreTopics({ count: more }))] : []),
  ];
}

function topicLine(material: Material, node: TreeNode, shown: ReadonlySet<TreeNode>): string {
  if (!material.isWritten(node)) return `${material.linkTo(node)}: ${material.show(withoutDocument(node))}`;
  // Below an answer in words, the list only shows where to read on.
  const summary = material.lookup === undefined ? '' : plainLine(node.summary ?? '', LONGEST_SUMMARY);
  const below = node.depth > 1 ? 0 : (material.survey.below.get(node) ?? 0) - belowIn(node, shown);
  const own = isOwn(node) ? ` (${material.show(say.ownTopic())})` : '';
  const more = below > 0 ? ` (${material.show(say.moreBelow({ count: below }))})` : own;
  return `${material.linkTo(node)}${summary === '' ? '' : `: ${summary}`}${more}`;
}

function belowIn(topic: TreeNode, shown: ReadonlySet<TreeNode>): number {
  let count = 0;
  for (const node of shown) for (let at = node.parent; at; at = at.parent) if (at === topic) count++;
  return count;
}

const MOST_SOURCES = 12;
const LONGEST_MESSAGE = 200;
const LONGEST_PARENT = 50;

/** Lists the sources that the documents cite. */
function sourceSection(material: Material): string[] {
  const { ctx, digests, survey } = material;
  if (survey.documents === 0) return [];
  const sources = sourcesOf(ctx.tree, ctx.folder, digests);
  const named = sources.slice(0, MOST_SOURCES).map(sourceText);
  if (sources.length > named.length) named.push(ctx.show(andMore({ more: sources.length - named.length })));
  const part =
    survey.documents > digests.length ? [ctx.show(say.sourcesOf({ read: digests.length, all: survey.documents }))] : [];
  const quoted = quotationSection(material);
  const none = quoted.length === 0 ? [ctx.show(say.noSources())] : [];
  const cited = named.length === 0 ? none : [`${ctx.show(say.mostCited())} ${named.join('; ')}.`];
  return [`## ${ctx.show(say.sources())}`, ...part, ...cited, ...quoted];
}

/** A page is shown with its host, so that nobody has to trust a document's name for it. */
function sourceText({ link, name, host }: Source): string {
  const label = plainLine(name, 120) || plainLine(link.replace(/^https?:\/\//, ''), 120);
  const from = host === undefined || name === '' ? '' : `, ${plainLine(host, 100)}`;
  return `[${label}](${link})${from}`;
}

/** Tells how the search ended, and what it left: open, failed and pruned topics. */
function openEnds(material: Material): string[] {
  const { open, failed, pruned } = material.survey;
  const describe = (node: TreeNode): string => `${titleOf(node)}${parentText(material, node)}`;
  const cutOff = progressOf(material.ctx.tree.counts).done - material.survey.done;
  const inPruned = cutOff > 0 ? [say.inPruned({ count: cutOff })] : [];
  const ranked = open.count > open.named.length ? say.stillOpenBest : say.stillOpen;
  return [
    `## ${material.show(say.openEnds())}`,
    // An interim report says above how far the search is.
    ...(material.ctx.closing.isInterim
      ? []
      : [[howItEnded(material), ...inPruned].map((each) => material.show(each)).join(' ')]),
    ...(material.survey.atLimit > 0 ? [material.show(say.atDepthLimit({ count: material.survey.atLimit }))] : []),
    ...listOfGroup(material, open, ranked, (node) => {
      const score = scoreText(node);
      return `${describe(node)}${score === undefined ? '' : `, ${material.show(say.expected({ score }))}`}`;
    }),
    ...listOfGroup(material, failed, say.failed, (node) => `${describe(node)}: ${whyFailed(material, node)}`),
    ...listOfGroup(material, pruned, say.pruned, (node) => {
      return `${describe(node)}, ${material.show(prunedWords[node.prunedBy ?? 'user']())}`;
    }),
  ];
}

function howItEnded({ ctx: { tree, limits }, survey: { open, failed } }: Material): Message {
  const { done: count } = progressOf(tree.counts);
  if (!tree.root.listed) return say.endedUnlisted();
  if (open.count === 0) return failed.count === 0 ? say.endedComplete({ count }) : say.endedOver({ count });
  if (tree.worked >= expansionsOf(limits.now.size))
    return say.endedBySize({ size: limits.now.size, count, open: open.count });
  return say.endedEarly({ count, open: open.count });
}

function parentText(material: Material, node: TreeNode): string {
  return node.parent?.parent ? ` (${material.show(say.under({ parent: titleOf(node.parent, LONGEST_PARENT) }))})` : '';
}

function whyFailed(material: Material, { failure }: TreeNode): string {
  const said = failure ? material.show(messageOf(failure.message, failure.say)) : '';
  const message = plainLine(said, LONGEST_MESSAGE);
  return [plainLine(failure?.reason ?? '', 60), message].filter((part) => part !== '').join(', ') || '?';
}

function listOfGroup(
  material: Material,
  group: Group,
  title: Entry<{ readonly topics: number }>,
  describe: (node: TreeNode) => string,
): string[] {
  if (group.count === 0) return [];
  const lines = group.named.map((node) => `- ${describe(node)}`);
  if (group.count > lines.length) lines.push(`- ${material.show(andMore({ more: group.count - lines.length }))}`);
  return [material.show(title({ topics: group.count })), lines.join('\n')];
}

/** Tells what the search has used so far, including the report's own call. */
function costSection({ ctx, survey }: Material, results: Results): string[] {
  const names = [...new Set([ctx.model.name, ...survey.models])].map((name) => plainLine(name, 100));
  const { prompt, completion, worstCase } = results.tokens;
  const lines = [
    say.calls({ calls: results.calls }),
    ...(prompt + completion + worstCase === 0 ? [] : [tokensLine(results.tokens)]),
    moneyLine(results, ctx.model.free && worstCase === 0),
    timeLine(results.minutes),
    modelsLine(names),
  ];
  return [`## ${ctx.show(cost())}`, lines.map((line) => `- ${ctx.show(line)}`).join('\n')];
}

/** Lines of an outline that fit on one page. */
const LINES_OF_OUTLINE = 32;
const MOST_TOPICS_OF_OUTLINE = 20;
const MOST_BELOW_OF_OUTLINE = 3;
const LONGEST_SUMMARY_OF_OUTLINE = 220;
const MOST_PASSAGES = 5;

/**
 * Returns the opening of a report without a model: its best documents, the first two levels with their summaries, and
 * the best passages.
 */
function outlineOpening(material: Material, said: Message): string[] {
  const passages = keyPassages(material);
  const best = material.survey.best.filter((node) => material.isWritten(node)).slice(0, MOST_IN_SHORT);
  const findings = best.map((node) => ({ node, title: titleOf(node), summary: node.summary ?? '' }));
  const parts = [...inShort(findings, material.ctx.show), material.show(said), outline(material)];
  if (passages.length > 0) parts.push(`## ${material.show(say.passages())}`, ...passages);
  return parts.filter((part) => part !== '');
}

function outline(material: Material): string {
  const { root } = material.ctx.tree;
  const written = root.children.filter((topic) => subtopics(material, topic, 1).size > 0 || material.isWritten(topic));
  const topics = written.slice(0, MOST_TOPICS_OF_OUTLINE);
  if (topics.length === 0) return '';
  const room = Math.min(MOST_BELOW_OF_OUTLINE, Math.floor((LINES_OF_OUTLINE - topics.length) / topics.length));
  const shown = new Set(topics);
  for (const topic of topics)
    for (const node of topic.children)
      if (room > 0 && material.isWritten(node) && countShown(topic, shown) < room) shown.add(node);
  const list = nestedList(root, shown, (node) => outlineLine(material, node));
  if (written.length > topics.length)
    list.push(`- ${material.show(andMore({ more: written.length - topics.length }))}`);
  return list.join('\n');
}

function countShown(topic: TreeNode, shown: ReadonlySet<TreeNode>): number {
  return topic.children.reduce((count, child) => count + (shown.has(child) ? 1 : 0), 0);
}

function outlineLine(material: Material, node: TreeNode): string {
  if (node.depth > 1) return material.linkTo(node); // its summary is in the section
  const summary = plainLine(node.summary ?? '', LONGEST_SUMMARY_OF_OUTLINE);
  return `**${material.linkTo(node)}**${summary === '' ? '' : `: ${summary}`}`;
}

function keyPassages(material: Material): string[] {
  const parts: string[] = [];
  const more = (count: number): string => material.show(say.moreLines({ count }));
  for (const digest of material.digests) {
    const passage = keyPassage(digest.blocks, material.linksIn(digest), more);
    if (passage === '') continue;
    parts.push(`### [${titleOf(digest.node)}](${documentLink(digest.node)})`, passage);
    if (parts.length === 2 * MOST_PASSAGES) break;
  }
  return parts;
}

/** Shown for a topic without a document. */
const WITHOUT_DOCUMENT: Readonly<Record<NodeStatus, Message>> = {
  unexpanded: say.notWorkedOn(),
  'in-progress': say.notToItsEnd(),
  expanded: say.documentMissing(),
  leaf: say.documentMissing(),
  failed: say.seeFailed(),
  pruned: say.seePruned(),
};

/** Returns the words for a topic whose document cannot be linked. */
function withoutDocument({ status }: TreeNode): Message {
  return WITHOUT_DOCUMENT[status];
}

/** Returns the documents below a node that fit into a list: the nearest first. */
function subtopics(material: Material, topic: TreeNode, most: number): Set<TreeNode> {
  const shown = new Set<TreeNode>();
  let level: readonly TreeNode[] = topic.children;
  while (level.length > 0 && shown.size < most) {
    const kept = level.filter(({ status }) => status !== 'pruned');
    for (const node of kept) if (shown.size < most && material.isWritten(node)) shown.add(node);
    level = kept.flatMap(({ children }) => children);
  }
  return shown;
}

/** Some of the nodes below another one as a list, in order, each indented under the nearest shown one. */
function nestedList(top: TreeNode, shown: ReadonlySet<TreeNode>, describe: (node: TreeNode) => string): string[] {
  const list: string[] = [];
  const needed = new Set<TreeNode>();
  for (const node of shown) for (let at = node.parent; at && at !== top; at = at.parent) needed.add(at);
  const stack = [...top.children].reverse().map((node) => ({ node, indent: 0 }));
  for (let at = stack.pop(); at; at = stack.pop()) {
    const { node, indent } = at;
    if (shown.has(node)) list.push(`${'  '.repeat(indent)}- ${describe(node)}`);
    if (!needed.has(node)) continue;
    const inner = indent + (shown.has(node) ? 1 : 0);
    for (let i = node.children.length - 1; i >= 0; i--)
      stack.push({ node: node.children[i] as TreeNode, indent: inner });
  }
  return list;
}

const MOST_QUOTATIONS = 15;

/**
 * Returns the results of checking the quotations in the documents: how many passed, and those that did not, by name.
 */
function quotationSection(material: Material): string[] {
  const counts: CitationCounts = { verified: 0, moved: 0, stale: 0, not_found: 0 };
  for (const { node } of material.digests)
    for (const mark of Object.keys(counts) as CitationMark[]) counts[mark] += node.citations?.[mark] ?? 0;
  const all = counts.verified + counts.moved + counts.stale + counts.not_found;
  if (all === 0) return [];
  const failed = material.digests.flatMap((digest) =>
    digest.quotations
      .filter(({ mark }) => mark === 'stale' || mark === 'not_found')
      .map((record) => ({ record, node: digest.node })),
  );
  const lines = failed.slice(0, MOST_QUOTATIONS).map(({ record, node }) => {
    const title = material.isWritten(node) ? material.linkTo(node) : titleOf(node);
    return `- ${plainLine(placeText(record), 200)}, ${material.show(markWords[record.mark]())}: ${title}`;
  });
  if (failed.length > lines.length) lines.push(`- ${material.show(andMore({ more: failed.length - lines.length }))}`);
  return [quotationSentence(material, all, counts), ...(lines.length > 0 ? [lines.join('\n')] : [])];
}

function quotationSentence(
  material: Material,
  count: number,
  { verified, moved, stale, not_found }: CitationCounts,
): string {
  const parts = [
    say.inPlace({ count, verified: say.verified({ count: verified }) }),
    ...(moved > 0 ? [say.elsewhere({ quotations: moved })] : []),
    ...(stale > 0 ? [say.outdated({ quotations: stale })] : []),
    ...(not_found > 0 ? [say.notFound({ quotations: not_found })] : []),
  ];
  const sentence = parts.map((part) => material.show(part)).join('; ');
  return `**${material.show(say.quotations())}** ${sentence}.`;
}
