/** A complete block of Markdown: a heading, fenced code, or lines without an empty one among them. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'fence'; readonly language: string; readonly lines: readonly string[] }
  | { readonly kind: 'text'; readonly lines: readonly string[] };

const FENCE = /^\s*(?:(`{3,})([^`]*)|(~{3,})(?!~)(.*))$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
/** A line under a heading, between sections, or around front matter. */
const RULE = /^[\s>]*(?:=+|-+|(?:[-_*]\s*){3,})$/;

/** Splits a Markdown text into blocks. A fence that is never closed ends with the text. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split(/\r\n|\r|\n/);
  let text: string[] = [];
  const endText = (): void => {
    if (text.length > 0) blocks.push({ kind: 'text', lines: text });
    text = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] as string).trimEnd();
    const fence = FENCE.exec(line);
    const heading = HEADING.exec(line);
    if (fence || heading || line === '') endText();
    if (fence) {
      const inside = linesInFence(lines, at + 1, fence[1] ?? fence[3] ?? '');
      blocks.push({ kind: 'fence', language: languageOf(fence[2] ?? fence[4] ?? ''), lines: inside });
      at += inside.length + 1;
    } else if (heading) {
      const said = (heading[2] ?? '').replace(/(?:^|[ \t])#{1,20}$/, '').trim();
      if (said !== '') blocks.push({ kind: 'heading', level: (heading[1] as string).length, text: said });
    } else if (line !== '' && !RULE.test(line.slice(0, 500))) text.push(line);
  }
  endText();
  return blocks;
}

function linesInFence(lines: readonly string[], from: number, mark: string): string[] {
  const inside: string[] = [];
  for (let at = from; at < lines.length; at++) {
    const line = (lines[at] as string).trim();
    if (line.length >= mark.length && line === (mark[0] as string).repeat(line.length)) break;
    inside.push((lines[at] as string).trimEnd());
  }
  return inside;
}

function languageOf(info: string): string {
  return /^[\w+#-]{1,30}/.exec(info.trim())?.[0] ?? '';
}
