import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { BUNDLES } from '../../../scripts/bundles.ts';
import { usedConstants } from '../../../scripts/used-constants.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

describe('what the extension loads at startup', () => {
  it('is only its own code: whatever checks, parses or draws is loaded on first use', async () => {
    const later: string[] = [];
    const { metafile } = await build({
      absWorkingDir: ROOT,
      entryPoints: ['src/extension/extension.ts'],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      external: ['vscode'],
      mainFields: ['module', 'main'],
      logLevel: 'silent',
      define: { 'import.meta.url': '""' },
      plugins: [
        usedConstants,
        {
          name: 'later',
          setup: (b) =>
            b.onResolve({ filter: /./ }, ({ kind, path }) => {
              if (kind !== 'dynamic-import') return undefined;
              later.push(path);
              return { path, external: true };
            }),
        },
      ],
    });
    const importers = (file: string): string[] =>
      Object.entries(metafile.inputs)
        .filter(([, { imports }]) => imports.some(({ path }) => path === file))
        .map(([importer]) => importer);
    const [output] = Object.values(metafile.outputs);
    const loaded = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
    const heavy = loaded.map(([file]) => file).filter((file) => file.includes('node_modules/'));
    assert.ok(loaded.length > 50);
    const from = [...new Set(heavy.flatMap(importers))].filter((file) => !file.includes('node_modules/'));
    // What is imported later and is no bundle of its own would come along all the same.
    const bundles = new Set(Object.values(BUNDLES).map((entry) => basename(entry)));
    for (const path of later) assert.ok(bundles.has(basename(path)), path);
    assert.deepEqual(
      [...from, ...heavy],
      [],
      'these bring libraries along: import them with import() where they are used',
    );
  });
});
