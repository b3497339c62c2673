import MarkdownIt, { type Token } from 'markdown-it';
import { escaped } from './escaped.ts';

/** The target of a link on the page: a web page, another place on it, or a file of the workspace, only named. */
export type PageLink = { readonly address: string } | { readonly anchor: string } | { readonly file: string };

/** Where a document is shown. */
export interface DocumentPlace {
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
rules['image'] = (tokens, at) => escaped(tokens[at]?.content ?? '');
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
export function documentHtml(text: string, place: DocumentPlace): string {
  const rendering: Rendering = { place, end: '' };
  const env = { [RENDERING]: rendering };
  const tokens = withoutTitle(markdown.parse(text, env), place.title);
  fitHeadings(tokens, place.level);
  for (const token of tokens) alignByClass(token);
  return markdown.renderer.render(tokens, markdown.options, env);
}

function linkTags(link: PageLink | undefined): [begin: string, end: string] {
  if (!link) return ['', ''];
  if ('anchor' in link) return [`<a href="#${escaped(link.anchor)}">`, '</a>'];
  if ('file' in link) return [`<span class="file" title="${escaped(decoded(link.file))}">`, '</span>'];
  return [`<a href="${escaped(link.address)}" rel="noopener noreferrer nofollow">`, '</a>'];
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
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
