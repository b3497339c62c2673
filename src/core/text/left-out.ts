/** Replaces a secret in a text. */
export const LEFT_OUT = '[secret left out]';

/** Says what was left out of a file, for documents and for models: `2 secrets left out of src/x.ts`. */
export function leftOut(secrets: number, path: string): string {
  return `${secrets} secret${secrets === 1 ? '' : 's'} left out of ${path}`;
}
