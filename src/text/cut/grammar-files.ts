import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

interface GrammarFolder {
  readonly path: string;
  /** Whether grammars are compressed there: they are mostly tables, a fifteenth of their size. */
  readonly isPacked: boolean;
}

let folder: GrammarFolder | undefined;

/** The path of tree-sitter's own WebAssembly file. */
export function parserFile(name: string): string {
  return join(grammars().path, name);
}

/**
 * The bytes of one of tree-sitter's grammars.
 * @param grammar as in `tree-sitter-<grammar>.wasm`
 */
export async function readGrammar(grammar: string): Promise<Uint8Array> {
  const { path, isPacked } = grammars();
  const file = join(path, `tree-sitter-${grammar}.wasm`);
  return isPacked ? await promisify(brotliDecompress)(await readFile(`${file}.br`)) : await readFile(file);
}

/** `grammars/` next to the bundle, where the build puts them, else the installed package (unbuilt). */
function grammars(): GrammarFolder {
  folder ??= findFolder();
  return folder;
}

function findFolder(): GrammarFolder {
  const bundled = join(dirname(fileURLToPath(import.meta.url)), 'grammars');
  if (existsSync(bundled)) return { path: bundled, isPacked: true };
  return { path: dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm')), isPacked: false };
}
