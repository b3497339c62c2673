import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { globby } from 'globby';
import { BUNDLES } from '../../scripts/bundles.ts';

const ROOT = join(import.meta.dirname, '../..');

/** What the product loads as a bundle, a suite loads as it was built. */
const asBuilt: Plugin = {
  name: 'as-built',
  setup: (b) => {
    const bundleOf = new Map(Object.entries(BUNDLES).map(([name, entry]) => [join(ROOT, entry), name]));
    b.onResolve({ filter: /\.ts$/ }, ({ path, resolveDir }) => {
      const name = bundleOf.get(join(resolveDir, path));
      return name === undefined ? undefined : { path: join(ROOT, 'dist', `${name}.cjs`), external: true };
    });
  },
};

/** A bundled suite: what VS Code is told to run, and the folder to remove when it ran. */
export interface BundledSuite {
  readonly folder: string;
  readonly main: string;
}

/**
 * Bundles the tests that `pattern` names, and what runs them, for an extension host.
 * @throws Error where there is no such test, or one that cannot be bundled
 */
export async function bundleSuite(pattern: string): Promise<BundledSuite> {
  const tests = (await globby(pattern, { absolute: true })).sort();
  if (tests.length === 0) throw new Error(`No test is named by ${pattern}`);
  // Inside node_modules, so that mocha is found from there.
  const folder = await mkdtemp(join(ROOT, 'node_modules/.host-suite-'));
  const entryPoints = tests.map((test, i) => ({ in: test, out: `${String(i).padStart(3, '0')}.test` }));
  await build({
    entryPoints: [...entryPoints, { in: join(import.meta.dirname, 'in-host.ts'), out: 'in-host' }],
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    outExtension: { '.js': '.cjs' },
    external: ['vscode', 'mocha'],
    plugins: [asBuilt],
    mainFields: ['module', 'main'],
    // CommonJS has no import.meta.url: every bundle gets one that names its own file.
    define: { 'import.meta.url': 'bundleUrl' },
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
    sourcemap: 'inline',
    logLevel: 'warning',
  }).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  return { folder, main: join(folder, 'in-host.cjs') };
}
