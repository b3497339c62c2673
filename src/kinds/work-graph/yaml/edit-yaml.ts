import {
  type CST,
  type Document,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
} from 'yaml';
import { isRecord, isSameJson, namesOf } from '../../../core/text/loose-json.ts';
import { blockYaml, inlineYaml } from './print-yaml.ts';
import { type Fields, fieldOf, readYaml, type YamlSource } from './read-yaml.ts';

/** A change of a text: the characters from `from` to before `to` become `text`. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * A YAML text with another value. Only the bytes of what differs change: comments, quotes, blanks and the ends of lines of
 * everything else stay as they are.
 * @throws ThoughtTreeError `damaged` if the text cannot be read
 */
export function editYaml(text: string, value: unknown, source: YamlSource): string {
  const { document, value: before } = readYaml(text, source);
  const root = document.contents;
  if (isSameJson(before, value)) return text;
  const edits = root ? new Editor(text, document).change(root, value) : undefined;
  const changed = edits && applied(text, edits);
  // A form that nobody foresaw is written anew rather than wrongly.
  return changed !== undefined && hasValue(changed, value, source) ? changed : withEnds(blockYaml(value), text);
}

function hasValue(text: string, value: unknown, source: YamlSource): boolean {
  try {
    return isSameJson(readYaml(text, source).value, value);
  } catch {
    return false;
  }
}

function withEnds(block: string, like: string): string {
  return like.includes('\r\n') ? block.replaceAll('\n', '\r\n') : block;
}

function applied(text: string, edits: readonly Edit[]): string | undefined {
  const parts: string[] = [];
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    if (edit.from < at) return undefined;
    parts.push(text.slice(at, edit.from), edit.text);
    at = edit.to;
  }
  return parts.join('') + text.slice(at);
}

/** Finds the changes of one text. */
class Editor {
  readonly #text: string;
  readonly #document: Document;

  constructor(text: string, document: Document) {
    this.#text = text;
    this.#document = document;
  }

  /** Returns the changes that give a node another value; undefined if the whole of it has to be written anew. */
  change(node: Node, value: unknown): Edit[] | undefined {
    if (isMap(node) && isRecord(value)) return this.#changeMap(node, value);
    if (isSeq(node) && Array.isArray(value)) return this.#changeList(node, value);
    return undefined;
  }

  #changeMap(node: Node, value: Fields): Edit[] | undefined {
    const entries = entriesOf(node);
    const names = namesOf(value);
    if (names.length === 0 || entries.length === 0) return undefined;
    const known = new Map(entries.map((entry) => [nameIn(entry.key) ?? '', entry]));
    const kept = names.filter((name) => known.has(name));
    if (kept.length === 0) return undefined;
    const added = names.filter((name) => !known.has(name));
    const removed = entries.filter(({ key }) => !names.includes(nameIn(key) ?? ''));
    const print = (name: string) => ({ [name]: value[name] });
    return together([
      ...kept.map((name) => this.#changeEntry(known.get(name) as Entry, value[name], isInFlow(node))),
      ...removed.map((entry) => this.#remove(entry, node)),
      added.length > 0 ? this.#append(node, entries, added.map(print)) : [],
    ]);
  }

  #changeList(node: Node, value: readonly unknown[]): Edit[] | undefined {
    const entries = entriesOf(node);
    if (value.length === 0 || entries.length === 0) return undefined;
    const places = matched(
      entries.map((entry) => this.#valueOf(entry.value)),
      value,
    );
    if (!places) return undefined;
    const edits: (Edit[] | undefined)[] = entries.map((entry, i) => {
      const place = places[i];
      return place === undefined ? this.#remove(entry, node) : this.#changeEntry(entry, value[place], isInFlow(node));
    });
    for (let i = 0; i < value.length; ) {
      const isNew = (at: number) => at < value.length && !places.includes(at);
      let end = i;
      while (isNew(end)) end++;
      if (end > i) {
        const before = i === 0 ? -1 : places.indexOf(i - 1);
        const next = entries.slice(0, before + 1);
        edits.push(
          before < 0
            ? undefined
            : this.#append(
                node,
                next,
                value.slice(i, end).map((item) => [item]),
              ),
        );
      }
      i = Math.max(end, i + 1);
    }
    return together(edits);
  }

  /** Changes the value of a pair or an item. */
  #changeEntry(entry: Entry, value: unknown, inFlow: boolean): Edit[] | undefined {
    const { value: node, token } = entry;
    const now = isNode(node) ? node : undefined;
    if (isSameJson(this.#valueOf(now), value)) return [];
    const inside = now && this.change(now, value);
    if (inside) return inside;
    const mark = afterMark(token);
    if (mark === undefined) return undefined;
    const isEmpty = !now?.range || now.range[0] === now.range[1];
    const [from, to] = now?.range && !isEmpty ? [now.range[0], this.#withoutEnd(endOf(entry))] : [mark, mark];
    const isBlockNow = isCollection(now) && !now.flow;
    const staysInline = isCollection(now) && now.flow && now.items.length > 0;
    if (inFlow || staysInline || isInline(value)) {
      const written = inlineYaml(value, inFlow || staysInline === true, isScalar(now) ? now.type : undefined);
      const start = isBlockNow ? mark : from;
      return [{ from: start, to, text: start === mark ? ` ${written}` : written }];
    }
    return this.#replaceByBlock(entry, value, [from, to], isBlockNow);
  }

  /** A block begins on the line after its key, and leaves a comment there as it is. */
  #replaceByBlock(entry: Entry, value: unknown, [from, to]: [number, number], isBlockNow: boolean): Edit[] | undefined {
    const start = startOf(entry);
    if (start === undefined) return undefined;
    if (!isNode(entry.key)) {
      const lines = this.#indented(blockOf([value]), this.#column(start));
      return [{ from: start, to, text: lines.trimStart() }];
    }
    const block = `${this.#eol}${this.#indented(blockYaml(value), this.#column(start) + 2)}`;
    if (isBlockNow) return [{ from: this.#lineEnd(afterMark(entry.token) ?? from), to, text: block }];
    const blank = this.#text[from - 1] === ' ' ? from - 1 : from;
    const end = this.#lineEnd(to);
    return blank === end && to === end
      ? [{ from: blank, to: end, text: block }]
      : [
          { from: blank, to, text: '' },
          { from: end, to: end, text: block },
        ];
  }

  /** Adds pairs or items after the last of some entries. Each is given as what it is printed with. */
  #append(node: Node, entries: readonly Entry[], added: readonly unknown[]): Edit[] | undefined {
    const [first, last] = [entries[0], entries.at(-1)];
    if (!first || !last) return undefined;
    const end = endOf(last);
    if (isInFlow(node)) {
      const texts = added.map((each) => inlineYaml(each, false).slice(1, -1).trim());
      return [{ from: end, to: end, text: texts.map((each) => `, ${each}`).join('') }];
    }
    const start = startOf(first);
    if (start === undefined) return undefined;
    const column = this.#column(start);
    const lines = added.map((each) => this.#indented(blockOf(each), column)).join(this.#eol);
    const isAfterLine = this.#text[end - 1] === '\n';
    const at = isAfterLine ? end : this.#lineEnd(end);
    return [{ from: at, to: at, text: isAfterLine ? `${lines}${this.#eol}` : `${this.#eol}${lines}` }];
  }

  /** Removes the lines of a pair or an item, if it has them for itself. */
  #remove(entry: Entry, node: Node): Edit[] | undefined {
    const start = startOf(entry);
    if (isInFlow(node) || start === undefined) return undefined;
    const from = this.#text.lastIndexOf('\n', start - 1) + 1;
    if (this.#text.slice(from, start).trim() !== '') return undefined;
    const end = endOf(entry);
    if (this.#text[end - 1] === '\n') return [{ from, to: end, text: '' }];
    const next = this.#text.indexOf('\n', end);
    return [{ from, to: next < 0 ? this.#text.length : next + 1, text: '' }];
  }

  #valueOf(node: unknown): unknown {
    return isNode(node) ? (node.toJS(this.#document) as unknown) : null;
  }

  get #eol(): string {
    return this.#text.includes('\r\n') ? '\r\n' : '\n';
  }

  #column(offset: number): number {
    return offset - this.#text.lastIndexOf('\n', offset - 1) - 1;
  }

  /** Returns where the line ends, before its end of line. */
  #lineEnd(offset: number): number {
    const end = this.#text.indexOf('\n', offset);
    if (end < 0) return this.#text.length;
    return this.#text[end - 1] === '\r' && end > offset ? end - 1 : end;
  }

  /** Returns the end of a value without the end of its last line, which literal texts contain. */
  #withoutEnd(end: number): number {
    let at = end;
    while (at > 0 && (this.#text[at - 1] === '\n' || this.#text[at - 1] === '\r')) at--;
    return at;
  }

  #indented(block: string, columns: number): string {
    const lines = block.trimEnd().split('\n');
    return lines.map((line) => `${' '.repeat(columns)}${line}`).join(this.#eol);
  }
}

/** Returns a list of one item, as one item of a block; a mapping of one pair, as one pair. */
function blockOf(each: unknown): string {
  if (!Array.isArray(each)) return blockYaml(each);
  const [item] = each as unknown[];
  const [first = '', ...others] = (isInline(item) ? inlineYaml(item, false) : blockYaml(item)).trimEnd().split('\n');
  return [`- ${first}`, ...others.map((line) => `  ${line}`)].join('\n');
}

function isInFlow(node: Node): boolean {
  return isCollection(node) && node.flow === true;
}

/** Tells whether a value is written on the line of its key. */
function isInline(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((each) => typeof each !== 'object' || each === null);
  return !isRecord(value) || namesOf(value).length === 0;
}

function together(all: readonly (readonly Edit[] | undefined)[]): Edit[] | undefined {
  return all.every((each) => each !== undefined) ? all.flat() : undefined;
}

/**
 * For each item of a list, its place in the new one, undefined if it is not there any more. Undefined as a whole if the order
 * changed.
 */
function matched(items: readonly unknown[], value: readonly unknown[]): (number | undefined)[] | undefined {
  const now = items.map(identity);
  const next = value.map(identity);
  const places: (number | undefined)[] = [];
  let at = 0;
  for (const each of now) {
    const place = next.indexOf(each, at);
    if (place < 0 && next.includes(each)) return undefined;
    places.push(place < 0 ? undefined : place);
    if (place >= 0) at = place + 1;
  }
  return places;
}

/** Returns what an item of a list is known by: its name, or all that it says. */
function identity(item: unknown): string {
  if (!isRecord(item)) return JSON.stringify(item) ?? '';
  const name = item['id'] ?? item['name'] ?? item['item'];
  return typeof name === 'string' || typeof name === 'number' ? `=${name}` : (JSON.stringify(item) ?? '');
}

/**
 * Returns what a file should say: its own words where it means the same as when it was read, otherwise ours. Unknown
 * fields stay.
 * @param text what the file says
 * @param earlier what that meant, as `now` and `ours` are written
 * @param now what is meant now
 * @param ours how we would say that
 */
export function asSaid(text: unknown, earlier: unknown, now: unknown, ours: unknown): unknown {
  if (isSameJson(earlier, now)) return text;
  if (isRecord(text) && isRecord(earlier) && isRecord(now)) {
    const names = new Set([...namesOf(text), ...namesOf(isRecord(ours) ? ours : {})]);
    const said = (name: string) =>
      asSaid(fieldOf(text, name), fieldOf(earlier, name), fieldOf(now, name), fieldOf(ours, name));
    return Object.fromEntries([...names].map((name) => [name, said(name)]));
  }
  if (!Array.isArray(text) || !Array.isArray(earlier) || !Array.isArray(now) || !Array.isArray(ours)) return ours;
  const all: readonly unknown[] = now;
  return all.map((item, i) => {
    const place = earlier.findIndex((each) => nameOf(each) !== undefined && nameOf(each) === nameOf(item));
    const same = place < 0 ? earlier.findIndex((each) => isSameJson(each, item)) : place;
    return same < 0 ? ours[i] : asSaid(text[same], earlier[same], item, ours[i]);
  });
}

function nameOf(item: unknown): unknown {
  return isRecord(item) ? (item['id'] ?? item['name'] ?? item['item']) : undefined;
}

// Where things are in the text of a parsed document.

/** An entry of a mapping or a list, with the tokens that it was parsed from. */
interface Entry {
  readonly key: unknown;
  readonly value: unknown;
  readonly token: CST.CollectionItem;
}

/** Returns the entries of a mapping or a list, in order. */
export function entriesOf(node: Node | null): Entry[] {
  if (!isCollection(node)) return [];
  const tokens = (node.srcToken as CST.BlockMap | undefined)?.items.filter(isEntry) ?? [];
  return (node.items as unknown[]).map((item, i) => ({
    key: isPair(item) ? (item as Pair).key : undefined,
    value: isPair(item) ? (item as Pair).value : item,
    token: tokens[i] as CST.CollectionItem,
  }));
}

/** The lexer also lists what only holds comments, or the end of a collection in brackets. */
function isEntry({ key, value, sep, start }: CST.CollectionItem): boolean {
  return Boolean(key || value || sep) || start.some(({ type }) => type === 'seq-item-ind');
}

/** Returns the end of the text of an entry, without what follows on its line. */
function endOf({ key, value, token }: Entry): number {
  const isEmpty = isScalar(value) && value.range?.[0] === value.range?.[1];
  if (isNode(value) && !isEmpty) return endOfNode(value);
  return afterMark(token) ?? (isNode(key) ? (key.range?.[1] ?? 0) : 0);
}

function endOfNode(node: Node): number {
  const entries = isCollection(node) && !node.flow ? entriesOf(node) : [];
  const last = entries.at(-1);
  return last ? endOf(last) : (node.range?.[1] ?? 0);
}

/** Returns where the `:` of a pair, or the `-` of an item, ends. */
export function afterMark({ start, sep }: CST.CollectionItem): number | undefined {
  const mark = sep?.find(({ type }) => type === 'map-value-ind') ?? start.find(({ type }) => type === 'seq-item-ind');
  return mark && mark.offset + mark.source.length;
}

/** Returns where an entry of a block begins: its `-`, or its key. */
function startOf({ key, token }: Entry): number | undefined {
  const dash = token.start.find(({ type }) => type === 'seq-item-ind' || type === 'explicit-key-ind');
  return dash?.offset ?? (isNode(key) ? key.range?.[0] : undefined);
}

/** Returns the value of a scalar as a name; undefined for anything else. */
export function nameIn(key: unknown): string | undefined {
  return isScalar(key) ? String(key.value) : undefined;
}
