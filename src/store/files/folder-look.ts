import { isThoughtTreeError } from '../../core/search/errors.ts';
import { codeOf } from './file-error.ts';
import type { Entry, FolderLook } from './files.ts';

/** Single operations, synchronous and without a check of the folders above; they throw if something is wrong. */
interface Quick {
  text(path: string): string | undefined;
  isFile(path: string): boolean;
}

/** Does the work of `ReadFiles.look` in a folder whose own path has been checked. */
export function lookAt(
  quick: Quick,
  path: string,
  entries: readonly Entry[],
  names: readonly string[],
  held: string,
): FolderLook {
  const at = (name: string): string => (path === '' ? name : `${path}/${name}`);
  const texts = new Map<string, string>();
  const holding = new Set<string>();
  for (const entry of entries) {
    const { name, kind } = entry;
    if (kind === 'file' && names.includes(name)) {
      const text = quietly(() => quick.text(at(name)));
      if (text !== undefined) texts.set(name, text);
    } else if (mayHold(entry) && quietly(() => quick.isFile(`${at(name)}/${held}`))) holding.add(name);
  }
  return { entries, texts, holding };
}

/** Tells whether an entry can be a folder of ours: those that begin with a dot are not looked into. */
export function mayHold({ name, kind }: Entry): boolean {
  return kind === 'folder' && !name.startsWith('.');
}

/** Returns undefined for what cannot be read: the operation for it alone says why. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isThoughtTreeError(error) || codeOf(error) !== '') return undefined;
    throw error;
  }
}
