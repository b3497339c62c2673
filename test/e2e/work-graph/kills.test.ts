import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { effort } from '../../support/effort.ts';
import { PLAN } from './parts-plan.ts';
import { UserRepository } from './user-repository.ts';

const DIR = 'thought-trees/the-parts-make-a-whole';
/** In all, and of one search. */
const KILLS = effort(50);
const KILLS_OF_ONE = 9;
/** The latest moment of a kill, in milliseconds: about when a run has ended by itself. */
const LATEST_MS = 1800;

describe('a goal whose runs are killed', () => {
  const users: UserRepository[] = [];
  after(() => Promise.all(users.map((user) => user.remove())));

  it(`ends the same, ${KILLS} times at any moment, and leaves everything of the person as it is`, async () => {
    let kills = 0;
    for (let round = 1; kills < KILLS; round++) {
      const user = await UserRepository.make({ 'README.md': '# Parts\n', 'plan.yaml': PLAN });
      users.push(user);
      const before = await user.fingerprint();
      const moments: number[] = [];
      for (;;) {
        const isLast = moments.length >= KILLS_OF_ONE || kills >= KILLS;
        const ran = await runUntil(user, isLast ? undefined : Math.random() * LATEST_MS, moments);
        if (ran !== 'killed') {
          assert.equal(ran.code, 0, `after kills at ${moments.join(', ')}:\n${ran.stdout}${ran.stderr}`);
          break;
        }
        kills++;
      }
      const about = `round ${round}, killed after ${moments.join(', ')} ms`;
      assert.deepEqual(await user.fingerprint(), before, about);
      await assertEnded(user, about);
    }
  });
});

/** Starts or continues the search, and kills it at a moment; tells how it ended where it was faster. */
async function runUntil(user: UserRepository, ms: number | undefined, moments: number[]) {
  // The same command continues it.
  const { child, end } = user.start('start', '--kind', 'work-graph', '--plan', 'plan.yaml', '--allow-commands');
  if (ms === undefined) return await end;
  const ended = await Promise.race([end, sleep(ms)]);
  if (ended) return ended;
  child.kill('SIGKILL');
  const { code, ...said } = await end;
  if (code !== null) return { code, ...said };
  moments.push(Math.round(ms));
  return 'killed';
}

/** Every atom is resolved by us, each piece of work is in the result once, and the base case holds by a run of our own. */
async function assertEnded(user: UserRepository, about: string): Promise<void> {
  const { stdout } = await user.cli('status', DIR, '--json');
  const { nodes } = JSON.parse(stdout) as { nodes: { atom?: string; state?: string; failed?: true }[] };
  const atoms = nodes.flatMap(({ atom, state, failed }) => (atom ? [[atom, failed ? 'failed' : state]] : []));
  assert.deepEqual(
    Object.fromEntries(atoms),
    { A1: 'resolved', A2: 'resolved', A3: 'failed', A4: 'resolved', A5: 'resolved' },
    about,
  );
  assert.equal((await user.cli('accept', DIR, '--yes')).code, 0, about);
  for (const [name, text] of [
    ['one.txt', 'one\n'],
    ['two.txt', 'two\n'],
    ['three.txt', 'good\n'],
    ['whole.txt', 'one\ntwo\ngood\n'],
  ] as const)
    assert.equal(await readFile(join(user.folder, name), 'utf8'), text, about);
  assert.equal(await user.shell('grep -q one whole.txt && grep -q two whole.txt && grep -q good whole.txt'), 0, about);
  assert.notEqual(await user.shell('grep -q bad whole.txt'), 0, about);
}
