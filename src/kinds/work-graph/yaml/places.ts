import { type CST, isCollection, isNode, isPair, isScalar, type Node, type Pair } from 'yaml';

// Where things are in the text of a parsed document.

/** An entry of a mapping or a list, with the tokens that it was parsed from. */
export interface Entry {
  readonly key: unknown;
  readonly value: unknown;
  readonly token: CST.CollectionItem;
}

/** The entries of a mapping or a list, in order. */
export function entriesOf(node: Node): Entry[] {
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

/** The end of the text of an entry, without what follows on its line. */
export function endOf({ key, value, token }: Entry): number {
  const isEmpty = isScalar(value) && value.range?.[0] === value.range?.[1];
  if (isNode(value) && !isEmpty) return endOfNode(value);
  return afterMark(token) ?? (isNode(key) ? (key.range?.[1] ?? 0) : 0);
}

function endOfNode(node: Node): number {
  const entries = isCollection(node) && !node.flow ? entriesOf(node) : [];
  const last = entries.at(-1);
  return last ? endOf(last) : (node.range?.[1] ?? 0);
}

/** Where the `:` of a pair, or the `-` of an item, ends. */
export function afterMark({ start, sep }: CST.CollectionItem): number | undefined {
  const mark = sep?.find(({ type }) => type === 'map-value-ind') ?? start.find(({ type }) => type === 'seq-item-ind');
  return mark && mark.offset + mark.source.length;
}

/** Where an entry of a block begins: its `-`, or its key. */
export function startOf({ key, token }: Entry): number | undefined {
  const dash = token.start.find(({ type }) => type === 'seq-item-ind' || type === 'explicit-key-ind');
  return dash?.offset ?? (isNode(key) ? key.range?.[0] : undefined);
}

/** The value of a scalar as a name; undefined for anything else. */
export function nameIn(key: unknown): string | undefined {
  return isScalar(key) ? String(key.value) : undefined;
}
