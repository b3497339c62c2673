/** How the panel's sources are bundled: for the editor, for chats and for the tests of the page. */
export const PANEL_BUILD = {
  bundle: true,
  minify: true,
  platform: 'browser',
  format: 'iife',
  target: 'chrome138',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'warning',
} as const;
