import { basename } from 'node:path';
import type { Message } from '../../core/messages/message.ts';
import { stateOf } from '../../core/search/messages.ts';
import { progressOf, progressWords } from '../../core/search/progress.ts';
import { oneLine } from '../../core/text/text.ts';
import { faceOf, type Kinds } from '../../engine/kind/kinds.ts';
import { moneyLine, timeLine, tokensLine } from '../../engine/report/cost-lines.ts';
import { type Block, blocksOf } from '../../engine/report/markdown-blocks.ts';
import { scoreText } from '../../engine/report/node-text.ts';
import { plainLine, safeBlock, safeInline } from '../../engine/report/safe-markdown.ts';
import * as say from './messages.ts';
import type { Bounds, SharedNode, SharedSearch } from './shared-search.ts';

/** No documents: what a search found is told by its titles. */
export const COMPARISON_BOUNDS: Bounds = { nodes: 5000, characters: 0, document: 0, report: 200_000 };

const LONGEST_TITLE = 120;
const LONGEST_ANSWER = 6000;
const MOST_NODES = 200;

/** Describes what two searches have in common, and in what they differ, as one document. */
export function comparisonMarkdown(searches: readonly [SharedSearch, SharedSearch], kinds: Kinds): string {
  const [a, b] = searches;
  const [nameA, nameB] = namesOf(a, b);
  const { show } = a;
  const answers = searches.map((search, i) => `### ${[nameA, nameB][i]}\n\n${answerOf(search)}`);
  const paths = searches.map((search, i) => `### ${[nameA, nameB][i]}\n\n${bestPathOf(search)}`);
  const { both, only } = matched(a, b);
  return `${[
    `# ${show(say.comparison({ a: nameA, b: nameB }))}`,
    tableOf(['', nameA, nameB], rowsOf(a, b, kinds)),
    `## ${show(say.answer())}`,
    ...answers,
    `## ${show(say.bestPath())}`,
    ...paths,
    `## ${show(say.inBoth({ count: both.length }))}`,
    scoresOf(both, [nameA, nameB], show),
    `## ${show(say.onlyIn({ name: nameA, count: only[0].length }))}`,
    listOf(only[0], show),
    `## ${show(say.onlyIn({ name: nameB, count: only[1].length }))}`,
    listOf(only[1], show),
  ].join('\n\n')}\n`;
}

/** One search in a form whose lines can be compared with those of another one. */
export function comparableMarkdown(search: SharedSearch, kinds: Kinds): string {
  const { show, title, nodes } = search;
  const figures = figuresOf(search, kinds).map(([name, value]) => `- ${name}: ${value}`);
  const topics = nodes.map(({ node, ...shared }) => {
    return `${'  '.repeat(node.depth - 1)}- ${plainLine(shared.title, LONGEST_TITLE)}${scoreIn(node)}`;
  });
  return `${[
    `# ${plainLine(title, LONGEST_TITLE)}`,
    `## ${show(say.answer())}`,
    answerOf(search),
    `## ${show(say.bestPath())}`,
    bestPathOf(search),
    `## ${show(say.tree())}`,
    topics.join('\n'),
    `## ${show(say.cost())}`,
    figures.join('\n'),
  ].join('\n\n')}\n`;
}

/** Returns the names of the two: their titles, or their folders where those are equal. */
function namesOf(a: SharedSearch, b: SharedSearch): [string, string] {
  const byTitle = [a, b].map(({ title }) => plainLine(title, 60)) as [string, string];
  if (byTitle[0] !== byTitle[1]) return byTitle;
  return [a, b].map(({ overview }) => plainLine(basename(overview.folder), 60)) as [string, string];
}

type Figure = readonly [name: string, value: string];

function rowsOf(a: SharedSearch, b: SharedSearch, kinds: Kinds): string[][] {
  const [left, right] = [figuresOf(a, kinds), figuresOf(b, kinds)];
  return left.map(([name, value], i) => [name, value, right[i]?.[1] ?? '']);
}

/** Returns the table of the comparison: for every search the same figures. */
function figuresOf({ overview, nodes, show, question }: SharedSearch, kinds: Kinds): Figure[] {
  const { state, led, model, results, free, tree, file } = overview;
  const best = Math.max(...nodes.map(({ node }) => node.evaluation?.score ?? 0));
  const words = faceOf(kinds, file.kind)?.words;
  const figures: [Message, Message | string][] = [
    [say.question(), oneLine(question, 300)],
    [say.kind(), file.kind],
    [say.stateName(), stateOf({ state, led })],
    [say.modelName(), oneLine(model ?? '', 100)],
    [say.progress(), progressWords(progressOf(tree.counts), words)],
    [say.bestScore(), best > 0 ? say.score({ score: String(Number(best.toFixed(1))) }) : ''],
    [say.callsName(), say.number({ n: results.calls })],
  ];
  const lines = [tokensLine(results.tokens), moneyLine(results, free), timeLine(results.minutes)].map(show);
  return [
    ...figures.map(
      ([name, value]): Figure => [show(name), typeof value === 'string' ? plainLine(value, 300) : show(value)],
    ),
    // Each of these sentences begins with what it is about.
    ...lines.map((line): Figure => {
      const at = line.search(/[:：]/);
      return [line.slice(0, at), line.slice(at + 1).trim()];
    }),
  ];
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Returns the beginning of a report, until its second section. */
function answerOf({ report, answer, show }: SharedSearch): string {
  const blocks = report === undefined ? [] : beginningOf(blocksOf(report));
  let room = LONGEST_ANSWER;
  const said: string[] = [];
  for (const block of blocks) {
    const text =
      block.kind === 'heading' ? `**${safeInline(block.text, () => undefined)}**` : safeBlock(block, () => undefined);
    room -= text.length;
    if (room < 0 && said.length > 0) break;
    said.push(text);
  }
  if (said.length > 0) return said.join('\n\n');
  return answer === undefined ? show(say.noAnswer()) : plainLine(answer, LONGEST_ANSWER);
}

function beginningOf(blocks: readonly Block[]): Block[] {
  const rest = blocks[0]?.kind === 'heading' && blocks[0].level === 1 ? blocks.slice(1) : [...blocks];
  const isSection = (block: Block): boolean => block.kind === 'heading' && block.level <= 2;
  // Where nothing is said above the first section, that is the answer.
  const from = rest[0] && isSection(rest[0]) ? 1 : 0;
  const end = rest.findIndex((block, i) => i >= from && isSection(block));
  return end < 0 ? rest : rest.slice(0, end);
}

function bestPathOf({ nodes, best, show }: SharedSearch): string {
  const path = nodes.filter(({ path: each }) => best.has(each));
  if (path.length === 0) return show(say.none());
  return path.map(({ node, title }, i) => `${i + 1}. ${plainLine(title, LONGEST_TITLE)}${scoreIn(node)}`).join('\n');
}

function scoreIn(node: SharedNode['node']): string {
  const score = scoreText(node);
  return score === undefined ? '' : ` (${score})`;
}

interface Matched {
  readonly both: readonly (readonly [SharedNode, SharedNode])[];
  readonly only: readonly [readonly SharedNode[], readonly SharedNode[]];
}

/** Nodes are the same if their titles have the same words, wherever they are in the tree. */
function matched(a: SharedSearch, b: SharedSearch): Matched {
  const open = new Map<string, SharedNode[]>();
  for (const shared of b.nodes) open.set(wordsOf(shared), [...(open.get(wordsOf(shared)) ?? []), shared]);
  const both: [SharedNode, SharedNode][] = [];
  const onlyA: SharedNode[] = [];
  for (const shared of a.nodes) {
    const other = open.get(wordsOf(shared))?.shift();
    if (other) both.push([shared, other]);
    else onlyA.push(shared);
  }
  const left = new Set([...open.values()].flat());
  return { both, only: [onlyA, b.nodes.filter((shared) => left.has(shared))] };
}

function wordsOf({ title }: SharedNode): string {
  return title
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}+*/=-]+/gu, ' ')
    .trim();
}

/** The scores of the nodes that both have, the greatest difference first. */
function scoresOf(
  both: Matched['both'],
  [nameA, nameB]: readonly [string, string],
  show: SharedSearch['show'],
): string {
  if (both.length === 0) return show(say.none());
  const score = ({ node }: SharedNode): number => node.evaluation?.score ?? 0;
  const difference = ([x, y]: readonly [SharedNode, SharedNode]): number => Math.abs(score(x) - score(y));
  const rows = both
    .toSorted((x, y) => difference(y) - difference(x))
    .slice(0, MOST_NODES)
    .map(([x, y]) => [plainLine(x.title, LONGEST_TITLE), scoreText(x.node) ?? '', scoreText(y.node) ?? '']);
  const more = both.length > rows.length ? `\n\n${show(say.andMore({ count: both.length - rows.length }))}` : '';
  return tableOf(['', nameA, nameB], rows) + more;
}

function listOf(nodes: readonly SharedNode[], show: SharedSearch['show']): string {
  if (nodes.length === 0) return show(say.none());
  const lines = nodes
    .slice(0, MOST_NODES)
    .map(({ node, title }) => `- ${plainLine(title, LONGEST_TITLE)}${scoreIn(node)}`);
  if (nodes.length > lines.length) lines.push(`- ${show(say.andMore({ count: nodes.length - lines.length }))}`);
  return lines.join('\n');
}
