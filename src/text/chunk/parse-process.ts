import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { brotliDecompress } from 'node:zlib';
import treeSitter from '@vscode/tree-sitter-wasm';
import { hasGrammar, type Language, languageOf, type ParsedLanguage } from '../files/languages.ts';
import type { Span } from '../secrets/spans.ts';
import { arePlausible, isMarkKind, type Mark, marksByOutline, packMarks } from './marks.ts';
import type { FromParser, ToParser } from './parser.ts';

// A process that finds marks in texts, one after the other. It is one of its own since a text may be made to take tree-sitter
// time, memory or its life, and since what it asks of V8 holds for all WebAssembly of a process.

/** The memory that tree-sitter may hold while it waits for the next text, in bytes. */
const MOST_KEPT = 128_000_000;
const NEVER = 2 ** 31 - 1;

// V8 would optimize the largest functions of grammars, which takes half a gigabyte for those of shell scripts and is never
// worth it here. (`--liftoff-only`, which means the same, does nothing once V8 runs.)
for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag);

/** The processor time of this process, in milliseconds, at which it ends. */
const end = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
Atomics.store(end, 0, NEVER);
/** The thread that ends the process, since WebAssembly lets nothing else in; text, so that it starts fast. */
const WATCH = `
const end = require('node:worker_threads').workerData;
setInterval(() => {
  const { user, system } = process.cpuUsage();
  if ((user + system) / 1000 > Atomics.load(end, 0)) process.kill(process.pid, 'SIGKILL');
}, 50);
`;
new Worker(WATCH, { eval: true, workerData: end });

/** Does what may take some processor time, in milliseconds, and no more. */
function within<Result>(most: number, work: () => Result): Result {
  const { user, system } = process.cpuUsage();
  Atomics.store(end, 0, (user + system) / 1000 + most);
  try {
    return work();
  } finally {
    Atomics.store(end, 0, NEVER);
  }
}

async function finderOf(language: Language): Promise<Find> {
  return hasGrammar(language)
    ? await loadLanguage(language)
    : (text): readonly Mark[] => marksByOutline(text, language.query);
}

async function answer({ path, text, most }: ToParser): Promise<FromParser> {
  const language = languageOf(path, text);
  const find = language && (await finderOf(language).catch(() => undefined));
  if (!find) return { isLast: false };
  try {
    const marks = within(most, () => find(text));
    const shown = arePlausible(marks, text.length) ? marks : [];
    return { marks: packMarks(shown), isLast: memoryHeld() > MOST_KEPT };
  } catch {
    return { marks: packMarks([]), isLast: true };
  }
}

/** Resolves when it is written, so that nothing which ends the process can take an answer with it. */
function send(message: FromParser | 'ready'): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, undefined, {}, () => resolve());
  });
}

let queue = send('ready');
process.on('message', (message: ToParser) => {
  queue = queue.then(async () => {
    const answered = await answer(message);
    await send(answered);
    if (answered.isLast) process.exit();
  });
});
process.on('disconnect', () => process.exit());

type Parser = InstanceType<(typeof treeSitter)['Parser']>;

/** Characters that are handed to the parser at a time: few, as it reads them again wherever it looks back. */
const CHUNK = 256;

interface GrammarFolder {
  readonly path: string;
  /** True if the build made it: grammars are mostly tables, and compressed to a fifteenth. */
  readonly isBuilt: boolean;
}

let folder: GrammarFolder | undefined;

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
type Find = (text: string) => readonly Mark[];

// Its types are those of browsers.
const { Memory } = (globalThis as object as { WebAssembly: { Memory: new (limits: typeof PAGES) => object } })
  .WebAssembly;
const module: Module = { printErr: () => undefined, wasmMemory: new Memory(PAGES) };
let parser: Promise<Parser> | undefined;
const finds = new Map<ParsedLanguage, Promise<Find>>();
/** Languages may share one. */
const grammars = new Map<string, Promise<treeSitter.Language>>();

/** Loads a language, once. Rejects if it cannot be loaded. */
function loadLanguage(language: ParsedLanguage): Promise<Find> {
  const find = finds.get(language) ?? load(language);
  finds.set(language, find);
  return find;
}

/** Returns the bytes that tree-sitter holds: it gives none back. */
function memoryHeld(): number {
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

/** Captures that describe another one. */
const HELPERS = new Set(['name', 'owner', 'title']);

/** Returns the marks for which the matches of a query stand. */
function marksOf(matches: ReturnType<InstanceType<typeof treeSitter.Query>['matches']>): Mark[] {
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

type Node = Parameters<InstanceType<typeof treeSitter.Query>['matches']>[0];

/** A match of a query, with the nodes that describe it; the kind is named after the capture. */
interface Found {
  readonly kind: string;
  readonly node: Node;
  readonly name?: Node | undefined;
  readonly owner?: Node | undefined;
  readonly title?: Node | undefined;
}

const FUNCTIONS = new Set(['arrow_function', 'function_expression', 'generator_function']);

// Tree-sitter takes most of the time it needs for a grammar to compile the few patterns of a query that look into
// expressions. So queries only find these, and what they are is looked at here.
const TOLD_APART: Readonly<Record<string, (found: Found) => Found[]>> = { field, call, assignment };

/** Tells what a match stands for: itself, or what a field, call or assignment of JavaScript is, if anything. */
function toldApart(found: Found): Found[] {
  return TOLD_APART[found.kind]?.(found) ?? [found];
}

/** A field of a class is a member if its value is a function. */
function field({ node }: Found): Found[] {
  const name = node.childForFieldName('name');
  const value = node.childForFieldName('value');
  return name && value && FUNCTIONS.has(value.type) ? [{ kind: 'member', node, name }] : [];
}

/** A call whose first argument is a string imports a file, or is a block (a test) if a function follows. */
function call({ node, name, title }: Found): Found[] {
  const found: Found[] = [];
  if (name?.type === 'import' || (name?.type === 'identifier' && name.text === 'require')) {
    const imported = title?.namedChildren.find((part) => part?.type === 'string_fragment');
    if (imported) found.push({ kind: 'import', node: imported });
  }
  const others = node.childForFieldName('arguments')?.namedChildren ?? [];
  if (others.some((other) => other?.type === 'arrow_function' || other?.type === 'function_expression'))
    found.push({ kind: 'block', node, name, title });
  return found;
}

/** An assignment is the function or class that is given; what a file gives to a member is a constant. */
function assignment({ node }: Found): Found[] {
  const name = node.childForFieldName('left');
  const value = node.childForFieldName('right');
  if (!name || !value) return [];
  if (FUNCTIONS.has(value.type)) return [{ kind: 'function', node, name }];
  if (name.type !== 'member_expression') return [];
  if (value.type === 'class') return [{ kind: 'class', node, name }];
  const statement = node.parent;
  const isOfFile = statement?.type === 'expression_statement' && statement.parent?.type === 'program';
  return isOfFile ? [{ kind: 'constant', node, name }] : [];
}

/** Reads tree-sitter itself, which is WebAssembly. */
async function readTreeSitter(): Promise<Uint8Array> {
  return await readWasm('tree-sitter.wasm');
}

/**
 * Reads one of tree-sitter's grammars.
 * @param grammar as in `tree-sitter-<grammar>.wasm`
 */
async function readGrammar(grammar: string): Promise<Uint8Array> {
  return await readWasm(`tree-sitter-${grammar}.wasm`);
}

async function readWasm(name: string): Promise<Uint8Array> {
  folder ??= findFolder();
  const file = join(folder.path, name);
  return folder.isBuilt ? await promisify(brotliDecompress)(await readFile(`${file}.br`)) : await readFile(file);
}

/** `grammars/` next to the bundle, where the build puts them, else the installed package (unbuilt). */
function findFolder(): GrammarFolder {
  const bundled = join(dirname(fileURLToPath(import.meta.url)), 'grammars');
  if (existsSync(bundled)) return { path: bundled, isBuilt: true };
  return { path: dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm')), isBuilt: false };
}
