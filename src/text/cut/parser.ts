import treeSitter from '@vscode/tree-sitter-wasm';
import type { Language } from '../files/languages.ts';
import type { Outline } from '../files/outlines.ts';
import type { Span } from '../secrets/span.ts';
import { matchesBounded, parseBounded } from './bounded-work.ts';
import { readGrammar, readTreeSitter } from './grammar-files.ts';
import { isMarkKind, type Mark } from './marks.ts';
import { marksByOutline } from './outline.ts';
import { type Node, toldApart } from './told-apart.ts';

type Parser = InstanceType<typeof treeSitter.Parser>;
type Query = InstanceType<typeof treeSitter.Query>;

/** Parses a text and finds what its language's query looks for; throws if the parser does, or if it takes too much work. */
export type Parse = (text: string) => Mark[];

/** Captures that describe another one. */
const HELPERS = new Set(['name', 'owner', 'title']);

const loaded = new Map<Language, Promise<Parse>>();
/** Languages may share a grammar. */
const grammars = new Map<string, Promise<treeSitter.Language>>();
let parser: Promise<Parser> | undefined;

/** The parser of a language, its grammar loaded on first use. Rejects if the grammar cannot be loaded. */
export function openParser(language: Language): Promise<Parse> {
  let parse = loaded.get(language);
  if (!parse) {
    const { grammar, query } = language;
    parse = typeof query === 'string' ? load(grammar, query) : outlineParser(query);
    loaded.set(language, parse);
  }
  return parse;
}

/** Whether a language's parser is at hand, or being loaded. */
export function isOpen(language: Language): boolean {
  return typeof language.query !== 'string' || loaded.has(language);
}

async function outlineParser(outline: Outline): Promise<Parse> {
  return (text) => marksByOutline(text, outline);
}

async function load(grammar: string, source: string): Promise<Parse> {
  parser ??= start();
  const shared = await parser;
  const language = await loadGrammar(grammar);
  const query = new treeSitter.Query(language, source);
  return (text) => {
    shared.setLanguage(language);
    const tree = parseBounded(shared, text);
    try {
      return marksOf(matchesBounded(query, tree.rootNode, text.length));
    } finally {
      tree.delete();
    }
  };
}

function loadGrammar(grammar: string): Promise<treeSitter.Language> {
  const known = grammars.get(grammar) ?? readGrammar(grammar).then((bytes) => treeSitter.Language.load(bytes));
  grammars.set(grammar, known);
  return known;
}

async function start(): Promise<Parser> {
  // The package's types leave out what Emscripten takes besides.
  const module: object = { wasmBinary: await readTreeSitter() };
  await treeSitter.Parser.init(module as Parameters<typeof treeSitter.Parser.init>[0]);
  return new treeSitter.Parser();
}

function marksOf(matches: ReturnType<Query['matches']>): Mark[] {
  const marks: Mark[] = [];
  for (const { captures } of matches) {
    const found = captures.find(({ name }) => !HELPERS.has(name));
    if (!found) continue;
    const helpers = Object.fromEntries(captures.filter((one) => one !== found).map(({ name, node }) => [name, node]));
    for (const { kind, node, name, owner, title } of toldApart({ ...helpers, kind: found.name, node: found.node })) {
      if (!isMarkKind(kind)) throw new Error(`a query finds an unknown kind: ${kind}`);
      marks.push({
        kind,
        ...spanOf(node),
        ...(name && { name: spanOf(name) }),
        ...(owner && { owner: spanOf(owner) }),
        ...(title && { title: spanOf(title) }),
      });
    }
  }
  return marks;
}

function spanOf({ startIndex, endIndex }: Node): Span {
  return { start: startIndex, end: endIndex };
}
