import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { SourceFile } from '../../../src/text/files/source-file.ts';
import { filesOf, makeWorkspace, removeWorkspaces, sourceOf } from '../../support/quotes/quotes-workspace.ts';

/** Makes a pipe; on no system that tests are run on is it missing, but Windows. */
const FIFO = 'mkfifo';

const FILES = {
  'README.md': '# Read me\n',
  'src/main.ts': 'export const a = 1;\n',
  'src/B.ts': 'export const b = 1;\n',
  'with space/#1 (a) [b].md': '# Odd\n',
  'package-lock.json': '{}',
  'yarn.lock': 'x',
  'Cargo.lock': 'x',
  'CHANGELOG.md': '# 1.0\n',
  'src/history.ts': 'export const history = [];\n',
  '.env': 'SECRET=1',
  '.env.local': 'SECRET=1',
  'keys/server.pem': 'secret',
  'test/fixtures/a.js': 'a();\n',
  'dist/app.min.js': 'a()',
  'src/api.generated.ts': 'export {};\n',
  'logo.png': 'png',
  'ignored.txt': 'x',
  '.gitignore': 'ignored.txt\nout/\n',
  'out/a.js': 'a();\n',
  'thought-trees/why/search.json': '{"version":1,"kind":"research","title":"Why","prompt":"Why?","createdAt":"x"}',
  'thought-trees/why/a/document.md': '# A\n',
  'elsewhere/mine/search.json': '{}',
  'elsewhere/mine/children.json': '[]',
  'elsewhere/mine/b/document.md': '# B\n',
  'src/search.json': '{"query":"somebody else’s"}',
};
const LISTED = [
  '.gitignore',
  'README.md',
  'src/B.ts',
  'src/history.ts',
  'src/main.ts',
  'src/search.json',
  'with space/#1 (a) [b].md',
];

async function sourcesOf(workspace: string, paths: readonly string[]): Promise<SourceFile[]> {
  const read = await Promise.all(paths.map((path) => sourceOf(workspace, path)));
  return read.flatMap((file) => file ?? []);
}

describe('listing the files of a workspace', () => {
  after(removeWorkspaces);

  it('leaves out what nobody wrote to be read, without git', async () => {
    assert.deepEqual(await filesOf(makeWorkspace(FILES)), LISTED);
  });

  it('lists the same with git, tracked or not', async () => {
    const workspace = makeWorkspace(FILES);
    execFileSync('git', ['init', '-q'], { cwd: workspace });
    execFileSync('git', ['add', 'README.md', 'src/main.ts'], { cwd: workspace });
    assert.deepEqual(await filesOf(workspace), LISTED);
  });

  it('lists only what is below a folder inside a work tree, even if the folder is ignored', async () => {
    const workspace = makeWorkspace(FILES);
    execFileSync('git', ['init', '-q'], { cwd: workspace });
    assert.deepEqual(await filesOf(join(workspace, 'src')), ['B.ts', 'history.ts', 'main.ts', 'search.json']);
    assert.deepEqual(await filesOf(join(workspace, 'out')), ['a.js']);
  });

  it('runs no program that the folder’s settings name', async () => {
    const workspace = makeWorkspace(FILES);
    execFileSync('git', ['init', '-q'], { cwd: workspace });
    writeFileSync(join(workspace, '.git/hook.sh'), '#!/bin/sh\ntouch "$(dirname "$0")/../was-run.md"\n', {
      mode: 0o755,
    });
    execFileSync('git', ['config', 'core.fsmonitor', join(workspace, '.git/hook.sh')], { cwd: workspace });
    assert.deepEqual(await filesOf(workspace), LISTED);
    assert.deepEqual(await filesOf(workspace), LISTED);
  });

  it('runs no program and asks no server for what the repository lacks', async () => {
    const workspace = makeWorkspace({ 'shown/a.md': '# A\n', 'hidden/b.md': '# B\n' });
    const git = (...words: string[]): string =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...words], {
        cwd: workspace,
        encoding: 'utf8',
      });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'x');
    git('sparse-checkout', 'set', '--cone', '--sparse-index', 'shown');
    const tree = git('rev-parse', 'HEAD:hidden').trim();
    rmSync(join(workspace, '.git/objects', tree.slice(0, 2), tree.slice(2)));
    const trap = join(workspace, '.git/trap.sh');
    writeFileSync(trap, `#!/bin/sh\ntouch ${join(workspace, 'shown/was-run.md')}\n`, { mode: 0o755 });
    const settings = {
      'core.repositoryFormatVersion': '1',
      'extensions.partialClone': 'origin',
      'remote.origin.promisor': 'true',
      'remote.origin.url': `ext::${trap}`,
      'protocol.ext.allow': 'always',
    };
    for (const [name, value] of Object.entries(settings)) git('config', name, value);
    for (let time = 0; time < 2; time++) assert.deepEqual(await filesOf(workspace), ['shown/a.md']);
  });

  it('does not read links, whatever they point at', async () => {
    const outside = makeWorkspace({ 'secret.md': '# Secret\n' });
    const workspace = makeWorkspace({ 'a.md': '# A\n' });
    symlinkSync(join(outside, 'secret.md'), join(workspace, 'link.md'));
    symlinkSync(outside, join(workspace, 'folder'));
    mkdirSync(join(workspace, 'empty'));
    const read = await sourcesOf(workspace, await filesOf(workspace));
    assert.deepEqual(
      read.map(({ path }) => path),
      ['a.md'],
    );
  });

  it('does not read what git tracks below a folder that is now a link', async () => {
    const outside = makeWorkspace({ 'plan.ts': 'export const secret = 1;\n' });
    const workspace = makeWorkspace({ 'x/plan.ts': 'export const old = 1;\n', 'a.md': '# A\n' });
    const git = (...words: string[]): unknown => execFileSync('git', words, { cwd: workspace });
    git('init', '-q');
    git('add', '.');
    renameSync(join(workspace, 'x'), join(workspace, 'y'));
    symlinkSync(outside, join(workspace, 'x'));
    const listed = await filesOf(workspace);
    assert.ok(listed.includes('x/plan.ts'), 'git still lists it');
    const read = await sourcesOf(workspace, listed);
    assert.deepEqual(read.map(({ path }) => path).sort(), ['a.md', 'y/plan.ts']);
    const link = join(makeWorkspace({}), 'link');
    symlinkSync(workspace, link);
    assert.equal((await sourceOf(link, 'a.md'))?.lines[0], '# A', 'the workspace itself may be named by a link');
  });

  it('does not wait for a device or pipe with the name of a search file', () => {
    const search = JSON.stringify({ version: 1, kind: 'research', title: 'a', prompt: 'b' });
    const workspace = makeWorkspace({ 'other.json': search, 'own/search.json': search });
    for (const [folder, target] of [
      ['zero', '/dev/zero'],
      ['input', '/dev/stdin'],
      ['link', join(workspace, 'other.json')],
    ] as const) {
      mkdirSync(join(workspace, folder));
      symlinkSync(target, join(workspace, folder, 'search.json'));
    }
    mkdirSync(join(workspace, 'pipe'));
    if (process.platform !== 'win32') execFileSync(FIFO, [join(workspace, 'pipe/search.json')]);
    const folders = ['zero', 'input', 'link', 'pipe', 'own'];
    // In a process of its own: what waits for a pipe can be stopped by nobody in it.
    const module = join(import.meta.dirname, '../../../src/text/files/list-files.ts');
    const paths = folders.map((folder) => `${folder}/search.json`);
    const program = `import { searchFolders } from ${JSON.stringify(module)};
      console.log(searchFolders(${JSON.stringify(workspace)}, ${JSON.stringify(paths)}).join());`;
    const words = ['--input-type=module', '-e', program];
    const said = execFileSync(process.execPath, words, { timeout: 100_000, stdio: ['pipe', 'pipe', 'ignore'] });
    assert.equal(said.toString().trim(), 'own');
  });
});

describe('reading a file', () => {
  after(removeWorkspaces);

  it('skips what is binary, empty, too large, generated or gone', async () => {
    const workspace = makeWorkspace({
      'binary.ts': new Uint8Array([97, 0, 98]),
      'empty.ts': '',
      'large.ts': 'let a = 1;\n'.repeat(250_000),
      'generated.ts': '// Code generated by a tool. DO NOT EDIT.\nlet a = 1;\n',
      'built.js': 'let a = 1;\n//# sourceMappingURL=built.js.map\n',
      'minified.js': `${'a();'.repeat(3000)}\n`,
    });
    for (const path of ['binary.ts', 'empty.ts', 'large.ts', 'generated.ts', 'built.js', 'minified.js', 'gone.ts'])
      assert.equal(await sourceOf(workspace, path), undefined, path);
  });

  it('counts lines as editors do', async () => {
    const workspace = makeWorkspace({ 'a.md': '\uFEFFone\r\ntwo\rthree\nfour' });
    assert.deepEqual((await sourceOf(workspace, 'a.md'))?.lines, ['one', 'two', 'three', 'four']);
  });

  it('distinguishes source, tests, docs and settings', async () => {
    const roles = {
      'src/main.ts': 'source',
      'lib/test.js': 'source',
      'test.js': 'test',
      'test/unit/a.ts': 'test',
      'src/a.test.ts': 'test',
      'pkg/test_a.py': 'test',
      'pkg/a_test.go': 'test',
      'src/FooTest.java': 'test',
      'README.md': 'docs',
      LICENSE: 'docs',
      'package.json': 'config',
    };
    const workspace = makeWorkspace(Object.fromEntries(Object.keys(roles).map((path) => [path, 'a\n'])));
    for (const [path, role] of Object.entries(roles)) assert.equal((await sourceOf(workspace, path))?.role, role, path);
  });
});

describe('earlier searches while a workspace is listed', () => {
  after(removeWorkspaces);

  const search = '{"version":1,"kind":"research","title":"Why","prompt":"Why?"}';
  const ofSearch = (folder: string): Record<string, string> => ({
    [`${folder}/search.json`]: search,
    [`${folder}/children.json`]: '[]',
    ...Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`${folder}/topic-${i}/part/document.md`, '# A\n'] as const),
    ),
  });
  const files = { 'src/main.ts': 'a();\n', 'notes/own.md': '# Own\n', 'notes/sub/a.md': '# A\n' };
  const all = { ...files, ...ofSearch('thought-trees/why'), ...ofSearch('notes/how'), ...ofSearch('notes/what') };

  /** Lists in a process of its own; the folders that it read, by what Node and git say themselves. */
  function listed(workspace: string): { files: string[]; read: string[] } {
    const module = (path: string): string => JSON.stringify(join(import.meta.dirname, '../../../src/text', path));
    const program = `import fs from 'node:fs';
      const read = [];
      const { readdir, readdirSync } = fs;
      fs.readdir = (folder, ...rest) => { read.push(String(folder)); return readdir(folder, ...rest); };
      fs.readdirSync = (folder, ...rest) => { read.push(String(folder)); return readdirSync(folder, ...rest); };
      const { listFiles } = await import(${module('files/list-files.ts')});
      const { SecretFilter } = await import(${module('secrets/secret-filter.ts')});
      const workspace = ${JSON.stringify(workspace)};
      const files = await listFiles(workspace, new SecretFilter(workspace), 'notes');
      console.log(JSON.stringify({ files, read }));`;
    const bin = makeWorkspace({ git: '#!/bin/sh\nGIT_TRACE2_PERF="$TRACE" exec "$REAL_GIT" "$@"\n' });
    chmodSync(join(bin, 'git'), 0o755);
    const trace = join(bin, 'trace');
    const git = execFileSync('sh', ['-c', 'command -v git']).toString().trim();
    const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}`, REAL_GIT: git, TRACE: trace };
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], { env, timeout: 100_000 });
    const { files, read } = JSON.parse(said.toString()) as { files: string[]; read: string[] };
    // Where no folder above is a repository, git is not even started.
    const visited = existsSync(trace) ? /directories-visited:(\d+)/.exec(readFileSync(trace, 'utf8'))?.[1] : undefined;
    return { files, read: visited === undefined ? read : Array.from({ length: Number(visited) }, () => 'by git') };
  }

  it('reads no folder in them, whether git lists or not', function () {
    if (process.platform === 'win32') this.skip();
    const expected = Object.keys(files).sort();
    const without = listed(makeWorkspace(all));
    assert.deepEqual(without.files, expected);
    assert.ok(without.read.length >= 4 && without.read.length <= 10, without.read.join('\n'));
    const repository = makeWorkspace(all);
    execFileSync('git', ['init', '-q'], { cwd: repository });
    const byGit = listed(repository);
    assert.deepEqual(byGit.files, expected);
    assert.ok(byGit.read.length >= 4 && byGit.read.length <= 10, byGit.read.join('\n'));
    assert.equal(byGit.read[0], 'by git', 'git tells how many folders it has read');
  });
});
