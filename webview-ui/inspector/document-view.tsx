import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { PanelStore } from '../state/panel-store.ts';

// Documents come from models: HTML in them is shown as text, and the HTML made from their Markdown is sanitized again.
const markdown = new MarkdownIt({ html: false, linkify: false });
markdown.disable('image');
const ALLOWED = {
  ALLOWED_TAGS: 'p h3 h4 h5 h6 ul ol li blockquote pre code em strong s a hr br table thead tbody tr th td'.split(' '),
  ALLOWED_ATTR: ['href', 'start'],
  ALLOWED_URI_REGEXP: /^(?:https?:|#|[\w./%~@+-]+(?:[#?]|$))/i,
};

/** Markdown of a model as harmless HTML. */
function safeHtml(text: string): string {
  const html = markdown.render(text).replaceAll(/<(\/?)h([1-6])\b/g, (_, slash: string, level: string) => {
    return `<${slash}h${Math.min(6, Number(level) + 2)}`; // the panel has its own headings above
  });
  return DOMPurify.sanitize(html, ALLOWED);
}

interface Props {
  readonly store: PanelStore;
  readonly path: string;
  readonly text: string;
}

/** Draws a node's document. */
export function DocumentView({ store, path, text }: Props): VNode {
  const html = useMemo(() => safeHtml(text), [text]);
  const onClick = (event: MouseEvent): void => {
    const link = (event.target as Element).closest('a');
    const href = link?.getAttribute('href') ?? '';
    if (!link || /^https?:/i.test(href)) return; // the editor opens those, and asks first
    event.preventDefault();
    if (href !== '' && !href.startsWith('#')) store.openLink(path, href);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles clicks, and Enter, for the links in it
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link turns Enter into a click
    <div class="document" dir="auto" onClick={onClick} dangerouslySetInnerHTML={{ __html: html }} />
  );
}

/** Draws the answer of a search: a document, as in its report, or a line, which is as it was said. */
export function AnswerText({ store, path, text }: Props): VNode {
  return isLine(text) ? <p dir="auto">{text}</p> : <DocumentView store={store} path={path} text={text} />;
}

/** Returns what an answer says first, without the marks of Markdown; a line is none, as in `2*3*4 = 24`. */
export function beginningOf(answer: string): string {
  if (isLine(answer)) return answer;
  const first = markdown.parse(answer, {}).find(({ type }) => type === 'inline');
  const words = first?.children?.map(({ type, content }) => (type === 'softbreak' ? ' ' : content));
  return words?.join('') ?? answer;
}

function isLine(text: string): boolean {
  return !text.trim().includes('\n');
}
