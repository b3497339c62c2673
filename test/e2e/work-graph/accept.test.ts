import assert from 'node:assert/strict';
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { effort } from '../../support/effort.ts';
import { reached, searchOf } from '../../support/many-files.ts';
import type { UserRepository } from './user-repository.ts';

const [A, B] = [searchOf('a'), searchOf('b')];
const KILLS = effort(20, 2);

describe('accepting on the command line', () => {
  let user: UserRepository;
  let original: Map<string, string>;
  before(async () => {
    user = await reached(undefined, 'a', 'b');
    original = await user.fingerprint();
  });
  after(() => user.remove());

  const stages = (): string[] => readdirSync(user.folder).filter((name) => name.startsWith('.thought-tree-accept-'));
  const state = async (dir: string): Promise<{ reason?: string }> =>
    JSON.parse((await user.cli('status', dir, '--json')).stdout) as { reason?: string };

  it('says what git can bring back, once more that nothing changed, and undoes it', async () => {
    const first = await user.cli('accept', A, '--yes');
    assert.match(
      first.stdout,
      /Accepted: 450 files .*can be undone\. All that was there before is in your last commit/,
    );
    const again = await user.cli('accept', A, '--yes');
    assert.match(again.stdout, /^Nothing was changed/m);
    const undone = await user.cli('accept', A, '--undo', '--yes');
    assert.match(undone.stdout, /Undone: 450 files/);
    assert.deepEqual(await user.fingerprint(), original);
  });

  it('names what git cannot bring back, and needs git', async () => {
    // Somebody committed something else, and then made the files what they were.
    writeFileSync(join(user.folder, 'a/c-1.txt'), 'committed\n');
    await user.git('commit', '-qm', 'Change one', 'a/c-1.txt');
    writeFileSync(join(user.folder, 'a/c-1.txt'), 'old 1\n');
    const { stdout } = await user.cli('accept', A, '--yes');
    assert.match(stdout, /Git cannot bring back these as they were, .*: a\/c-1\.txt\.$/m);
    assert.equal((await user.cli('accept', A, '--undo', '--yes')).code, 0);
    await user.git('reset', '-q', '--soft', 'HEAD~1');
    await user.git('reset', '-q');
    const git = join(user.folder, '.git');
    renameSync(git, `${user.folder}-git`);
    const { code, stderr } = await user.cli('accept', A, '--yes');
    renameSync(`${user.folder}-git`, git);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /is in none: run `git init`/);
    assert.equal(await user.git('status', '--porcelain', 'a'), '');
    original = await user.fingerprint();
  });

  it('names files that the person changed, and does not ask for a --yes that was given', async () => {
    writeFileSync(join(user.folder, 'a/c-7.txt'), 'mine\n');
    const { code, stderr } = await user.cli('accept', A, '--yes');
    assert.equal(code, 2);
    assert.match(stderr, /a\/c-7\.txt\. Put those changes aside.* Committing them does not help/);
    assert.doesNotMatch(stderr, /--yes/);
    writeFileSync(join(user.folder, 'a/c-7.txt'), 'old 7\n');
    assert.deepEqual(await user.fingerprint(), original);
  });

  describe(`that is killed, ${KILLS} times`, () => {
    let accepted: Map<string, string>;
    let half = 0;
    before(async () => {
      await user.cli('accept', A, '--yes');
      accepted = await user.fingerprint();
      await user.cli('accept', A, '--undo', '--yes');
    });

    /** Starts accepting, and kills it where the last files to be deleted and made tell that it is under way. */
    async function killInside(kill: number): Promise<void> {
      const { child, end } = user.start('accept', A, '--yes');
      let isOver = false;
      void end.then(() => {
        isOver = true;
      });
      const deleted = kill % 3 === 0 ? 'a/d-99.txt' : 'a/d-2.txt';
      const isUnderWay =
        kill % 2 === 0
          ? () => existsSync(join(user.folder, 'a/n-3.txt'))
          : () => !existsSync(join(user.folder, deleted));
      while (!isOver && !isUnderWay()) await sleep(1);
      child.kill('SIGKILL');
      await end;
    }

    for (let kill = 1; kill <= KILLS; kill++)
      it(`is told by status and list, kept from others, and done or undone: ${kill}`, async () => {
        await killInside(kill);
        const { reason } = await state(A);
        if (reason !== undefined) {
          half++;
          assert.match(reason, /interrupted.*undo/);
          assert.match((await user.cli('status', A)).stdout, /State .*interrupted.*undo accepting/);
          assert.match((await user.cli('list')).stdout, /Accepting its work was interrupted/);
          const kept = stages();
          const other = await user.cli('accept', B, '--yes');
          assert.notEqual(other.code, 0);
          assert.match(other.stderr, /many-files-of-a.*interrupted/);
          assert.deepEqual(stages(), kept, 'its originals are still there');
        }
        const isBack = kill % 4 < 2;
        const mended = await user.cli('accept', A, '--yes', ...(isBack ? ['--undo'] : []));
        assert.equal(mended.code, 0, mended.stderr);
        assert.deepEqual(await user.fingerprint(), isBack ? original : accepted);
        assert.equal((await state(A)).reason, undefined);
        assert.deepEqual(stages(), []);
        if (!isBack) await user.cli('accept', A, '--undo', '--yes');
        assert.deepEqual(await user.fingerprint(), original);
      });

    it('was killed in the middle at least once', () => assert.ok(half > 0));
  });

  it('of two searches at once in one folder leaves each of them whole or as it was', async () => {
    const [one, other] = await Promise.all([user.cli('accept', A, '--yes'), user.cli('accept', B, '--yes')]);
    assert.ok(one.code === 0 || other.code === 0, one.stderr + other.stderr);
    for (const [name, { code, stderr }] of [
      ['a', one],
      ['b', other],
    ] as const) {
      if (code !== 0) assert.match(stderr, /just being accepted/);
      const files = readdirSync(join(user.folder, name));
      assert.equal(files.filter((file) => file.startsWith('n-')).length, code === 0 ? 150 : 0);
      assert.equal(files.filter((file) => file.startsWith('d-')).length, code === 0 ? 0 : 150);
    }
    for (const dir of [A, B]) assert.equal((await user.cli('accept', dir, '--undo', '--yes')).code, 0);
    assert.deepEqual(await user.fingerprint(), original);
    assert.deepEqual(stages(), []);
  });
});
