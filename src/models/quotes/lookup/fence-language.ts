import { extensionOf } from '../../../text/files/file-role.ts';

/** An editor's name for the language of a file, if it differs from the extension. */
const FENCE = new Map([
  ['cjs', 'js'],
  ['mjs', 'js'],
  ['cts', 'ts'],
  ['mts', 'ts'],
  ['pyi', 'py'],
  ['ipynb', 'py'],
  ['rake', 'rb'],
  ['h', 'c'],
  ['cc', 'cpp'],
  ['cxx', 'cpp'],
  ['hh', 'cpp'],
  ['hpp', 'cpp'],
  ['psm1', 'ps1'],
  ['pl', 'perl'],
  ['pm', 'perl'],
]);

/** Returns the language that stands behind the fence of a file's quotation. */
export function fenceLanguage(path: string): string {
  const extension = extensionOf(path);
  return FENCE.get(extension) ?? extension.replace(/[^a-z0-9]/g, '').slice(0, 20);
}
