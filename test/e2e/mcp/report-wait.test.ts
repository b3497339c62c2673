import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endsWith, removeSearches, TestSearch } from '../../support/searches/e2e-search.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';
import { McpClient } from './mcp-client.ts';

const HOUR = 3_600_000;

describe('the wait for the report of a search that nobody runs', () => {
  afterEach(removeSearches);

  it('ends when it is stopped: the call is given up, and the report written without it', async () => {
    const latencyMs = ({ purpose }: { purpose: string }): number => (purpose === 'synthesize' ? HOUR : 5);
    const search = await TestSearch.make({ answer: scriptedTree().answer, latencyMs });
    await endsWith(3, search.start('--max-calls', '12'));
    const { folder, workspace, server } = search;
    const paid = ['--model', 'openai-compatible/scripted', '--price', '1,1,1', '--allow-usd', '50'];
    const env = { THOUGHT_TREE_BASE_URL: server.baseUrl };
    const client = await McpClient.open(['--dir', workspace, ...paid], { env });
    try {
      const stop = new AbortController();
      const steered = client.raw('tree_act', { search: 'why', action: 'finish' }, { signal: stop.signal });
      await server.until((log) => log.some(({ purpose }) => purpose === 'synthesize'));
      stop.abort();
      await assert.rejects(steered);
      await server.until((log) => log.every(({ outcome }) => outcome !== 'open'));
      while ((await client.call('tree_status', { search: 'why' }))['state'] !== 'finished');
    } finally {
      await client.close();
    }
    assert.match(await readFile(join(folder, 'report.md'), 'utf8'), /the opening is missing, since the call failed/);
  });
});
