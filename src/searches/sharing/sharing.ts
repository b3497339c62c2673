import { basename } from 'node:path';
import type { Message } from '../../core/messages/message.ts';
import { stateOf } from '../../core/search/messages.ts';
import { progressOf, progressWords } from '../../core/search/progress.ts';
import { oneLine } from '../../core/text/text.ts';
import { bestPathOf, nodeAt, pathOf } from '../../core/tree/tree.ts';
import type { Palette } from '../../drawing/palette.ts';
import { treeSvg } from '../../drawing/tree-svg.ts';
import { descriptorOf, type Kinds } from '../../engine/kind.ts';
import { moneyLine, timeLine, tokensLine } from '../../engine-parts/report/report-lines.ts';
import {
  type Block,
  blocksOf,
  keyPassage,
  type LinkRule,
  plainLine,
  safeBlock,
  safeInline,
  scoreText,
} from '../../engine-parts/report/safe-markdown.ts';
import { exportSearch, formatsOf } from '../export-search.ts';
import type { ComparisonLine, Side } from '../history/compare-searches.ts';
import { importSnapshot } from '../import-snapshot.ts';
import { outlineNodes, overviewOf, type SearchOverview } from '../reader/search-overview.ts';
import { graphNodeOf, graphSearchOf, type Show } from '../search-graph.ts';
import { comparisonPage, comparisonPicture } from './comparison-page.ts';
import * as say from './messages.ts';
import { PAGE_PALETTE, searchPage } from './search-page.ts';
import {
  type Bounds,
  Discreet,
  figuresOf,
  type SharedNode,
  type SharedSearch,
  sharedSearch,
  stateFacts,
} from './shared-search.ts';

/** About as much as an issue on a page for code can take. */
export const MARKDOWN_BOUNDS: Bounds = { nodes: 200, characters: 300_000, document: 20_000, report: 25_000 };
const ROOM_FOR_FINDINGS = 20_000;
const LONGEST_HEADING = 120;

/** Returns a search as one text: the question, its report, the tree as a list, and what its documents found. */
export function searchMarkdown(search: SharedSearch): string {
  const { show, title, question, report, answer } = search;
  const said = report === undefined ? [] : reportBlocks(report, search);
  return joined([
    `# ${plainLine(title, LONGEST_HEADING)}`,
    question === title ? '' : quoted(question),
    figuresOf(search.overview, (name) => plainLine(name, 200))
      .map(show)
      .join(' · '),
    ...(said.length > 0 ? said : [answer === undefined ? show(say.noAnswer()) : plainLine(answer, 5000)]),
    search.isReportCut ? `*${show(say.reportCut())}*` : '',
    `## ${show(say.tree())}`,
    treeList(search, search.nodes),
    ...findingsOf(search, search.nodes),
    ...leftOut(search),
  ]);
}

/**
 * Returns one branch of a search as a text: its document as a whole, what is below it as a list, and what that found.
 */
export function branchMarkdown(search: SharedSearch): string {
  const [top, ...below] = search.nodes;
  if (!top) return '';
  const { show } = search;
  return joined([
    `# ${plainLine(top.title, LONGEST_HEADING)}`,
    [`${show(say.above())}: ${plainLine(search.title, LONGEST_HEADING)}`, ...factsOf(search, top)].join(' · '),
    ...documentOf(search, top),
    ...(below.length > 0 ? [`## ${show(say.tree())}`, treeList(search, below)] : []),
    ...findingsOf(search, below),
    ...leftOut(search),
  ]);
}

function joined(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function quoted(text: string): string {
  const blocks = blocksOf(text).map((block) => safeBlock(block, () => undefined));
  return blocks.join('\n\n').replaceAll(/^/gm, '> ');
}

/** Returns the report below its title, its headings as they are. */
function reportBlocks(report: string, { links }: SharedSearch): string[] {
  const [first, ...rest] = blocksOf(report);
  const blocks = first?.kind === 'heading' && first.level === 1 ? rest : [...(first ? [first] : []), ...rest];
  return blocks.map((block) => ownBlock(block, links.inWorkspace('')));
}

function ownBlock(block: Block, link: LinkRule): string {
  if (block.kind !== 'heading') return safeBlock(block, link);
  return `${'#'.repeat(Math.max(2, block.level))} ${safeInline(block.text, link)}`;
}

function documentOf(search: SharedSearch, { path, body, isCut }: SharedNode): string[] {
  if (body === undefined) return [];
  const link = search.links.inWorkspace(path);
  const blocks = blocksOf(body).filter((block) => block.kind !== 'heading' || block.level > 1);
  const cut = isCut ? [`*${search.show(say.documentCut({ file: fileOf(search, path) }))}*`] : [];
  return [...blocks.map((block) => ownBlock(block, link)), ...cut];
}

function fileOf({ folder }: SharedSearch, path: string): string {
  return plainLine(`${folder}/${path}/document.md`, 1000);
}

/** Returns the nodes as a nested list, each with what is said of it. */
function treeList(search: SharedSearch, nodes: readonly SharedNode[]): string {
  const least = nodes[0]?.node.depth ?? 1;
  const lines = nodes.map((shared) => {
    const facts = factsOf(search, shared);
    const more = shared.hidden > 0 ? [search.show(say.moreBelow({ count: shared.hidden }))] : [];
    const said = [...facts, ...more].join(', ');
    const indent = '  '.repeat(shared.node.depth - least);
    return `${indent}- ${plainLine(shared.title, LONGEST_HEADING)}${said === '' ? '' : ` (${said})`}`;
  });
  return lines.join('\n');
}

function factsOf({ show, best, descriptor }: SharedSearch, { node, path }: SharedNode): string[] {
  const score = scoreText(node);
  // A kind's words about a node may come from its files.
  const state = stateFacts(node, best.has(path), descriptor).map((fact) => plainLine(show(fact), 200));
  return [...(score === undefined ? [] : [show(say.score({ score }))]), ...state];
}

/** Returns the key passages of documents, the best path first, as far as there is room. */
function findingsOf(search: SharedSearch, nodes: readonly SharedNode[]): string[] {
  const { show, links, best } = search;
  const order = [...nodes.filter(({ path }) => best.has(path)), ...nodes.filter(({ path }) => !best.has(path))];
  const parts: string[] = [];
  let room = ROOM_FOR_FINDINGS;
  for (const { path, title, body, summary } of order) {
    if (body === undefined) continue;
    const link = links.inWorkspace(path);
    const passage =
      keyPassage(blocksOf(body), link, (count) => show(say.moreLines({ count }))) || plainLine(summary, 600);
    if (passage === plainLine(title, LONGEST_HEADING)) continue; // a thought whose document says its title again
    const file = link('document.md');
    const name = plainLine(title, LONGEST_HEADING);
    const part = `### ${file === undefined ? name : `[${name}](${file})`}\n\n${passage}`;
    room -= part.length;
    if (room < 0 && parts.length > 0) break;
    parts.push(part);
  }
  return parts.length === 0 ? [] : [`## ${show(say.findings())}`, ...parts];
}

/** Says what there was no room for, and where it is. */
function leftOut({ show, nodes, all, folder, secrets, opens }: SharedSearch): string[] {
  const said = [
    ...(nodes.length < all.nodes ? [show(say.someNodes({ shown: nodes.length, all: all.nodes }))] : []),
    show(say.othersIn({ folder: plainLine(folder, 500) })),
    ...(secrets > 0 ? [show(say.secretsLeftOut({ count: secrets }))] : []),
  ];
  return [`*${said.join(' ')}*`, ...(opens === undefined ? [] : [`[${show(say.openInEditor())}](${opens})`])];
}

/** No documents: what a search found is told by its titles. */
export const COMPARISON_BOUNDS: Bounds = { nodes: 5000, characters: 0, document: 0, report: 200_000 };

const LONGEST_TITLE = 120;
const LONGEST_ANSWER = 6000;
const MOST_LINES = 400;

/** Describes two searches next to each other, and in what they differ, as one document. */
function comparisonMarkdown(
  searches: readonly [SharedSearch, SharedSearch],
  differences: string,
  kinds: Kinds,
): string {
  const [a, b] = searches;
  const [nameA, nameB] = namesOf(a, b);
  const { show } = a;
  const answers = searches.map((search, i) => `### ${[nameA, nameB][i]}\n\n${answerOf(search)}`);
  const paths = searches.map((search, i) => `### ${[nameA, nameB][i]}\n\n${bestPathText(search)}`);
  return `${[
    `# ${show(say.comparison({ a: nameA, b: nameB }))}`,
    tableOf(['', nameA, nameB], rowsOf(a, b, kinds)),
    `## ${show(say.answer())}`,
    ...answers,
    `## ${show(say.bestPath())}`,
    ...paths,
    `## ${show(say.differences())}`,
    differences,
  ].join('\n\n')}\n`;
}

/** Returns what differs between two searches or nodes as a list; texts that look like secrets are left out. */
async function differencesList(lines: readonly ComparisonLine[], show: Show): Promise<string> {
  const shown = lines.slice(0, MOST_LINES);
  const texts = await new Discreet().lines(shown.map(({ text }) => oneLine(text, LONGEST_DIFFERENCE)));
  const items = shown.map(({ sign, isParagraph }, i) => {
    const text = plainLine(texts[i] ?? '', LONGEST_DIFFERENCE);
    return `${isParagraph ? '  ' : ''}- ${sign === '' ? text : `\`${sign}\` ${text}`}`;
  });
  if (lines.length > shown.length) items.push(`- ${show(say.andMore({ count: lines.length - shown.length }))}`);
  return items.join('\n');
}

const LONGEST_DIFFERENCE = 600;

/** Compares two nodes: what differs as one document, and the document of each. */
async function compareNodes(
  sides: readonly [Side, Side],
  lines: readonly ComparisonLine[],
  show: Show,
): Promise<{ readonly both: string; readonly each: readonly [string, string] }> {
  const [a, b] = sides.map(({ overview, node }) => plainLine(node.title || overview.file.title, 60)) as [
    string,
    string,
  ];
  const textOf = async ({ overview, node }: Side): Promise<string> =>
    await new Discreet().text((await overview.store.readDocument(pathOf(node))) ?? '');
  const both = `# ${show(say.comparison({ a, b }))}\n\n${await differencesList(lines, show)}\n`;
  return { both, each: [await textOf(sides[0]), await textOf(sides[1])] };
}

/** Returns one search in a form whose lines can be compared with those of another one. */
export function comparableMarkdown(search: SharedSearch, kinds: Kinds): string {
  const { show, title, nodes } = search;
  const figures = comparedFigures(search, kinds).map(([name, value]) => `- ${name}: ${value}`);
  const topics = nodes.map(({ node, ...shared }) => {
    return `${'  '.repeat(node.depth - 1)}- ${plainLine(shared.title, LONGEST_TITLE)}${scoreIn(node)}`;
  });
  return `${[
    `# ${plainLine(title, LONGEST_TITLE)}`,
    `## ${show(say.answer())}`,
    answerOf(search),
    `## ${show(say.bestPath())}`,
    bestPathText(search),
    `## ${show(say.tree())}`,
    topics.join('\n'),
    `## ${show(say.cost())}`,
    figures.join('\n'),
  ].join('\n\n')}\n`;
}

/** Returns the names of the two: their titles, or their folders where those are equal; and their moments. */
function namesOf(a: SharedSearch, b: SharedSearch): [string, string] {
  const isSame = a.title === b.title;
  const name = ({ title, overview: { folder, reader } }: SharedSearch): string => {
    const moment = reader.at === undefined ? '' : ` @${reader.at.seq}`;
    return plainLine(isSame && moment === '' ? basename(folder) : title, 60) + moment;
  };
  return [name(a), name(b)];
}

type Figure = readonly [name: string, value: string];

function rowsOf(a: SharedSearch, b: SharedSearch, kinds: Kinds): string[][] {
  const [left, right] = [comparedFigures(a, kinds), comparedFigures(b, kinds)];
  return left.map(([name, value], i) => [name, value, right[i]?.[1] ?? '']);
}

/** Returns the table of the comparison: for every search the same figures. */
function comparedFigures({ overview, nodes, show, question }: SharedSearch, kinds: Kinds): Figure[] {
  const { state, led, model, results, free, tree, file } = overview;
  const best = Math.max(...nodes.map(({ node }) => node.evaluation?.score ?? 0));
  const words = descriptorOf(kinds, file.kind)?.words;
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

function bestPathText({ nodes, best, show }: SharedSearch): string {
  const path = nodes.filter(({ path: each }) => best.has(each));
  if (path.length === 0) return show(say.none());
  return path.map(({ node, title }, i) => `${i + 1}. ${plainLine(title, LONGEST_TITLE)}${scoreIn(node)}`).join('\n');
}

function scoreIn(node: SharedNode['node']): string {
  const score = scoreText(node);
  return score === undefined ? '' : ` (${score})`;
}

/** The parts besides a search from which it is drawn for other people. */
export interface DrawingParts {
  readonly kinds: Kinds;
  readonly show: Show;
  /** The most nodes that are drawn. */
  readonly most: number;
  readonly theme: 'light' | 'dark' | Palette;
  /** On a page, the card of a node leads to an address, and the root is at the top. */
  readonly link?: (path: string) => string | undefined;
}

/** Returns a search, drawn: the best path, then the nodes nearest to the question, as many as there is room for. */
export async function drawnTree(
  overview: SearchOverview,
  { kinds, show, most, theme, link }: DrawingParts,
): Promise<{ readonly svg: string; readonly nodes: number }> {
  const { tree, file, reader } = overview;
  const descriptor = descriptorOf(kinds, file.kind);
  const best = bestPathOf(overview.tree, overview.reader.bestPath);
  const wanted = best.flatMap((path) => nodeAt(tree, path) ?? []);
  const chosen = [tree.root, ...outlineNodes(tree, most, wanted).map(({ node }) => node)];
  const titles = await new Discreet().lines(chosen.map(({ title }) => oneLine(title, 300)));
  const search = { ...graphSearchOf(reader, tree, { kinds, show }), actions: [] };
  const nodes = chosen.map((node, i) => {
    const {
      summary: _summary,
      failure: _failure,
      ...drawn
    } = graphNodeOf(node, descriptor, show, { links: tree.links });
    return { ...drawn, title: titles[i] || node.slug || pathOf(node) };
  });
  const options = link ? ({ link, from: 'top' } as const) : {};
  return { svg: treeSvg({ search, nodes }, theme, options), nodes: chosen.length - 1 };
}

/** The parts besides a search that giving it to other people takes. */
export interface SharingParts {
  readonly kinds: Kinds;
  /** The folder that the search searches: links lead to its files by their path in it. */
  readonly workspace: string;
  readonly show: Show;
  /** The language in which `show` speaks, as a BCP 47 tag. */
  readonly language: string;
}

/** At most about 10 MB, however large the search. */
const PAGE_BOUNDS: Bounds = { nodes: 3000, characters: 5_000_000, document: 100_000, report: 300_000 };
const MOST_DRAWN = 1000;

/** Gives searches to other people; a bundle of its own, loaded on first use. */
export const sharing = {
  comparisonPage,
  comparisonPicture,
  read: overviewOf,
  importSnapshot,
  exportSearch,
  formatsOf,

  /**
   * A search as Markdown, or one branch of it.
   * @param path slug path of the branch; empty for the whole search
   */
  async markdown(overview: SearchOverview, { kinds, workspace, show }: SharingParts, path = ''): Promise<string> {
    const top = path === '' ? undefined : nodeAt(overview.tree, path);
    const search = await sharedSearch(overview, { kinds, workspace, show, bounds: MARKDOWN_BOUNDS, top });
    return top ? branchMarkdown(search) : searchMarkdown(search);
  },

  /** A search as one HTML page that needs nothing else. */
  async html(overview: SearchOverview, { kinds, workspace, show, language }: SharingParts): Promise<string> {
    const search = await sharedSearch(overview, { kinds, workspace, show, bounds: PAGE_BOUNDS });
    return await searchPage(search, {
      language,
      draw: (link) => drawnTree(overview, { kinds, show, most: MOST_DRAWN, theme: PAGE_PALETTE, link }),
    });
  },

  /**
   * Shows two searches, moments or nodes next to each other: one document about both, and one of each for a view of differences.
   * @param lines what differs
   */
  async compare(
    sides: readonly [Side, Side],
    lines: readonly ComparisonLine[],
    { kinds, workspace, show }: SharingParts,
  ): Promise<{ readonly both: string; readonly each: readonly [string, string] }> {
    if (sides.some(({ node }) => node.parent)) return await compareNodes(sides, lines, show);
    const read = ({ overview }: Side): Promise<SharedSearch> =>
      sharedSearch(overview, { kinds, workspace, show, bounds: COMPARISON_BOUNDS });
    const [a, b] = [await read(sides[0]), await read(sides[1])];
    const differences = await differencesList(lines, show);
    return {
      both: comparisonMarkdown([a, b], differences, kinds),
      each: [comparableMarkdown(a, kinds), comparableMarkdown(b, kinds)],
    };
  },

  /** The tree of a search as an SVG file, with so many nodes at most. */
  picture(
    overview: SearchOverview,
    { kinds, show }: SharingParts,
    theme: 'light' | 'dark',
    most: number,
  ): Promise<{ readonly svg: string; readonly nodes: number }> {
    return drawnTree(overview, { kinds, show, most, theme });
  },

  /** The whole tree of a search as an SVG file. */
  async svg(
    overview: SearchOverview,
    { kinds, show }: SharingParts,
    theme: 'light' | 'dark' = 'light',
  ): Promise<string> {
    return (await drawnTree(overview, { kinds, show, most: Number.MAX_SAFE_INTEGER, theme })).svg;
  },
};
