import { type Block, blocksOf } from '../../engine/report/markdown-blocks.ts';
import { scoreText } from '../../engine/report/node-text.ts';
import { keyPassage } from '../../engine/report/passage.ts';
import { type LinkRule, plainLine, safeBlock, safeInline } from '../../engine/report/safe-markdown.ts';
import { figuresOf } from './figures.ts';
import * as say from './messages.ts';
import { stateFacts } from './node-facts.ts';
import type { Bounds, SharedNode, SharedSearch } from './shared-search.ts';

/** About as much as an issue on a page for code can take. */
export const MARKDOWN_BOUNDS: Bounds = { nodes: 200, characters: 300_000, document: 20_000, report: 25_000 };
const ROOM_FOR_FINDINGS = 20_000;
const LONGEST_TITLE = 120;

/** A search as one text: the question, its report, the tree as a list, and what its documents found. */
export function searchMarkdown(search: SharedSearch): string {
  const { show, title, question, report, answer } = search;
  const said = report === undefined ? [] : reportBlocks(report, search);
  return joined([
    `# ${plainLine(title, LONGEST_TITLE)}`,
    question === title ? '' : quoted(question),
    figuresOf(search.overview, (name) => plainLine(name, 200))
      .map(show)
      .join(' · '),
    ...(said.length > 0 ? said : [answer === undefined ? show(say.noAnswer()) : plainLine(answer, 5000)]),
    search.isReportCut ? `*${show(say.reportCut())}*` : '',
    `## ${show(say.tree())}`,
    listOf(search, search.nodes),
    ...findingsOf(search, search.nodes),
    ...leftOut(search),
  ]);
}

/** One branch of a search as a text: its document as a whole, what is below it as a list, and what that found. */
export function branchMarkdown(search: SharedSearch): string {
  const [top, ...below] = search.nodes;
  if (!top) return '';
  const { show } = search;
  return joined([
    `# ${plainLine(top.title, LONGEST_TITLE)}`,
    [`${show(say.above())}: ${plainLine(search.title, LONGEST_TITLE)}`, ...factsOf(search, top)].join(' · '),
    ...documentOf(search, top),
    ...(below.length > 0 ? [`## ${show(say.tree())}`, listOf(search, below)] : []),
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

/** The report below its title, its headings as they are. */
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

/** The nodes as a nested list, each with what is said of it. */
function listOf(search: SharedSearch, nodes: readonly SharedNode[]): string {
  const least = nodes[0]?.node.depth ?? 1;
  const lines = nodes.map((shared) => {
    const facts = factsOf(search, shared);
    const more = shared.hidden > 0 ? [search.show(say.moreBelow({ count: shared.hidden }))] : [];
    const said = [...facts, ...more].join(', ');
    const indent = '  '.repeat(shared.node.depth - least);
    return `${indent}- ${plainLine(shared.title, LONGEST_TITLE)}${said === '' ? '' : ` (${said})`}`;
  });
  return lines.join('\n');
}

function factsOf({ show, best, face }: SharedSearch, { node, path }: SharedNode): string[] {
  const score = scoreText(node);
  // A kind's words about a node may come from its files.
  const state = stateFacts(node, best.has(path), face).map((fact) => plainLine(show(fact), 200));
  return [...(score === undefined ? [] : [show(say.score({ score }))]), ...state];
}

/** The key passages of documents, the best path first, as far as there is room. */
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
    if (passage === plainLine(title, LONGEST_TITLE)) continue; // a thought whose document says its title again
    const file = link('document.md');
    const name = plainLine(title, LONGEST_TITLE);
    const part = `### ${file === undefined ? name : `[${name}](${file})`}\n\n${passage}`;
    room -= part.length;
    if (room < 0 && parts.length > 0) break;
    parts.push(part);
  }
  return parts.length === 0 ? [] : [`## ${show(say.findings())}`, ...parts];
}

/** Says what there was no room for, and where it is. */
function leftOut({ show, nodes, all, folder, secrets }: SharedSearch): string[] {
  const said = [
    ...(nodes.length < all.nodes ? [show(say.someNodes({ shown: nodes.length, all: all.nodes }))] : []),
    show(say.othersIn({ folder: plainLine(folder, 500) })),
    ...(secrets > 0 ? [show(say.secretsLeftOut({ count: secrets }))] : []),
  ];
  return [`*${said.join(' ')}*`];
}
