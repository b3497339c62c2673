import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIR, SteeredSearch } from '../steering/steered-search.ts';

const PRICE = ['--price', '3,0.3,15', '--read', 'quotes', '--size', 'small'];

interface Money {
  readonly pockets: readonly { readonly scope: string; readonly spent: number; readonly booked: number }[];
  readonly byModel: readonly { readonly of: string; readonly calls: number; readonly usd: number }[];
  readonly bySearch: readonly { readonly of: string; readonly calls: number }[];
}

describe('limits over everything that a person runs on a computer', () => {
  let search: SteeredSearch;
  let state: string;
  beforeEach(async () => {
    search = await SteeredSearch.make();
    state = await mkdtemp(join(tmpdir(), 'thought-tree-purse-'));
  });
  afterEach(async () => {
    await search.remove();
    await rm(state, { recursive: true, force: true });
  });

  const run = (...args: string[]): ReturnType<SteeredSearch['runWith']> =>
    search.runWith({ XDG_STATE_HOME: state, THOUGHT_TREE_MODEL: 'openai-compatible/m' }, ...args);
  const money = async (): Promise<Money> => JSON.parse((await run('money', '--json')).stdout) as Money;

  it('are off until set; what was spent is told all the same, by model, purpose, search and day', async () => {
    const begun = await run('start', 'Why?', ...PRICE);
    assert.equal(begun.code, 0, begun.stderr);
    const [day, month, folder] = (await money()).pockets;
    assert.ok(day && day.spent > 0 && day.booked === 0);
    assert.deepEqual([month?.spent, folder?.spent], [day.spent, day.spent]);
    const { byModel, bySearch } = await money();
    assert.deepEqual(
      byModel.map(({ of, calls }) => [of, calls]),
      [['openai-compatible/m', search.server.log.length]],
    );
    assert.match(bySearch[0]?.of ?? '', /thought-trees/);
    const { stdout } = await run('money');
    assert.match(stdout, /^Today +\$[\d.]+, no limit/m);
    assert.match(stdout, /By purpose\n(?: +\$[\d.]+ .*\n)+/);
  });

  it('pause one search after the other, and let them go on once they are raised', async () => {
    assert.equal((await run('money', '--per-day', '0.2')).code, 0);
    const first = await run('start', 'Why?', ...PRICE);
    assert.match(
      first.stderr,
      /may cost up to \$[\d.]+, and your limits over everything on this computer leave \$0.20/,
    );
    assert.equal(first.code, 3);
    assert.match(first.stdout, /Your limit of \$0.20 a day, for everything on this computer, is reached: \$0.\d+ /);
    const before = search.server.log.length;
    const [day] = (await money()).pockets;
    assert.ok(day && day.spent > 0 && day.spent <= 0.2, `${day?.spent}`);
    const second = await run('start', 'Who?', ...PRICE, '--dir', join(search.workspace, 'thought-trees/who'));
    assert.equal(second.code, 3);
    assert.ok((await money()).pockets.every(({ spent, booked }) => spent + booked <= 0.2));
    assert.ok(search.server.log.length >= before);
    assert.equal((await run('money', '--per-day', 'none')).code, 0);
    const { code, stderr } = await run('resume', DIR, '--price', '3,0.3,15');
    assert.equal(code, 0, stderr);
  });

  it('count what a search spent once, however often its folder is copied and continued', async () => {
    assert.equal((await run('start', 'Why?', ...PRICE, '--max-calls', '12')).code, 3);
    const [before] = (await money()).pockets;
    const copy = join(search.workspace, 'thought-trees', 'copy');
    await cp(search.folder, copy, { recursive: true });
    const calls = search.server.log.length;
    assert.equal((await run('resume', copy, '--max-calls', '14', '--price', '3,0.3,15')).code, 3);
    const { byModel, pockets } = await money();
    assert.equal(byModel[0]?.calls, search.server.log.length);
    assert.ok(search.server.log.length > calls);
    assert.ok((pockets[0]?.spent ?? 0) < 2 * (before?.spent ?? 0));
  });

  it('are said to be missing, once a run, where there is no folder for them: the limits of the search hold', async () => {
    const none = { XDG_STATE_HOME: '/dev/null/state', HOME: '/dev/null', THOUGHT_TREE_MODEL: 'openai-compatible/m' };
    const { code, stderr } = await search.runWith(none, 'start', 'Why?', ...PRICE, '--max-calls', '5');
    assert.equal(code, 3, stderr);
    assert.equal(stderr.match(/Limits over all that you run on this computer are not heeded here/g)?.length, 1);
    assert.equal((await search.runWith(none, 'money')).code, 1);
  });
});
