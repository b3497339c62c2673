import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventsOf, makeWorkspace, runCli } from './run-cli.ts';

const QUESTION = 'How long does a search wait for its model?';
const SLUG = 'how-long-does-a-search-wait-for-its-model';

describe('thought-tree start', () => {
  let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
  beforeEach(async () => {
    workspace = await makeWorkspace();
  });
  afterEach(() => workspace.remove());

  it('grows a tree without a model, says where it is, and exits with 0', async () => {
    const { folder: cwd } = workspace;
    const { code, stdout, stderr } = await runCli(['start', QUESTION, '--size', 'small'], { cwd });
    assert.equal(stderr, '');
    assert.equal(code, 0);
    assert.match(stdout, /^How long does a search wait for its model\?\nNo model: quotes from this workspace\n/);
    assert.match(stdout, /\nGenerating root children\.\.\.\n(Indexing: .+\n)*Walking root level: .+ \(1\/\d+\)\n/);
    assert.match(stdout, /\nTree search complete: \d+ expanded, \d+ leaves, 0 skipped\n/);
    const first = /\nRead first {2}(\S+)\n/.exec(stdout)?.[1] ?? '';
    assert.equal(first, join('thought-trees', SLUG, 'report.md'));
    assert.match(await readFile(join(cwd, first), 'utf8'), /^# How long does a search wait for its model\?/);
    const file = JSON.parse(await readFile(join(cwd, 'thought-trees', SLUG, 'search.json'), 'utf8'));
    assert.deepEqual(Object.keys(file), [
      'version',
      'kind',
      'title',
      'prompt',
      'strategy',
      'model',
      'options',
      'createdAt',
      'longestName',
    ]);
    assert.deepEqual([file.title, file.prompt, file.model], [QUESTION, QUESTION, 'workspace/quotes']);
    const form = { rootSession: 'survey', subtopics: 'together', leastScore: 4 };
    assert.deepEqual(file.options, { ...form, read: 'tools', size: 'small' });
  });

  it('prints every event as JSON, the last with the results', async () => {
    const { folder: cwd } = workspace;
    const { code, stdout } = await runCli(['start', QUESTION, '--json', '--max-depth', '1'], { cwd });
    assert.equal(code, 0);
    const events = eventsOf(stdout);
    assert.deepEqual(
      events.map(({ seq }) => seq),
      events.map((_, index) => index + 1),
    );
    const begun = events
      .map(({ type }) => type)
      .filter((type) => type !== 'text-written')
      .slice(0, 2);
    assert.deepEqual(begun, ['lease-taken', 'search-started']);
    const last = events.at(-1);
    assert.ok(last?.type === 'search-finished' && last.results.leaves > 0);
    const became = (status: string): number =>
      events.filter((event) => event.type === 'node-status' && event.status === status && event.was).length;
    assert.equal(became('leaf'), last.results.leaves);
    assert.equal(became('in-progress'), last.results.leaves, 'who counts them counts one twice');
    const journal = await readFile(join(cwd, 'thought-trees', SLUG, '.search', 'journal.jsonl'), 'utf8');
    assert.equal(stdout, journal);
  });

  it('continues a search with the same prompt, and reports changed limits', async () => {
    const { folder: cwd } = workspace;
    await runCli(['start', QUESTION, '--max-depth', '1', '--max-calls', '500'], { cwd });
    const again = await runCli(['start', ` ${QUESTION}\n`, '--json', '--max-depth', '2'], { cwd });
    assert.equal(again.code, 0);
    const events = eventsOf(again.stdout);
    const changed = events.find(({ type }) => type === 'budget-changed');
    assert.ok(changed?.type === 'budget-changed');
    assert.deepEqual([changed.limits.maxDepth, changed.limits.guards], [2, { calls: 500 }]);
    assert.ok(events.some(({ type }) => type === 'search-resumed'));
    assert.ok(events.at(-1)?.type === 'search-finished');
  });

  it('refuses a folder with a search for another question, and changes nothing', async () => {
    const { folder: cwd } = workspace;
    await runCli(['start', QUESTION, '--title', 'Waiting', '--max-depth', '1'], { cwd });
    const before = await readdir(cwd, { recursive: true });
    const { code, stdout, stderr } = await runCli(['start', 'What else?', '--title', 'Waiting'], { cwd });
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /thought-trees\/waiting holds a search for another question: "How long .*--title.*--dir/);
    assert.deepEqual(await readdir(cwd, { recursive: true }), before);
  });

  it('accepts a folder to search and one to write, wherever it is called from', async () => {
    const { folder } = workspace;
    const cwd = join(folder, 'src');
    const args = ['start', QUESTION, '--folder', '..', '--dir', 'found/it', '--title', 'It', '--max-depth', '1'];
    const { code, stdout } = await runCli(args, { cwd });
    assert.equal(code, 0);
    assert.match(stdout, /\nFiles {7}found\/it\n/);
    assert.ok((await readdir(join(cwd, 'found', 'it'))).includes('children.json'));
  });

  const wrong: [string, string[], RegExp][] = [
    ['no command', [], /Usage: thought-tree/],
    ['an unknown command', ['strat'], /unknown command 'strat'\n\(Did you mean start\?\)/],
    ['an unknown option', ['start', QUESTION, '--sise', 'all'], /unknown option '--sise'/],
    ['no question', ['start'], /no question/],
    ['an empty question', ['start', ' '], /no question/],
    ['a question without quotation marks', ['start', 'why', 'so'], /too many arguments/],
    ['an unknown size', ['start', QUESTION, '--size', 'huge'], /Allowed choices are small, medium, large, all/],
    ['no slots', ['start', QUESTION, '--concurrency', '0'], /whole number from 1 to 4096/],
    ['a depth that is none', ['start', QUESTION, '--max-depth', '1.5'], /whole number from 1 to 64/],
    ['negative money', ['start', QUESTION, '--max-usd', '-1'], /number from 0 on/],
    ['a missing folder', ['start', QUESTION, '--folder', 'none'], /There is no folder .*none/],
    ['a file as folder', ['start', QUESTION, '--folder', 'README.md'], /README\.md is not a folder/],
    ['the searched folder for its files', ['start', QUESTION, '--dir', '.'], /needs a folder of its own/],
    ['a file for its files', ['start', QUESTION, '--dir', 'README.md'], /README\.md is a file\. Name a folder/],
    ['a place in a file', ['start', QUESTION, '--dir', 'README.md/a'], /README\.md is a file\. Name a folder/],
    ['an unknown provider', ['start', QUESTION, '--model', 'nobody/x'], /There is no model "nobody\/x"/],
    ['a server without its address', ['start', QUESTION, '--model', 'openai-compatible/x'], /--base-url/],
    ['no folder to resume', ['resume'], /missing required argument 'dir'/],
    ['a folder without a search', ['resume', '.'], /no search in/],
    ['a missing folder to look at', ['status', 'none'], /There is no folder/],
    ['a missing folder to list', ['list', 'none'], /There is no folder/],
  ];
  for (const [what, args, message] of wrong)
    it(`ends with 2 for ${what}, and changes nothing`, async () => {
      const { code, stdout, stderr } = await runCli(args, { cwd: workspace.folder });
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, message);
      assert.deepEqual((await readdir(workspace.folder)).sort(), ['README.md', 'src']);
    });

  it('says its version and its help', async () => {
    const { folder: cwd } = workspace;
    const version = await runCli(['--version'], { cwd });
    assert.deepEqual([version.code, version.stderr], [0, '']);
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
    const help = await runCli(['start', '--help'], { cwd });
    assert.equal(help.code, 0);
    assert.match(help.stdout, /--max-usd <dollars>/);
    assert.doesNotMatch(help.stdout, /--demo/);
  });
});
