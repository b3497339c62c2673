import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Loads a bundle of the product as it was built; its exports are those of its entry point.
 * @param name as in scripts/bundles.ts
 * @throws Error where it was not built
 */
export function built<Exports>(name: string): Exports {
  const file = join(ROOT, 'dist', `${name}.cjs`);
  if (!existsSync(file)) throw new Error(`There is no dist/${name}.cjs: npm run build`);
  return createRequire(import.meta.url)(file) as Exports;
}
