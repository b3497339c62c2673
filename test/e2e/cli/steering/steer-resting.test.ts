import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DIR, FIRST, SteeredSearch } from './steered-search.ts';

interface Said {
  readonly ok: boolean;
  readonly message: string;
  readonly reason?: string;
  readonly resume?: string;
}

const [A = '', B = ''] = FIRST;
const RESUME = `thought-tree resume ${DIR}`;

describe('steering a search that nobody runs', () => {
  let search: SteeredSearch;
  beforeEach(async () => {
    search = await SteeredSearch.make();
    assert.equal((await search.start('--max-depth', '1').end).code, 0);
  });
  afterEach(() => search.remove());

  it('does what can be done at once, without a model', async () => {
    const asked = search.server.log.length;
    const steps: [string[], string][] = [
      [['pause', DIR], 'The search is not running.'],
      [['prune', DIR, A], `pruned, with everything below it`],
      [['restore', DIR, A], 'is restored'],
      [['note', DIR, 'For all.'], 'added to the search'],
      [['note', DIR, A, 'For one.'], 'is added to'],
    ];
    for (const [args, message] of steps) {
      const { code, stdout, stderr } = await search.runWithoutModel(...args);
      assert.deepEqual([code, stderr], [0, ''], args.join(' '));
      assert.ok(stdout.includes(message), stdout);
    }
    assert.equal(await readFile(join(search.folder, 'notes.md'), 'utf8'), 'For all.\n');
    assert.equal(JSON.parse(await readFile(join(search.folder, A, 'node.json'), 'utf8')).note, 'For one.');
    assert.equal(search.server.log.length, asked);
    const by = await search.steered();
    assert.deepEqual(by, [`terminal: prune ${A}`, `terminal: restore ${A}`, 'terminal: note', `terminal: note ${A}`]);
  });

  it('records what waits for a resume, and says how; a leaf is expanded past size and depth', async () => {
    assert.equal(await search.statusOf(A), 'leaf');
    const said = [
      await search.json<Said>('expand', DIR, A),
      await search.json<Said>('add', DIR, '/', 'Mine'),
      await search.json<Said>('redo', DIR, B),
      await search.json<Said>('retry', DIR),
    ];
    assert.deepEqual(
      said.map(({ resume, code }) => [resume, code]),
      said.map(() => [RESUME, 0]),
    );
    assert.match((await search.run('retry', DIR)).stdout, /is not running\. To continue:\n {2}thought-tree resume /);
    const before = search.server.log.length;
    assert.equal((await search.run('resume', DIR)).code, 0);
    assert.equal(await search.statusOf(A), 'expanded');
    assert.equal(await search.statusOf('mine'), 'leaf');
    const asked = search.server.log.slice(before).map(({ purpose, node }) => `${purpose} ${node}`);
    const wished = asked.filter((each) => [A, B, 'mine'].some((node) => each.endsWith(` ${node}`)));
    assert.deepEqual(wished.sort(), [`children ${A}`, `document ${B}`, 'document mine']);
  });

  it('grows on the next resume', async () => {
    const said = await search.json<Said>('grow', DIR, '--max-depth', '2');
    assert.deepEqual([said.code, said.resume], [0, RESUME]);
    assert.equal((await search.run('resume', DIR)).code, 0);
    assert.equal(await search.statusOf(A), 'expanded');
    const { code, stderr } = await search.run('grow', DIR);
    assert.equal(code, 2);
    assert.match(stderr, /--size/);
  });

  it('rewrites the report with one call, and finishes what was paused', async () => {
    await search.run('add', DIR, '.', 'Mine');
    const before = search.server.log.length;
    assert.equal((await search.run('report', DIR)).code, 0);
    assert.equal(search.server.log.length, before + 1);
    assert.match(await readFile(join(search.folder, 'report.md'), 'utf8'), /Mine/);
    assert.equal((await search.run('finish', DIR)).code, 0);
    assert.ok(search.server.log.length <= before + 2);
    assert.equal((await search.json<{ state: string }>('status', DIR)).state, 'finished');
    assert.equal((await search.runWithoutModel('report', DIR)).code, 0, 'its address is remembered');
    const { code, stderr } = await search.runWithoutModel('report', DIR, '--model', 'openai-compatible/other');
    assert.equal(code, 2);
    assert.match(stderr, /--base-url/);
    assert.equal((await search.runWithoutModel('report', DIR, '--model', 'workspace/quotes')).code, 0);
  });

  it('keeps a person’s edits', async () => {
    const file = join(search.folder, A, 'document.md');
    const text = `${await readFile(file, 'utf8')}\nMine.\n`;
    await writeFile(file, text);
    const refused = await search.run('redo', DIR, A);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /A person edited .* --yes/);
    for (const args of [
      ['prune', A],
      ['restore', A],
      ['expand', A],
    ])
      assert.equal((await search.run(args[0] ?? '', DIR, args[1] ?? '')).code, 0);
    assert.equal((await search.run('resume', DIR)).code, 0);
    assert.equal(await readFile(file, 'utf8'), text);
  });

  const wrong: [string, string[], RegExp][] = [
    ['no node', ['prune', DIR, 'nowhere'], /There is no node "nowhere" in this search. Name it by its title/],
    [
      'a part of a node’s name',
      ['prune', DIR, A.slice(0, -1)],
      new RegExp(`Did you mean one of these\\? .*\\b${A}\\b`),
    ],
    ['the search as a node', ['prune', DIR, '.'], /the search itself/],
    ['a path out of the search', ['expand', DIR, '../../..'], /There is no node/],
    ['nothing to note', ['note', DIR, ' '], /needs a text/],
    ['no title', ['add', DIR, '.', ''], /needs a title/],
    ['no search', ['pause', '.'], /no search in/],
    ['what is not pruned', ['restore', DIR, A], /is not pruned/],
  ];
  it('says what is wrong, ends with 2, and changes nothing', async () => {
    const before = await search.journal();
    for (const [what, args, message] of wrong) {
      const { code, stdout, stderr } = await search.run(...args);
      assert.deepEqual([code, stdout], [2, ''], what);
      assert.match(stderr, message, what);
    }
    assert.deepEqual(await search.journal(), before);
  });
});

describe('a search whose server was named on the command line', () => {
  let search: SteeredSearch;
  beforeEach(async () => {
    search = await SteeredSearch.make();
  });
  afterEach(() => search.remove());

  it('continues by the printed command: the address is remembered with the model', async () => {
    const without = { THOUGHT_TREE_BASE_URL: '' };
    const model = ['--model', 'openai-compatible/m', '--base-url', search.server.baseUrl];
    const first = await search.runWith(without, 'start', 'Why?', '--size', 'small', '--max-depth', '1', ...model);
    assert.equal(first.code, 0, first.stderr);
    const { stdout } = await search.runWith(without, 'redo', DIR, A);
    const [, printed = ''] = /thought-tree (resume .*)$/m.exec(stdout) ?? [];
    const before = search.server.log.length;
    const again = await search.runWith(without, ...printed.split(' '));
    assert.equal(again.code, 0, again.stderr);
    assert.ok(search.server.log.length > before);
    // An address is that of its model: another one's is not looked for there.
    const other = await search.runWith(without, 'resume', DIR, '--model', 'openai-compatible/other');
    assert.equal(other.code, 2);
  });
});
