import { parentPath } from '../../../../src/core/tree/slug.ts';
import type { Files } from '../../../../src/store/files/files.ts';

/** Puts a file where it may have no folder yet. */
export async function put(files: Files, path: string, text: string): Promise<void> {
  await files.makeFolder(parentPath(path));
  await files.writeAtomic(path, text);
}

/** Every file by its path. */
export async function contentOf(files: Files): Promise<Record<string, string | undefined>> {
  const all: Record<string, string | undefined> = {};
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for (const entry of await files.list(folder)) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.kind === 'folder') folders.push(path);
      else all[path] = await files.read(path);
    }
  return all;
}
