import { createHash } from 'node:crypto';
import type { Message } from '../../../core/messages/message.ts';
import { type HeadLink, headHtml } from '../../documents/document-head.ts';
import { figuresOf } from '../figures.ts';
import * as say from '../messages.ts';
import { nodeFacts, stateFacts } from '../node-facts.ts';
import type { SharedNode, SharedSearch } from '../shared-search.ts';
import { documentHtml, type PageLink } from './document-html.ts';
import { escaped } from './escaped.ts';
import { STYLE } from './style.ts';

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
    const title = escaped(this.#search.title);
    return `<!DOCTYPE html>
<html lang="${escaped(this.#parts.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Thought Tree">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1 dir="auto">${title}</h1>
${this.#question()}<nav aria-label="${this.#say(say.contents())}">${this.#contents()}</nav>
</header>
<main>
${this.#answer()}
${this.#tree()}
${this.#documents()}
${this.#cost()}
</main>
<footer>${this.#leftOut()}</footer>
</body>
</html>
`;
  }

  #say(message: Message): string {
    return escaped(this.#search.show(message));
  }

  #question(): string {
    const { question, title } = this.#search;
    return question === title ? '' : `<p class="question" dir="auto">${escaped(question)}</p>\n`;
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
    const said = answer === undefined ? this.#say(say.noAnswer()) : escaped(answer);
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
    const drawing = `<div class="drawing" tabindex="0" role="region" aria-label="${this.#say(say.drawing())}">${svg}</div>`;
    const list = `<details class="tree"><summary>${this.#say(say.asList())}</summary>\n${this.#list()}</details>`;
    return this.#section('tree', say.tree(), `${some}${drawing}\n${list}`);
  }

  /** The tree as nested lists: what the drawing shows, for those who cannot see it. */
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
    const name = `<bdi>${escaped(title)}</bdi>`;
    return anchor === undefined ? name : `<a href="#${anchor}">${name}</a>`;
  }

  #facts({ node, path, hidden }: SharedNode): string {
    const { best, face } = this.#search;
    const said = nodeFacts(node, best.has(path), face).map((fact) => this.#say(fact));
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
<h3 id="${anchor}-title" dir="auto">${escaped(title)}</h3>
${this.#head(shared)}<div dir="auto">${this.#document(path, title, body, 4)}${cut}</div>
</article>`;
  }

  /** Writes the facts about a node, its place in the tree, and what is below it: as above a document in the editor. */
  #head({ node, path }: SharedNode): string {
    const { show, best, face } = this.#search;
    const parent = this.#byPath.get(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    const children = node.children.flatMap(({ slug }) => this.#byPath.get(`${path}/${slug}`) ?? []);
    const { status, citations, evaluation } = node;
    const head = {
      status,
      marks: stateFacts(node, best.has(path), face).map(show),
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
    const { nodes, all, documents, folder, secrets } = this.#search;
    const said = [
      ...(nodes.length < all.nodes ? [say.someNodes({ shown: nodes.length, all: all.nodes })] : []),
      ...(documents < all.documents ? [say.someDocuments({ shown: documents, all: all.documents })] : []),
      say.othersIn({ folder }),
      ...(secrets > 0 ? [say.secretsLeftOut({ count: secrets })] : []),
    ];
    return said.map((each) => `<p>${this.#say(each)}</p>`).join('\n');
  }
}
