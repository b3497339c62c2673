import assert from 'node:assert/strict';
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeWorkspace, runCli } from './run-cli.ts';

const QUESTION = 'How long does a search wait for its model?';

describe('thought-tree status, list and resume with existing files', () => {
  let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
  let dir: string;
  beforeEach(async () => {
    workspace = await makeWorkspace();
    const { code } = await run('start', QUESTION, '--title', 'Waiting', '--max-depth', '2');
    assert.equal(code, 0);
    dir = join(workspace.folder, 'thought-trees', 'waiting');
  });
  afterEach(() => workspace.remove());
  const run = (...args: string[]): ReturnType<typeof runCli> => runCli(args, { cwd: workspace.folder });

  it('shows a search as an outline and as JSON', async () => {
    const { code, stdout } = await run('status', 'thought-trees/waiting');
    assert.equal(code, 0);
    assert.match(stdout, /^Waiting\nQuestion {2}How long .*\nState {5}finished\nModel {5}workspace\/quotes\n/);
    assert.match(stdout, /\nSpend {5}\d+s · \d+ calls, free\n/);
    assert.match(stdout, /\nQuotations \d+ verified/);
    assert.match(stdout, /\n[✓●] `.+ \d/);
    const seen = JSON.parse((await run('status', 'thought-trees/waiting', '--json')).stdout);
    assert.deepEqual(Object.keys(seen), [
      'title',
      'prompt',
      'kind',
      'state',
      'model',
      'read',
      'limits',
      'counts',
      'results',
      'problems',
      'nodes',
    ]);
    const [node] = seen.nodes;
    assert.deepEqual(Object.keys(node).slice(0, 5), ['path', 'title', 'status', 'score', 'summary']);
  });

  it('lists searches, damaged ones with what is wrong', async () => {
    await mkdir(join(workspace.folder, 'thought-trees', 'broken'));
    await writeFile(
      join(workspace.folder, 'thought-trees', 'broken', 'search.json'),
      '{\n  "version": 1,\n  oops\n}\n',
    );
    await mkdir(join(workspace.folder, 'thought-trees', 'nothing'));
    const { code, stdout } = await run('list');
    assert.equal(code, 0);
    assert.match(stdout, /^thought-trees\/broken {2}damaged\n {2}search\.json, line 3: .+\n/);
    assert.match(stdout, /\nWaiting {2}finished\n {2}.*topics\n {2}thought-trees\/waiting\n$/);
    const none = await run('list', 'src');
    assert.deepEqual([none.code, none.stdout], [0, 'There are no searches in src/thought-trees.\n']);
  });

  it('lists searches as JSON, including those in their own folders', async () => {
    await run('start', QUESTION, '--title', 'Elsewhere', '--max-depth', '1', '--size', 'small', '--dir', 'mine');
    await mkdir(join(workspace.folder, 'foreign'));
    await writeFile(join(workspace.folder, 'foreign', 'search.json'), '{"no": "search of ours"}');
    const { code, stdout } = await run('list', '--json');
    assert.equal(code, 0);
    const listed = JSON.parse(stdout) as { folder: string; title: string; state: string; counts: object }[];
    assert.deepEqual(
      listed.map(({ folder, title, state }) => [basename(folder), title, state]),
      [
        ['waiting', 'Waiting', 'finished'],
        ['mine', 'Elsewhere', 'finished'],
      ],
    );
    const { counts } = JSON.parse((await run('status', 'mine', '--json')).stdout);
    assert.deepEqual(listed[1]?.counts, counts);
    assert.match((await run('list', 'mine')).stdout, /^Elsewhere {2}finished\n/);
    assert.equal((await run('list', 'src', '--json')).stdout, '[]\n');
  });

  it('says in both why a search is paused, as a sentence', async () => {
    const bound = ['--title', 'Bound', '--max-calls', '2', '--dir', 'bound'];
    assert.equal((await run('start', QUESTION, ...bound)).code, 3);
    const listed = JSON.parse((await run('list', '--json')).stdout) as { title: string; reason?: string }[];
    const { reason } = JSON.parse((await run('status', 'bound', '--json')).stdout);
    assert.match(reason, /limit of 2 calls/);
    assert.equal(listed.find(({ title }) => title === 'Bound')?.reason, reason);
  });

  it('names a damaged file once, and continues', async () => {
    await appendFile(join(dir, '.search', 'journal.jsonl'), 'what is this?\n');
    const lines = (await readFile(join(dir, '.search', 'journal.jsonl'), 'utf8')).split('\n').length - 1;
    const { code, stderr } = await run('resume', dir);
    assert.equal(code, 0);
    // A journal that was changed is not this user's any more, so what the search may read is asked anew.
    assert.match(
      stderr,
      new RegExp(`^(?:search\\.json asks for read tools.+\n)?\\.search/journal\\.jsonl, line ${lines}: .+\n$`),
    );
  });

  it('refuses a search that a newer version wrote', async () => {
    const file = JSON.parse(await readFile(join(dir, 'search.json'), 'utf8'));
    await writeFile(join(dir, 'search.json'), JSON.stringify({ ...file, version: 99 }));
    for (const command of ['resume', 'status']) {
      const { code, stderr } = await run(command, dir);
      assert.equal(code, 1);
      assert.match(stderr, /newer program \(version 99/);
    }
  });

  it('asks which model to use if a clone names one that was not used here', async () => {
    await rm(join(dir, '.search'), { recursive: true });
    assert.equal((await run('resume', dir)).code, 0, 'quotes need no consent');
    await rm(join(dir, '.search'), { recursive: true });
    const file = JSON.parse(await readFile(join(dir, 'search.json'), 'utf8'));
    await writeFile(join(dir, 'search.json'), JSON.stringify({ ...file, model: 'openai-compatible/\u001b[31mx' }));
    const { code, stdout, stderr } = await run('resume', dir);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /names the model "openai-compatible\/ \[31mx".*--model/);
    assert.equal((await run('resume', dir, '--model', 'workspace/quotes')).code, 0);
    assert.equal((await run('resume', dir)).code, 0, 'now it was used here');
  });
});
