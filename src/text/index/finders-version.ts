import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The bundles that find what is secret, parse and cut, and the grammars. */
const [BUNDLES, GRAMMARS] = [['parse-process.cjs', 'quotes-worker.cjs', 'secrets.cjs'], 'grammars'];

/**
 * Tells apart the programs that find what is in a file: by their own bytes, so that nobody has to think of it. Undefined in a
 * program that was not built, as its parts may change at any time.
 */
export function findersVersion(folder = dirname(fileURLToPath(import.meta.url))): string | undefined {
  const hash = createHash('sha256').update(process.version);
  try {
    const grammars = readdirSync(join(folder, GRAMMARS)).sort();
    for (const file of [...BUNDLES, ...grammars.map((name) => join(GRAMMARS, name))])
      hash.update(`\0${file}\0`).update(readFileSync(join(folder, file)));
    return hash.digest('base64url');
  } catch {
    return undefined;
  }
}
