import { type ReadFiles, TEMPORARY_FOLDER } from './files.ts';

/**
 * The paths of all files and folders, the top one included, apart from temporary files; `areAll` is false if there are more
 * than `most`, which are then left out.
 */
export async function everythingIn(files: ReadFiles, most: number): Promise<{ paths: string[]; areAll: boolean }> {
  const paths: string[] = [''];
  for (const waiting = ['']; waiting.length > 0; ) {
    const folder = waiting.pop() as string;
    for (const { name, kind } of await files.list(folder)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'other' || path === TEMPORARY_FOLDER) continue;
      if (paths.length >= most) return { paths, areAll: false };
      paths.push(path);
      if (kind === 'folder') waiting.push(path);
    }
  }
  return { paths, areAll: true };
}
