import { escapeHtml } from '../../core/text/text.ts';
import { type IntervalGroup, intervalsSvg } from '../../drawing/intervals-svg.ts';
import { PAGE_PALETTE, pageHtml } from './search-page.ts';

/** A table of a comparison: its first line are the heads, and all columns but the first are to the right. */
interface ComparedTable {
  readonly title: string;
  readonly lines: readonly (readonly string[])[];
}

/** Several ways of solving the same problems, as people read them; all texts are in the reader's language. */
export interface ComparedSetups {
  readonly title: string;
  readonly tables: readonly ComparedTable[];
  /** Drawn below the tables' first. */
  readonly drawing: { readonly title: string; readonly groups: readonly IntervalGroup[] };
  /** The way in which it was compared, and what is left out. */
  readonly notes: readonly string[];
}

/** Returns a comparison as one page that needs nothing else. */
export function comparisonPage({ title, tables, drawing, notes }: ComparedSetups, language: string): string {
  const svg = intervalsSvg(drawing.groups, PAGE_PALETTE);
  const name = escapeHtml(drawing.title);
  const picture = `<section><h2>${name}</h2>\n<div class="drawing" tabindex="0" role="region" aria-label="${name}">${svg}</div>\n</section>`;
  const [first, ...others] = tables.map(tableHtml);
  const body = `<header>
<h1 dir="auto">${escapeHtml(title)}</h1>
</header>
<main>
${[first, picture, ...others].join('\n')}
</main>
<footer>${notes.map((note) => `<p>${escapeHtml(note)}</p>`).join('\n')}</footer>`;
  return pageHtml(title, language, body);
}

/** Returns a comparison as a picture. */
export function comparisonPicture({ drawing }: ComparedSetups): string {
  return intervalsSvg(drawing.groups, 'light');
}

function tableHtml({ title, lines }: ComparedTable): string {
  const [head = [], ...rows] = lines;
  const row = (cells: readonly string[], tag: 'th' | 'td'): string =>
    `<tr>${cells.map((cell, at) => `<${tag}${at > 0 ? ' class="right"' : ''} dir="auto">${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
  const body = rows.map((cells) => row(cells, 'td')).join('\n');
  return `<section><h2>${escapeHtml(title)}</h2>\n<table><thead>${row(head, 'th')}</thead>\n<tbody>${body}</tbody></table>\n</section>`;
}
