import * as vscode from 'vscode';
import { withoutMarks } from '../../core/text/short-label.ts';
import { oneLine } from '../../core/text/text.ts';

/** Tooltips are no documents. */
const LONGEST = 500;

/** A label and what it says; an empty text is left out. */
export type Fact = readonly [label: string, text: string];

/**
 * A tooltip: a title, what it is about, and a short table. Texts of models stay texts whatever they hold: nothing in them
 * is a link, an icon, a command or code.
 */
export function factTable(title: string, about: string, facts: readonly Fact[]): vscode.MarkdownString {
  const rows = facts
    .filter(([, text]) => text !== '')
    .map(([label, text]) => `| ${escaped(label)} | ${escaped(text)} |`);
  // A table needs a head, and what comes first matters most.
  const [head, ...others] = rows;
  const table = head === undefined ? '' : [head, '| :-- | :-- |', ...others].join('\n');
  const parts = [escaped(title), escaped(about, 2 * LONGEST), table].filter((part) => part !== '');
  return new vscode.MarkdownString(parts.join('\n\n'), true);
}

/** A text as Markdown that shows it, in a paragraph or a cell. */
function escaped(text: string, longest = LONGEST): string {
  const line = oneLine(withoutMarks(text), longest);
  return (
    new vscode.MarkdownString('', true)
      .appendText(line)
      // Spaces that cannot break make lines that do not fit; what looks like a tag would be left out.
      .value.replaceAll('&nbsp;', ' ')
      .replaceAll('<', '&lt;')
      .replaceAll('|', '&#124;')
      .replace(/^(\d+)\./, '$1\\.')
  );
}
