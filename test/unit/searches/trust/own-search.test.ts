import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { actOnSearch } from '../../../../src/searches/act-on-search.ts';
import { chooseModels } from '../../../../src/searches/models/choose-model.ts';
import { realPath, recallUse, rememberedAddress, writeUse } from '../../../../src/searches/trust/search-use.ts';
import { forgeSearch } from '../../../support/searches/forged-search.ts';
import { newFolder, removeFolders } from '../../store/support/places.ts';

const MODEL = 'openai-compatible/m';
const OWN = {
  model: MODEL,
  limits: { size: 'small' as const, maxDepth: 4, guards: { calls: 500, tokens: 9_000_000, usd: 20 } },
  spend: { calls: 100, tokens: 1_000_000, usd: 12, minutes: 5 },
  allowed: { tools: true, context: true, concurrency: 8, options: {} },
};

describe('a search of this user that was moved', () => {
  afterEach(removeFolders);

  it('keeps its limits and its spend where the first thing done with it asks no model', async () => {
    const workspace = await newFolder();
    const [before, folder] = [join(workspace, 'before'), join(workspace, 'after')];
    const begun = { type: 'search-started', model: MODEL, limits: OWN.limits };
    await forgeSearch(before, { options: { size: 'small' }, journal: [begun] });
    await mkdir(join(before, '.search'), { recursive: true });
    const id = randomUUID();
    await writeFile(join(before, '.search', 'id'), `${id}\n`);
    writeUse(id, { version: 1, path: await realPath(before), ...OWN });
    await rename(before, folder);

    const openModel = (): Promise<never> => Promise.reject(new Error('no model'));
    const call = { action: 'note', text: 'mind the cache' };
    const { ok } = await actOnSearch({ folder, workspace }, call, { kinds: KINDS, by: 'test', openModel });
    assert.ok(ok);

    const recalled = await recallUse(folder);
    const { limits, spend, allowed } = recalled.here ?? {};
    assert.deepEqual({ limits, spend, allowed }, { limits: OWN.limits, spend: OWN.spend, allowed: OWN.allowed });
    // The person has agreed to nothing yet.
    assert.equal(chooseModels({}, recalled, { model: MODEL, judge: undefined }, {}).trusted, false);
  });
});

describe('a search that has not begun', () => {
  afterEach(removeFolders);

  it('has no folder, and nothing is remembered of it', async () => {
    const folder = join(await newFolder(), 'new');
    assert.equal(await rememberedAddress(folder, MODEL), undefined);
  });
});
