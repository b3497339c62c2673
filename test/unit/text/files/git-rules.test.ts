import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { repositoryOf } from '../../../../src/text/files/git-rules.ts';
import { listAll, listByGit, surveyFiles } from '../../../../src/text/files/list-files.ts';
import { SecretFilter } from '../../../../src/text/secrets/secret-filter.ts';
import { makeWorkspace, removeWorkspaces } from '../../../support/quotes/quotes-workspace.ts';

const FILES = {
  '.gitignore': 'private/\nbuild/\n',
  'app/queue.js': 'It waits.\n',
  'app/notes.md': 'For me.\n',
  'app/diary.md': 'For me.\n',
  'app/private/plan.md': 'For us.\n',
  'build/.gitignore': '*.log\n',
  'build/out.js': 'It is built.\n',
  'build/notes.md': 'For me.\n',
  'build/a.log': 'It ran.\n',
};
const GIT = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();

function git(cwd: string, ...args: string[]): void {
  const own = ['user.name=a', 'user.email=a@example.com', 'protocol.file.allow=always'];
  execFileSync('git', [...own.flatMap((setting) => ['-c', setting]), ...args], { cwd, stdio: 'pipe' });
}

/** A repository with notes that its owner told git to ignore, in all three ways. */
function repository(): string {
  const top = makeWorkspace(FILES);
  git(top, 'init', '-q');
  writeFileSync(join(top, '.git/info/exclude'), 'notes.md\n');
  return top;
}

/** What is listed and, after it, what else a person is told. */
async function listed(workspace: string): Promise<string[][]> {
  const { paths, skipped } = await surveyFiles(workspace, new SecretFilter(workspace));
  return [[...paths], skipped.map(({ path, reason }) => `${reason}: ${path}`).sort()];
}

describe('what git is told to ignore', () => {
  const before = { ...process.env };
  let home: string;
  beforeEach(() => {
    home = makeWorkspace({ 'dotfiles/ignore': 'diary*\n' });
    symlinkSync(join(home, 'dotfiles/ignore'), join(home, 'mine'));
    writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = a\n[core]\n\texcludesFile = "~/mine" ; for me\n');
    Object.assign(process.env, { HOME: home, XDG_CONFIG_HOME: join(home, '.config') });
    delete process.env['GIT_CONFIG_GLOBAL'];
  });
  afterEach(() => {
    Object.assign(process.env, before);
    if (before['XDG_CONFIG_HOME'] === undefined) delete process.env['XDG_CONFIG_HOME'];
  });
  after(removeWorkspaces);

  /** Puts another git in the place of git's. */
  function insteadOfGit(script: string): void {
    const bin = makeWorkspace({ git: `#!/bin/sh\n${script}\n` });
    chmodSync(join(bin, 'git'), 0o755);
    process.env['PATH'] = `${bin}${delimiter}${before['PATH']}`;
  }

  const told = ['ignored: ../.gitignore', 'ignored: .git/info/exclude', 'ignored: core.excludesFile'];

  it('is not listed in a repository of somebody else, of which git would not speak, and is told', async () => {
    const app = join(repository(), 'app');
    insteadOfGit(`GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec ${GIT} "$@"`);
    assert.throws(() => execFileSync('git', ['ls-files'], { cwd: app, stdio: 'pipe' }), /dubious ownership/);
    assert.deepEqual(await listed(app), [['queue.js'], told]);
  });

  it('is read from its files where git cannot be asked, and that is told', async () => {
    const top = repository();
    const elsewhere = join(makeWorkspace({}), 'tree');
    git(top, 'add', 'app/queue.js');
    git(top, 'commit', '-qm', 'x');
    git(top, 'worktree', 'add', '-q', elsewhere);
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(join(elsewhere, path, '..'), { recursive: true });
      writeFileSync(join(elsewhere, path), text);
    }
    insteadOfGit('exit 1');
    for (const place of [top, elsewhere]) {
      assert.deepEqual(await listed(join(place, 'app')), [['queue.js'], [...told, 'unasked: .git']]);
      assert.deepEqual([...(await listAll(place))].sort(), ['.gitignore', 'app/queue.js']);
    }
  });

  it('is found as git finds its settings, wherever they name the file', async () => {
    const app = join(repository(), 'app');
    writeFileSync(join(home, 'my #1'), 'diary*\n');
    writeFileSync(join(home, 'more'), '[core]\nexcludesFile = ~/mine\n');
    insteadOfGit('exit 1');
    for (const settings of [
      '[core] excludesFile = ~/mine\n',
      '[Core]\r\n\tExcludesFile = "~/my #1" # for me\r\n',
      '[core]\n\texcludesFile = ~/\\\nmine\n',
      '[include]\n\tpath = more\n',
      '[includeIf "gitdir:/"]\n\tpath = "~/more"\n',
      '[core]\n\texcludesFile = app/../.gitignore.mine\n',
    ]) {
      writeFileSync(join(home, '.gitconfig'), settings);
      writeFileSync(join(app, '../.gitignore.mine'), 'diary*\n');
      assert.deepEqual((await listed(app))[0], ['queue.js'], settings);
    }
  });

  it('is read from its files where git never answers', async () => {
    const top = repository();
    insteadOfGit('exec sleep 60');
    const found = repositoryOf(top);
    assert.ok(found);
    assert.equal(await listByGit(top, [], found, undefined, 50), undefined);
  });

  it('is never asked of a program that lies in the folder', async () => {
    const top = repository();
    writeFileSync(join(top, 'git'), `#!/bin/sh\ntouch ran\nexec ${GIT} "$@"\n`);
    chmodSync(join(top, 'git'), 0o755);
    process.env['PATH'] = `${delimiter}.${delimiter}${before['PATH']}`;
    assert.deepEqual((await listed(top))[0], ['.gitignore', 'app/queue.js', 'git']);
  });

  it('is read without a byte order mark', async () => {
    const top = makeWorkspace({
      '.gitignore': '\uFEFFprivate/\r\n',
      'a.js': 'It is.\n',
      'private/plan.md': 'For us.\n',
    });
    git(top, 'init', '-q');
    insteadOfGit('exit 1');
    assert.deepEqual((await listed(top))[0], ['.gitignore', 'a.js']);
  });

  it('counts above a folder whose own repository is none', async () => {
    const top = repository();
    mkdirSync(join(top, 'app/.git'));
    assert.deepEqual(await listed(join(top, 'app')), [['queue.js'], told]);
    rmSync(join(top, 'app/.git'), { recursive: true });
    writeFileSync(join(top, 'app/.git'), 'gitdir: ../gone\n');
    assert.deepEqual(await listed(join(top, 'app')), [['queue.js'], told]);
  });

  it('is listed once, and within the folder, whatever an index names', async () => {
    for (const [place, named] of [
      ['q', '.'],
      ['qqqqqqqq', '../other'],
    ] as const) {
      const folder = makeWorkspace({
        'other/plan.md': 'For us.\n',
        'w/.gitmodules': '',
        [`w/${place}/a.js`]: 'It is.\n',
      });
      const top = join(folder, 'w');
      for (const module of [join(folder, 'other'), join(top, place)]) {
        git(module, 'init', '-q');
        git(module, 'add', '-A');
        git(module, 'commit', '-qm', 'x');
      }
      git(top, 'init', '-q');
      git(top, 'add', place);
      const index = readFileSync(join(top, '.git/index'));
      index.write(named, index.lastIndexOf(place, -21));
      createHash('sha1')
        .update(index.subarray(0, -20))
        .digest()
        .copy(index, index.length - 20);
      writeFileSync(join(top, '.git/index'), index);
      const [paths = [], others = []] = await listed(top);
      assert.deepEqual(
        paths.filter((path) => path !== '.gitmodules' && path !== `${place}/`),
        [],
      );
      assert.deepEqual(
        others.filter((one) => one.includes('plan.md')),
        [],
      );
    }
  });

  it('by default is in the folder of git’s own settings', async () => {
    rmSync(join(home, '.gitconfig'));
    mkdirSync(join(home, '.config/git'), { recursive: true });
    writeFileSync(join(home, '.config/git/ignore'), 'diary*\n');
    const app = join(repository(), 'app');
    assert.deepEqual((await listed(app))[0], ['queue.js']);
    insteadOfGit('exit 1');
    assert.deepEqual((await listed(app))[0], ['queue.js']);
  });

  it('is searched where a person searches just that, but for what other rules name', async () => {
    const top = repository();
    const expected = [
      ['.gitignore', 'out.js'],
      ['ignored: .git/info/exclude', 'ignored: .gitignore'],
    ];
    assert.deepEqual(await listed(join(top, 'build')), expected);
    git(top, 'add', '-f', 'build/.gitignore');
    assert.deepEqual(await listed(join(top, 'build')), expected, 'one file that is tracked hides no other');
  });

  it('of a repository below a folder that is none is its own', async () => {
    const folder = makeWorkspace({
      'shop/app.js': 'It sells.\n',
      'shop/notes.md': 'For me.\n',
      'notes.md': 'For all.\n',
    });
    git(join(folder, 'shop'), 'init', '-q');
    writeFileSync(join(folder, 'shop/.git/info/exclude'), 'notes.md\n');
    assert.deepEqual((await listed(folder))[0], ['notes.md', 'shop/app.js']);
  });

  it('of a submodule is its own: it is searched like the rest', async () => {
    const [part, top] = [repository(), makeWorkspace({ 'main.js': 'It begins.\n', 'lib/a.js': 'It helps.\n' })];
    git(part, 'add', '-A');
    git(part, 'commit', '-qm', 'x');
    git(top, 'init', '-q');
    for (const place of ['lib/part', 'later']) git(top, 'submodule', 'add', '-q', part, place);
    git(top, 'submodule', 'deinit', '-q', '-f', 'later');
    writeFileSync(join(top, 'lib/part/app/diary.md'), 'For me.\n');
    mkdirSync(join(top, 'lib/part/build'), { recursive: true });
    writeFileSync(join(top, 'lib/part/build/out.js'), 'It is built.\n');
    const all = ['.gitmodules', 'later', 'lib/a.js', 'lib/part/.gitignore', 'lib/part/app/queue.js', 'main.js'];
    assert.deepEqual((await listed(top))[0], all);
    assert.deepEqual((await listed(join(top, 'lib')))[0], ['a.js', 'part/.gitignore', 'part/app/queue.js']);
    insteadOfGit('exit 1');
    assert.deepEqual(
      (await listed(top))[0],
      all.filter((path) => path !== 'later'),
    );
  });
});
