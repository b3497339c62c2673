/** The addresses of documents, as clients fill them in. */
export const DOCUMENT_TEMPLATE = 'tree://{search}/{+path}';

/** The address of a file of a search. @param path relative to its folder, with `/` */
export function documentUri(search: string, path: string): string {
  return `tree://${encodeURIComponent(search)}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** Returns what an address names; undefined if it is none of ours. */
export function documentAt(uri: string): { readonly search: string; readonly path: string } | undefined {
  const [, search, path] = /^tree:\/\/([^/?#]+)\/([^?#]+)$/.exec(uri) ?? [];
  if (search === undefined || path === undefined) return undefined;
  try {
    return { search: decodeURIComponent(search), path: decodeURIComponent(path) };
  } catch {
    return undefined;
  }
}
