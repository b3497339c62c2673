import treeSitter from '@vscode/tree-sitter-wasm';
import { FUNCTIONS, type Language } from '../files/languages.ts';
import { readGrammar, readTreeSitter } from './grammar-files.ts';

type Parser = InstanceType<typeof treeSitter.Parser>;
type Query = InstanceType<typeof treeSitter.Query>;
type Node = Parameters<Query['matches']>[0];

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
const HELPERS = new Set(['name', 'owner', 'title', 'callee']);

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
    const one = new Map(captures.map(({ name, node }) => [name, node]));
    const textOf = (name: string): string | undefined => {
      const node = one.get(name);
      return node && text.slice(node.startIndex, node.endIndex);
    };
    const found = captures.find(({ name }) => !HELPERS.has(name));
    if (!found) continue;
    const { node } = found;
    const isField = found.name === 'field';
    if (isField && !takeField(node, one)) continue;
    const [name, owner, title] = [textOf('name'), textOf('owner'), textOf('title')];
    matches.push({
      kind: isField ? 'member' : found.name,
      start: node.startIndex,
      end: node.endIndex,
      startRow: node.startPosition.row,
      startColumn: node.startPosition.column,
      endColumn: node.endPosition.column,
      text: found.name === 'import' ? text.slice(node.startIndex, node.endIndex) : '',
      endRow:
        node.endPosition.column === 0
          ? Math.max(node.startPosition.row, node.endPosition.row - 1)
          : node.endPosition.row,
      ...(name === undefined ? {} : { name: { text: name, row: one.get('name')?.startPosition.row ?? 0 } }),
      ...(owner === undefined ? {} : { owner }),
      ...(title === undefined ? {} : { title }),
    });
  }
  return matches;
}

/** Takes the name of a field into the captures; false unless its value is a function. */
function takeField(field: Node, captures: Map<string, Node>): boolean {
  const [name, value] = [field.childForFieldName('name'), field.childForFieldName('value')];
  if (!name || !value || !FUNCTIONS.includes(value.type)) return false;
  captures.set('name', name);
  return true;
}
