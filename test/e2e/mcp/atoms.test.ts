import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PLAN } from '../work-graph/parts-plan.ts';
import { UserRepository } from '../work-graph/user-repository.ts';
import { McpClient, MODES } from './mcp-client.ts';

const SEARCH = 'the-parts-make-a-whole';
/** The second part is nobody's: an agent outside does it. */
const OPEN = PLAN.replace(
  'run: echo two > two.txt, touches: [two.txt]',
  'touches: [two.txt], checks: [{ item: it says two, check: { command: grep -q two two.txt } }]',
);

describe('pieces of work over MCP', () => {
  let user: UserRepository;
  const clients: McpClient[] = [];
  beforeEach(async () => {
    user = await UserRepository.make({ 'README.md': '# Parts\n', 'plan.yaml': OPEN });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close().catch(() => undefined);
    await user.remove();
  });

  const open = async (args: readonly string[] = [], mode: (typeof MODES)[number] = 'auto'): Promise<McpClient> => {
    const client = await McpClient.open(['--dir', user.folder, ...args], { mode, env: user.env });
    clients.push(client);
    return client;
  };
  const begin = async (): Promise<void> => {
    const ended = await user.cli('start', '--kind', 'work-graph', '--plan', 'plan.yaml', '--allow-commands');
    assert.equal(ended.code, 7, ended.stdout + ended.stderr);
  };
  const folderIn = (taken: Readonly<Record<string, unknown>>): string => (taken['ask'] as { folder: string }).folder;

  for (const mode of MODES)
    it(`are listed, taken, done in a folder of their own, and count once we have checked them (${mode})`, async () => {
      await begin();
      const before = await user.fingerprint();
      const client = await open([], mode);
      const { atoms } = await client.call('atom_next', {});
      assert.deepEqual(
        (atoms as { search: string; atom: string }[]).map(({ search, atom }) => [search, atom]),
        [[SEARCH, 'A2']],
      );
      const taken = await client.call('atom_take', { search: SEARCH, atom: 'A2', as: 'one' });
      assert.match(JSON.stringify(taken['ask']), /grep -q two two\.txt/);
      assert.match(String(taken['until']), /^20/);
      const other = await client.raw('atom_take', { search: SEARCH, atom: 'A2', as: 'two' });
      assert.ok(other.isError);
      assert.deepEqual((await client.call('atom_next', {}))['atoms'], []);
      await writeFile(join(folderIn(taken), 'two.txt'), 'two\n');
      const handed = { search: SEARCH, atom: 'A2', as: 'one', summary: 'Wrote it', artifacts: ['two.txt'] };
      const done = await client.call('atom_done', handed);
      assert.equal(done['state'], 'resolved', JSON.stringify(done));
      assert.deepEqual(
        (done['evidence'] as { word: string; exitCode: number }[]).map(({ word, exitCode }) => [word, exitCode]),
        [['verified', 0]],
      );
      await client.call('tree_wait', { search: SEARCH, seconds: 40 });
      const { state, run_by } = await client.call('tree_status', { search: SEARCH });
      assert.deepEqual([state, run_by], ['finished', 'nobody']);
      assert.deepEqual(await user.fingerprint(), before);
    });

  it('are of a goal that an agent began with a plan of its own', async () => {
    const client = await open(['--allow-commands']);
    const start = { question: 'The parts make a whole', kind: 'work-graph', plan: OPEN, wait_seconds: 40 };
    const { state } = await client.call('tree_start', start);
    assert.notEqual(state, 'finished');
    const { atoms } = await client.call('atom_next', {});
    assert.deepEqual(
      (atoms as { atom: string }[]).map(({ atom }) => atom),
      ['A2'],
    );
  });

  it('do not count where our check disagrees, and can be taken again', async () => {
    await begin();
    const client = await open();
    const taken = await client.call('atom_take', { search: SEARCH, atom: 'A2' });
    await writeFile(join(folderIn(taken), 'two.txt'), 'three\n');
    const done = await client.call('atom_done', { search: SEARCH, atom: 'A2', summary: 'Wrote it' });
    assert.equal(done['accepted'], true);
    assert.notEqual(done['state'], 'resolved');
    assert.match(JSON.stringify(done['evidence']), /contradicted/);
    await client.call('tree_wait', { search: SEARCH, seconds: 40 });
    const again = await client.call('atom_take', { search: SEARCH, atom: 'A2' });
    await writeFile(join(folderIn(again), 'two.txt'), 'two\n');
    const { state } = await client.call('atom_done', { search: SEARCH, atom: 'A2', summary: 'Wrote it' });
    assert.equal(state, 'resolved');
  });

  it('are told of, and not given, where the server is to change nothing', async () => {
    await begin();
    const client = await open(['--read-only']);
    assert.ok(!(await client.tools()).some(({ name }) => name === 'atom_take' || name === 'atom_done'));
    assert.equal(((await client.call('atom_next', {}))['atoms'] as unknown[]).length, 1);
  });

  it('are refused by name where they do not wait for anybody', async () => {
    await begin();
    const client = await open();
    for (const atom of ['A1', 'A9'])
      assert.match((await client.raw('atom_take', { search: SEARCH, atom })).content[0]?.text ?? '', /atom_next/);
  });

  it('lead to no command that the person did not agree to, unless the server may run it', async () => {
    await begin();
    const whole = join(user.folder, 'thought-trees', SEARCH, 'a5-the-whole', 'node.json');
    const node = await readFile(whole, 'utf8');
    await writeFile(whole, node.replace('cat one.txt', 'touch stolen.txt; cat one.txt'));
    const client = await open();
    const taken = await client.call('atom_take', { search: SEARCH, atom: 'A2' });
    await writeFile(join(folderIn(taken), 'two.txt'), 'two\n');
    await client.call('atom_done', { search: SEARCH, atom: 'A2', summary: 'Wrote it' });
    await client.call('tree_wait', { search: SEARCH, seconds: 40 });
    const { state, reason } = await client.call('tree_status', { search: SEARCH });
    assert.equal(state, 'paused');
    assert.match(String(reason), /--allow-commands/);
    const free = await open(['--allow-commands']);
    await free.call('tree_act', { search: SEARCH, action: 'resume' });
    await free.call('tree_wait', { search: SEARCH, seconds: 40 });
    assert.equal((await free.call('tree_status', { search: SEARCH }))['state'], 'finished');
  });
});
