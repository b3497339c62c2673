import type { CommitId, Workshop } from '../../../core/ports/workshop.ts';

/** The number of files that are read; a check of more is guarded as far as that. */
const MOST_READ = 60;
const CODE = /\.[cm]?[jt]sx?$/;
/** Where code names another file by a relative path. */
const RELATIVE = /["'`](\.{1,2}\/[^"'`\s]{1,300})["'`]/g;
const ENDINGS = ['', '.js', '.ts', '.mjs', '.cjs', '.mts', '.cts', '.jsx', '.tsx', '.json', '/index.js', '/index.ts'];

/**
 * The files that JavaScript or TypeScript names by relative paths, and those that they name in turn: what a check is made of
 * is more than the one file that its line runs.
 */
export async function importedBy(
  files: Pick<Workshop, 'fileAt'>,
  at: CommitId,
  starts: readonly string[],
  paths: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const waiting = starts.filter((path) => CODE.test(path));
  const read = new Set<string>();
  for (let path = waiting.shift(); path !== undefined && read.size < MOST_READ; path = waiting.shift()) {
    if (read.has(path)) continue;
    read.add(path);
    for (const named of namedBy(path, (await files.fileAt(at, path)) ?? '', paths)) {
      found.add(named);
      if (CODE.test(named)) waiting.push(named);
    }
  }
  return found;
}

function namedBy(path: string, text: string, paths: ReadonlySet<string>): string[] {
  return [...text.matchAll(RELATIVE)].flatMap(([, relative = '']) => {
    const place = resolved(path, relative);
    // In TypeScript a name may end as that of what it is compiled to.
    const names = [...ENDINGS.map((ending) => `${place}${ending}`), place.replace(/js$/, 'ts')];
    return names.filter((name) => paths.has(name));
  });
}

function resolved(path: string, relative: string): string {
  const steps = path.split('/').slice(0, -1);
  for (const step of relative.split('/'))
    if (step === '..') steps.pop();
    else if (step !== '.' && step !== '') steps.push(step);
  return steps.join('/');
}
