import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs, { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { surveyFiles } from '../../../../src/text/files/list-files.ts';
import { isGenerated } from '../../../../src/text/files/skipped-files.ts';
import { FolderIndex } from '../../../../src/text/index/folder-index.ts';
import { SecretFilter } from '../../../../src/text/secrets/secret-filter.ts';
import { makeWorkspace, removeWorkspaces } from '../../../support/quotes/quotes-workspace.ts';

const FILES = {
  'src/main.ts': 'export const a = 1;\n',
  '.ci/run': 'a\n',
  '.config/ci.yml': 'a: 1\n',
  '.env': 'A=1',
  id_rsa: 'x',
  'vendor/lib.go': 'package lib\n',
  'Acme/Vendor/Debian.pm': 'package Acme::Vendor::Debian;\n',
  'third_party/x.c': 'int a;\n',
  'go.sum': 'x',
  'yarn.lock': 'x',
  'CHANGELOG.md': '# 1\n',
  'test/fixtures/a.js': 'a();\n',
  'test/golden/report.md': 'a\n',
  'test/__snapshots__/b.js': 'a();\n',
  'test/c.snap': 'a\n',
  'dist/a.js.map': '{}',
  'dist/a.min.js': 'a()',
  'logo.png': 'x',
};
const REASONS = {
  '.ci/run': 'hidden',
  '.config/ci.yml': 'hidden',
  '.env': 'secret',
  id_rsa: 'secret',
  'vendor/lib.go': 'vendored',
  'third_party/x.c': 'vendored',
  'go.sum': 'lock',
  'yarn.lock': 'lock',
  'CHANGELOG.md': 'changelog',
  'test/fixtures/a.js': 'test-data',
  'test/golden/report.md': 'test-data',
  'test/__snapshots__/b.js': 'test-data',
  'test/c.snap': 'test-data',
  'dist/a.js.map': 'generated',
  'dist/a.min.js': 'generated',
  'logo.png': 'binary',
};

async function skippedIn(workspace: string): Promise<Record<string, string>> {
  const { skipped } = await surveyFiles(workspace, new SecretFilter(workspace));
  return Object.fromEntries(skipped.map(({ path, reason }) => [path, reason]));
}

/** Makes reading a folder fail as the system does it, also for a person who may read everything. */
async function closed<Result>(folder: string, run: () => Promise<Result>): Promise<Result> {
  const { readdirSync } = fs;
  const refuse = (path: string, ...rest: unknown[]): unknown => {
    if (path === folder) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    return (readdirSync as (...all: unknown[]) => unknown)(path, ...rest);
  };
  fs.readdirSync = refuse as typeof readdirSync;
  try {
    return await run();
  } finally {
    fs.readdirSync = readdirSync;
  }
}

describe('what of a folder is not searched', () => {
  after(removeWorkspaces);

  it('has the reason that is true, with git and without', async () => {
    const workspace = makeWorkspace(FILES);
    assert.deepEqual(await skippedIn(workspace), REASONS);
    execFileSync('git', ['init', '-q'], { cwd: workspace });
    assert.deepEqual(await skippedIn(workspace), REASONS);
  });

  it('is told by a map of the source, not by a program that looks for one', () => {
    const map = '//# sourceMappingURL=main.js.map';
    assert.ok(isGenerated(`a();\n${map}\n`));
    assert.ok(!isGenerated(`if (text.includes('${map}')) skip();\n`));
  });

  it('includes names by which nothing can be cited', async function () {
    if (process.platform === 'win32') this.skip();
    const workspace = makeWorkspace({ 'a.ts': 'a();\n', 'b\\c.ts': 'a();\n', 'd\ne.ts': 'a();\n' });
    assert.deepEqual(await skippedIn(workspace), { 'b\\c.ts': 'odd-name', 'd\ne.ts': 'odd-name' });
  });

  it('includes links, whatever they lead to', async () => {
    const outside = makeWorkspace({ 'a.md': '# A\n' });
    const workspace = makeWorkspace({ 'src/main.ts': 'export const a = 1;\n' });
    symlinkSync(join(workspace, 'src/main.ts'), join(workspace, 'file.ts'));
    symlinkSync(outside, join(workspace, 'folder'));
    const examples = async (): Promise<unknown> => {
      const { skipped } = await new FolderIndex(workspace, { cache: null }).read();
      return skipped.map(({ reason, examples: some }) => `${reason}: ${some.join(', ')}`);
    };
    assert.deepEqual(await examples(), ['link: file.ts, folder']);
    execFileSync('git', ['init', '-q'], { cwd: workspace });
    assert.deepEqual(await examples(), ['link: file.ts, folder']);
  });

  it('includes folders that cannot be read, and repositories of their own', async () => {
    const workspace = makeWorkspace({ 'a/b/c.ts': 'a();\n', 'a/closed/d.ts': 'a();\n' });
    const folder = join(workspace, 'a/closed');
    assert.deepEqual(await closed(folder, () => skippedIn(workspace)), { 'a/closed/': 'closed' });

    execFileSync('git', ['init', '-q'], { cwd: workspace });
    mkdirSync(join(workspace, 'a/own'));
    execFileSync('git', ['init', '-q'], { cwd: join(workspace, 'a/own') });
    // Says what git says of a folder that it may not read: whoever runs this may be allowed to read all.
    const bin = makeWorkspace({
      git: `#!/bin/sh\necho "warning: could not open directory 'a/closed/': Permission denied" >&2\nexec "$REAL_GIT" "$@"\n`,
    });
    chmodSync(join(bin, 'git'), 0o755);
    const { PATH } = process.env;
    process.env['REAL_GIT'] = execFileSync('sh', ['-c', 'command -v git']).toString().trim();
    process.env['PATH'] = `${bin}:${PATH}`;
    try {
      assert.equal((await skippedIn(workspace))['a/closed/'], 'closed');
      assert.equal((await skippedIn(join(workspace, 'a')))['closed/'], 'closed', 'relative to what is searched');
      assert.deepEqual(await skippedIn(join(workspace, 'a/b')), {}, 'what is elsewhere does not matter');
      const { skipped } = await new FolderIndex(workspace, { cache: null }).read();
      assert.deepEqual(skipped.find(({ reason }) => reason === 'repository')?.examples, ['a/own/']);
    } finally {
      process.env['PATH'] = PATH;
      delete process.env['REAL_GIT'];
    }
  });

  it('includes that rules leave something out, if they do', async () => {
    const files = { '.gitignore': 'out/\n', 'src/a.ts': 'a();\n', 'sub/.gitignore': '*.log\n', 'sub/b.ts': 'a();\n' };
    assert.deepEqual(await skippedIn(makeWorkspace(files)), {});
    const workspace = makeWorkspace({
      ...files,
      'out/c.ts': 'a();\n',
      'sub/d.log': 'x\n',
      'node_modules/e/f.js': 'a();\n',
    });
    const expected = { '.gitignore': 'ignored', 'sub/.gitignore': 'ignored', 'node_modules/': 'ignored' };
    assert.deepEqual(await skippedIn(workspace), expected);
  });
});
