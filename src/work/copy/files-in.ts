import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The files and links of a folder that its .gitignore files do not exclude; relative, with `/`. */
export async function filesIn(folder: string): Promise<string[]> {
  const { globby } = await import('globby');
  const found = await globby('**', {
    cwd: folder,
    dot: true,
    onlyFiles: false,
    markDirectories: true,
    followSymbolicLinks: false,
    ignoreFiles: '**/.gitignore',
    ignore: ['**/.git', '**/.git/**', '**/node_modules/**'],
    suppressErrors: true,
  });
  const paths = found.filter((path) => !path.endsWith('/')).sort();
  const real = await realpath(folder);
  const places = new Map<string, boolean>();
  const kept: string[] = [];
  for (const path of paths) {
    const above = dirname(path);
    // A link to a folder is one entry; nothing behind it is ours.
    const isReal = places.get(above) ?? (await realpath(join(folder, above)).catch(() => '')) === join(real, above);
    places.set(above, isReal);
    if (isReal) kept.push(path);
  }
  return kept;
}
