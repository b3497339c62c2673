/**
 * How @vscode/vsce makes the package, for `npm run package` and for tests. Everything is bundled, so that dependencies
 * stay out; .vscodeignore says what goes in. The extension's page is not README.md, which is for people who build it.
 */
export const PACKAGING = { dependencies: false, readmePath: 'doc/marketplace.md' } as const;
