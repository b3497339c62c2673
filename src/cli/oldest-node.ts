/** The oldest Node that runs this program, as package.json says. */
export const OLDEST_NODE = '22.13';

/** Tells whether a version of Node is too old: it would fail somewhere in the middle of a search. */
export function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [least = 0, lesser = 0] = OLDEST_NODE.split('.').map(Number);
  return major < least || (major === least && minor < lesser);
}
