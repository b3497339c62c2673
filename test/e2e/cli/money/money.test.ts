import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SOURCE_FORM } from '../../../support/searches/e2e-search.ts';
import { DIR, SteeredSearch } from '../steering/steered-search.ts';

/** The model uses no tools. */
const PRICE = ['--price', '3,0.3,15', '--read', 'quotes'];

describe('what a search costs, from a terminal', () => {
  let search: SteeredSearch;
  beforeEach(async () => {
    search = await SteeredSearch.make();
  });
  afterEach(() => search.remove());

  it('is forecast before the start, and corrected by what earlier searches showed', async () => {
    const first = await search.run('start', 'Why?', '--size', 'small', ...PRICE);
    assert.equal(first.code, 0);
    const said = /^Forecast: about (\d+) calls, \S+ tokens, \$[\d.]+ \(\$([\d.]+) to \$([\d.]+)\), .*; a guess/m.exec(
      first.stdout,
    );
    assert.ok(said, first.stdout);
    const second = await search.run('start', 'Why so?', '--size', 'small', ...PRICE);
    const [, , low = '', high = ''] =
      /^Forecast: about (\d+) calls, .*\(\$([\d.]+) to \$([\d.]+)\), \d+\w*( \d+\w)?$/m.exec(second.stdout) ?? [];
    const spent = Number(/ · \$([\d.]+)/.exec(second.stdout)?.[1]);
    assert.ok(Number(low) <= spent && spent <= Number(high), `${low} <= ${spent} <= ${high}`);
    // The higher end is shown in cents.
    assert.ok(Number(high) - 0.005 <= 3.01 * Number(low), `${low} to ${high}`);
  });

  it('needs confirmation above a limit; if nobody can be asked, nothing is begun', async () => {
    const { code, stderr } = await search.run('start', 'Why?', '--size', 'small', '--ask-above', '0.001', ...PRICE);
    assert.equal(code, 6);
    assert.match(stderr, /may cost up to \$[\d.]+, and you want to be asked above \$0\.0010\. Raise --ask-above/);
    const unknown = await search.run('start', 'Why?', '--ask-above', '100');
    assert.equal(unknown.code, 6);
    assert.match(unknown.stderr, /The cost of this search is unknown/);
    assert.deepEqual(search.server.log, []);
    assert.ok(!(await readdir(search.workspace)).includes('thought-trees'));
    assert.equal((await search.run('start', 'Why?', '--size', 'small', '--ask-above', '100', ...PRICE)).code, 0);
  });

  it('is shown for the rest of a search at rest', async () => {
    assert.equal((await search.run('start', 'Why?', '--size', 'small', '--max-calls', '12', ...SOURCE_FORM)).code, 3);
    const { stdout } = await search.run('status', DIR);
    assert.match(stdout, /\nLeft +about (?:\d+m )?\d+s\n/);
    const { left } = await search.json<{ left: { calls: { low: number; likely: number; high: number } } }>(
      'status',
      DIR,
    );
    assert.ok(left.calls.low > 0 && left.calls.low <= left.calls.likely && left.calls.likely <= left.calls.high);
  });

  it('is that of two models if one of them judges; a resume uses the same two', async () => {
    const judge = ['--judge', 'openai-compatible/judge', '--judge-price', '1,1,2'];
    const first = await search.run('start', 'Why?', '--size', 'small', '--max-calls', '12', ...SOURCE_FORM, ...judge);
    assert.equal(first.code, 3);
    assert.equal((await search.run('resume', DIR, '--max-calls', '500')).code, 0);
    const picks = search.server.log.filter(({ purpose }) => purpose === 'pick');
    const others = search.server.log.filter(({ purpose }) => purpose !== 'pick');
    assert.ok(picks.length > 0 && picks.every(({ model }) => model === 'judge'));
    assert.ok(others.every(({ model }) => model === 'm'));
    const file = await readFile(join(search.folder, 'search.json'), 'utf8');
    assert.ok(!file.includes('judge'), 'a clone decides no host');
    assert.equal((await search.json<{ judge: string }>('status', DIR)).judge, 'openai-compatible/judge');
  });

  it('refuses an invalid price', async () => {
    for (const price of ['3', '1,2', '1,2,x', '1,2,-3', '1,2,3,4', '1,,3']) {
      const { code, stderr } = await search.run('start', 'Why?', '--price', price);
      assert.equal(code, 2, price);
      assert.match(stderr, /three numbers/);
    }
  });
});
