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
import { makeChatPage } from './scripts/chat-page.ts';
import { PANEL_BUILD } from './scripts/panel-build.ts';
import { concernTableOf, packConcerns } from './src/text/concerns/concern-table.ts';
import { meterTreeSitter } from './src/text/cut/parse/meter-tree-sitter.ts';
import { packThesaurus, thesaurusTextOf } from './src/text/words/thesaurus-text.ts';

/** Bundles that others load lazily: name in dist → entry point. */
const lazy = {
  acting: 'src/extension/acting/acting.ts',
  agents: 'src/extension/agents/agents.ts',
  'by-hand': 'src/extension/work/by-hand.ts',
  chat: 'src/extension/chat/tree-chat.ts',
  'document-head': 'src/extension/documents/read-head.ts',
  'fleet-leader': 'src/fleet/leader/open-leader.ts',
  'fleet-queue': 'src/fleet/boss/boss-queue.ts',
  'fleet-view': 'src/fleet/view-fleet.ts',
  'fleet-watch': 'src/fleet/watch-fleet.ts',
  'fleet-worker': 'src/fleet/worker/open-worker.ts',
  following: 'src/extension/library/following.ts',
  graph: 'src/extension/panel/graph-panel.ts',
  claude: 'src/models/agents/claude/claude-model.ts',
  grow: 'src/extension/start/ask-how-far.ts',
  investigation: 'src/kinds/investigation/investigation.ts',
  'work-graph': 'src/kinds/work-graph/work-graph.ts',
  'work-graph-details': 'src/kinds/work-graph/seen/details.ts',
  mcp: 'src/mcp/serve.ts',
  models: 'src/extension/models/choosing.ts',
  menus: 'src/extension/commands/menus.ts',
  ollama: 'src/models/ollama/ollama-model.ts',
  plans: 'src/extension/plans/show-plan.ts',
  quotes: 'src/models/quotes/quotes-model.ts',
  'quotes-worker': 'src/models/quotes/quotes-worker.ts',
  'cut-worker': 'src/text/index/cut-worker.ts',
  'scan-worker': 'src/text/index/first-pass/scan-worker.ts',
  reading: 'src/searches/reader/reading.ts',
  replay: 'src/models/replay/replay-model.ts',
  research: 'src/kinds/research/research.ts',
  'editor-model': 'src/extension/models/vscode-model.ts',
  rows: 'src/extension/commands/row-commands.ts',
  'sdk-models': 'src/models/sdk-models.ts',
  searches: 'src/searches/searches.ts',
  secrets: 'src/text/secrets/hide-secrets.ts',
  sharing: 'src/extension/sharing/share-commands.ts',
  share: 'src/searches/sharing/sharing.ts',
  start: 'src/extension/start/start-command.ts',
  thoughts: 'src/kinds/thoughts/thoughts.ts',
  'window-fleet': 'src/extension/fleet/window-fleet.ts',
  workshop: 'src/work/open-workshop.ts',
  'workspace-help': 'src/extension/workspace/workspace-help.ts',
  'workspace-text': 'src/models/quotes/open-workspace-text.ts',
};
const bundleOf = new Map(Object.entries(lazy).map(([name, entry]) => [resolve(entry), `./${name}.cjs`]));

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

// Creating an entry of the message catalogue has no side effects, so that each bundle contains only those it uses.
const usedMessages = {
  name: 'used-messages',
  setup: (b) =>
    b.onLoad({ filter: /[\\/]messages(?:[\\/][\w-]+)?\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(/(?<=[=:] )(?=(?:message|counted)\()/g, '/* @__PURE__ */ '),
      loader: 'ts',
    })),
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
const sharedLibraries = {
  name: 'shared-libraries',
  setup: (b) =>
    b.onResolve({ filter: new RegExp(`^(?:${Object.keys(SHARED).join('|')})(?:/v4)?$`) }, ({ path }) => ({
      path: `./${path.replace('/v4', '')}.cjs`,
      external: true,
    })),
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
 * Node would read a bundle twice that is loaded by `import()`, to find out its exports first, which takes as long as to load
 * it. The replacement is as long, so that source maps stay right.
 */
function loadLazily(file) {
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/\bimport\((?="\.\/[\w-]+\.cjs"\))/g, 'lazily('));
}

rmSync('dist', { recursive: true, force: true });
mkdirSync('dist/grammars', { recursive: true });
// The quotes worker reads the parsers from the folder next to it. They are half of the package
// for the editor, and compressed like this a quarter smaller there.
const grammars = 'node_modules/@vscode/tree-sitter-wasm/wasm';
const grammarsPacked = Promise.all(
  readdirSync(grammars)
    .filter((file) => /^tree-sitter.*\.wasm$/.test(file) && !/-(regex|ini)\.wasm$/.test(file))
    .map(async (file) => {
      const wasm = await readFile(`${grammars}/${file}`);
      const built = file === 'tree-sitter.wasm' ? meterTreeSitter(wasm) : wasm;
      await writeFile(`dist/grammars/${file}.br`, await packed(built));
    }),
);

// Large tables of words, read from the folder next to the bundle too, in the form in which they are looked up: it is worked
// out here once, rather than whenever somebody asks.
const concerns = packConcerns(concernTableOf(readFileSync('src/text/concerns/concerns.txt', 'utf8')));
const thesaurus = packThesaurus(
  thesaurusTextOf(JSON.parse(readFileSync('src/text/words/tables/thesaurus.json', 'utf8'))),
);
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
  entryPoints: { cli: 'src/cli/cli.ts', extension: 'src/extension/extension.ts', ...lazy },
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
  plugins: [lazyBundles, usedMessages, sharedLibraries, manifestInShort],
});
for (const file of Object.keys(metafile.outputs)) if (file.endsWith('.cjs')) loadLazily(file);
for (const [name, contents] of Object.entries(SHARED))
  await build({
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
    plugins: [zodInEnglish],
  });
// Loaded anew when its WebAssembly failed, so that it is a file of its own.
await build({
  entryPoints: [`${grammars}/tree-sitter.js`],
  minify: true,
  platform: 'node',
  target: 'node22',
  outfile: 'dist/grammars/tree-sitter.cjs',
  legalComments: 'none',
  logLevel: 'warning',
});
const page = await build({
  ...PANEL_BUILD,
  entryPoints: { webview: 'webview-ui/main.tsx' },
  outdir: 'dist',
  sourcemap: 'external',
  sourcesContent: false,
  metafile: true,
});
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
