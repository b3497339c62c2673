import assert from 'node:assert/strict';
import { access, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PLAN } from './parts-plan.ts';
import { UserRepository } from './user-repository.ts';

const DIR = 'thought-trees/the-parts-make-a-whole';

interface StatusJson {
  readonly state: string;
  readonly offers?: readonly {
    readonly id: string;
    readonly ask: { readonly atom: string; readonly folder: string };
  }[];
  readonly nodes: readonly {
    readonly atom?: string;
    readonly group?: string;
    readonly selected?: string;
    readonly state?: string;
    readonly ready?: boolean;
    readonly word?: string;
  }[];
}

describe('a goal on the command line', () => {
  let user: UserRepository;
  let before: Map<string, string>;
  beforeEach(async () => {
    user = await UserRepository.make({ 'README.md': '# Parts\n', 'plan.yaml': PLAN });
    before = await user.fingerprint();
  });
  afterEach(() => user.remove());

  const begin = (...more: string[]) => user.cli('start', '--kind', 'work-graph', '--plan', 'plan.yaml', ...more);
  const status = async (dir = DIR): Promise<StatusJson> =>
    JSON.parse((await user.cli('status', dir, '--json')).stdout) as StatusJson;

  it('needs a git repository, and says so in a sentence before anything is made', async () => {
    await rm(join(user.folder, '.git'), { recursive: true });
    const { code, stdout, stderr } = await begin('--allow-commands');
    assert.equal(code, 2, stdout + stderr);
    assert.match(stderr, /Work graphs need a git repository, and .*workspace is in none: run `git init` there/);
    assert.deepEqual(await readdir(user.folder), ['README.md', 'mine.txt', 'plan.yaml']);
  });

  it('is reached by the commands of a plan, without a model, and changes nothing of the person until they accept', async () => {
    const { code, stdout, stderr } = await begin('--allow-commands');
    assert.equal(code, 0, stdout + stderr);
    assert.deepEqual(await user.fingerprint(), before);
    const { nodes } = await status();
    const atoms = new Map(
      nodes.flatMap(({ atom, state, ready, word }) => (atom ? [[atom, { state, ready, word }]] : [])),
    );
    for (const name of ['A1', 'A4', 'A5'])
      assert.deepEqual(atoms.get(name), { state: 'resolved', ready: false, word: 'verified' }, name);
    assert.equal(atoms.get('A2')?.state, 'resolved');
    assert.equal(atoms.get('A3')?.state, 'pending');
    assert.equal(nodes.find(({ group }) => group === 'third')?.selected, 'A4');
    const { stdout: shown } = await user.cli('show', DIR, 'A4');
    assert.match(shown, /Evidence +it is good · verified · 0 · [\da-f]{10}/);
    assert.match((await user.cli('diff', DIR, 'A4')).stdout, /\+good/);
    const tried = await user.cli('accept', DIR, '--dry-run');
    assert.match(tried.stdout, /\+good/);
    assert.deepEqual(await user.fingerprint(), before);
    const refused = await user.cli('accept', DIR);
    assert.equal(refused.code, 6, 'there is nobody to ask');
    assert.deepEqual(await user.fingerprint(), before);
    const accepted = await user.cli('accept', DIR, '--yes');
    assert.equal(accepted.code, 0, accepted.stderr);
    assert.equal(await user.read('whole.txt'), 'one\ntwo\ngood\n');
    const after = await user.fingerprint();
    assert.deepEqual(
      [...after.keys()].filter((path) => after.get(path) !== before.get(path)),
      ['one.txt', 'three.txt', 'two.txt', 'whole.txt'],
      'and nothing else, in .git neither',
    );
    assert.match(await readFile(join(user.folder, DIR, 'report.md'), 'utf8'), /whole/);
  });

  it('begins with what is not committed and prepares checkouts where the person says so', async () => {
    await user.write('.gitignore', 'ready\n');
    await user.write('plan.yaml', PLAN.replace('run: echo two', 'run: cat mine.txt ready && echo two'));
    before = await user.fingerprint();
    const flags = ['--with-uncommitted', '--set-up', 'echo ready > ready', '--parallel', '1'];
    const { code, stdout, stderr } = await begin('--allow-commands', ...flags);
    assert.equal(code, 0, stdout + stderr);
    assert.deepEqual(await user.fingerprint(), before);
    const { stdout: diff } = await user.cli('diff', DIR);
    assert.match(diff, /\+two/);
    assert.doesNotMatch(diff, /not committed|ready/, 'neither is work');
  });

  it('runs nothing that the person did not agree to, and says so', async () => {
    const { code, stderr } = await begin();
    assert.equal(code, 2);
    assert.match(stderr, /commands.*--allow-commands/);
    assert.deepEqual(await readdir(user.folder), ['.git', 'README.md', 'mine.txt', 'plan.yaml']);
  });

  it('asks again for a command that somebody changed, and not for one that was agreed to', async () => {
    await user.write('plan.yaml', PLAN.replace('echo two', 'sleep 60; echo two'));
    const { child, until, end } = user.start(
      'start',
      '--kind',
      'work-graph',
      '--plan',
      'plan.yaml',
      '--allow-commands',
      '--json',
    );
    await until((stdout) => stdout.includes('in-progress'));
    child.kill('SIGKILL');
    await end;
    const plan = await user.read(`${DIR}/plan.yaml`);
    for (const path of (await readdir(join(user.folder, DIR), { recursive: true })).filter((name) =>
      name.endsWith('node.json'),
    )) {
      const whole = join(user.folder, DIR, path);
      await writeFile(
        whole,
        (await readFile(whole, 'utf8')).replace('sleep 60; echo two', 'echo stolen > /tmp/stolen; echo two'),
      );
    }
    await writeFile(
      join(user.folder, DIR, 'plan.yaml'),
      plan.replace('sleep 60; echo two', 'echo stolen > /tmp/stolen; echo two'),
    );
    const resumed = await user.cli('resume', DIR);
    assert.notEqual(resumed.code, 0);
    assert.match(resumed.stdout + resumed.stderr, /stolen.*--allow-commands/s);
    await assert.rejects(access('/tmp/stolen'));
  });

  for (const [what, wrong, line] of [
    ['a path that leads out', PLAN.replace('[one.txt]', '[../one.txt]'), /plan\.yaml, line 12/],
    [
      'a circle',
      PLAN.replace('group: third, run: echo good', 'group: third, depends_on: A5, run: echo good'),
      /plan\.yaml, line 17: .*circle/,
    ],
    ['a name that is not there', PLAN.replace('[A1, A2, third]', '[A1, A9]'), /plan\.yaml, line \d+.*A9/],
    ['a key twice', PLAN.replace('goal:', 'goal: one\ngoal:'), /plan\.yaml, line 3/],
  ] as const)
    it(`is not begun with a plan that has ${what}; the line is named`, async () => {
      await user.write('plan.yaml', wrong);
      const { code, stderr } = await begin('--allow-commands');
      assert.ok(code === 1 || code === 2, String(code));
      assert.match(stderr, line);
      assert.ok(!(await readdir(user.folder)).includes('thought-trees'));
    });

  it('waits for a person where only one can do it, and checks what they did', async () => {
    await user.write(
      'plan.yaml',
      PLAN.replace(
        'title: Second part, run: echo two > two.txt,',
        'title: Second part, by: person, checks: [{ item: it says two, check: { command: grep -q two two.txt } }],',
      ),
    );
    const { code, stdout } = await begin('--allow-commands');
    assert.equal(code, 7, stdout);
    const [offer] = (await status()).offers ?? [];
    assert.equal(offer?.ask.atom, 'A2');
    assert.equal((await user.cli('take', DIR, offer.id, '--person')).code, 0);
    await writeFile(join(offer.ask.folder, 'two.txt'), 'two\n');
    const answers = JSON.stringify([{ offer: offer.id, result: { summary: 'Written by hand' } }]);
    const ended = await user.cli('answer', DIR, '--answers', answers, '--resume');
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    assert.ok((await status()).nodes.every(({ atom, state }) => !atom || atom === 'A3' || state === 'resolved'));
    assert.equal((await user.cli('accept', DIR, '--yes')).code, 0);
    assert.equal(await user.read('whole.txt'), 'one\ntwo\ngood\n');
  });
});
