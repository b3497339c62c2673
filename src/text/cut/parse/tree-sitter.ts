import type treeSitter from '@vscode/tree-sitter-wasm';
import type { ParsedLanguage } from '../../files/languages.ts';
import type { Mark } from '../marks.ts';
import { loadTreeSitter, readGrammar, readTreeSitter } from './grammar-files.ts';
import { marksOf } from './marks-of.ts';
import { METER } from './meter-wasm.ts';

type Parser = InstanceType<(typeof treeSitter)['Parser']>;

/** Characters that are handed to the parser at a time: few, as it reads them again wherever it looks back. */
const CHUNK = 256;
/** A module keeps its memory: in bytes, what it may have while it waits for the next text. */
const MOST_KEPT = 128_000_000;
/** From 0 the module counts down for minutes. */
const UNLIMITED = 0;

/** The part of Emscripten's module that is used here. */
interface Module {
  readonly printErr: () => void;
  wasmBinary?: Uint8Array;
  /** The memory; another one whenever it has grown. */
  readonly HEAP_DATA_VIEW?: DataView;
}

/** What came of a text. */
export interface Outcome {
  /** Undefined if tree-sitter failed. */
  readonly marks: readonly Mark[] | undefined;
  /** How much work it was; all that was allowed, if it was stopped or its stack was used up. */
  readonly work: number;
}

/** Finds in a text what the query of a language looks for. @param most how much work it may be */
type Find = (text: string, most: number) => Outcome;

/**
 * Tree-sitter with a WebAssembly module of its own: one that failed or was stopped cannot be used again, and none gives
 * memory back.
 */
export class TreeSitter {
  readonly #library = loadTreeSitter();
  readonly #module: Module = { printErr: () => undefined };
  readonly #parser = this.#start();
  readonly #languages = new Map<ParsedLanguage, Promise<Find>>();
  /** Languages may share one. */
  readonly #grammars = new Map<string, Promise<treeSitter.Language>>();
  #isSpent = false;

  /** Whether it is of no more use. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Whether a language is loaded, or being loaded. */
  has(language: ParsedLanguage): boolean {
    return this.#languages.has(language);
  }

  /** Loads a language, once. Rejects if it cannot be loaded. */
  load(language: ParsedLanguage): Promise<Find> {
    let find = this.#languages.get(language);
    if (!find) {
      find = this.#load(language);
      this.#languages.set(language, find);
    }
    return find;
  }

  async #start(): Promise<Parser> {
    this.#module.wasmBinary = await readTreeSitter();
    const { Parser } = this.#library;
    // The package's types leave out what Emscripten takes besides.
    await Parser.init(this.#module as object as Parameters<typeof Parser.init>[0]);
    return new Parser();
  }

  async #load({ grammar, query: source }: ParsedLanguage): Promise<Find> {
    const parser = await this.#parser;
    const language = await this.#loadGrammar(grammar);
    const query = new this.#library.Query(language, source);
    return (text, most) =>
      this.#counted(most, () => {
        parser.setLanguage(language);
        const tree = parser.parse((index) => this.#read(text, index));
        if (!tree) throw new Error('not parsed');
        const marks = marksOf(query.matches(tree.rootNode));
        tree.delete();
        return marks;
      });
  }

  #loadGrammar(name: string): Promise<treeSitter.Language> {
    const known = this.#grammars.get(name) ?? readGrammar(name).then((bytes) => this.#library.Language.load(bytes));
    this.#grammars.set(name, known);
    return known;
  }

  #counted(most: number, find: () => readonly Mark[]): Outcome {
    let marks: readonly Mark[] | undefined;
    this.#left = most;
    try {
      marks = find();
    } catch {
      this.#isSpent = true;
    }
    const work = most - this.#left;
    if (this.#memory.byteLength > MOST_KEPT) this.#isSpent = true;
    // Whatever is still being loaded into a module that failed fails at once.
    this.#left = this.#isSpent ? 1 : UNLIMITED;
    return { marks, work };
  }

  /** What the parser reads at a place: work which the module itself does not count. */
  #read(text: string, index: number): string {
    this.#left = Math.max(1, this.#left - CHUNK);
    return text.slice(index, index + CHUNK);
  }

  get #memory(): DataView {
    return this.#module.HEAP_DATA_VIEW as DataView;
  }

  /** How much work is left until the module stops. */
  get #left(): number {
    return this.#memory.getUint32(METER, true);
  }

  set #left(work: number) {
    this.#memory.setUint32(METER, work, true);
  }
}
