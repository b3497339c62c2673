import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

interface GrammarFolder {
  readonly path: string;
  /** True if the build made it: grammars are mostly tables, and compressed to a fifteenth. */
  readonly isBuilt: boolean;
}

let folder: GrammarFolder | undefined;

/** Reads tree-sitter itself, which is WebAssembly. */
export async function readTreeSitter(): Promise<Uint8Array> {
  return await readWasm('tree-sitter.wasm');
}

/**
 * Reads one of tree-sitter's grammars.
 * @param grammar as in `tree-sitter-<grammar>.wasm`
 */
export async function readGrammar(grammar: string): Promise<Uint8Array> {
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
