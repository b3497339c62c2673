import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DEFAULT_SPEND_LIMITS } from '../../../../src/core/search/limits.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { overviewOf } from '../../../../src/searches/reader/search-overview.ts';
import { forgeSearch, makeOwn, NO_LIMITS } from '../../../support/searches/forged-search.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const started = { type: 'search-started', model: 'openai-compatible/m', limits: NO_LIMITS };

describe('the limits of a search at rest', () => {
  it('are those that will apply here, not those of a journal that came with the folder', async () => {
    const folder = join(temporaryFolder('limits'), 'why');
    await forgeSearch(folder, { journal: [started] });
    const { limits } = await overviewOf(KINDS, folder);
    assert.deepEqual(limits.guards, { ...DEFAULT_SPEND_LIMITS, minutes: NO_LIMITS.guards.minutes });
    assert.notEqual(limits.size, 'all');
  });

  it('are lower if its journal says so', async () => {
    const folder = join(temporaryFolder('limits'), 'why');
    const low = { size: 'small', maxDepth: 2, guards: { calls: 7 } };
    await forgeSearch(folder, { journal: [{ ...started, limits: low }] });
    await makeOwn(folder);
    const { limits } = await overviewOf(KINDS, folder);
    assert.deepEqual([limits.size, limits.maxDepth, limits.guards.calls], ['small', 2, 7]);
  });
});
