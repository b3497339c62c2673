import type { FileLines } from './citation.ts';

/** Longer addresses are neither written nor recognized when read. */
export const LONGEST_ADDRESS = 3500;

/**
 * The address by which a document links to lines of a file, relative to its folder: `../../src/queue.ts#L12-L15`, which
 * editors open at those lines.
 * @param folder of the document, relative to the workspace folder, with `/`; may begin with `..`
 * @returns undefined if the path back down is unknown, as for a folder above the workspace, or the address is too long
 */
export function citationLink(folder: string, { path, from, to }: FileLines): string | undefined {
  const at = folder.split('/').filter((step) => step !== '' && step !== '.');
  if (at.includes('..')) return undefined;
  const steps = path.split('/');
  let shared = 0;
  while (shared < at.length && shared < steps.length - 1 && at[shared] === steps[shared]) shared++;
  const way = [...at.slice(shared).map(() => '..'), ...steps.slice(shared).map(encodeSegment)].join('/');
  const address = `${way}#L${from}${to > from ? `-L${to}` : ''}`;
  return address.length > LONGEST_ADDRESS ? undefined : address;
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A citation's label as Markdown, with all markup escaped. */
export function escapeLabel(label: string): string {
  // An underscore inside a word is not markup: paths stay readable in the source.
  return label.replace(/[\\`*[\]<>#|~&!]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&');
}
