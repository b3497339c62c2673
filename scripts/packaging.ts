/**
 * How @vscode/vsce makes the package, for `npm run package` and for tests. Everything is bundled, so that dependencies
 * stay out; .vscodeignore says what goes in. The extension's page is not README.md, which is for people who build it.
 */
export const PACKAGING = { dependencies: false, readmePath: 'doc/marketplace.md' } as const;

/**
 * Tells by its version whether a package is one of the pre-release channel: those have odd minor numbers, as the editor's
 * extensions do, so that a release is always newer than what was tried before it.
 */
export function isPreRelease(version: string): boolean {
  return Number(version.split('.')[1]) % 2 === 1;
}
