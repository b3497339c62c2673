import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

/** A large table that the build packs next to the bundle, by its name there; undefined if this is no bundle. */
export function packedTable(name: string): Buffer | undefined {
  const file = join(dirname(fileURLToPath(import.meta.url)), `${name}.br`);
  return existsSync(file) ? brotliDecompressSync(readFileSync(file)) : undefined;
}
