import { messageOf } from '../../../core/messages/kept.ts';
import type { Entry, Message } from '../../../core/messages/message.ts';
import type { Results } from '../../../core/search/events.ts';
import { expansionsOf } from '../../../core/search/limits.ts';
import { prunedWords } from '../../../core/tree/messages.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { modelsLine, moneyLine, timeLine, tokensLine } from '../../../engine/report/cost-lines.ts';
import { andMore, cost } from '../../../engine/report/messages.ts';
import { scoreText, titleOf } from '../../../engine/report/node-text.ts';
import { plainLine } from '../../../engine/report/safe-markdown.ts';
import type { Material } from './material.ts';
import * as say from './messages.ts';
import { quotationSection } from './quotation-section.ts';
import { type Source, sourcesOf } from './sources.ts';
import type { Group } from './survey.ts';

const MOST_SOURCES = 25;
const LONGEST_MESSAGE = 200;
const LONGEST_PARENT = 50;

/** Lists the sources that the documents cite. */
export function sourceSection(material: Material): string[] {
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
export function openEnds(material: Material): string[] {
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
export function costSection({ ctx, survey }: Material, results: Results): string[] {
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
