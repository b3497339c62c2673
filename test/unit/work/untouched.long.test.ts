import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertGit } from '../../../src/work/open-workshop.ts';
import { gitIn, landed, never, pathWithout, ran, stateOf, WorkPlace } from '../../support/work/work-place.ts';

/** A program that says that it ran. */
function trap(place: WorkPlace, name: string): string {
  const file = join(place.root, `trap-${name}`);
  writeFileSync(file, `#!/bin/sh\ntouch '${place.root}/ran-${name}'\ncat\n`);
  chmodSync(file, 0o755);
  return file;
}

function trapped(place: WorkPlace): string[] {
  const names = ['fsmonitor', 'filter', 'hook', 'diff', 'textconv', 'ssh', 'alias', 'merge', 'attr', 'worker', 'sub'];
  return names.filter((name) => existsSync(join(place.root, `ran-${name}`)));
}

describe('the repository of the person', () => {
  it('is never written and runs nothing, whatever its settings name', async () => {
    const place = new WorkPlace();
    place.commit({ 'a.txt': 'one\n', 'b.dat': 'data\n', '.gitattributes': '*.dat filter=evil diff=evil merge=evil\n' });
    const set = (name: string, value: string): string => place.git('config', name, value);
    set('core.fsmonitor', trap(place, 'fsmonitor'));
    set('filter.evil.clean', trap(place, 'filter'));
    set('filter.evil.smudge', trap(place, 'filter'));
    set('filter.evil.process', trap(place, 'filter'));
    set('filter.evil.required', 'true');
    set('diff.evil.command', trap(place, 'diff'));
    set('diff.evil.textconv', trap(place, 'textconv'));
    set('diff.external', trap(place, 'diff'));
    set('merge.evil.driver', trap(place, 'merge'));
    set('merge.default', 'evil');
    set('core.sshCommand', trap(place, 'ssh'));
    set('core.alternateRefsCommand', trap(place, 'attr'));
    set('remote.origin.url', 'ssh://example.org/x');
    set('remote.origin.promisor', 'true');
    set('extensions.partialClone', 'origin');
    set('alias.rev-parse', `!${trap(place, 'alias')}`);
    set('commit.gpgSign', 'true');
    set('gpg.program', trap(place, 'alias'));
    for (const hook of ['post-checkout', 'pre-commit', 'reference-transaction', 'post-index-change', 'post-commit'])
      writeFileSync(join(place.workspace, '.git', 'hooks', hook), readFileSync(trap(place, 'hook')), { mode: 0o755 });
    place.write({ 'b.dat': 'changed\n', 'new.dat': 'new\n' });
    const before = stateOf(place.workspace);
    const workshop = await place.open();
    assert.deepEqual(await workshop.uncommitted(), ['b.dat', 'new.dat']);
    await workshop.begin({ withUncommitted: true }, never);
    const checkout = await workshop.checkout('A1', never);
    assert.equal(readFileSync(join(checkout.folder, 'b.dat'), 'utf8'), 'changed\n');
    await ran(workshop, checkout, 'echo more >> b.dat; git status; git log');
    const commit = (await checkout.commit('work')) as string;
    await landed(workshop, 'A2', (folder) => writeFileSync(join(folder, 'a.txt'), 'two\n'));
    const joined = await workshop.join({ base: checkout.base, commit }, 'work');
    assert.ok(joined.isJoined);
    await workshop.diff(checkout.base, joined.commit);
    await workshop.close();
    assert.deepEqual(stateOf(place.workspace), before);
    assert.deepEqual(trapped(place), []);
  });

  it('keeps its index, branch, settings and hooks byte for byte when work is accepted', async () => {
    const place = new WorkPlace();
    place.commit({ 'a.txt': 'one\n', 'gone.txt': 'x\n' });
    place.write({ 'staged.txt': 'staged\n' });
    place.git('add', 'staged.txt');
    const before = stateOf(join(place.workspace, '.git'));
    const workshop = await place.begun();
    await landed(workshop, 'A1', (folder) => {
      writeFileSync(join(folder, 'a.txt'), 'two\n');
      rmSync(join(folder, 'gone.txt'));
    });
    await workshop.accept(never);
    assert.deepEqual(stateOf(join(place.workspace, '.git')), before);
    assert.equal(place.git('status', '--porcelain'), ' M a.txt\n D gone.txt\nA  staged.txt\n');
  });

  it('may be a work tree of another one, and have its objects elsewhere', async () => {
    const place = new WorkPlace();
    place.commit({ 'a.txt': 'one\n' });
    const linked = join(place.root, 'linked');
    place.git('worktree', 'add', '-q', '-b', 'other', linked);
    writeFileSync(join(linked, 'a.txt'), 'two\n');
    gitIn(linked, 'commit', '-qam', 'second');
    const borrowed = join(place.root, 'borrowed');
    gitIn(place.root, 'clone', '-q', '--shared', linked, borrowed);
    for (const workspace of [linked, borrowed]) {
      const before = stateOf(workspace);
      const workshop = await place.open({ workspace, folder: join(place.state, workspace.slice(-6)) });
      await workshop.begin({ withUncommitted: false }, never);
      const tip = (await workshop.tip()) as string;
      assert.equal(await workshop.fileAt(tip, 'a.txt'), 'two\n');
      assert.deepEqual(stateOf(workspace), before);
    }
  });

  it('may be above the workspace', async () => {
    const place = new WorkPlace('repo/app/web');
    const top = join(place.root, 'repo');
    gitIn(top, 'init', '-q');
    const files = { 'app/web/a.txt': 'one\n', 'other.txt': 'x\n', '.gitignore': '/app/web/out\nnode_modules\n*.log\n' };
    place.write(files, top);
    gitIn(top, 'add', '-A');
    gitIn(top, 'commit', '-qm', 'first');
    place.write({ 'new.txt': 'n\n', 'out/x': 'built\n', 'node_modules/m/index.js': 'm\n' });
    writeFileSync(join(top, 'other.txt'), 'changed\n');
    const before = stateOf(top);
    const workshop = await place.open();
    assert.deepEqual(await workshop.uncommitted(), ['new.txt']);
    const start = await workshop.begin({ withUncommitted: true }, never);
    assert.deepEqual(await workshop.pathsAt(start), ['a.txt', 'new.txt']);
    const checkout = await workshop.checkout('A1', never);
    place.write({ 'out/y': '1', 'node_modules/z': '1', 'b.log': '1', 'b.txt': 'b\n' }, checkout.folder);
    const commit = (await checkout.commit('work')) as string;
    assert.deepEqual(
      (await workshop.diff(start, commit)).files.map(({ path }) => path),
      ['b.txt'],
    );
    assert.deepEqual(stateOf(top), before);
  });

  it('may know nothing of the workspace', async () => {
    const place = new WorkPlace('repo/new');
    const top = join(place.root, 'repo');
    gitIn(top, 'init', '-q');
    place.write({ '.gitignore': '/ignored\n', 'x.txt': 'x\n' }, top);
    gitIn(top, 'add', '.gitignore', 'x.txt');
    gitIn(top, 'commit', '-qm', 'first');
    place.write({ 'a.txt': 'a\n' });
    const workshop = await place.open();
    assert.deepEqual(await workshop.uncommitted(), ['a.txt']);
    assert.deepEqual(await workshop.pathsAt(await workshop.begin({ withUncommitted: true }, never)), ['a.txt']);
  });

  it('is needed: without one, or without git, it is said what to do', async () => {
    const place = new WorkPlace('repo/ignored');
    const top = join(place.root, 'repo');
    const refused = { reason: 'bad-input', message: /need a git repository.*in none: run `git init` there, commit/ };
    await assert.rejects(place.open(), refused);
    await assert.rejects(assertGit(place.workspace), refused);
    gitIn(top, 'init', '-q');
    await assertGit(place.workspace);
    place.write({ '.gitignore': '/ignored\n' }, top);
    await assert.rejects(assertGit(place.workspace), refused, 'what a repository ignores is in none');
    place.git('init', '-q');
    await assertGit(place.workspace);
    const without = {
      reason: 'bad-input',
      message: /need git, which was not found: install git 2\.38 .*`git init` in /,
    };
    await assert.rejects(place.open({ searchPath: pathWithout('git') }), without);
    await assert.rejects(assertGit(place.workspace, pathWithout('git')), without);
  });

  it('is looked at when the work begins, not before', async () => {
    const place = new WorkPlace();
    place.commit({ 'a.txt': 'one\n' });
    const workshop = await place.open();
    place.write({ 'a.txt': 'two\n' });
    place.git('commit', '-qam', 'second');
    assert.deepEqual(await workshop.uncommitted(), []);
    const start = await workshop.begin({ withUncommitted: false }, never);
    assert.equal(await workshop.fileAt(start, 'a.txt'), 'two\n');
    place.write({ 'a.txt': 'three\n' });
    place.git('commit', '-qam', 'third');
    assert.equal(await workshop.begin({ withUncommitted: false }, never), start, 'once');
  });

  it('that lacks files of its last commit is refused, and nothing is fetched', async () => {
    const place = new WorkPlace();
    place.commit({ 'a.txt': 'one\n' });
    const partial = join(place.root, 'partial');
    place.git('config', 'uploadpack.allowFilter', 'true');
    gitIn(place.root, 'clone', '-q', '--no-checkout', '--filter=blob:none', `file://${place.workspace}`, partial);
    const workshop = await place.open({ workspace: partial });
    await assert.rejects(workshop.begin({ withUncommitted: false }, never), {
      reason: 'bad-input',
      message: /partial clone/,
    });
  });

  it('may have no commit, other hashes, submodules, and files of Git LFS', async () => {
    const unborn = new WorkPlace();
    unborn.git('init', '-q');
    unborn.write({ 'a.txt': 'a\n' });
    const first = await unborn.open();
    assert.deepEqual(await first.uncommitted(), ['a.txt']);
    assert.deepEqual(await first.pathsAt(await first.begin({ withUncommitted: false }, never)), []);

    const long = new WorkPlace();
    long.commit({ 'a.txt': 'a\n' }, '--object-format=sha256');
    const second = await long.begun();
    assert.equal((await landed(second, 'A1', (folder) => writeFileSync(join(folder, 'b'), 'b'))).length, 64);

    const whole = new WorkPlace();
    const inner = new WorkPlace();
    inner.commit({ 'in.txt': 'in\n' });
    const content = 'large content\n';
    const oid = createHash('sha256').update(content).digest('hex');
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${content.length}\n`;
    whole.commit({ 'a.txt': 'a\nb\n', 'big.bin': pointer });
    whole.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner.workspace, 'lib/inner');
    whole.git('commit', '-qam', 'with a submodule');
    // As a checkout with filters and other line ends leaves them.
    whole.write({ 'big.bin': content, 'a.txt': 'a\r\nb\r\n' });
    writeFileSync(join(whole.workspace, 'lib/inner/in.txt'), 'changed\n');
    gitIn(join(whole.workspace, 'lib/inner'), 'config', 'core.fsmonitor', trap(whole, 'sub'));
    const third = await whole.open();
    assert.deepEqual(await third.uncommitted(), []);
    assert.deepEqual(await third.leftOut(), ['lib/inner']);
    const start = await third.begin({ withUncommitted: false }, never);
    assert.deepEqual(await third.pathsAt(start), ['.gitmodules', 'a.txt', 'big.bin']);
    assert.deepEqual(trapped(whole), []);
    const checkout = await third.checkout('A1', never);
    whole.write({ 'lib/inner/new.txt': 'x\n' }, checkout.folder);
    await assert.rejects(checkout.commit('work'), { reason: 'outside', message: /lib\/inner\/new\.txt.*submodule/ });
    await landed(third, 'A2', (folder) => writeFileSync(join(folder, 'a.txt'), 'a\nb\nc\n'));
    await third.accept(never);
    assert.equal(whole.read('a.txt'), 'a\r\nb\r\nc\r\n', 'line ends stay as the person has them');
  });
});

describe('uncommitted changes', () => {
  it('are named, and taken only if the person wants that, without their index and without secrets', async () => {
    const make = (): WorkPlace => {
      const place = new WorkPlace();
      place.commit({
        'a.txt': 'a\n',
        'b.txt': 'b\n',
        'c.sh': '#!/bin/sh\n',
        'sub/.env': 'TRACKED=1\n',
        '.gitignore': 'out\n',
      });
      place.write({
        'a.txt': 'changed\n',
        'new.txt': 'new\n',
        '.env': 'KEY=1\n',
        'sub/.env': 'TRACKED=2\n',
        'out/x': 'x',
      });
      rmSync(join(place.workspace, 'b.txt'));
      chmodSync(join(place.workspace, 'c.sh'), 0o755);
      symlinkSync('/etc/passwd', join(place.workspace, 'link'));
      place.write({ 'thought-trees/goal/search.json': '{}' });
      place.git('add', 'new.txt');
      return place;
    };
    const place = make();
    const before = stateOf(place.workspace);
    const without = await place.open();
    assert.deepEqual(await without.uncommitted(), ['a.txt', 'b.txt', 'c.sh', 'link', 'new.txt', 'sub/.env']);
    const start = await without.begin({ withUncommitted: false }, never);
    assert.deepEqual(await without.pathsAt(start), ['.gitignore', 'a.txt', 'b.txt', 'c.sh', 'sub/.env']);
    assert.equal(await without.fileAt(start, 'a.txt'), 'a\n');
    assert.deepEqual(stateOf(place.workspace), before);

    const other = make();
    const all = await other.begun({}, true);
    const tip = (await all.tip()) as string;
    assert.deepEqual(await all.pathsAt(tip), ['.gitignore', 'a.txt', 'c.sh', 'link', 'new.txt', 'sub/.env']);
    assert.equal(await all.fileAt(tip, 'sub/.env'), 'TRACKED=2\n');
    const checkout = await all.checkout('A1', never);
    assert.match((await ran(all, checkout, 'ls -l c.sh link')).output, /^-rwx.*c\.sh\nl.*link -> \/etc\/passwd/);
  });
});
