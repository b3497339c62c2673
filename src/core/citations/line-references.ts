import MarkdownIt, { type Token } from 'markdown-it';
import { decodeAddress, escapeMarkdown } from '../text/text.ts';
import { type FileLines, placeText } from './citation.ts';
import { LONGEST_ADDRESS, markBehind } from './citation-marks.ts';

/** The offsets of a citation's link in the text, with a mark behind it (end exclusive), and its label without marks around it. */
export interface CitedLink extends FileLines {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** The longest line that is read, with the label in place of its link, so that replacing a link changes nothing. */
const LONGEST_LINE = 4000;
const LONGEST_LABEL = 400;
/** Its longest form in the text: a label with every character escaped, and an address. */
const LONGEST_WRITTEN = LONGEST_LINE + LONGEST_LABEL + LONGEST_ADDRESS + 10;

const LABEL = String.raw`\[((?:[^[\]\\\n]|\\.){3,${LONGEST_LABEL}})\]`;
const DESTINATION = String.raw`<(?:[^<>\\\n]|\\.){0,${LONGEST_ADDRESS}}>|(?:[^()\s\\]|\\[^\s]){0,${LONGEST_ADDRESS}}(?:\((?:[^()\s\\]|\\[^\s]){0,200}\)(?:[^()\s\\]|\\[^\s]){0,200}){0,4}`;
const TITLE = String.raw`"(?:[^"\\]|\\.){0,1000}"|'(?:[^'\\]|\\.){0,1000}'|\((?:[^()\\]|\\.){0,1000}\)`;
const ADDRESS = String.raw`\([ \t]{0,20}(?:${DESTINATION})(?:[ \t]{1,20}(?:${TITLE}))?[ \t]{0,20}\)|\[(?![^\]\n]*[:#]L?\d)(?:[^[\]\\\n]|\\.){0,1000}\]`;
const CODE = '(?<!`)`([^`\\n]{3,400})`(?!`)';
const NOT_ESCAPED = String.raw`(?<!(?<!\\)(?:\\\\)*\\)`;
// Only the label counts, in brackets or as code; the address is the model's guess. An image is not a link.
const LABELLED = new RegExp(`${NOT_ESCAPED}!*(?:${LABEL}(?:${ADDRESS})?|${CODE})`, 'g');
const PLACE_IN_LABEL = /^(.{1,300}?)(?::|#)L?(\d{1,7})(?:[-–]L?(\d{1,7}))?$/su;

/** Returns the last thing in a line that names lines of a file. */
export function linkIn(line: string, start: number): CitedLink | undefined {
  if (line.length > LONGEST_WRITTEN) return undefined;
  let found: CitedLink | undefined;
  for (const match of line.matchAll(LABELLED)) {
    const label = (match[1]?.replace(/\\([!-/:-@[-`{-~])/g, '$1') ?? match[2] ?? '').replace(
      /^[`\s]+|(?<![`\s])[`\s]+$/g,
      '',
    );
    const [, path, from, to] = PLACE_IN_LABEL.exec(label) ?? [];
    if (path === undefined || from === undefined || !looksLikePath(path)) continue;
    const lines = { from: Number(from), to: Math.max(Number(from), Number(to ?? from)) };
    if (lines.from === 0) continue;
    const at = start + match.index;
    const end = match.index + match[0].length;
    found = { path, ...lines, label, start: at, end: start + end + markBehind(line, end).length };
  }
  if (!found) return undefined;
  return line.length - (found.end - found.start) + found.label.length > LONGEST_LINE ? undefined : found;
}

/** `chapter:3` and `12:30` do not name files. */
function looksLikePath(path: string): boolean {
  return /[./\\]/.test(path) || /^[A-Z][a-z]+file$/.test(path);
}

/** A place of a file that a sentence names: `lib/queue.ts:12-15`, also as code, or as the label or the address of a link. */
export interface LineReference extends FileLines {
  /** Its offsets in the text, with a mark behind it; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly form: 'text' | 'code' | 'label' | 'within' | 'address';
  /** The place as it is written, and the label of a link around it. */
  readonly said: string;
  readonly label: string;
  /** The names in code marks in its sentence or its label: their last parts. */
  readonly symbols: readonly string[];
  /** It can be nothing else; a host and a port look alike. */
  readonly isSure: boolean;
}

/** The most that are read from one text. */
const MOST = 400;
const LONGEST_PARAGRAPH = 20_000;

const PATH = String.raw`(?:\.{1,2}/){0,9}[\w@][\w@./+-]{0,250}`;
const LINES = String.raw`(?::L?|#L)\d{1,7}(?:[-–]L?\d{1,7})?`;
const NO_MORE = String.raw`(?!\w|:\d|[-–]\w|\.\d)`;
const PLACE = `${PATH}${LINES}${NO_MORE}`;
const BARE = `(?<![\\w@./\\\\:+~\`-])${PLACE}`;
// Parts to skip come first: escapes, long code, tags and addresses. Then links, code, and places in text.
const TOKEN = new RegExp(
  [
    String.raw`\\.`,
    '`{2,}[^`\\n]{0,400}`{2,}',
    '<[^<>\\n]{1,2000}>',
    String.raw`\b[a-z][a-z+]{1,9}://[^\s<>]{1,2000}`,
    `!?${LABEL}(${ADDRESS})`,
    `\\[\`?(${PLACE})\`?\\]`,
    '`([^`\\n]{1,400})`',
    `(${BARE})`,
  ].join('|'),
  'g',
);
const PARTS = /^(?:\.{1,2}\/){0,9}(.{1,300}?)(?::L?|#L)(\d{1,7})(?:[-–]L?(\d{1,7}))?$/su;
const PLACES = new RegExp(BARE, 'g');
/** The ends of sentences, items and cells. */
const BOUNDARY = /[.!?;]\s|[。！？]|\n[ \t]{0,20}(?:[-*+]|\d{1,9}[.)])\s|\|/g;
const SYMBOL = /^[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)#?[A-Za-z_$][\w$]*){0,9}(?:\(.{0,200}\))?$/;
const ENDINGS =
  /^(?:json|ya?ml|toml|html?|css|scss|[cm]?[jt]sx?|txt|lock|java|cpp|hpp|com|org|net|true|false|null|undefined)$/;

const PARSERS = new Map<string, InstanceType<typeof MarkdownIt>>();

/** Reads the blocks of a Markdown text, and nothing in them; the parser is made on first use, as most commands need none. */
export function blocksIn(markdown: string, html: boolean, maxNesting = 100): Token[] {
  const key = `${html} ${maxNesting}`;
  const parser = PARSERS.get(key) ?? new MarkdownIt({ html, maxNesting });
  if (!PARSERS.has(key)) parser.core.ruler.enableOnly(['normalize', 'block']);
  PARSERS.set(key, parser);
  return parser.parse(markdown, {});
}

/**
 * Returns the places that the sentences of a Markdown text name, in order: not those in headings, quotations and code.
 */
export function referencesIn(markdown: string): LineReference[] {
  if (!/[:#]L?\d/.test(markdown)) return [];
  const found: LineReference[] = [];
  const starts = startsOf(markdown);
  for (const [from, end] of paragraphsOf(markdown)) {
    const start = starts[from] ?? markdown.length;
    const text = markdown.slice(start, Math.min(starts[end] ?? markdown.length, start + LONGEST_PARAGRAPH));
    found.push(...referencesOf(text).map((one) => ({ ...one, start: start + one.start, end: start + one.end })));
    if (found.length >= MOST) break;
  }
  return found.slice(0, MOST);
}

/** A place, and whether it can be nothing else. */
type Place = FileLines & Pick<LineReference, 'isSure'>;

/** Returns the places in a text that is no Markdown, each once; those with a mark behind them are left out. */
export function placesIn(text: string): Place[] {
  const found = new Map<string, Place>();
  withPlaces(text, (place) => {
    if (found.size < MOST) found.set(placeText(place), place);
    return undefined;
  });
  return [...found.values()];
}

/** Returns the text with each such place written anew; undefined leaves it as it is. */
export function withPlaces(text: string, write: (place: Place) => string | undefined): string {
  return text.replace(PLACES, (said: string, at: number) => {
    const place = markBehind(text, at + said.length) === '' ? placeOf(said) : undefined;
    return (place && write(place)) ?? said;
  });
}

/**
 * A reference as it is written anew.
 * @param place as it is to read
 * @param address where it leads; undefined: nowhere
 * @param mark what is said behind it
 */
export function referenceText(
  { form, said, label }: LineReference,
  place: string,
  address: string | undefined,
  mark = '',
): string {
  const isCode = form === 'code' || (form === 'label' && label.startsWith('`'));
  const words = form === 'within' ? label.replace(said, () => place) : label;
  if (address !== undefined) {
    const plain = isCode ? `\`${place}\`` : escapeMarkdown(place);
    return `[${form === 'within' || form === 'address' ? words : plain}](${address})`;
  }
  if (form === 'within') return `${words}${mark}`;
  if (form === 'address') return `${words} \`${place}\`${mark}`;
  return form === 'text' ? `${place}${mark}` : `\`${place}\`${mark}`;
}

/** Returns the first and last line, exclusive, of each paragraph and table row outside of block quotes. */
function paragraphsOf(markdown: string): (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  let quotes = 0;
  for (const { type, map } of blocksIn(markdown, false, 20)) {
    if (type === 'blockquote_open') quotes++;
    if (type === 'blockquote_close') quotes--;
    if (map && quotes === 0 && (type === 'paragraph_open' || type === 'tr_open')) found.push(map);
  }
  return found;
}

function startsOf(markdown: string): number[] {
  return [0, ...Array.from(markdown.matchAll(/\r\n|\n|\r/g), ({ 0: end, index }) => index + end.length)];
}

interface Named {
  readonly at: number;
  readonly symbol: string;
}

function referencesOf(paragraph: string): LineReference[] {
  const found: LineReference[] = [];
  const named: Named[] = [];
  for (const match of paragraph.matchAll(TOKEN)) {
    const [all, label, address, bracketed, code, text] = match;
    const end = match.index + all.length;
    const place = (form: LineReference['form'], said: string, around = said): void => {
      const lines = placeOf(said);
      if (!lines) return;
      const mark = markBehind(paragraph, end);
      const { isSure, ...at } = lines;
      found.push({ ...at, isSure, form, said, label: around, symbols: [], start: match.index, end: end + mark.length });
    };
    if (bracketed !== undefined) place('label', bracketed, all.slice(1, -1));
    else if (code !== undefined) {
      if (placeOf(code)) place('code', code.trim(), code);
      else named.push(...symbolsIn(all, match.index));
    } else if (text !== undefined) place('text', text);
    else if (label !== undefined && address !== undefined && !all.startsWith('!')) {
      inLink(label, address, place);
      named.push(...symbolsIn(label, match.index));
    }
  }
  return withSymbols(paragraph, found, named);
}

/** The label counts; where it names no place, the address. Of a label with several, none is meant by the link. */
function inLink(
  label: string,
  address: string,
  place: (form: LineReference['form'], said: string, around: string) => void,
): void {
  const plain = label.replace(/\\([!-/:-@[-`{-~])/g, '$1').replace(/^`|`$/g, '');
  if (placeOf(plain.trim())) {
    place('label', plain.trim(), label);
    return;
  }
  const [said, ...more] = Array.from(label.matchAll(PLACES), ([one]) => one);
  if (said !== undefined) {
    if (more.length === 0) place('within', said, label);
    return;
  }
  const [, target = ''] = /^\([ \t]{0,20}<?([^\s<>]{0,3500})/.exec(address) ?? [];
  const way = decodeAddress(target.replace(/\)$/, '')).replace(/^(?:\.{1,2}\/)+/, '');
  if (placeOf(way) && !/[`\n]/.test(way)) place('address', way, label);
}

/** Reads a text as `path:line`; undefined if it is anything else. */
function placeOf(said: string): Place | undefined {
  const [, path, from, to] = PARTS.exec(said.trim()) ?? [];
  if (path === undefined || !/[./]/.test(path) || path.includes('//') || /[\s`'"()[\]{}<>:|*?\\]/.test(path))
    return undefined;
  const first = Number(from);
  if (first === 0) return undefined;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [, ending = ''] = /\.([A-Za-z]\w{0,11})$/.exec(name) ?? [];
  const isHost =
    !path.includes('/') && /^(?:com|org|net|io|dev|app|ai|co|eu|de|uk|us|local|internal|test|example)$/.test(ending);
  return { path, from: first, to: Math.max(first, Number(to ?? from)), isSure: ending !== '' && !isHost };
}

function symbolsIn(text: string, at: number): Named[] {
  return Array.from(text.matchAll(/`([^`\n]{1,200})`/g)).flatMap(([, code = '']) => {
    if (!SYMBOL.test(code)) return [];
    const symbol =
      code
        .replace(/\(.*$/s, '')
        .split(/\.|::|#|->/)
        .at(-1) ?? '';
    return symbol.length >= 3 && !ENDINGS.test(symbol) ? [{ at, symbol }] : [];
  });
}

/** Symbols between the place before and this one; where a sentence names one place only, all of its symbols. */
function withSymbols(paragraph: string, found: readonly LineReference[], named: readonly Named[]): LineReference[] {
  if (named.length === 0) return [...found];
  const ends = Array.from(paragraph.matchAll(BOUNDARY), ({ 0: end, index }) => index + end.length - 1);
  return found.map((one, place) => {
    const from = ends.findLast((end) => end <= one.start) ?? 0;
    const to = ends.find((end) => end >= one.end) ?? paragraph.length;
    const [before, after] = [found[place - 1], found[place + 1]];
    const isAlone = (!before || before.end <= from) && (!after || after.start >= to);
    const first = before ? Math.max(from, before.end) : from;
    const symbols = named.filter(({ at }) => at >= first && at < (isAlone ? to : one.end)).map(({ symbol }) => symbol);
    return { ...one, symbols: [...new Set(symbols)] };
  });
}
