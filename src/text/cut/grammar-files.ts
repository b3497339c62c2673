import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let folder: string | undefined;

/**
 * The path of one of tree-sitter's WebAssembly files: `grammars/` beside the bundle, where the build puts a copy, else
 * the installed package (unbuilt).
 */
export function grammarFile(name: string): string {
  folder ??= findFolder();
  return join(folder, name);
}

function findFolder(): string {
  const beside = join(dirname(fileURLToPath(import.meta.url)), 'grammars');
  if (existsSync(beside)) return beside;
  return dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm'));
}
