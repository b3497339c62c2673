import { createHash } from 'node:crypto';
import type { Token } from 'markdown-it';
import MarkdownIt from 'markdown-it';
import type { Message } from '../../core/messages/message.ts';
import { decodeAddress, escapeHtml } from '../../core/text/text.ts';
import type { Palette } from '../../drawing/palette.ts';
import { type HeadLink, headHtml } from '../document-head.ts';
import * as say from './messages.ts';
import { figuresOf, nodeFacts, type SharedNode, type SharedSearch, stateFacts } from './shared-search.ts';

/** The tree as an inline drawing. */
interface PageDrawing {
  /** SVG whose cards lead to the anchors that it was given. */
  readonly svg: string;
  readonly nodes: number;
}

/** The drawing and the language that a page needs besides the search. */
export interface PageParts {
  /** Draws the tree; `link` is to the section of a node that has one. */
  readonly draw: (link: (path: string) => string | undefined) => Promise<PageDrawing>;
  /** The language of the texts that are ours. */
  readonly language: string;
}

/**
 * A search as one page that needs nothing else: the question, the answer, the tree, every document. No script, nothing that is
 * loaded, and only our own style: a policy in the page makes sure of all that.
 */
export async function searchPage(search: SharedSearch, { draw, language }: PageParts): Promise<string> {
  const sections = search.nodes.filter(({ body }) => body !== undefined);
  const anchors = new Map(sections.map(({ path }, i) => [path, `n${i + 1}`]));
  const drawing = await draw((path) => {
    const anchor = anchors.get(path);
    return anchor === undefined ? undefined : `#${anchor}`;
  });
  return new SearchPage(search, { anchors, drawing, language }).html();
}

/** The parts of the page besides the search. */
interface Prepared {
  /** The nodes with a section, and their anchors. */
  readonly anchors: ReadonlyMap<string, string>;
  readonly drawing: PageDrawing;
  readonly language: string;
}

/** Everything that the page may do: show our own style. */
function policy(): string {
  const style = createHash('sha256').update(STYLE).digest('base64');
  return `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'`;
}

/**
 * A page around a body of ours, in which nothing of others is unescaped.
 * @param title unescaped
 */
export function pageHtml(title: string, language: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Thought Tree">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

class SearchPage {
  readonly #search: SharedSearch;
  readonly #parts: Prepared;
  readonly #byPath: ReadonlyMap<string, SharedNode>;

  constructor(search: SharedSearch, parts: Prepared) {
    this.#search = search;
    this.#parts = parts;
    this.#byPath = new Map(search.nodes.map((shared) => [shared.path, shared]));
  }

  html(): string {
    const title = escapeHtml(this.#search.title);
    const body = `<header>
<h1 dir="auto">${title}</h1>
${this.#question()}<nav aria-label="${this.#say(say.contents())}">${this.#contents()}</nav>
</header>
<main>
${this.#answer()}
${this.#tree()}
${this.#documents()}
${this.#cost()}
</main>
<footer>${this.#leftOut()}</footer>`;
    return pageHtml(this.#search.title, this.#parts.language, body);
  }

  #say(message: Message): string {
    return escapeHtml(this.#search.show(message));
  }

  #question(): string {
    const { question, title } = this.#search;
    return question === title ? '' : `<p class="question" dir="auto">${escapeHtml(question)}</p>\n`;
  }

  #contents(): string {
    const places: [string, Message][] = [
      ['answer', say.answer()],
      ['tree', say.tree()],
      ['documents', say.documents()],
      ['cost', say.cost()],
    ];
    return places.map(([id, name]) => `<a href="#${id}">${this.#say(name)}</a>`).join('\n');
  }

  #section(id: string, name: Message, content: string): string {
    return `<section aria-labelledby="${id}">\n<h2 id="${id}">${this.#say(name)}</h2>\n${content}\n</section>`;
  }

  #answer(): string {
    const { report, answer, isReportCut } = this.#search;
    const cut = isReportCut ? `<p><em>${this.#say(say.reportCut())}</em></p>` : '';
    const said = answer === undefined ? this.#say(say.noAnswer()) : escapeHtml(answer);
    const content =
      report === undefined ? `<p dir="auto">${said}</p>` : this.#document('', this.#titleOf(report), report, 3);
    return this.#section('answer', say.answer(), `<div dir="auto">${content}${cut}</div>`);
  }

  /** The report's own title is the page's. */
  #titleOf(report: string): string {
    return /^#[ \t]([^\n]{1,1000})/.exec(report)?.[1] ?? '';
  }

  #tree(): string {
    const { svg, nodes } = this.#parts.drawing;
    const { all } = this.#search;
    const some =
      nodes < all.nodes ? `<p><em>${this.#say(say.someDrawn({ shown: nodes, all: all.nodes }))}</em></p>\n` : '';
    const size = `<label class="size"><input type="checkbox"> ${this.#say(say.fullSize())}</label>`;
    const drawing = `${size}\n<div class="drawing" tabindex="0" role="region" aria-label="${this.#say(say.drawing())}">${svg}</div>`;
    const list = `<details class="tree"><summary>${this.#say(say.asList())}</summary>\n${this.#list()}</details>`;
    return this.#section('tree', say.tree(), `${some}${drawing}\n${list}`);
  }

  /** Returns the tree as nested lists: what the drawing shows, for those who cannot see it. */
  #list(): string {
    let html = '';
    let depth = 0;
    for (const shared of this.#search.nodes) {
      const next = shared.node.depth;
      if (next > depth) html += '<ul>\n'.repeat(next - depth);
      else html += `</li>\n${'</ul>\n</li>\n'.repeat(depth - next)}`;
      depth = next;
      html += `<li>${this.#link(shared.path, shared.title)}${this.#facts(shared)}`;
    }
    return html + '</li>\n</ul>\n'.repeat(depth);
  }

  #link(path: string, title: string): string {
    const anchor = this.#parts.anchors.get(path);
    const name = `<bdi>${escapeHtml(title)}</bdi>`;
    return anchor === undefined ? name : `<a href="#${anchor}">${name}</a>`;
  }

  #facts({ node, path, hidden }: SharedNode): string {
    const { best, descriptor } = this.#search;
    const said = nodeFacts(node, best.has(path), descriptor).map((fact) => this.#say(fact));
    if (hidden > 0) said.push(this.#say(say.moreBelow({ count: hidden })));
    return said.length === 0 ? '' : ` <span class="facts">${said.join(' · ')}</span>`;
  }

  #documents(): string {
    const sections = this.#search.nodes.map((shared) => this.#article(shared)).filter((html) => html !== '');
    return this.#section('documents', say.documents(), sections.join('\n'));
  }

  #article(shared: SharedNode): string {
    const { path, title, body, isCut } = shared;
    const anchor = this.#parts.anchors.get(path);
    if (body === undefined || anchor === undefined) return '';
    const file = `${this.#search.folder}/${path}/document.md`;
    const cut = isCut ? `<p><em>${this.#say(say.documentCut({ file }))}</em></p>` : '';
    return `<article id="${anchor}" aria-labelledby="${anchor}-title">
<h3 id="${anchor}-title" dir="auto">${escapeHtml(title)}</h3>
${this.#head(shared)}<div dir="auto">${this.#document(path, title, body, 4)}${cut}</div>
</article>`;
  }

  /** Writes the facts about a node, its place in the tree, and what is below it: as above a document in the editor. */
  #head({ node, path }: SharedNode): string {
    const { show, best, descriptor } = this.#search;
    const parent = this.#byPath.get(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    const children = node.children.flatMap(({ slug }) => this.#byPath.get(`${path}/${slug}`) ?? []);
    const { status, citations, evaluation } = node;
    const head = {
      status,
      marks: stateFacts(node, best.has(path), descriptor).map(show),
      score: evaluation?.score,
      citations,
      parent: parent && this.#headLink(parent),
      children: children.map((child) => this.#headLink(child)),
    };
    return headHtml(head, show);
  }

  #headLink({ path, title }: SharedNode): HeadLink {
    const anchor = this.#parts.anchors.get(path);
    return { title, href: anchor && `#${anchor}` };
  }

  #document(path: string, title: string, text: string, level: number): string {
    return documentHtml(text, { level, title, follow: (link) => this.#follow(path, link) });
  }

  #follow(from: string, link: string): PageLink | undefined {
    const target = this.#search.links.target(from, link);
    if (target?.kind === 'web') return { address: target.address };
    if (target?.kind === 'file') return { file: target.file };
    const anchor = target && this.#parts.anchors.get(target.path);
    return anchor === undefined ? undefined : { anchor };
  }

  #cost(): string {
    const figures = figuresOf(this.#search.overview).map((figure) => `<li>${this.#say(figure)}</li>`);
    return this.#section('cost', say.cost(), `<ul>\n${figures.join('\n')}\n</ul>`);
  }

  /** Says what there was no room for, and where it is. */
  #leftOut(): string {
    const { nodes, all, documents, folder, secrets, opens } = this.#search;
    const said = [
      ...(nodes.length < all.nodes ? [say.someNodes({ shown: nodes.length, all: all.nodes })] : []),
      ...(documents < all.documents ? [say.someDocuments({ shown: documents, all: all.documents })] : []),
      say.othersIn({ folder }),
      ...(secrets > 0 ? [say.secretsLeftOut({ count: secrets })] : []),
    ];
    const link = opens === undefined ? [] : [`<a href="${escapeHtml(opens)}">${this.#say(say.openInEditor())}</a>`];
    return [...said.map((each) => this.#say(each)), ...link].map((each) => `<p>${each}</p>`).join('\n');
  }
}

/** The target of a link on the page: a web page, another place on it, or a file of the workspace, only named. */
type PageLink = { readonly address: string } | { readonly anchor: string } | { readonly file: string };

/** Where a document is shown. */
interface DocumentPlace {
  /** The level of its first heading, below those around it. */
  readonly level: number;
  /** The heading above it, which it need not repeat. */
  readonly title: string;
  /** @returns undefined for a link that becomes plain text */
  readonly follow: (link: string) => PageLink | undefined;
}

interface Rendering {
  readonly place: DocumentPlace;
  /** The end of the link that is open. */
  end: string;
}

/** Where its parser carries along what belongs to one document. */
const RENDERING = 'thoughtTree';

// A link that the rule does not allow becomes its label; HTML is shown as text, and an image as what it is called.
const markdown = new MarkdownIt({ html: false, linkify: false });
markdown.validateLink = () => true;
markdown.normalizeLink = (link) => link;
const { rules } = markdown.renderer;
rules['image'] = (tokens, at) => escapeHtml(tokens[at]?.content ?? '');
rules['link_open'] = (tokens, at, _options, env) => {
  const rendering = renderingIn(env);
  const [begin, end] = linkTags(rendering?.place.follow(String(tokens[at]?.attrGet('href') ?? '')));
  if (rendering) rendering.end = end;
  return begin;
};
rules['link_close'] = (_tokens, _at, _options, env) => renderingIn(env)?.end ?? '';

function renderingIn(env: { readonly [name: string]: unknown } | undefined): Rendering | undefined {
  return env?.[RENDERING] as Rendering | undefined;
}

/** Markdown of anybody as harmless HTML: no script, no style, nothing that loads. */
function documentHtml(text: string, place: DocumentPlace): string {
  const rendering: Rendering = { place, end: '' };
  const env = { [RENDERING]: rendering };
  const tokens = withoutTitle(markdown.parse(text, env), place.title);
  fitHeadings(tokens, place.level);
  for (const token of tokens) alignByClass(token);
  return markdown.renderer.render(tokens, markdown.options, env);
}

function linkTags(link: PageLink | undefined): [begin: string, end: string] {
  if (!link) return ['', ''];
  if ('anchor' in link) return [`<a href="#${escapeHtml(link.anchor)}">`, '</a>'];
  if ('file' in link) return [`<span class="file" title="${escapeHtml(decodeAddress(link.file))}">`, '</span>'];
  return [`<a href="${escapeHtml(link.address)}" rel="noopener noreferrer nofollow">`, '</a>'];
}

/** A document usually begins with its title, which is above it already. */
function withoutTitle(tokens: Token[], title: string): Token[] {
  const [open, inline] = tokens;
  const plain = (text = ''): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim();
  const repeats = open?.type === 'heading_open' && plain(inline?.content) === plain(title);
  return repeats ? tokens.slice(3) : tokens;
}

/** Headings one level below another, whatever numbers the document has, so that none is left out in between. */
function fitHeadings(tokens: readonly Token[], first: number): void {
  const above: string[] = [];
  for (const token of tokens) {
    if (token.type === 'heading_open') {
      while (above.length > 0 && (above.at(-1) as string) >= token.tag) above.pop();
      above.push(token.tag);
    }
    if (token.type === 'heading_open' || token.type === 'heading_close')
      token.tag = `h${Math.min(6, first + above.length - 1)}`;
  }
}

/** Columns of a table are aligned by styles, which the page does not allow. */
function alignByClass(token: Token): void {
  const align = /^text-align:(\w+)$/.exec(String(token.attrGet('style') ?? ''))?.[1];
  if (align === undefined) return;
  token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style');
  token.attrSet('class', align);
}

/** The colours of the page's own style, which has light and dark ones. */
export const PAGE_PALETTE: Palette = {
  background: 'var(--background)',
  card: 'var(--card)',
  border: 'var(--border)',
  text: 'var(--text)',
  dim: 'var(--dim)',
  edge: 'var(--edge)',
  focus: 'var(--link)',
  selection: 'var(--card)',
  selectionText: 'var(--text)',
  green: 'var(--green)',
  blue: 'var(--blue)',
  yellow: 'var(--gold)',
  orange: 'var(--orange)',
  purple: 'var(--purple)',
  red: 'var(--red)',
  disabled: 'var(--disabled)',
  font: 'system-ui',
  isContrast: false,
};

/** The style of the page: its colours follow the reader's system, and forced colours are left alone. */
const STYLE = `
:root { color-scheme: light dark; --background: #ffffff; --card: #f6f6f6; --border: #c8c8c8; --text: #2b2b2b; --dim: #5f5f5f;
  --edge: #a0a0a0; --link: #005fb8; --green: #2e7d32; --blue: #1a73c7; --gold: #8a6200; --orange: #b85c00; --purple: #652d90;
  --red: #c72e0f; --disabled: #6b6b6b; }
@media (prefers-color-scheme: dark) {
  :root { --background: #1f1f1f; --card: #282828; --border: #4a4a4a; --text: #d4d4d4; --dim: #a5a5a5; --edge: #6e6e6e;
    --link: #6cb6ff; --green: #89d185; --blue: #3794ff; --gold: #d7ba7d; --orange: #ee9d28; --purple: #b180d7; --red: #ff7b72;
    --disabled: #9a9a9a; }
}
@media (forced-colors: active) {
  :root { --background: Canvas; --card: Canvas; --border: CanvasText; --text: CanvasText; --dim: CanvasText; --edge: CanvasText;
    --link: LinkText; --green: CanvasText; --blue: CanvasText; --gold: Highlight; --orange: CanvasText; --purple: CanvasText;
    --red: CanvasText; --disabled: GrayText; }
  .drawing svg { forced-color-adjust: none; }
}
body { margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 60rem; background: var(--background); color: var(--text);
  font: 1rem/1.55 -apple-system, 'Segoe UI', system-ui, Ubuntu, 'Droid Sans', sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0.5rem 0; }
h2 { font-size: 1.3rem; margin: 2.2rem 0 0.6rem; padding-bottom: 0.2rem; border-bottom: 1px solid var(--border); }
h3 { font-size: 1.1rem; margin: 1.6rem 0 0.3rem; }
h4, h5, h6 { font-size: 1rem; margin: 1.1rem 0 0.3rem; }
h1, h2, h3, h4, h5, h6, p, li, td, th, span { overflow-wrap: anywhere; }
a { color: var(--link); }
.question { white-space: pre-wrap; font-size: 1.05rem; }
.facts, .thought-tree-head, footer, nav { color: var(--dim); font-size: 0.9rem; }
nav a { margin-right: 1rem; }
.file { text-decoration: underline dotted; }
article { content-visibility: auto; contain-intrinsic-size: auto 20rem; }
article:target > h3 { outline: 2px solid var(--link); outline-offset: 3px; }
pre, code { font: 0.85rem/1.45 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; background: var(--card); }
code { padding: 0.1em 0.25em; border-radius: 3px; overflow-wrap: anywhere; }
pre { padding: 0.6rem 0.8rem; border: 1px solid var(--border); border-radius: 5px; white-space: pre-wrap; overflow-wrap: anywhere; }
pre code { padding: 0; background: none; }
blockquote { margin: 0.6rem 0; padding: 0 0.9rem; border-left: 3px solid var(--border); color: var(--dim); }
table { border-collapse: collapse; margin: 0.6rem 0; }
th, td { border: 1px solid var(--border); padding: 0.25rem 0.6rem; text-align: left; vertical-align: top; }
.right { text-align: right; }
.center { text-align: center; }
.drawing { overflow: auto; max-height: 80vh; width: fit-content; max-width: min(96vw, 110rem); border: 1px solid var(--border); border-radius: 5px;
  margin-left: 50%; transform: translateX(-50%); }
.drawing svg { display: block; max-width: 100%; height: auto; }
.size { display: inline-block; margin-bottom: 0.4rem; color: var(--dim); font-size: 0.9rem; }
.size:has(:checked) + .drawing svg { max-width: none; }
.drawing a:focus-visible rect, .drawing a:hover rect { stroke: var(--link); stroke-width: 2; }
.tree ul { padding-left: 1.3rem; }
@media print { .size { display: none; } .drawing { overflow: visible; max-height: none; } .drawing svg { max-width: 100% !important; } }
`;
