import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Forecast } from '../../../src/core/money/forecast.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { forecastFor, pastStatistics } from '../../../src/searches/search-forecast.ts';
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
    usd?: number,
  ): Promise<void> {
    const folder = join(searches, name);
    await mkdir(join(folder, '.search'), { recursive: true });
    const file = { version: 1, kind, title: name, prompt: name, options: {} };
    await writeFile(join(folder, 'search.json'), JSON.stringify(file));
    const started = { type: 'search-started', model, limits: { size: 'small', maxDepth: 4, guards: {} } };
    const usage = { prompt: 100, cached: 0, completion: tokens, ...(usd === undefined ? {} : { usd }) };
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

  it('teaches nothing about a paid model where the model was free, nor the other way round', async () => {
    await write('one', 'workspace/quotes', 40, 1);
    await write('two', 'replay/rec.jsonl', 40, 1);
    await write('three', 'c/d', 2, 900);
    const paid = await pastStatistics({ searches, kind: 'research', model: 'a/b' });
    assert.deepEqual([paid.of('document').answers, paid.of('document').completion], [2, 1800]);
    const free = await pastStatistics({ searches, kind: 'research', model: 'workspace/quotes', free: true });
    assert.deepEqual([free.of('document').answers, free.of('document').completion], [40, 40]);
  });

  it('gives no dollars for a model without a price because another one had a price', async () => {
    await write('one', 'c/d', 40, 900, 'research', 0.02);
    await write('two', 'a/reported', 3, 900, 'research', 0.02);
    const place = { folder: join(searches, 'next'), workspace: searches };
    const create = { version: 1, kind: 'research', title: 'N', prompt: 'N?', options: {} };
    const said = async (name: string): Promise<unknown> =>
      (await forecastFor({ kinds: KINDS, place, create, model: { name, free: false } })).left.usd;
    assert.equal(await said('a/unpriced'), undefined);
  });

  it('is bounded by every limit, also by raised ones on a resume', async () => {
    const place = { folder: join(searches, 'next'), workspace: searches };
    const model = { name: 'a/b', free: false, price: { prompt: 1, cached: 0.1, completion: 5 } };
    const create = {
      version: 1,
      kind: 'research',
      title: 'N',
      prompt: 'N?',
      options: { size: 'all' as const, maxDepth: 6 },
    };
    const left = async (guards: object): Promise<Forecast> =>
      (await forecastFor({ kinds: KINDS, place, create, model, limits: { guards } })).left;
    const whole = await left({ calls: 1e9, tokens: 1e12, usd: 1e9 });
    const usual = await left({});
    assert.ok(whole.calls.high > 1000 && usual.calls.high <= 1000, 'the default limits hold');
    assert.ok(usual.tokens.high <= 2_000_000 && (usual.usd?.high ?? 9) <= 5);
    for (const [guard, limit] of [
      ['calls', 50],
      ['tokens', 40_000],
      ['usd', 0.05],
      ['minutes', 0.5],
    ] as const) {
      const bounded = await left({ calls: 1e9, tokens: 1e12, usd: 1e9, [guard]: limit });
      assert.ok((bounded[guard]?.high ?? 0) <= limit + 1e-9 && (bounded[guard]?.likely ?? 0) > 0.9 * limit, guard);
      assert.ok(bounded.calls.likely < whole.calls.likely && bounded.tokens.likely < whole.tokens.likely);
    }
    await write('next', 'a/b', 10, 900);
    const resumed = async (limits: object): Promise<Forecast> =>
      (await forecastFor({ kinds: KINDS, place, model, limits })).left;
    assert.ok((await resumed({ guards: { calls: 30 } })).calls.likely <= 20);
    const raised = await resumed({ size: 'large', guards: { calls: 1e6 } });
    assert.ok(raised.calls.likely > 200, 'the size, and the limit that was raised');
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
