import { messageOf } from '../../../core/messages/kept.ts';
import type { Entry, Message } from '../../../core/messages/message.ts';
import type { Results } from '../../../core/search/events.ts';
import { expansionsOf } from '../../../core/search/limits.ts';
import { prunedWords } from '../../../core/tree/messages.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { mendedReport } from '../../../engine/grounding/mended-text.ts';
import { nothingWritten } from '../../../engine/messages.ts';
import { cleanAnswer } from '../../../engine/report/clean-answer.ts';
import { modelsLine, moneyLine, timeLine, tokensLine } from '../../../engine/report/cost-lines.ts';
import { interimNotice } from '../../../engine/report/interim.ts';
import { andMore, cost } from '../../../engine/report/messages.ts';
import { scoreText, titleOf } from '../../../engine/report/node-text.ts';
import { Places } from '../../../engine/report/places.ts';
import { withReferences } from '../../../engine/report/refer.ts';
import { plainLine } from '../../../engine/report/safe-markdown.ts';
import { whyNothing } from '../../../engine/report/why-nothing.ts';
import { isNothing, resultsOf } from '../../../engine/results.ts';
import type { SearchContext } from '../../../engine/search-context.ts';
import type { SurveyAnswer } from '../answers/document-answer.ts';
import { surveyOf } from '../list-root.ts';
import type { ResearchSearch } from '../research-search.ts';
import { lookedUp, nothingFound } from './looked-up.ts';
import { Material } from './material.ts';
import * as say from './messages.ts';
import { outlineOpening } from './opening.ts';
import { quotationSection } from './quotation-section.ts';
import { nestedList, subtopics, withoutDocument } from './sections.ts';
import { type Source, sourcesOf } from './sources.ts';
import type { Group } from './survey.ts';
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

/** The question whole, where it is short enough for a heading; a title may have been cut. */
function headingOf({ title, prompt }: SearchContext['file']): string {
  const isOneLine = prompt.trim().length <= LONGEST_HEADING && !/[\r\n]/.test(prompt.trim());
  return isOneLine && prompt.trim().startsWith(title.replace(/…$/, '')) ? prompt.trim() : title;
}

/** The question, quoted, unless the heading says it all. */
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

/** The answer that the search began with, where the report has no better one yet; its findings and open questions with it. */
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
const LINES = 60;
const MOST_BELOW = 6;
const LONGEST_SUMMARY = 300;

/** Returns the topics and what is below them as one list, each with a line on what it found. */
function topicTree(material: Material): string[] {
  const { root } = material.ctx.tree;
  if (root.children.length === 0) return [];
  const topics = root.children.slice(0, MOST_TOPICS);
  const room = Math.min(MOST_BELOW, Math.floor(LINES / topics.length));
  const shown = new Set(topics);
  for (const topic of topics)
    if (topic.status !== 'pruned') for (const node of subtopics(material, topic, room)) shown.add(node);
  const list = nestedList(root, shown, (node) => line(material, node, shown));
  const more = root.children.length - topics.length;
  return [
    `## ${material.show(say.topics())}`,
    list.join('\n'),
    ...(more > 0 ? [material.show(say.moreTopics({ count: more }))] : []),
  ];
}

function line(material: Material, node: TreeNode, shown: ReadonlySet<TreeNode>): string {
  if (!material.isWritten(node)) return `${material.linkTo(node)}: ${material.show(withoutDocument(node))}`;
  // Below an answer in words, the list only shows where to read on.
  const summary = material.lookup === undefined ? '' : plainLine(node.summary ?? '', LONGEST_SUMMARY);
  const below = node.depth > 1 ? 0 : (material.survey.below.get(node) ?? 0) - belowIn(node, shown);
  const more = below > 0 ? ` (${material.show(say.moreBelow({ count: below }))})` : '';
  return `${material.linkTo(node)}${summary === '' ? '' : `: ${summary}`}${more}`;
}

function belowIn(topic: TreeNode, shown: ReadonlySet<TreeNode>): number {
  let count = 0;
  for (const node of shown) for (let at = node.parent; at; at = at.parent) if (at === topic) count++;
  return count;
}

const MOST_SOURCES = 25;
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
  const cited = named.length === 0 ? none : [`${ctx.show(say.howOften())} ${named.join('; ')}.`];
  return [`## ${ctx.show(say.sources())}`, ...part, ...cited, ...quoted];
}

/** A page is shown with its host, so that nobody has to trust a document's name for it. */
function sourceText({ link, name, host, times }: Source): string {
  const label = plainLine(name, 120) || plainLine(link.replace(/^https?:\/\//, ''), 120);
  const from = host === undefined || name === '' ? '' : `, ${plainLine(host, 100)}`;
  return `[${label}](${link})${from} (${times})`;
}

/** Tells how the search ended, and what it left: open, failed and pruned topics. */
function openEnds(material: Material): string[] {
  const { open, failed, pruned } = material.survey;
  const describe = (node: TreeNode): string => `${titleOf(node)}${placeText(material, node)}`;
  const ranked = open.count > open.named.length ? say.stillOpenBest : say.stillOpen;
  return [
    `## ${material.show(say.openEnds())}`,
    // An interim report says above how far the search is.
    ...(material.ctx.closing.isInterim ? [] : [material.show(howItEnded(material))]),
    ...(material.survey.atLimit > 0 ? [material.show(say.atDepthLimit({ count: material.survey.atLimit }))] : []),
    ...list(material, open, ranked, (node) => {
      const score = scoreText(node);
      return `${describe(node)}${score === undefined ? '' : `, ${material.show(say.expected({ score }))}`}`;
    }),
    ...list(material, failed, say.failed, (node) => `${describe(node)}: ${whyFailed(material, node)}`),
    ...list(material, pruned, say.pruned, (node) => {
      return `${describe(node)}, ${material.show(prunedWords[node.prunedBy ?? 'user']())}`;
    }),
  ];
}

function howItEnded({ ctx: { tree, limits }, survey: { documents: count, open, failed } }: Material): Message {
  if (!tree.root.listed) return say.endedUnlisted();
  if (open.count === 0) return failed.count === 0 ? say.endedComplete({ count }) : say.endedOver({ count });
  if (tree.worked >= expansionsOf(limits.now.size))
    return say.endedBySize({ size: limits.now.size, count, open: open.count });
  return say.endedEarly({ count, open: open.count });
}

function placeText(material: Material, node: TreeNode): string {
  return node.parent?.parent ? ` (${material.show(say.under({ parent: titleOf(node.parent, LONGEST_PARENT) }))})` : '';
}

function whyFailed(material: Material, { failure }: TreeNode): string {
  const said = failure ? material.show(messageOf(failure.message, failure.say)) : '';
  const message = plainLine(said, LONGEST_MESSAGE);
  return [plainLine(failure?.reason ?? '', 60), message].filter((part) => part !== '').join(', ') || '?';
}

function list(
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
