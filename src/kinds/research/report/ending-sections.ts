import type { Results } from '../../../core/search/events.ts';
import { expansionsOf } from '../../../core/search/limits.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { plainLine } from '../../../engine/report/safe-markdown.ts';
import { type Material, scoreText, titleOf } from './material.ts';
import { quotationSection } from './quotation-section.ts';
import { type Source, sourcesOf } from './sources.ts';
import type { Group } from './survey.ts';
import { words } from './words.ts';

const MOST_SOURCES = 25;
const LONGEST_MESSAGE = 200;
const LONGEST_PARENT = 50;

/** What the documents cite. */
export function sourceSection(material: Material): string[] {
  const { ctx, digests, survey } = material;
  if (survey.documents === 0) return [];
  const sources = sourcesOf(ctx.tree, ctx.folder, digests);
  const lines = sources.slice(0, MOST_SOURCES).map(sourceLine);
  if (sources.length > lines.length) lines.push(`- ${words.andMore(sources.length - lines.length)}`);
  const part = survey.documents > digests.length ? [words.sourcesOf(digests.length, survey.documents)] : [];
  const cited = lines.length === 0 ? words.noSources : lines.join('\n');
  return [`## ${words.sources}`, ...part, cited, ...quotationSection(material)];
}

/** A page is shown with its host, so that nobody has to trust what a document calls it. */
function sourceLine({ link, name, host, times, documents }: Source): string {
  const cited = times > 1 ? ` (${words.cited(times, documents)})` : '';
  if (host === undefined) return `- [${plainLine(name, 120)}](${link})${cited}`;
  const label = plainLine(name, 100);
  if (label === '') return `- [${plainLine(link.replace(/^https?:\/\//, ''), 120)}](${link})${cited}`;
  return `- [${label}](${link}), ${plainLine(host, 100)}${cited}`;
}

/** How the search ended, and what it left: open, failed and pruned topics. */
export function openEnds(material: Material): string[] {
  const { open, failed, pruned } = material.survey;
  const ranked = open.count > open.named.length ? words.openTopicsBest : words.openTopics;
  return [
    `## ${words.openEnds}`,
    howItEnded(material),
    ...list(open, ranked, (node) => {
      const score = scoreText(node);
      return `${titleOf(node)}${placeText(node)}${score === undefined ? '' : `, ${words.expected(score)}`}`;
    }),
    ...list(failed, words.failedTopics, (node) => `${titleOf(node)}${placeText(node)}: ${whyFailed(node)}`),
    ...list(
      pruned,
      words.prunedTopics,
      (node) => `${titleOf(node)}${placeText(node)}, ${words.prunedBy[node.prunedBy ?? 'user']}`,
    ),
  ];
}

function howItEnded({ ctx: { tree, limits }, survey: { documents, open, failed } }: Material): string {
  if (!tree.root.listed) return words.ended.unlisted;
  if (open.count === 0) return failed.count === 0 ? words.ended.complete(documents) : words.ended.rest(documents);
  if (tree.finished >= expansionsOf(limits.size)) return words.ended.size(limits.size, documents, open.count);
  return words.ended.early(documents, open.count);
}

function placeText(node: TreeNode): string {
  return node.parent?.parent ? ` (${words.under(titleOf(node.parent, LONGEST_PARENT))})` : '';
}

function whyFailed({ failure }: TreeNode): string {
  const message = plainLine(failure?.message ?? '', LONGEST_MESSAGE);
  return [plainLine(failure?.reason ?? '', 60), message].filter((part) => part !== '').join(', ') || '?';
}

function list(group: Group, title: (count: number) => string, describe: (node: TreeNode) => string): string[] {
  if (group.count === 0) return [];
  const lines = group.named.map((node) => `- ${describe(node)}`);
  if (group.count > lines.length) lines.push(`- ${words.andMore(group.count - lines.length)}`);
  return [title(group.count), lines.join('\n')];
}

/** What the search has used up so far, the report's own call included. */
export function costSection({ ctx, survey }: Material, results: Results): string[] {
  const names = [...new Set([ctx.model.name, ...survey.models])].map((name) => plainLine(name, 100));
  const { prompt, completion, worstCase } = results.tokens;
  const lines = [
    words.calls(results.calls),
    ...(prompt + completion + worstCase === 0 ? [] : [words.tokens(results.tokens)]),
    words.money(results, ctx.model.free && worstCase === 0),
    words.time(results.minutes),
    words.models(names),
  ];
  return [`## ${words.cost}`, lines.map((line) => `- ${line}`).join('\n')];
}
