import type { Block } from './markdown-blocks.ts';
import { fenced, type LinkRule, safeBlock, safeInline } from './safe-markdown.ts';

/** The maximum length of a passage in the report, in characters and lines. */
const LONGEST = 1400;
const LINES = 24;
/** Code that would be cut shorter than this is left out. */
const FEWEST_LINES_OF_CODE = 4;

/**
 * The key passage of a document: its first blocks, complete, within the limits of a short passage. Long code is cut after
 * its first lines; headings become bold lines.
 * @param more the text below code of which so many lines are left out
 */
export function keyPassage(blocks: readonly Block[], link: LinkRule, more: (lines: number) => string): string {
  const out: string[] = [];
  let heading = '';
  let [characters, lines] = [0, 0];
  for (const block of blocks) {
    if (block.kind === 'heading') {
      if (block.level > 1) heading = `**${safeInline(block.text, () => undefined).replaceAll('*', '\\*')}**`;
      continue;
    }
    if (block.kind === 'text' && !/[\p{L}\p{N}]/u.test(block.lines.join(''))) continue;
    const text = block.kind === 'fence' ? shortFence(block, LINES - lines, more) : safeBlock(shortText(block), link);
    const added = { characters: text.length, lines: text.split('\n').length + (heading === '' ? 1 : 3) };
    // Code after the line that names it stays with it, cut to the remaining lines.
    const fits =
      block.kind === 'fence' || (characters + added.characters <= LONGEST && lines + added.lines <= LINES / 2);
    if (text === '' || (!fits && out.length > 0)) break;
    if (heading !== '') out.push(heading);
    heading = '';
    out.push(text);
    characters += added.characters;
    lines += added.lines;
  }
  return out.join('\n\n');
}

function shortFence(block: Block & { kind: 'fence' }, room: number, more: (lines: number) => string): string {
  if (room < Math.min(block.lines.length, FEWEST_LINES_OF_CODE)) return '';
  const shown = block.lines.slice(0, room).map((line) => (line.length > 300 ? `${line.slice(0, 299)}…` : line));
  const left = block.lines.length - shown.length;
  return fenced(shown, block.language) + (left > 0 ? `\n\n${more(left)}` : '');
}

function shortText(block: Block & { kind: 'text' }): Block & { kind: 'text' } {
  const kept: string[] = [];
  let room = LONGEST;
  for (const line of block.lines.slice(0, LINES - 2)) {
    if (line.length > room) {
      if (kept.length === 0) kept.push(cutAtWord(line, room));
      break;
    }
    kept.push(line);
    room -= line.length;
  }
  return { kind: 'text', lines: kept };
}

function cutAtWord(line: string, longest: number): string {
  const cut = line.slice(0, longest - 1);
  const sentence = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('。'));
  if (sentence > longest / 3) return cut.slice(0, sentence + 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > longest / 2 ? cut.slice(0, space) : cut).toWellFormed()}…`;
}
