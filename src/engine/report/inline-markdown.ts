/** A piece of one line of Markdown. `text` is unchanged; a link's `label` is not parsed any further. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'escape'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly label: string; readonly target: string; readonly image: boolean };

interface Open {
  /** The index of its bracket among the pieces, and where its label begins in the line. */
  readonly piece: number;
  readonly label: number;
  readonly image: boolean;
}

/** `(target "title")` after a label. Bounded, so that no line can make it slow. */
const DESTINATION =
  /\(\s{0,9}(?:<([^<>\n]{0,1000})>|((?:[^\s()<>\\]|\\.|\((?:[^\s()\\]|\\.){0,100}\)){0,1000}))(?:\s{1,9}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'))?\s{0,9}\)/y;
const ADDRESS = /<(https?:\/\/[^\s<>]{1,1000})>/iy;

/**
 * Parses one line of Markdown: code spans, escapes, links, images, addresses in angle brackets, and text. Anything that
 * spans several lines is text here. Takes linear time.
 */
export function scanInline(line: string): Inline[] {
  const pieces: Inline[] = [];
  const opens: Open[] = [];
  const ticks = tickRuns(line);
  const addText = (text: string): void => {
    const last = pieces.at(-1);
    if (last?.kind === 'text' && last.text !== '[' && last.text !== '![')
      pieces[pieces.length - 1] = { kind: 'text', text: last.text + text };
    else pieces.push({ kind: 'text', text });
  };
  for (let at = 0; at < line.length; ) {
    const character = line[at] as string;
    if (character === '\\' && /[!-/:-@[-`{-~]/.test(line[at + 1] ?? '')) {
      pieces.push({ kind: 'escape', text: line.slice(at, at + 2) });
      at += 2;
    } else if (character === '`') {
      const length = ticks.lengthAt(at);
      const end = ticks.next(at + length, length);
      if (end === undefined) addText('`'.repeat(length));
      else pieces.push({ kind: 'code', text: codeIn(line.slice(at + length, end)) });
      at = end === undefined ? at + length : end + length;
    } else if (character === '[' || (character === '!' && line[at + 1] === '[')) {
      const image = character === '!';
      const mark = image ? '![' : '[';
      at += mark.length;
      opens.push({ piece: pieces.length, label: at, image });
      pieces.push({ kind: 'text', text: mark });
    } else if (character === ']') {
      const open = opens.pop();
      const target = open && match(DESTINATION, line, at + 1);
      if (open && target) {
        pieces.length = open.piece;
        const label = line.slice(open.label, at);
        pieces.push({ kind: 'link', label, target: unescaped(target[1] ?? target[2] ?? ''), image: open.image });
      } else addText(']');
      at += 1 + (target ? target[0].length : 0);
    } else {
      const address = character === '<' ? match(ADDRESS, line, at) : undefined;
      if (address) pieces.push({ kind: 'link', label: address[1] ?? '', target: address[1] ?? '', image: false });
      else addText(character);
      at += address ? address[0].length : 1;
    }
  }
  return pieces;
}

function match(pattern: RegExp, line: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(line) ?? undefined;
}

/** The positions of runs of backticks; examines each of them only once. */
function tickRuns(line: string): {
  lengthAt: (at: number) => number;
  next: (from: number, length: number) => number | undefined;
} {
  const byLength = new Map<number, number[]>();
  const lengths = new Map<number, number>();
  for (const { 0: run, index } of line.matchAll(/`+/g)) {
    lengths.set(index, run.length);
    const places = byLength.get(run.length);
    if (places) places.push(index);
    else byLength.set(run.length, [index]);
  }
  const passed = new Map<number, number>();
  const next = (from: number, length: number): number | undefined => {
    const places = byLength.get(length) ?? [];
    let place = passed.get(length) ?? 0;
    while (place < places.length && (places[place] as number) < from) place++;
    passed.set(length, place);
    return places[place];
  };
  // After a backslash, a run is one shorter than in the line.
  const lengthAt = (at: number): number =>
    lengths.get(at) ?? (/^`+/.exec(line.slice(at, at + 1000))?.[0] ?? '`').length;
  return { lengthAt, next };
}

function codeIn(text: string): string {
  return text.startsWith(' ') && text.endsWith(' ') && text.trim() !== '' ? text.slice(1, -1) : text;
}

function unescaped(target: string): string {
  return target
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll('&amp;', '&')
    .trim();
}
