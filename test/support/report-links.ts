import assert from 'node:assert/strict';
import { blocksOf, mentionsIn, scanInline } from '../../src/engine-parts/report/safe-markdown.ts';
import type { MemoryFiles } from './memory-store.ts';

/** Returns the targets of all links in a text of Markdown. */
export function linksIn(markdown: string): string[] {
  return mentionsIn(markdown).map(({ target }) => target);
}

/** Asserts that every link in a report leads to a page on the web, to a file of the search, or to the workspace. */
export function assertLinksResolve(report: string, files: MemoryFiles): void {
  for (const target of linksIn(report)) {
    if (/^https?:\/\/[^\s()<>]+$/.test(target)) continue;
    assert.match(target, /^[^\s()<>:]+$/);
    const path = decodeURIComponent(target.replace(/#.*$/, ''));
    assert.ok(path.startsWith('../') || files.existsNow(path), `${target} leads nowhere`);
  }
}

/** The headings of the report of a research. */
const RESEARCH = ['The question', 'Topics', 'Sources', 'Open ends', 'From the documents', 'What it cost'];

/**
 * Asserts what has to hold of any report, whatever its models wrote.
 * @param ours the headings that it may have besides its title; the last one it has to have
 */
export function assertSafe(report: string, ours: readonly string[] = RESEARCH): void {
  assert.ok(report.startsWith('# '), 'begins with its title');
  assert.ok(report.endsWith('\n') && !report.endsWith('\n\n'));
  const blocks = blocksOf(report);
  const headings = blocks.flatMap((block) => (block.kind === 'heading' && block.level < 3 ? block.text : []));
  for (const text of headings.slice(1)) assert.ok(ours.includes(text), `a foreign heading: ${text}`);
  assert.ok(headings.includes(ours.at(-1) ?? ''), 'the end is part of something else');
  for (const block of blocks) {
    if (block.kind === 'fence') continue;
    for (const line of block.kind === 'text' ? block.lines : [block.text]) {
      const outsideCode = withoutCode(line);
      assert.doesNotMatch(outsideCode, /<[a-z!/?]/i, 'HTML');
      assert.doesNotMatch(outsideCode, /^\s{0,3}\[(?:[^[\]\\]|\\.)*\]:/, 'a reference');
      assert.doesNotMatch(outsideCode, /(?<!\\)!\[/, 'an image');
    }
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
  assert.doesNotMatch(report, /[\u0000-\u0008\u000b-\u001f\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
}

function withoutCode(line: string): string {
  const pieces = scanInline(line).map((piece) => {
    if (piece.kind === 'link') return `${piece.image ? '!' : ''}[${withoutCode(piece.label)}](x)`;
    return piece.kind === 'code' ? '' : piece.text;
  });
  return pieces.join('');
}
