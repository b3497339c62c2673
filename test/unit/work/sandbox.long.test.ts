import assert from 'node:assert/strict';
import { existsSync, mkdirSync, promises, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { LONGEST_OUTPUT } from '../../../src/core/ports/workshop.ts';
import { bubblewrapArguments, type Held, hiddenOfHome, seatbeltProfile } from '../../../src/work/commands/sandbox.ts';
import { secretPlacesIn } from '../../../src/work/commands/secret-files.ts';
import { never, pathWithout, ran, repository, stateOf, WorkPlace } from '../../support/work/work-place.ts';
import { startProcess } from '../store/support/other-process.ts';

for (const [how, without] of [
  ['in the sandbox', []],
  ['without a sandbox', ['bwrap']],
] as const)
  describe(`a command that ${how} runs wild`, () => {
    let searchPath: string | undefined;
    before(async function () {
      if (without.length === 0) await needSandbox(this);
      else searchPath = pathWithout(...without);
    });
    const begun = async (place: WorkPlace) => {
      const workshop = await place.begun({ searchPath });
      assert.equal(workshop.isolation.sandbox, without.length > 0 ? undefined : 'bubblewrap');
      return { workshop, checkout: await workshop.checkout('A1', never) };
    };

    it('is ended when its time is over, with all that it started', async () => {
      const { workshop, checkout } = await begun(repository());
      const away = `(setsid sh -c 'exec sleep 987654' >/dev/null 2>&1 &) ; sleep 987654 & sleep 987654`;
      const { exitCode, stopped, ms } = await ran(workshop, checkout, away, 1500);
      assert.deepEqual([exitCode, stopped], [undefined, 'time']);
      assert.ok(ms < 15_000);
      assert.deepEqual(sleepers(), []);
    });

    it('leaves nothing behind where it ends by itself', async () => {
      const { workshop, checkout } = await begun(repository());
      const { exitCode } = await ran(workshop, checkout, `(setsid sleep 987655 &) ; sleep 987655 & echo done`);
      assert.equal(exitCode, 0);
      assert.deepEqual(sleepers(), []);
    });

    it('is bounded however many processes it starts', async () => {
      const { workshop, checkout } = await begun(repository());
      const many = `i=0; while [ $i -lt 150 ]; do i=$((i+1)); (setsid sleep 987656 >/dev/null 2>&1 &) ; done; sleep 987656`;
      assert.equal((await ran(workshop, checkout, many, 2500)).stopped, 'time');
      assert.deepEqual(sleepers(), []);
    });

    it('ends with a process that is killed, at the latest when the work is opened again', async () => {
      const place = repository();
      const line = `(setsid sleep 987658 >/dev/null 2>&1 &) ; sleep 987658 & touch started; sleep 987658`;
      const parent = startProcess(`
        const { openWorkshop } = await load('work/open-workshop.ts');
        const never = new AbortController().signal;
        const workshop = await openWorkshop({
          workspace: ${JSON.stringify(place.workspace)}, ownFolder: 'thought-trees/goal',
          folder: ${JSON.stringify(join(place.state, 'work', 'search'))}, hidden: [],
          locks: ${JSON.stringify(join(place.state, 'accepting'))},
      consent: { isAllowed: () => true, ask: async () => true }, hasNetwork: false,
          redact: async (text) => text, isSecret: () => false, searchPath: ${JSON.stringify(searchPath)},
        });
        await workshop.begin({ withUncommitted: false }, never);
        const checkout = await workshop.checkout('A1', never);
        say(checkout.folder);
        await checkout.run({ line: ${JSON.stringify(line)}, rights: 'write', timeoutMs: 100_000 }, never);
      `);
      const folder = (await parent.line()) as string;
      while (!existsSync(join(folder, 'started'))) await new Promise((done) => setTimeout(done, 20));
      parent.signal('SIGKILL');
      await parent.ended;
      const { workshop } = await begun(place);
      assert.equal(await workshop.hasCheckout('A1'), true);
      assert.deepEqual(sleepers(), []);
    });

    it('is ended if it writes too much, and stopped with the search', async () => {
      const { workshop, checkout } = await begun(repository());
      const flood = await ran(workshop, checkout, 'yes 0123456789012345678901234567890123456789');
      assert.deepEqual([flood.exitCode, flood.stopped], [undefined, 'output']);
      assert.equal(flood.output.length, LONGEST_OUTPUT);
      const stop = new AbortController();
      const line = 'echo started > started; sleep 987657';
      await workshop.consent([line], never);
      const running = checkout.run({ line, rights: 'write', timeoutMs: 100_000 }, stop.signal);
      while (!existsSync(join(checkout.folder, 'started'))) await new Promise((done) => setTimeout(done, 20));
      stop.abort();
      assert.deepEqual([(await running).stopped, sleepers()], ['search', []]);
    });
  });

describe('the sandbox', () => {
  before(async function () {
    await needSandbox(this);
  });

  it('keeps a command from writing anywhere else, from the network, and from what is only the person’s', async () => {
    const place = repository();
    place.write({ '.env': 'KEY=of-the-person\n', 'thought-trees/goal/plan.yaml': 'x\n' });
    writeFileSync(join(place.state, 'request-key'), 'key-of-state');
    const home = join(place.root, 'person');
    mkdirSync(join(home, '.ssh'), { recursive: true });
    writeFileSync(join(home, '.ssh/id_rsa'), 'key-of-ssh');
    writeFileSync(join(home, '.netrc'), 'key-of-netrc');
    const { HOME } = process.env;
    process.env['HOME'] = home;
    try {
      const workshop = await place.begun();
      assert.equal(workshop.isolation.sandbox, 'bubblewrap');
      const checkout = await workshop.checkout('A1', never);
      const other = await workshop.checkout('A2', never);
      const before = [
        stateOf(place.workspace),
        stateOf(place.state, (path) => /checkouts\/A1|scratch/.test(path)),
        stateOf(home),
      ];
      const targets = [
        place.workspace,
        place.root,
        place.state,
        other.folder,
        home,
        '/etc',
        '/usr',
        '/opt',
        '/dev/shm/..',
      ];
      const writes = targets.map((folder) => `echo x > '${folder}/planted'; ln -s x '${folder}/planted-link'`);
      const hidden = [`${place.state}/request-key`, `${home}/.ssh/id_rsa`, `${home}/.netrc`, `${place.workspace}/.env`];
      const reads = hidden.map((file) => `cat '${file}'`);
      const links = `ln -s '${place.workspace}' out-link; echo x > out-link/a.txt; ln -s /etc/passwd p; echo x >> p`;
      const mounts = 'mount -o remount,rw / ; mount -o remount,rw,bind / ; umount /tmp; chroot / true; unshare -r true';
      const net = `exec 3<>/dev/tcp/1.1.1.1/53 && echo connected; ls /run/*.sock /var/run/docker.sock`;
      const line = [...writes, ...reads, links, mounts, `bash -c '${net}'`, 'echo own > mine.txt'].join('; ');
      const { exitCode, output, strayed } = await ran(workshop, checkout, line);
      assert.equal(exitCode, 0);
      assert.deepEqual(strayed, []);
      assert.doesNotMatch(output, /of-the-person|key-of|connected|\.sock$/m);
      const after = [
        stateOf(place.workspace),
        stateOf(place.state, (path) => /checkouts\/A1|scratch/.test(path)),
        stateOf(home),
      ];
      assert.deepEqual(after, before);
      assert.ok(!existsSync('/etc/planted') && !existsSync('/usr/planted') && !existsSync(join(place.root, 'planted')));
      assert.equal(readFileSync(join(checkout.folder, 'mine.txt'), 'utf8'), 'own\n');
    } finally {
      process.env['HOME'] = HOME;
    }
  });

  it('shows nothing of the settings of the repository, whose addresses may hold tokens', async () => {
    const place = repository();
    place.git('remote', 'add', 'origin', 'https://me:hunter2@example.org/a');
    place.git('worktree', 'add', '-q', join(place.root, 'further'));
    const read =
      'cat "$THOUGHT_TREE_WORKSPACE/.git/config"; cd "$THOUGHT_TREE_WORKSPACE" && git config --get remote.origin.url; git status';
    for (const workspace of [place.workspace, join(place.root, 'further')]) {
      const workshop = await place.begun({ workspace, folder: join(place.state, 'work', workspace.slice(-7)) });
      const { output } = await ran(workshop, await workshop.checkout('A1', never), read);
      assert.doesNotMatch(output, /hunter2/);
    }
  });

  it('shows no secrets of the workspace, however deep, but what is installed', async () => {
    const place = repository();
    const secret = [
      '.env',
      'a/b/c/d/e/f/.env',
      '.secrets/prod.txt',
      'a/b/c/d/e/.hidden/x',
      '.venv/lib/.env',
      'sub/.git/config',
    ];
    const many = Array.from({ length: 60 }, (_, i) => `many/${i}.pem`);
    const plain = ['a/b/c/d/e/f/plain.txt', '.venv/bin/tool', 'node_modules/x/index.js', '.yarn/cache/x'];
    place.write(Object.fromEntries([...secret, ...many].map((path) => [path, 'hunter2\n'])));
    place.write(Object.fromEntries(plain.map((path) => [path, `seen ${path}\n`])));
    symlinkSync('many/0.pem', join(place.workspace, 'link.pem'));
    const isSecret = (path: string): boolean => /(^|\/)\.env$|\.pem$|(^|\/)\.[^/]+\//.test(path);
    for (const folder of [undefined, join(place.state, 'other')]) {
      const workshop = await place.begun({ isSecret, ...(folder && { folder }) });
      const paths = [...secret, ...many, 'link.pem', ...plain].map((path) => `"$THOUGHT_TREE_WORKSPACE/${path}"`);
      const { output } = await ran(workshop, await workshop.checkout('A1', never), `cat ${paths.join(' ')}`);
      assert.doesNotMatch(output, /hunter2/);
      for (const path of plain) assert.ok(output.includes(`seen ${path}`), path);
    }
    const { folders } = await secretPlacesIn(place.workspace, isSecret, 1);
    assert.ok(folders.includes(join(place.workspace, 'a')), 'what is not looked at is hidden');
  });

  it('runs where a file of secrets goes while it is looked for', async () => {
    const place = repository();
    place.write({ '.env': 'hunter2\n' });
    const workshop = await place.begun();
    const checkout = await workshop.checkout('A1', never);
    const { realpath } = promises;
    const thenGone = async (path: string): Promise<string> => {
      const found = await realpath(path);
      if (path === join(place.workspace, '.env')) rmSync(path);
      return found;
    };
    Object.assign(promises, { realpath: thenGone });
    syncBuiltinESMExports();
    try {
      const { exitCode, output } = await ran(workshop, checkout, 'echo fine');
      assert.deepEqual([exitCode, output], [0, 'fine\n']);
      assert.ok(!existsSync(join(place.workspace, '.env')), 'it went while it was looked for');
    } finally {
      Object.assign(promises, { realpath });
      syncBuiltinESMExports();
    }
  });

  it('that cannot be made gives no answer, not even that of a command that fails', async () => {
    const workshop = await repository().begun();
    const checkout = await workshop.checkout('A1', never);
    rmSync(join(checkout.folder, '..', 'home'), { recursive: true });
    await assert.rejects(ran(workshop, checkout, 'true'), { reason: 'not-found', message: /could not be started/ });
  });

  it('sees the same paths where what it writes is thrown away, and other machines only if a person allowed that', async () => {
    const place = repository();
    const line = 'pwd; cat /proc/net/dev | grep -c :';
    const counts: number[] = [];
    for (const hasNetwork of [false, true]) {
      const folder = join(place.state, `work-${hasNetwork}`);
      const workshop = await place.begun({ hasNetwork, folder });
      const checkout = await workshop.checkout('A1', never);
      await workshop.consent([line], never);
      const { output } = await checkout.run({ line, rights: 'read', timeoutMs: 100_000 }, never);
      assert.ok(output.startsWith(`${checkout.folder}\n`), output);
      counts.push(Number(output.trim().split('\n').at(-1)));
    }
    assert.equal(counts[0], 1, 'only itself');
    assert.ok((counts[1] as number) >= 1);
  });

  it('is described to bubblewrap and to sandbox-exec in their own terms', async () => {
    const held: Held = {
      folder: '/s/work',
      home: '/s/home',
      temporary: '/s/tmp',
      empty: '/s/empty',
      seenAs: { folder: '/c/work', home: '/c/home', temporary: '/tmp' },
      workspace: '/tmp/w',
      hidden: ['/h/.ssh', '/tmp/w/.dot'],
      emptied: ['/h/.netrc'],
      shown: ['/h/.nvm'],
      hasNetwork: false,
    };
    const words = bubblewrapArguments(held).join(' ');
    for (const part of [
      '--unshare-net',
      '--cap-drop ALL',
      '--tmpfs /h/.ssh --ro-bind /tmp/w /tmp/w --tmpfs /tmp/w/.dot --ro-bind /h/.nvm /h/.nvm',
      '--die-with-parent',
    ])
      assert.ok(words.includes(part), part);
    assert.ok(
      words.endsWith('--ro-bind /s/empty /h/.netrc --bind /s/home /c/home --bind /s/work /c/work --chdir /c/work'),
    );
    assert.ok(words.includes('--ro-bind /tmp/w /tmp/w'), 'it would be hidden with the temporary files');
    assert.ok(!bubblewrapArguments({ ...held, hasNetwork: true }).includes('--unshare-net'));
    assert.deepEqual(seatbeltProfile({ ...held, folder: '/s/a"b\\c' }).split('\n'), [
      '(version 1)',
      '(allow default)',
      '(deny file-write*)',
      '(deny file-read* (subpath "/h/.ssh") (subpath "/tmp/w/.dot") (literal "/h/.netrc"))',
      '(allow file-read* (subpath "/h/.nvm"))',
      '(allow file-read* file-write* (subpath "/s/a\\"b\\\\c") (subpath "/s/home") (subpath "/s/tmp"))',
      '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/stdout") (literal "/dev/stderr"))',
      '(deny network*)',
    ]);
  });

  it('hides the dot files of a home, and shows its tools', async () => {
    const { root } = new WorkPlace();
    for (const folder of ['.ssh', '.nvm/versions', '.config/gh', '.cargo/bin', '.local/state', '.tool/bin', 'projects'])
      mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, '.netrc'), '');
    const { hidden, emptied, shown } = await hiddenOfHome([join(root, '.tool/bin'), '/usr/bin'], root);
    const names = ['.cargo', '.config', '.local', '.nvm', '.ssh', '.tool'];
    assert.deepEqual(
      [...hidden].sort(),
      names.map((name) => join(root, name)),
    );
    assert.deepEqual(emptied, [join(root, '.netrc')]);
    assert.deepEqual(
      shown,
      ['.nvm', '.cargo/bin', '.tool/bin'].map((name) => join(root, name)),
    );
  });
});

describe('without a sandbox', () => {
  it('what changed in the workspace meanwhile is found and told', async () => {
    const place = repository();
    place.write({ 'thought-trees/goal/.search/journal.jsonl': '' });
    const workshop = await place.begun({ searchPath: pathWithout('bwrap') });
    assert.equal(workshop.isolation.sandbox, undefined);
    const checkout = await workshop.checkout('A1', never);
    const clean = await ran(workshop, checkout, 'echo x > own.txt; git add -A; cat "$THOUGHT_TREE_WORKSPACE/a.txt"');
    assert.deepEqual(clean.strayed, []);
    const w = '"$THOUGHT_TREE_WORKSPACE"';
    const line = `echo x >> ${w}/a.txt; echo y > ${w}/new.txt; rm ${w}/.gitignore; echo z > ${w}/.git/hooks/pre-commit; echo >> ${w}/thought-trees/goal/.search/journal.jsonl`;
    const { strayed } = await ran(workshop, checkout, line);
    assert.deepEqual([...strayed].sort(), ['.git/hooks/pre-commit', '.gitignore', 'a.txt', 'new.txt']);
  });
});

/** What these tests need must be there where all tests run; elsewhere it is said that they cannot. */
async function needSandbox(context: Mocha.Context): Promise<void> {
  if ((await repository().begun()).isolation.sandbox !== undefined) return;
  const needed = 'These tests need a sandbox that works: apt-get install bubblewrap';
  assert.equal(process.env['CI'], undefined, needed);
  process.stderr.write(`${needed}\n`);
  context.skip();
}

/** Processes of these tests that are still running. */
function sleepers(): string[] {
  const { readdirSync } = process.getBuiltinModule('node:fs');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return /sleep\0(98765\d)/.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1'));
      } catch {
        return false;
      }
    });
}
