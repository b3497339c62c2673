import assert from 'node:assert/strict';
import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeWorkspace, runCli } from './run-cli.ts';

const DIR = 'thought-trees/waiting';
const SECRET = 'my "secret" word';

describe('thought-tree log, why, undo, fork, compare and forget', () => {
  let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
  before(async () => {
    workspace = await makeWorkspace();
    const question = 'How long does a search wait for its model?';
    assert.equal((await run('start', question, '--title', 'Waiting', '--max-depth', '1')).code, 0);
  });
  after(() => workspace.remove());
  const run = (...args: string[]): ReturnType<typeof runCli> => runCli(args, { cwd: workspace.folder });
  const file = (...path: string[]): string => join(workspace.folder, DIR, ...path);

  it('shows a search as it was, and changes nothing in that', async () => {
    assert.equal((await run('log', DIR, '--name', 'done')).code, 0);
    const log = await run('log', DIR);
    assert.match(log.stdout, /@\d+ .* Began with workspace\/quotes\.\n/);
    assert.match(log.stdout, /Finished\. {2}@done\n/);
    const added = /@(\d+) +\S+ \S+ +\d+ nodes? below “Waiting”/.exec(log.stdout)?.[1] as string;
    const journal = await readFile(file('.search', 'journal.jsonl'), 'utf8');
    const then = JSON.parse((await run('status', `${DIR}@${Number(added) - 1}`, '--json')).stdout);
    assert.deepEqual([then.nodes, then.state], [[], 'running']);
    assert.match((await run('report', `${DIR}@done`)).stdout, /^# /);
    assert.equal((await run('export', `${DIR}@done`, '--format', 'json')).code, 0);
    const refused = await run('note', `${DIR}@done`, '.', 'Mind this.');
    assert.match(refused.stderr + refused.stdout, /What was cannot be changed/);
    assert.equal(await readFile(file('.search', 'journal.jsonl'), 'utf8'), journal);
  });

  it('undoes a note, does it again, and forgets what it said everywhere in .search', async () => {
    await run('note', DIR, '.', SECRET);
    assert.match((await run('undo', DIR)).stdout, /Undone: note/);
    await assert.rejects(readFile(file('notes.md')), /ENOENT/);
    assert.match((await run('undo', DIR, '--forward')).stdout, /Done again: note/);
    assert.equal(await readFile(file('notes.md'), 'utf8'), `${SECRET}\n`);
    await run('undo', DIR);
    assert.equal((await run('forget', DIR, SECRET)).code, 0);
    for (const entry of await readdir(file('.search'), { withFileTypes: true, recursive: true }))
      if (entry.isFile()) {
        const text = await readFile(join(entry.parentPath, entry.name), 'utf8');
        assert.ok(!text.includes(SECRET) && !text.includes(JSON.stringify(SECRET).slice(1, -1)), entry.name);
      }
    assert.equal((await run('status', DIR)).code, 0);
  });

  it('forks, compares the fork with what it is of, and says why a node is there', async () => {
    const { stdout } = await run('fork', `${DIR}@done`, '--title', 'Mine');
    assert.match(stdout, /thought-trees\/mine/);
    assert.match((await run('list')).stdout, /fork of waiting after event/);
    const { nodes } = JSON.parse((await run('status', 'thought-trees/mine', '--json')).stdout);
    const [{ path }] = nodes as [{ path: string }];
    await appendFile(join(workspace.folder, 'thought-trees', 'mine', path, 'document.md'), '\nOne more.\n');
    const compared = JSON.parse((await run('compare', DIR, 'thought-trees/mine', '--json')).stdout);
    assert.deepEqual(
      compared.changed.map(({ paths }: { paths: { b: string } }) => paths.b),
      [path],
    );
    const why = JSON.parse((await run('why', DIR, path, '--json')).stdout);
    const written = why.causes.find(({ of }: { of: string }) => of === 'document');
    const shown = await run('show', DIR, written.call.node, '--call', String(written.call.number), '--json');
    assert.equal(JSON.parse(shown.stdout).call.call ?? written.call.call, written.call.call);
  });
});
