import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { UserRepository } from './user-repository.ts';

const ROOT = new URL('../../../', import.meta.url);

describe('the examples of goals', () => {
  let user: UserRepository;
  afterEach(() => user.remove());

  it('make an index of this repository, and leave to a person what no command can check', async () => {
    user = await UserRepository.make({}, ['src', 'scripts', 'examples']);
    const before = await user.fingerprint();
    const begin = ['start', '--kind', 'work-graph', '--plan', 'examples/source-index.yaml', '--allow-commands'];
    const dir = 'thought-trees/an-index-of-this-repository-s-source';
    const begun = await user.cli(...begin);
    assert.equal(begun.code, 4, begun.stdout + begun.stderr);
    assert.match(begun.stdout, /page: A3 failed, A4 is next/);
    const { stdout } = await user.cli('status', dir);
    assert.match(stdout, /4 items are verified\n.*2 items cannot be checked here/);
    const again = await user.cli('resume', dir);
    assert.equal(again.code, 4, 'what cannot be checked is no pass, and not tried for ever');
    assert.doesNotMatch(again.stdout, /Working on/);
    const said = await user.cli('assert', dir, 'goal', '--says', 'yes', '--resume');
    assert.equal(said.code, 0, said.stdout + said.stderr);
    assert.match(await user.read(`${dir}/report.md`), /index/);
    assert.deepEqual(await user.fingerprint(), before);
    assert.match((await user.cli('diff', dir)).stdout, /\+- src\/engine: \d+ files/);
  });

  for (const [where, plan] of [
    ['examples/hello.yaml', async () => await readFile(new URL('examples/hello.yaml', ROOT), 'utf8')],
    [
      'doc/work-graph.md',
      async () => {
        const text = await readFile(new URL('doc/work-graph.md', ROOT), 'utf8');
        return /^```yaml\n(.*?)^```/ms.exec(text)?.[1] ?? '';
      },
    ],
  ] as const)
    it(`reach a small goal: ${where}`, async () => {
      user = await UserRepository.make({ 'plan.yaml': await plan() });
      const args = ['start', '--kind', 'work-graph', '--plan', 'plan.yaml', '--allow-commands'];
      const { code, stdout, stderr } = await user.cli(...args);
      assert.equal(code, 0, stdout + stderr);
      assert.equal((await user.cli('accept', 'thought-trees/a-greeting-in-two-languages', '--yes')).code, 0);
      assert.equal(await user.read('greeting.txt'), 'hello\nhallo\n');
    });
});
