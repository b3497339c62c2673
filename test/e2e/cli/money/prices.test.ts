import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CliEnd, eventsOf, runCli } from '../run-cli.ts';
import { SteeredSearch } from '../steering/steered-search.ts';

const TABLE = {
  'gpt-5': { litellm_provider: 'openai', input_cost_per_token: 0.0000015, output_cost_per_token: 0.000011 },
  'gpt-5.1': { litellm_provider: 'openai', input_cost_per_token: 1e-9, output_cost_per_token: 1e-9 },
  'gpt-5.2': { litellm_provider: 'openai', input_cost_per_token: -1, output_cost_per_token: 1 },
};

describe('prices that a person takes over', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'thought-tree-prices-'));
    await writeFile(join(folder, 'prices.json'), JSON.stringify(TABLE));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const run = (...args: string[]): Promise<CliEnd> =>
    runCli(args, { cwd: folder, env: { XDG_STATE_HOME: join(folder, 'state') } });

  it('are kept in their state folder; what is no price, or ten times lower, is not, and both are said', async () => {
    const { code, stdout, stderr } = await run('models', '--update-prices', 'prices.json');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^The price of 1 model was taken over \(1 new or changed\), as of \d{4}-\d\d-\d\d\.$/m);
    assert.match(stdout, /^1 was refused, as it is no price: openai\/gpt-5\.2$/m);
    assert.match(stdout, /^1 stays as it was, .*: openai\/gpt-5\.1\. /m);
    const { prices } = JSON.parse(await readFile(join(folder, 'state', 'thought-tree', 'prices.json'), 'utf8'));
    assert.equal(prices.openai['gpt-5'].prompt, 1.5);
    assert.equal((await run('models', '--update-prices', 'nowhere.json')).code, 2);
  });

  it('are in the journal of each run that used them', async () => {
    const search = await SteeredSearch.make();
    try {
      const { code, stdout, stderr } = await search.start('--size', 'small', '--price', '3,0.3,15').end;
      assert.equal(code, 0, stderr);
      const begun = eventsOf(stdout).find(({ type }) => type === 'search-started') as { prices?: object } | undefined;
      assert.deepEqual(begun?.prices, { 'openai-compatible/m': { prompt: 3, cached: 0.3, completion: 15 } });
    } finally {
      await search.remove();
    }
  });
});
