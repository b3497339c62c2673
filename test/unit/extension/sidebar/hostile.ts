import assert from 'node:assert/strict';
import type { MarkdownString } from '../fake-vscode.ts';

/** A text of a model that would like to be more than a text. */
export const HOSTILE =
  '1. [Run](command:thoughtTree.start) <img src=x onerror=alert(1)> $(error) `code` **bold** | cell |\n# Title\n| - |';

/** Fails where a text could be more than a text in a tooltip. */
export function assertInert(tooltip: unknown): void {
  const { value, isTrusted, supportHtml } = tooltip as MarkdownString;
  assert.ok(!isTrusted, 'command links would work');
  assert.ok(!supportHtml);
  assert.doesNotMatch(value, /(?<!\\)\[[^\]]*\]\(|(?<!\\)\*\*|(?<!\\)`|^#/m);
  assert.doesNotMatch(value, /(?<!\\)\$\(/);
  assert.doesNotMatch(value, /<|^\d+\. /m);
  for (const row of value.split('\n').filter((line) => line.startsWith('|')))
    assert.equal(row.split('|').length, 4, `a text made a cell: ${row}`);
}
