import treeSitter from '@vscode/tree-sitter-wasm';
import type { Language } from '../files/languages.ts';
import { readGrammar, readTreeSitter } from './grammar-files.ts';
import { type Found, type Node, toldApart } from './told-apart.ts';

type Parser = InstanceType<typeof treeSitter.Parser>;
type Query = InstanceType<typeof treeSitter.Query>;

/** A symbol as the grammar sees it; names are source text, positions count UTF-16 units and lines from 0. */
export interface Match {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly startRow: number;
  readonly startColumn: number;
  readonly endRow: number;
  readonly endColumn: number;
  readonly text: string;
  readonly name?: { readonly text: string; readonly row: number };
  readonly owner?: string;
  readonly title?: string;
}

/** Parses a text and returns the matches of its language's query; throws if the parser does. */
export type Parse = (text: string) => Match[];

/** Captures that describe another one. */
const HELPERS = new Set(['name', 'owner', 'title']);

const loaded = new Map<string, Promise<Parse>>();
let parser: Promise<Parser> | undefined;

/** The parser of a language, its grammar loaded on first use. Rejects if the grammar cannot be loaded. */
export function openParser(language: Language): Promise<Parse> {
  let parse = loaded.get(language.grammar);
  if (!parse) {
    parse = load(language);
    loaded.set(language.grammar, parse);
  }
  return parse;
}

/** Whether a language's parser is at hand, or being loaded. */
export function isOpen({ grammar }: Language): boolean {
  return loaded.has(grammar);
}

async function load({ grammar, query: source }: Language): Promise<Parse> {
  parser ??= start();
  const shared = await parser;
  const language = await treeSitter.Language.load(await readGrammar(grammar));
  const query = new treeSitter.Query(language, source);
  return (text) => {
    shared.setLanguage(language);
    shared.reset();
    const tree = shared.parse(text);
    if (!tree) throw new Error('not parsed');
    try {
      return matchesOf(query, tree.rootNode, text);
    } finally {
      tree.delete();
    }
  };
}

async function start(): Promise<Parser> {
  // The package's types leave out what Emscripten takes besides.
  const module: object = { wasmBinary: await readTreeSitter() };
  await treeSitter.Parser.init(module as Parameters<typeof treeSitter.Parser.init>[0]);
  return new treeSitter.Parser();
}

function matchesOf(query: Query, root: Node, text: string): Match[] {
  const matches: Match[] = [];
  for (const { captures } of query.matches(root)) {
    const found = captures.find(({ name }) => !HELPERS.has(name));
    if (!found) continue;
    const helpers = Object.fromEntries(captures.filter((one) => one !== found).map(({ name, node }) => [name, node]));
    for (const one of toldApart({ ...helpers, kind: found.name, node: found.node })) matches.push(matchOf(one, text));
  }
  return matches;
}

function matchOf({ kind, node, name, owner, title }: Found, text: string): Match {
  const textOf = (one: Node): string => text.slice(one.startIndex, one.endIndex);
  const { row: endRow, column: endColumn } = node.endPosition;
  return {
    kind,
    start: node.startIndex,
    end: node.endIndex,
    startRow: node.startPosition.row,
    startColumn: node.startPosition.column,
    endColumn,
    text: kind === 'import' ? textOf(node) : '',
    endRow: endColumn === 0 ? Math.max(node.startPosition.row, endRow - 1) : endRow,
    ...(name && { name: { text: textOf(name), row: name.startPosition.row } }),
    ...(owner && { owner: textOf(owner) }),
    ...(title && { title: textOf(title) }),
  };
}
