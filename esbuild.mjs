// Builds dist/. What the extension does not need at startup (reading searches, the engine, the kinds, the drawing, the
// models) is in separate bundles, loaded on first use: `await import('…-model.ts')` in the source becomes a load of the
// bundle next to it.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { build } from 'esbuild';
import { unsharedState } from './scripts/bundle-state.ts';
import { BUNDLES } from './scripts/bundles.ts';
import { makeChatPage } from './scripts/chat-page.ts';
import { PANEL_BUILD } from './scripts/panel-build.ts';
import { noticesOf, packagesIn } from './scripts/third-party.ts';
import { usedConstants } from './scripts/used-constants.ts';
import { concernTableOf, packConcerns, packThesaurus, thesaurusTextOf } from './src/text/words/packed-tables.ts';

const bundleOf = new Map(Object.entries(BUNDLES).map(([name, entry]) => [resolve(entry), `./${name}.cjs`]));

const lazyBundles = {
  name: 'lazy-bundles',
  setup: (b) =>
    b.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
      const bundle = bundleOf.get(resolve(resolveDir, path));
      if (!bundle || kind === 'entry-point') return undefined;
      if (kind === 'dynamic-import') return { path: bundle, external: true };
      return { errors: [{ text: `${basename(path)} is loaded with import() only` }] };
    }),
};

// The AI SDK uses all of zod, whose own texts are in fifty languages that nobody here is shown.
const zodInEnglish = {
  name: 'zod-in-english',
  setup: (b) =>
    b.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    })),
};

// Nearly every bundle checks what it reads with zod, and many read YAML and Markdown, which would be in each of them
// again: these are bundles that they share.
const SHARED = {
  zod: "export * from 'zod'",
  'js-yaml': "export * from 'js-yaml'",
  'markdown-it': "module.exports = require('markdown-it')",
};
// Few commands read YAML, fewer Markdown: these two are loaded when one is first read.
const ON_FIRST_USE = {
  'js-yaml':
    "export const load = (...args) => require('js-yaml').load(...args), dump = (...args) => require('js-yaml').dump(...args);",
  'markdown-it': "export default function MarkdownIt(...args) { return new (require('markdown-it'))(...args); }",
};
const sharedLibraries = {
  name: 'shared-libraries',
  setup: (b) => {
    b.onResolve({ filter: new RegExp(`^(?:${Object.keys(SHARED).join('|')})(?:/v4)?$`) }, ({ path, kind }) =>
      path in ON_FIRST_USE && kind === 'import-statement'
        ? { path, namespace: 'on-first-use', sideEffects: false }
        : // A bundle that uses nothing of it does not load it.
          { path: `./${path.replace('/v4', '')}.cjs`, external: true, sideEffects: false },
    );
    b.onLoad({ filter: /.*/, namespace: 'on-first-use' }, ({ path }) => ({ contents: ON_FIRST_USE[path] }));
  },
};

// The queue library can also send jobs by the calendar, which nobody here asks it for: 250 KB that read cron and time zones.
const withoutCalendars = {
  name: 'without-calendars',
  setup: (b) => {
    b.onResolve({ filter: /^(?:rrule-temporal|cron-parser)$/ }, ({ path }) => ({ path, namespace: 'unused' }));
    b.onLoad({ filter: /.*/, namespace: 'unused' }, () => ({
      contents: 'export const RRuleTemporal = undefined, CronExpressionParser = undefined;',
    }));
  },
};

// Of the manifest, programs read the version; all of it is 50 KB in each of their bundles.
const manifestInShort = {
  name: 'manifest-in-short',
  setup: (b) =>
    b.onLoad({ filter: /[\\/]package\.json$/ }, ({ path }) =>
      path === resolve('package.json')
        ? { contents: JSON.stringify({ version: JSON.parse(readFileSync(path, 'utf8')).version }), loader: 'json' }
        : undefined,
    ),
};

// CommonJS has no import.meta.url: every bundle gets one that names its own file. And what loads others on first use.
const importMetaUrl = {
  define: { 'import.meta.url': 'bundleUrl' },
  banner: {
    js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href, lazily = async (name) => require(name);",
  },
};

/**
 * Makes a bundle start sooner. Node would read a bundle twice that is loaded by `import()`, to find out its exports first, which
 * takes as long as to load it. And every module that imports zod would copy its hundreds of names. Replacements are as long,
 * so that source maps stay right.
 */
function hasten(file) {
  const code = readFileSync(file, 'utf8')
    .replaceAll(/\bimport\((?="\.\/[\w-]+\.cjs"\))/g, 'lazily(')
    .replaceAll(/[\w$]+\((require\("\.\/zod\.cjs"\)),1\)/g, (whole, load) => load.padEnd(whole.length));
  writeFileSync(file, code);
}

rmSync('dist', { recursive: true, force: true });
mkdirSync('dist/grammars', { recursive: true });
// The process that parses reads the grammars from the folder next to it. They are half of the package
// for the editor, and compressed like this a quarter smaller there.
const grammars = 'node_modules/@vscode/tree-sitter-wasm/wasm';
const grammarsPacked = Promise.all(
  readdirSync(grammars)
    .filter((file) => /^tree-sitter.*\.wasm$/.test(file) && !/-(regex|ini)\.wasm$/.test(file))
    .map(async (file) => {
      const wasm = await readFile(`${grammars}/${file}`);
      await writeFile(`dist/grammars/${file}.br`, await packed(wasm));
    }),
);

// Large tables of words, read from the folder next to the bundle too, in the form in which they are looked up: it is worked
// out here once, rather than whenever somebody asks.
const concerns = packConcerns(concernTableOf(readFileSync('data/concerns.txt', 'utf8')));
const thesaurus = packThesaurus(thesaurusTextOf(JSON.parse(readFileSync('data/thesaurus.json', 'utf8'))));
const tablesPacked = Promise.all(
  Object.entries({ concerns, thesaurus }).map(async ([name, bytes]) =>
    writeFile(`dist/${name}.br`, await packed(bytes)),
  ),
);

/** As small as can be, which takes seconds, in other threads while the bundles are made; kept for the next build. */
async function packed(bytes) {
  const kept = `node_modules/.cache/packed/${createHash('sha256').update(bytes).digest('hex')}.br`;
  if (existsSync(kept)) return readFile(kept);
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants;
  const small = await promisify(brotliCompress)(bytes, {
    params: { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24 },
  });
  // Two builds may be at it.
  const own = `${kept}.${process.pid}`;
  mkdirSync(dirname(kept), { recursive: true });
  await writeFile(own, small);
  renameSync(own, kept);
  return small;
}
const { metafile } = await build({
  ...importMetaUrl,
  entryPoints: { cli: 'src/cli/cli.ts', extension: 'src/extension/extension.ts', ...BUNDLES },
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  external: ['vscode', 'pg-native'],
  mainFields: ['module', 'main'],
  outExtension: { '.js': '.cjs' },
  outdir: 'dist',
  sourcemap: 'external',
  sourcesContent: false,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  plugins: [lazyBundles, usedConstants, sharedLibraries, withoutCalendars, manifestInShort],
});
const unshared = unsharedState(metafile, (path) => path.startsWith('src/'));
if (unshared.length > 0)
  throw new Error(
    `Each bundle has its own copy of a module: ask by a name, keep the state where only one bundle has it, or say in
scripts/bundle-state.ts why two of it are right.\n${unshared.join('\n')}`,
  );
for (const file of Object.keys(metafile.outputs)) if (file.endsWith('.cjs')) hasten(file);
const shared = [];
for (const [name, contents] of Object.entries(SHARED)) {
  const library = await build({
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    mainFields: ['module', 'main'],
    outfile: `dist/${name}.cjs`,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    plugins: [zodInEnglish],
  });
  shared.push(library.metafile);
}
const page = await build({
  ...PANEL_BUILD,
  entryPoints: { webview: 'webview-ui/main.tsx' },
  outdir: 'dist',
  sourcemap: 'external',
  sourcesContent: false,
  metafile: true,
});
// Programs that import the package find its types next to its code.
for (const name of ['library', 'unstable']) {
  const types = readFileSync(`src/library/${name}-types.d.ts`, 'utf8');
  writeFileSync(`dist/${name}.d.cts`, types.replaceAll('./library-types.d.ts', './library.d.cts'));
}
// The page for chats is made of the same sources as the panel.
writeFileSync('dist/THIRD-PARTY-NOTICES.txt', noticesOf(packagesIn([metafile, page.metafile, ...shared])));
await Promise.all([grammarsPacked, tablesPacked]);
const chatPage = await makeChatPage('.');
writeFileSync('dist/chat-panel.html', chatPage);
console.log(`dist/chat-panel.html ${Math.round(chatPage.length / 1000)} KB`);
// The extension's own bundle is loaded whenever its view is shown.
const limits = { 'dist/extension.cjs': 100_000 };
for (const [file, { bytes }] of Object.entries({ ...metafile.outputs, ...page.metafile.outputs }))
  if (file.endsWith('.map')) continue;
  else {
    console.log(`${file} ${Math.round(bytes / 1000)} KB`);
    if (bytes > (limits[file] ?? Number.POSITIVE_INFINITY)) throw new Error(`${file} is over its limit`);
  }
