import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let folder: string | undefined;

/**
 * The path of one of tree-sitter's WebAssembly files: in `grammars/` next to the bundle, where the build puts a copy,
 * else in the installed package (unbuilt).
 */
export function grammarFile(name: string): string {
  folder ??= findFolder();
  return join(folder, name);
}

function findFolder(): string {
  const bundled = join(dirname(fileURLToPath(import.meta.url)), 'grammars');
  if (existsSync(bundled)) return bundled;
  return dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm'));
}
