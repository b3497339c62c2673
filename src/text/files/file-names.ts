import { posix } from 'node:path';

/**
 * Finds files by the names people use: the path from the workspace's folder, or its end if only one file has it, with
 * its extension (`queue.ts`, `src/queue.ts`).
 */
export class FileNames<File extends { readonly path: string }> {
  readonly #byName = new Map<string, File[]>();

  constructor(files: readonly File[]) {
    for (const file of files) {
      const name = file.path.slice(file.path.lastIndexOf('/') + 1);
      const same = this.#byName.get(name);
      if (same) same.push(file);
      else this.#byName.set(name, [file]);
    }
  }

  find(name: string): File | undefined {
    if (!/[./]/.test(name)) return undefined;
    const same = this.#byName.get(posix.basename(name)) ?? [];
    const exact = same.find(({ path }) => path === name);
    if (exact) return exact;
    const ending = same.filter(({ path }) => path.endsWith(`/${name}`));
    return ending.length === 1 ? ending[0] : undefined;
  }
}
