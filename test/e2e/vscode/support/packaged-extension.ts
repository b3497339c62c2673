import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../../../..');
let packaging: Promise<string> | undefined;

/**
 * The extension as people install it, made of dist/; once for each process of tests, which takes it away again.
 * @throws Error where dist/ was not built
 */
export function packagedExtension(): Promise<string> {
  packaging ??= packageIt();
  return packaging;
}

async function packageIt(): Promise<string> {
  if (!existsSync(join(ROOT, 'dist/extension.cjs'))) throw new Error('There is no dist/extension.cjs: npm run build');
  const folder = temporaryFolder('vsix');
  const vsix = join(folder, 'thought-tree.vsix');
  await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/package.mjs'), vsix]);
  return vsix;
}
