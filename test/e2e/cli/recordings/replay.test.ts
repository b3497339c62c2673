import assert from 'node:assert/strict';
import { copyFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeWorkspace, runCli } from '../run-cli.ts';
import { SteeredSearch } from '../steering/steered-search.ts';

const KEPT = fileURLToPath(new URL('../../../recordings/why.jsonl', import.meta.url));

// The kept search was made with one slot: what a picker is asked depends on what is done by then.
const REPLAY = ['--model', 'replay/why.jsonl', '--size', 'small', '--concurrency', '1'];

describe('thought-tree start --model replay/FILE', () => {
  let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
  beforeEach(async () => {
    workspace = await makeWorkspace();
    await copyFile(KEPT, join(workspace.folder, 'why.jsonl'));
  });
  afterEach(() => workspace.remove());

  it('runs a kept search again, offline, for nothing', async () => {
    const { folder: cwd } = workspace;
    const { code, stdout, stderr } = await runCli(['start', 'Why?', ...REPLAY, '--max-depth', '2'], { cwd });
    assert.equal(stderr, '');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /\nReplay of why\.jsonl \(openai-compatible\/m\)\n/);
    assert.match(stdout, / tokens .*· free\n/);
    assert.match(stdout, /\nTree search complete: 4 expanded, 8 leaves, 0 skipped\n/);
    const report = await readFile(join(cwd, 'thought-trees', 'why', 'report.md'), 'utf8');
    assert.match(report, /In short: everything the question asks for stands in the sections below/);
    const status = await runCli(['status', 'thought-trees/why', '--json'], { cwd });
    const { nodes } = JSON.parse(status.stdout) as { nodes: { status: string }[] };
    const open = nodes.filter((node) => node.status !== 'expanded' && node.status !== 'leaf');
    assert.equal(open.length, 4, 'those that were expected to add too little');
  });

  it('answers other options from the same recording as far as possible, and says what is missing', async () => {
    const { folder: cwd } = workspace;
    const deeper = await runCli(['start', 'Why?', '--max-depth', '3', ...REPLAY], { cwd });
    assert.equal(deeper.code, 4, deeper.stdout);
    assert.match(deeper.stdout, /holds no answer to this request \(document for "[a-z0-9-]+\/[a-z0-9-]+"\)/);
    assert.match(deeper.stdout, /\n✓ 4 expanded .* open\n/, 'the first level is in the recording');
    const other = await runCli(['start', 'Why not?', ...REPLAY], { cwd });
    assert.equal(other.code, 4);
    assert.match(
      other.stdout,
      /holds no answer to this request \(children for the search itself\).*differs from the system text on/,
    );
  });

  it('was recorded by --record, which changes nothing of the search', async () => {
    const search = await SteeredSearch.make();
    try {
      const args = ['start', 'Why?', '--size', 'small', '--max-depth', '2', '--concurrency', '1'];
      const { code } = await search.run(...args, '--record', 'kept/why.jsonl');
      assert.equal(code, 0);
      const recorded = await readFile(join(search.workspace, 'kept', 'why.jsonl'), 'utf8');
      if (process.env['UPDATE_RECORDINGS']) await copyFile(join(search.workspace, 'kept', 'why.jsonl'), KEPT);
      const answers = recorded.split('\n').filter((line) => line.includes('"type":"call"'));
      assert.equal(answers.length, search.server.log.length);
      const again = await search.run(...args.with(1, 'Why once more?'), '--record', 'kept/why.jsonl');
      assert.equal(again.code, 2);
      assert.match(again.stderr, /There is a file .*why\.jsonl already/);
      assert.deepEqual(await readdir(join(search.workspace, 'thought-trees')), ['why']);
    } finally {
      await search.remove();
    }
  });
});
