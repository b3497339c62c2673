import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { openModel } from '../../../src/models/open-model.ts';
import { actOnSearch } from '../../../src/searches/act-on-search.ts';
import { endsWith, removeSearches, TestSearch } from '../../support/searches/e2e-search.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';

const HOUR = 3_600_000;

describe('the wait for the report of a search that nobody runs', () => {
  afterEach(removeSearches);

  it('ends when it is stopped: the call is given up, and the report written without it', async () => {
    const latencyMs = ({ purpose }: { purpose: string }): number => (purpose === 'synthesize' ? HOUR : 5);
    const search = await TestSearch.make({ answer: scriptedTree().answer, latencyMs });
    await endsWith(3, search.start('--max-calls', '12'));
    const stop = new AbortController();
    const { folder, workspace, server } = search;
    const steered = actOnSearch(
      { folder, workspace },
      { action: 'finish' },
      {
        kinds: KINDS,
        by: 'test',
        openModel: (name) => openModel(name, { workspace, baseUrl: server.baseUrl }),
        signal: stop.signal,
      },
    );
    await server.until((log) => log.some(({ purpose }) => purpose === 'synthesize'));
    stop.abort();
    assert.equal((await steered).ok, true);
    await server.until((log) => log.every(({ outcome }) => outcome !== 'open'));
    assert.match(await readFile(join(folder, 'report.md'), 'utf8'), /the opening is missing, since the call failed/);
    assert.equal((await search.status()).state, 'finished');
  });
}).timeout(60_000);
