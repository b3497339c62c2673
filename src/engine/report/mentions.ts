import { scanInline } from './inline-markdown.ts';
import { blocksOf } from './markdown-blocks.ts';

/** A link in a document, or an address in its text. */
export interface Mention {
  readonly target: string;
  readonly label: string;
}

const MOST = 500;
const LONGEST_LINE = 10_000;
const DEFINITION = /^\s{0,3}\[((?:[^[\]\\]|\\.){1,200})\]:\s{0,9}<?([^\s<>]{1,1000})>?(?:\s|$)/;
const ADDRESS = /\bhttps?:\/\/[^\s<>()[\]"'`|]{1,1000}/gi;

/** Everything that a Markdown text links to, in order, except for code and images. */
export function mentionsIn(markdown: string): Mention[] {
  const mentions: Mention[] = [];
  for (const block of blocksOf(markdown)) {
    if (block.kind === 'fence') continue;
    for (const line of block.kind === 'text' ? block.lines : [block.text]) {
      mentions.push(...mentionsInLine(line.slice(0, LONGEST_LINE)));
      if (mentions.length >= MOST) return mentions.slice(0, MOST);
    }
  }
  return mentions;
}

function mentionsInLine(line: string): Mention[] {
  const definition = DEFINITION.exec(line);
  if (definition) return [{ target: definition[2] ?? '', label: '' }];
  return scanInline(line).flatMap((piece): Mention[] => {
    if (piece.kind === 'link') return piece.image ? [] : [{ target: piece.target, label: piece.label }];
    if (piece.kind !== 'text') return [];
    return [...piece.text.matchAll(ADDRESS)].map(([address]) => ({
      target: address.replace(/[.,;:!?*_]{1,9}$/, ''),
      label: '',
    }));
  });
}
