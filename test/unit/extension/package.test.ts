import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { isPreRelease, PACKAGING } from '../../../scripts/packaging.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

describe('the package', () => {
  before(() => {
    assert.ok(existsSync(join(ROOT, 'dist/extension.cjs')), 'it is made of what `npm run build` leaves');
  });

  it('holds what the extension needs, and nothing else', async () => {
    const listed = { ...PACKAGING, cwd: ROOT, packageManager: PackageManager.None };
    const packed = (await listFiles(listed)).map((file) => file.replaceAll('\\', '/'));
    const built = globSync(['dist/*.{cjs,d.cts,js,css,html,txt}', 'dist/grammars/*', 'dist/*.br'], { cwd: ROOT });
    const media = globSync('media/{,schemas/,walkthrough/,agents/**/}*.{png,svg,md,json,css}', { cwd: ROOT });
    const texts = [
      'package.json',
      ...globSync('package.nls*.json', { cwd: ROOT }),
      PACKAGING.readmePath,
      'LICENSE',
      'CHANGELOG.md',
      ...globSync('l10n/bundle.l10n.*.json', { cwd: ROOT }),
    ];
    const needed = [...texts, ...media, ...built].map((file) => file.replaceAll('\\', '/'));
    assert.deepEqual(packed.toSorted(), needed.toSorted());
  });

  it('leads to where its faults are told, and is a pre-release where its minor number is odd', () => {
    const { repository, homepage, bugs } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const address = repository.url.replace(/\.git$/, '');
    assert.deepEqual([homepage, bugs.url], [`${address}#readme`, `${address}/issues`]);
    assert.deepEqual(['0.2.0', '0.3.0', '0.3.12', '1.0.3', '1.11.0'].map(isPreRelease), [
      false,
      true,
      true,
      false,
      true,
    ]);
  });

  it('says whose code is in it, with the words of each licence', () => {
    const parts = readFileSync(join(ROOT, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8').split(/^-{80}$/m);
    const partOf = (name: string): string => parts.find((part) => part.includes(`\n${name} `)) ?? '';
    for (const name of ['zod', 'preact', 'markdown-it', 'pg-boss', '@vscode/tree-sitter-wasm'])
      assert.match(partOf(name), /^\n*\S+ [\d.]+ \(MIT\)\n[\s\S]*copyright \(c\)[\s\S]*hereby granted/i, name);
    assert.match(partOf('@ai-sdk/provider-utils'), /Apache License/);
    assert.match(partOf('d3-hierarchy'), /ISC[\s\S]*Permission to use/);
    for (const name of ['mocha', 'esbuild', 'fast-check', 'typescript']) assert.equal(partOf(name), '');
  });

  it('holds tree-sitter and the grammars as they were made', () => {
    const packed = globSync('dist/grammars/*.br', { cwd: ROOT });
    assert.ok(packed.length > 10);
    for (const file of packed) {
      const made = readFileSync(join(ROOT, 'node_modules/@vscode/tree-sitter-wasm/wasm', basename(file, '.br')));
      assert.ok(brotliDecompressSync(readFileSync(join(ROOT, file))).equals(made), file);
    }
  });

  it('is small', async () => {
    assert.ok(statSync(join(ROOT, 'dist/extension.cjs')).size <= 300_000);
    const folder = await mkdtemp(join(tmpdir(), 'thought-tree-vsix-'));
    try {
      const packagePath = join(folder, 'thought-tree.vsix');
      await createVSIX({ ...PACKAGING, cwd: ROOT, packagePath });
      const { size } = statSync(packagePath);
      // The promise is 5 MB; below it, whoever makes it grow should notice.
      assert.ok(size <= 4_700_000, `${size} bytes`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
