import treeSitter from '@vscode/tree-sitter-wasm';
import type { ParsedLanguage } from '../../files/languages.ts';
import type { Mark } from '../marks.ts';
import { readGrammar, readTreeSitter } from './grammar-files.ts';
import { marksOf } from './marks-of.ts';

type Parser = InstanceType<(typeof treeSitter)['Parser']>;

/** Characters that are handed to the parser at a time: few, as it reads them again wherever it looks back. */
const CHUNK = 256;
/**
 * Tree-sitter's stack grows without a guard from 78240 down to 12704, where its own data begin. People's code used 2000 bytes
 * of it. A text that got to the lower half was made to, and may have written into those data.
 */
const LOWER_HALF = { start: 12_704, end: 40_000 } as const;
const UNUSED = Buffer.alloc(LOWER_HALF.end - LOWER_HALF.start);

/** Its memory, in pages of 64 KB: people's files of 2 MB took up to 360 MB, and what was made to takes all that there is. */
const PAGES = { initial: 512, maximum: 8192 } as const;

/** The part of Emscripten's module that is used here. */
interface Module {
  readonly printErr: () => void;
  readonly wasmMemory: object;
  wasmBinary?: Uint8Array;
  /** The memory; another one whenever it has grown. */
  readonly HEAPU8?: Uint8Array;
}

/** Finds in a text what the query of a language looks for. @throws if tree-sitter fails: it is of no more use then */
export type Find = (text: string) => readonly Mark[];

// Its types are those of browsers.
const { Memory } = (globalThis as object as { WebAssembly: { Memory: new (limits: typeof PAGES) => object } })
  .WebAssembly;
const module: Module = { printErr: () => undefined, wasmMemory: new Memory(PAGES) };
let parser: Promise<Parser> | undefined;
const finds = new Map<ParsedLanguage, Promise<Find>>();
/** Languages may share one. */
const grammars = new Map<string, Promise<treeSitter.Language>>();

/** Loads a language, once. Rejects if it cannot be loaded. */
export function loadLanguage(language: ParsedLanguage): Promise<Find> {
  const find = finds.get(language) ?? load(language);
  finds.set(language, find);
  return find;
}

/** Returns the bytes that tree-sitter holds: it gives none back. */
export function memoryHeld(): number {
  return module.HEAPU8?.byteLength ?? 0;
}

async function load({ grammar, query: source }: ParsedLanguage): Promise<Find> {
  parser ??= start();
  const [own, language] = await Promise.all([parser, parser.then(() => loadGrammar(grammar))]);
  const query = new treeSitter.Query(language, source);
  return (text) => {
    own.setLanguage(language);
    const tree = own.parse((index) => text.slice(index, index + CHUNK));
    if (!tree) throw new Error('not parsed');
    const marks = marksOf(query.matches(tree.rootNode));
    tree.delete();
    if (!isStackWhole()) throw new Error('the stack was used up');
    return marks;
  };
}

async function start(): Promise<Parser> {
  module.wasmBinary = await readTreeSitter();
  // The package's types leave out what Emscripten takes besides.
  await treeSitter.Parser.init(module as object as Parameters<typeof treeSitter.Parser.init>[0]);
  return new treeSitter.Parser();
}

function loadGrammar(name: string): Promise<treeSitter.Language> {
  const grammar = grammars.get(name) ?? readGrammar(name).then((bytes) => treeSitter.Language.load(bytes));
  grammars.set(name, grammar);
  return grammar;
}

function isStackWhole(): boolean {
  const { start: from, end } = LOWER_HALF;
  return module.HEAPU8 === undefined || UNUSED.equals(module.HEAPU8.subarray(from, end));
}
