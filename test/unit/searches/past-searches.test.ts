import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { forecastFor } from '../../../src/searches/forecast-for.ts';
import { pastStatistics } from '../../../src/searches/past-searches.ts';
import { forgedCall, forgeSearch, makeOwn } from '../../support/searches/forged-search.ts';
import { newFolder, removeFolders } from '../store/support/places.ts';

const TIME = '2026-01-01T00:00:00.000Z';

describe('the forecast of a search, where others came with its folder', () => {
  afterEach(removeFolders);

  it('learns nothing from their journals, nor from its own', async () => {
    const workspace = await newFolder();
    const cheap = [
      { type: 'search-started', model: 'a/b', limits: { size: 'small', maxDepth: 4, guards: {} } },
      ...Array.from({ length: 40 }, (_, n) => forgedCall(`c${n}`, { prompt: 1, completion: 1 })).flat(),
    ];
    const price = { prompt: 10, cached: 1, completion: 50 };
    const said = async (name: string): Promise<number | undefined> => {
      const place = { folder: join(workspace, name), workspace };
      const { left } = await forecastFor({ kinds: KINDS, place, model: { name: 'a/b', free: false, price } });
      return left.usd?.likely;
    };
    await forgeSearch(join(workspace, 'plain'), { options: { size: 'small' } });
    const alone = await said('plain');
    await forgeSearch(join(workspace, 'forged'), { options: { size: 'small' }, journal: cheap });
    assert.equal(await said('plain'), alone);
    assert.equal(await said('forged'), alone);
  });
});

describe('what earlier searches of a workspace showed', () => {
  let searches: string;
  beforeEach(async () => {
    searches = await mkdtemp(join(tmpdir(), 'thought-tree-past-'));
  });
  afterEach(() => rm(searches, { recursive: true, force: true }));

  /** A search that was run with a model, with so many documents of so many tokens. */
  async function write(
    name: string,
    model: string,
    documents: number,
    tokens: number,
    kind = 'research',
  ): Promise<void> {
    const folder = join(searches, name);
    await mkdir(join(folder, '.search'), { recursive: true });
    const file = { version: 1, kind, title: name, prompt: name, options: {} };
    await writeFile(join(folder, 'search.json'), JSON.stringify(file));
    const started = { type: 'search-started', model, limits: { size: 'small', maxDepth: 4, guards: {} } };
    const usage = { prompt: 100, cached: 0, completion: tokens };
    const ended = { type: 'call-ended', purpose: 'document', node: 'a', outcome: 'ok', ms: 1, charged: true, usage };
    const events = [started, ...Array.from({ length: documents }, (_, n) => ({ ...ended, call: `c${n}` }))];
    const lines = events.map((event, index) => `${JSON.stringify({ seq: index + 1, time: TIME, ...event })}\n`);
    await writeFile(join(folder, '.search', 'journal.jsonl'), lines.join(''));
    await makeOwn(folder);
  }

  it('is that of the same kind and the same model, if that is enough', async () => {
    await write('one', 'a/b', 40, 1000);
    await write('two', 'c/d', 10, 50);
    await write('three', 'a/b', 40, 7, 'thoughts');
    const same = await pastStatistics({ searches, kind: 'research', model: 'a/b' });
    assert.deepEqual([same.of('document').answers, same.of('document').completion], [40, 40_000]);
    const any = await pastStatistics({ searches, kind: 'research', model: 'c/d' });
    assert.equal(any.of('document').answers, 50);
    const others = { searches, kind: 'research', model: 'a/b', except: join(searches, 'one') };
    assert.equal((await pastStatistics(others)).of('document').answers, 10);
  });

  it('ignores what is unreadable, and is empty without searches', async () => {
    await mkdir(join(searches, 'no-search'));
    await mkdir(join(searches, 'damaged', '.search'), { recursive: true });
    await writeFile(join(searches, 'damaged', 'search.json'), '{');
    await write('one', 'a/b', 3, 10);
    await writeFile(join(searches, 'one', '.search', 'journal.jsonl'), 'no journal\n');
    const found = await pastStatistics({ searches, kind: 'research', model: 'a/b' });
    assert.deepEqual(found.purposes, []);
    const none = await pastStatistics({ searches: join(searches, 'none'), kind: 'research', model: 'a/b' });
    assert.deepEqual(none.purposes, []);
  });

  it('makes the forecast of the next one', async () => {
    const place = { folder: join(searches, 'next'), workspace: searches };
    const create = {
      version: 1,
      kind: 'research',
      title: 'Next',
      prompt: 'Next?',
      options: { size: 'small' as const },
    };
    const model = { name: 'a/b', free: false, price: { prompt: 1, cached: 0.1, completion: 5 } };
    const guess = await forecastFor({ kinds: KINDS, place, create, model });
    await write('one', 'a/b', 40, 4000);
    const { left, whole } = await forecastFor({ kinds: KINDS, place, create, model });
    assert.deepEqual(left, whole);
    assert.ok((left.usd?.likely ?? 0) > 1.5 * (guess.left.usd?.likely ?? 0));
    assert.ok(left.seen.past === 40 && guess.left.seen.past === 0);
    const judged = await forecastFor({ kinds: KINDS, place, create, model, judge: { name: 'c/d', free: false } });
    assert.equal(judged.left.usd, undefined, 'nobody knows what the judge costs');
  });
});
