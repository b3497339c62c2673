import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endsWith, removeSearches, TestSearch } from '../../support/searches/e2e-search.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';

const CONCURRENCY = 6;
const { answer } = scriptedTree({ fanout: (_path, depth) => [8, 2][depth] ?? 0, documentWords: 40 });

describe('a search that is killed during calls', () => {
  afterEach(removeSearches);

  for (const command of ['finish', 'report'])
    it(`gets its report by ${command}, and the calls that were under way are booked`, async () => {
      const search = await TestSearch.make({
        answer,
        latencyMs: ({ purpose }) => (purpose === 'document' ? 600_000 : 1),
      });
      const process = search.start('--size', 'all', '--concurrency', String(CONCURRENCY));
      while (search.server.log.length <= CONCURRENCY && !process.isOver) await sleep(5);
      process.kill('SIGKILL');
      await process.end;
      const before = await search.status();
      const underWay = search.server.log.length - 1;
      assert.ok(underWay >= CONCURRENCY, `${underWay} under way`);
      assert.ok(before.results.calls >= search.server.log.length);
      await endsWith(0, search.command(command, search.folder));
      assert.ok(existsSync(join(search.folder, 'report.md')));
      const { state, results } = await search.status();
      assert.ok(results.calls >= before.results.calls, `${results.calls} calls of ${before.results.calls}`);
      assert.ok(results.tokens.worstCase >= before.results.tokens.worstCase);
      if (command === 'finish') assert.equal(state, 'finished');
    });
});
