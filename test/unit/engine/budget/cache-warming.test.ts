import assert from 'node:assert/strict';
import type { Model, ModelRequest } from '../../../../src/core/ports/model.ts';
import { CacheWarming } from '../../../../src/engine/patience.ts';
import { warmedModel } from '../../../support/models/warmed-model.ts';
import { simulate } from '../../../support/searches/simulated-search.ts';
import { VirtualClock } from '../../../support/virtual-clock.ts';

const model = { name: 'a/b', warmsCache: true } as Model;
const request = (node: string): ModelRequest => ({
  purpose: 'document',
  node,
  system: '',
  turns: [
    { role: 'user', text: 'Write.' },
    { role: 'assistant', text: 'Written.' },
  ],
  shared: 2,
  prompt: 'Go on.',
  data: { question: '' },
  maxOutputTokens: 10,
});
const { signal } = new AbortController();

describe('warming a cache', () => {
  it('lets one sibling go ahead until its answer begins, and nobody else wait', async () => {
    const warming = new CacheWarming(new VirtualClock());
    const first = await warming.enter(request('p/a'), model, signal);
    let entered = 0;
    const siblings = ['p/b', 'p/c'].map((node) => warming.enter(request(node), model, signal).then(() => entered++));
    await warming.enter(request('q/a'), model, signal);
    await warming.enter({ ...request('p/d'), shared: 0 }, model, signal);
    await warming.enter(request('p/e'), { ...model, warmsCache: false }, signal);
    assert.equal(entered, 0);
    first.begun();
    await Promise.all(siblings);
    await warming.enter(request('p/f'), model, signal);
  });

  it('lets the next one go ahead where the first one failed', async () => {
    const warming = new CacheWarming(new VirtualClock());
    const first = await warming.enter(request('p/a'), model, signal);
    const order: string[] = [];
    const siblings = ['p/b', 'p/c', 'p/d'].map(async (node) => {
      const place = await warming.enter(request(node), model, signal);
      order.push(node);
      place.over();
    });
    first.over();
    await Promise.all(siblings);
    assert.deepEqual(order.sort(), ['p/b', 'p/c', 'p/d']);
  });

  it('keeps nobody who is stopped, and holds nothing of their signal', async () => {
    const warming = new CacheWarming(new VirtualClock());
    await warming.enter(request('p/a'), model, signal);
    const stop = new AbortController();
    const waiting = warming.enter(request('p/b'), model, stop.signal);
    stop.abort();
    await assert.rejects(waiting, { reason: 'aborted' });
  });

  it('is done again when the provider has forgotten', async () => {
    const clock = new VirtualClock();
    const warming = new CacheWarming(clock);
    (await warming.enter(request('p/a'), model, signal)).begun();
    await clock.run(clock.sleep(6 * 60_000));
    const again = await warming.enter(request('p/b'), model, signal);
    let entered = false;
    const next = warming.enter(request('p/c'), model, signal).then(() => {
      entered = true;
    });
    await new Promise(setImmediate);
    assert.equal(entered, false);
    again.over();
    await next;
  });

  it('serves more from the cache, and costs a search next to no time', async () => {
    const tree = { fanout: (_path: string, depth: number) => [4, 8, 8][depth] ?? 0, documentWords: 200 };
    const run = async (warmsCache: boolean) => {
      const clock = new VirtualClock();
      const warmed = warmedModel({ tree, clock, warmsCache });
      const search = { model: warmed.model, clock, concurrency: 8, limits: { size: 'all' } } as const;
      const simulation = await simulate({ tree, search });
      const begun = clock.now();
      assert.equal((await clock.run(simulation.search.run())).state, 'finished');
      return { ms: clock.now() - begun, share: warmed.counted.cached / warmed.counted.prompt };
    };
    const [cold, warm] = [await run(false), await run(true)];
    assert.ok(warm.share > cold.share, `${warm.share} after, ${cold.share} before`);
    assert.ok(warm.ms < cold.ms * 1.06, `${warm.ms} ms instead of ${cold.ms}`);
  });
});
