import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitIn, landed, never, ran, stateOf, WorkPlace } from '../../support/work/work-place.ts';

describe('a worker in a checkout', () => {
  let place: WorkPlace;
  beforeEach(() => {
    place = new WorkPlace();
    place.commit({ 'a.txt': 'one\n', 'src/b.txt': 'two\n', '.gitignore': 'out/\n' });
  });

  it('has a clean repository of its own there, on a branch, without remotes and without our objects', async () => {
    const workshop = await place.begun();
    const { folder, base, isContinued } = await workshop.checkout('A1', never);
    assert.equal(isContinued, false);
    assert.equal(gitIn(folder, 'rev-parse', '--show-toplevel').trim(), folder);
    assert.equal(gitIn(folder, 'symbolic-ref', 'HEAD').trim(), 'refs/heads/work');
    assert.equal(gitIn(folder, 'rev-parse', 'HEAD').trim(), base);
    assert.equal(gitIn(folder, 'status', '--porcelain', '--ignored'), '');
    assert.equal(gitIn(folder, 'remote'), '');
    assert.equal(gitIn(folder, 'fsck', '--strict'), '');
    assert.ok(!existsSync(join(folder, '.git/objects/info/alternates')));
    const links = Object.values(linksIn(folder));
    assert.ok(links.length > 3 && links.every((each) => each === 1), 'no file has a second name elsewhere');
    assert.ok(!folder.startsWith(place.workspace));
  });

  it('installs hooks, filters, settings and attributes, and none of them has any effect', async () => {
    const workshop = await place.begun();
    const checkout = await workshop.checkout('A1', never);
    const { folder } = checkout;
    const trap = join(place.root, 'trap');
    writeFileSync(trap, `#!/bin/sh\ntouch '${place.root}/ran'\necho filtered\n`, { mode: 0o755 });
    mkdirSync(join(folder, '.git/hooks'), { recursive: true });
    for (const hook of ['pre-commit', 'post-index-change', 'reference-transaction', 'post-checkout'])
      writeFileSync(join(folder, '.git/hooks', hook), readFileSync(trap), { mode: 0o755 });
    const settings = {
      'core.fsmonitor': trap,
      'filter.f.clean': trap,
      'core.hooksPath': folder,
      'core.worktree': '/etc',
    };
    for (const [name, value] of Object.entries(settings)) gitIn(folder, 'config', name, value);
    place.write(
      { '.gitattributes': '* filter=f text eol=crlf ident merge=union\n', 'a.txt': '$Id$\r\nmine\n' },
      folder,
    );
    mkdirSync(join(folder, '.git/info'), { recursive: true });
    writeFileSync(join(folder, '.git/info/exclude'), '*\n');
    writeFileSync(join(folder, '.git/objects/info/alternates'), '/etc\n');
    const commit = (await checkout.commit('work')) as string;
    assert.equal(await workshop.fileAt(commit, 'a.txt'), '$Id$\r\nmine\n');
    // The attributes are part of the work, and still nothing is joined in their way.
    await landed(workshop, 'A2', (other) => writeFileSync(join(other, 'a.txt'), 'theirs\n'));
    const joined = await workshop.join({ base: checkout.base, commit }, 'work');
    assert.deepEqual(joined, { isJoined: false, conflicts: ['a.txt'] });
    await workshop.close();
    assert.ok(!existsSync(join(place.root, 'ran')));
  });

  it('makes folders too deep for any path, and they are removed all the same', async () => {
    const workshop = await place.begun();
    const checkout = await workshop.checkout('A1', never);
    const deep =
      'd=$(printf "d%.0s" $(seq 200)); i=0; while [ $i -lt 40 ]; do mkdir $d && chmod 700 . && cd -P ./$d || exit 3; i=$((i+1)); done; chmod 0 .';
    assert.equal((await ran(workshop, checkout, deep)).exitCode, 0);
    await checkout.remove();
    assert.ok(!existsSync(checkout.folder));
    const again = await workshop.checkout('A1', never);
    assert.equal(again.isContinued, false);
    assert.equal((await ran(workshop, again, deep)).exitCode, 0);
    workshop.finish();
    await workshop.close();
    assert.ok(!existsSync(again.folder));
  });

  it('gives a file a name that is no text, which is refused instead of taken by another name', async () => {
    const workshop = await place.begun();
    const checkout = await workshop.checkout('A1', never);
    assert.equal((await ran(workshop, checkout, String.raw`printf x > "$(printf '\377\376')"`)).exitCode, 0);
    await assert.rejects(checkout.commit('work'), { reason: 'outside', message: /not in UTF-8/ });
  });

  it('is refused where its folder, or its .git, is not the one that was made', async () => {
    const workshop = await place.begun();
    const elsewhere = join(place.root, 'elsewhere');
    const attempts: Record<string, (folder: string) => void> = {
      'a link to the workspace': (folder) => {
        renameSync(folder, `${folder}-away`);
        symlinkSync(place.workspace, folder);
      },
      'another folder': (folder) => {
        renameSync(folder, `${folder}-away`);
        mkdirSync(folder);
      },
      'nothing at all': (folder) => rmSync(folder, { recursive: true }),
      '.git as a link': (folder) => {
        rmSync(join(folder, '.git'), { recursive: true });
        symlinkSync(join(place.workspace, '.git'), join(folder, '.git'));
      },
      '.git as a file': (folder) => {
        rmSync(join(folder, '.git'), { recursive: true });
        writeFileSync(join(folder, '.git'), `gitdir: ${place.workspace}/.git\n`);
      },
      '.git of a work tree': (folder) => writeFileSync(join(folder, '.git/commondir'), `${place.workspace}/.git\n`),
    };
    mkdirSync(elsewhere);
    const before = stateOf(place.workspace);
    await workshop.consent(['true'], never);
    for (const [what, attempt] of Object.entries(attempts)) {
      const name = what.replace(/\W+/g, '-');
      const checkout = await workshop.checkout(name, never);
      attempt(checkout.folder);
      await assert.rejects(checkout.commit('work'), { reason: 'outside' }, what);
      await assert.rejects(checkout.run({ line: 'true', rights: 'write', timeoutMs: 100_000 }, never), {
        reason: 'outside',
      });
      assert.equal((await workshop.checkout(name, never)).isContinued, false, `${what}: a new one takes its place`);
    }
    assert.deepEqual(stateOf(place.workspace), before);
  });

  it('makes links, which are taken as links and never followed', async () => {
    const workshop = await place.begun();
    const secret = join(place.root, 'secret.txt');
    writeFileSync(secret, 'secret\n');
    const commit = await landed(workshop, 'A1', (folder) => {
      symlinkSync(secret, join(folder, 'leak.txt'));
      rmSync(join(folder, 'src'), { recursive: true });
      symlinkSync(place.root, join(folder, 'src'));
    });
    assert.deepEqual(await workshop.pathsAt(commit), ['.gitignore', 'a.txt', 'leak.txt', 'src']);
    assert.equal(await workshop.fileAt(commit, 'leak.txt'), undefined);
    assert.ok(!(await workshop.diff((await workshop.start()) as string, commit)).text.includes('secret\n'));
    const next = await workshop.checkout('A2', never);
    assert.equal(readFileSync(join(next.folder, 'leak.txt'), 'utf8'), 'secret\n', 'it is a link there, too');
    // Whoever works there now makes a folder in the link's place: nothing may arrive behind the link.
    rmSync(join(next.folder, 'src'));
    place.write({ 'src/planted.txt': 'planted\n' }, next.folder);
    assert.deepEqual(
      (await workshop.diff(commit, (await next.commit('w')) as string)).files.map(({ path }) => path),
      ['src', 'src/planted.txt'],
    );
    assert.ok(!existsSync(join(place.root, 'planted.txt')));
  });

  it('cannot hide work in a repository inside, in names of git, or among the files of the search', async () => {
    const workshop = await place.begun();
    const checkout = await workshop.checkout('A1', never);
    place.write({ 'inner/x.txt': 'x\n' }, checkout.folder);
    gitIn(join(checkout.folder, 'inner'), 'init', '-q');
    gitIn(join(checkout.folder, 'inner'), 'add', '-A');
    gitIn(join(checkout.folder, 'inner'), 'commit', '-qm', 'x');
    await assert.rejects(checkout.commit('work'), { reason: 'outside', message: /inner is a repository of its own/ });
    rmSync(join(checkout.folder, 'inner/.git'), { recursive: true });
    const commit = (await checkout.commit('work')) as string;
    assert.equal(await workshop.fileAt(commit, 'inner/x.txt'), 'x\n');
    place.write({ 'thought-trees/goal/.search/journal.jsonl': '{}\n' }, checkout.folder);
    await assert.rejects(checkout.commit('work'), { reason: 'outside', message: /belongs to the search/ });
    for (const name of ['..', '../x', 'a/b', '', '.', 'a b', 'x'.repeat(200)])
      await assert.rejects(workshop.checkout(name, never), { reason: 'bad-input' });
  });

  it('leaves pipes, rights and odd names, and is removed all the same', async () => {
    const workshop = await place.begun();
    const checkout = await workshop.checkout('A1', never);
    const { execFileSync } = await import('node:child_process');
    execFileSync('mkfifo', [join(checkout.folder, 'pipe')]);
    place.write(
      { 'line\nbreak.txt': 'x\n', 'tab\t.txt': 'y\n', '-rf': 'z\n', ':(glob)*': 'w\n', 'ü.txt': 'ü\n' },
      checkout.folder,
    );
    const commit = (await checkout.commit('work')) as string;
    const paths = await workshop.pathsAt(commit);
    for (const path of ['line\nbreak.txt', 'tab\t.txt', '-rf', ':(glob)*', 'ü.txt'])
      assert.ok(paths.includes(path), path);
    const { files } = await workshop.diff(checkout.base, commit);
    assert.deepEqual(
      files.map(({ added }) => added),
      [1, 1, 1, 1, 1],
    );
    mkdirSync(join(checkout.folder, 'shut/inner'), { recursive: true });
    execFileSync('chmod', ['000', join(checkout.folder, 'shut')]);
    await checkout.remove();
    assert.ok(!existsSync(checkout.folder));
  });
});

/** How many names each file in a folder has. */
function linksIn(folder: string): Record<string, number> {
  const { globSync, lstatSync } = process.getBuiltinModule('node:fs');
  const files = globSync('**/*', { cwd: folder, exclude: () => false }).concat(globSync('.git/**/*', { cwd: folder }));
  const all = files.map((path) => [path, lstatSync(join(folder, path))] as const).filter(([, about]) => about.isFile());
  return Object.fromEntries(all.map(([path, about]) => [path, about.nlink]));
}
