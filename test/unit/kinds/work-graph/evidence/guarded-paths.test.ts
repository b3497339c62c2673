import assert from 'node:assert/strict';
import type { ChangedFile } from '../../../../../src/core/ports/workshop.ts';
import { type Guard, guardOf, judgesFirst } from '../../../../../src/kinds/work-graph/evidence/guarded-paths.ts';

const PACKAGE = JSON.stringify({
  scripts: {
    test: 'npm run lint && mocha',
    lint: 'node tools/lint.js',
    build: 'node tools/build.js',
    pretest: 'sh ci/setup',
  },
});
const PATHS = [
  'package.json',
  '.mocharc.json',
  'src/index.js',
  'src/index.test.js',
  'test/a.js',
  'tools/lint.js',
  'tools/build.js',
  'ci/setup',
  'data/list.txt',
  'check.sh',
];

async function guarded(line: string, path: string, change: ChangedFile['change'] = 'changed'): Promise<boolean> {
  return (await howGuarded(line, path, change)) === 'before';
}

async function howGuarded(line: string, path: string, change: ChangedFile['change']): Promise<Guard | undefined> {
  const files = {
    pathsAt: async () => PATHS,
    fileAt: async (_at: string, name: string) => (name === 'package.json' ? PACKAGE : ''),
  };
  const guard = await guardOf(files, 'abcdef0', [{ item: 'x', check: { command: line } }]);
  return guard({ path, change, added: 1, removed: 1 });
}

describe('what a check runs', () => {
  it('is guarded: tests, settings, scripts, and what these run', async () => {
    for (const path of ['test/a.js', 'src/index.test.js', 'package.json', '.mocharc.json', 'tools/lint.js', 'ci/setup'])
      assert.equal(await guarded('npm test', path), true, path);
    assert.equal(await guarded('npm test', 'tools/build.js'), false, 'nothing of the test runs it');
    assert.equal(await guarded('cd data && ./check.sh', 'check.sh'), true);
    assert.equal(await guarded('bash check.sh data/list.txt', 'check.sh', 'deleted'), true);
    assert.equal(await guarded('node --test test', 'test/a.js'), true);
  });

  it('leaves the work itself alone', async () => {
    assert.equal(await guarded('npm test', 'src/index.js'), false);
    assert.equal(await guarded('node src/index.js --version', 'src/index.js'), false);
    assert.equal(await guarded('grep -q done data/list.txt', 'data/list.txt'), false);
    assert.equal(await guarded('test -f check.sh', 'check.sh'), false);
  });

  it('includes what was not there, and would be the first to decide', async () => {
    assert.equal(await howGuarded('node verify.js', 'verify.js', 'added'), 'added', 'the program of the check itself');
    assert.equal(await howGuarded('npm test', 'test/aaa.js', 'added'), 'added', 'a test may end all others');
    assert.equal(await howGuarded('npm test', 'src/new.js', 'added'), undefined);
  });

  it('guards settings that were not there, as they would decide what a test does', async () => {
    assert.equal(await guarded('npm test', 'test/.mocharc.yml', 'added'), true);
    assert.equal(await guarded('npm test', 'jest.config.js', 'added'), true);
  });

  it('survives a damaged package.json and hostile lines', async () => {
    const files = { pathsAt: async () => PATHS, fileAt: async () => '{"scripts": {"test": 7, "__proto__": "x"' };
    for (const line of ['npm test', `npm run ${'a '.repeat(1900)}`, '((((', `${'*'.repeat(400)}`, '"; rm -rf /']) {
      const guard = await guardOf(files, 'abcdef0', [{ item: 'x', check: { command: line } }]);
      const how = guard({ path: 'src/index.js', change: 'changed', added: 0, removed: 0 });
      assert.ok(how === undefined || how === 'before');
    }
  });

  const guardedOf = async (files: Record<string, string>, command: string, setUp?: string): Promise<string[]> => {
    const shop = { pathsAt: async () => Object.keys(files), fileAt: async (_: string, path: string) => files[path] };
    const isGuarded = await guardOf(shop, '1234567', [{ item: 'it holds', check: { command } }], setUp);
    return Object.keys(files).filter(
      (path) => isGuarded({ path, change: 'changed', added: 1, removed: 1 }) !== undefined,
    );
  };

  it('is guarded with what it imports, but for the work', async () => {
    const files = {
      'checks/run.mjs': "import { same } from './same.mjs';\nimport { work } from '../src/work.mjs';",
      'checks/same.mjs': "export * from '../tools/deep.js';",
      'tools/deep.ts': '',
      'tools/other.ts': '',
      'src/work.mjs': "import './more.mjs';",
      'src/more.mjs': '',
    };
    assert.deepEqual(await guardedOf(files, 'node checks/run.mjs'), [
      'checks/run.mjs',
      'checks/same.mjs',
      'tools/deep.ts',
    ]);
  });

  it('is guarded in packages below, and in folders that the line goes into', async () => {
    const scripts = JSON.stringify({ scripts: { test: 'node verify.js' } });
    const files = { 'sub/package.json': scripts, 'sub/verify.js': '', 'sub/src/a.js': '', 'verify.js': '' };
    const expected = ['sub/package.json', 'sub/verify.js', 'verify.js'];
    assert.deepEqual(await guardedOf(files, 'cd sub && npm test'), expected);
    assert.deepEqual(await guardedOf({ 'sub/verify.sh': '', 'sub/a.sh': '' }, 'cd sub && sh verify.sh'), [
      'sub/verify.sh',
    ]);
  });

  it('is guarded with what prepares the checkout, and with what is installed there', async () => {
    const files = { 'scripts/prepare.sh': '', 'package-lock.json': '', 'node_modules/mocha/mocha.js': '', 'a.txt': '' };
    assert.deepEqual(await guardedOf(files, 'npm test', 'sh scripts/prepare.sh'), [
      'scripts/prepare.sh',
      'package-lock.json',
      'node_modules/mocha/mocha.js',
    ]);
    // How it is prepared does not make tests of a check that looks at files.
    const grep = 'grep -q wanted package.json';
    assert.deepEqual(await guardedOf({ 'package.json': '', 'test/a.js': '' }, grep, 'npm ci'), []);
  });

  it('comes first in the diff of work that changed it', async () => {
    const files = { pathsAt: async () => PATHS, fileAt: async () => PACKAGE };
    const part = (path: string): string => `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n`;
    const changed = (path: string): ChangedFile => ({ path, change: 'changed', added: 1, removed: 1 });
    const paths = ['src/index.js', 'test/a.js'];
    const diff = { files: paths.map(changed), text: paths.map(part).join('') };
    const found = await judgesFirst(files, diff, 'abcdef0', [{ item: 'x', check: { command: 'npm test' } }]);
    assert.deepEqual(
      found.files.map(({ path }) => path),
      paths.toReversed(),
    );
    assert.equal(found.text, paths.toReversed().map(part).join(''));
    assert.deepEqual(await judgesFirst(files, diff, 'abcdef0', []), diff);
  });
});
