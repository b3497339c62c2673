import assert from 'node:assert/strict';
import type { Model, Price } from '../../../../src/core/ports/model.ts';
import { queueOf } from '../../../../src/fleet/names.ts';
import type { ServedModel, WorkerCard } from '../../../../src/fleet/protocol.ts';
import { ANSWER, FakeFleet, modelOf, NAME } from '../../../support/fleet/fake-fleet.ts';

const KNOWN: Price = { prompt: 3, cached: 0.3, completion: 15 };

describe('what workers say of their models', () => {
  let fleet: FakeFleet;
  beforeEach(() => {
    fleet = new FakeFleet();
  });
  afterEach(() => fleet.close());

  /** Somebody's card, from now on. */
  function says(id: string, model: Partial<ServedModel>): void {
    const served = {
      queue: queueOf(NAME, undefined),
      name: NAME,
      free: false,
      tools: true,
      warmsCache: false,
      ...model,
    };
    const card: WorkerCard = {
      ...{ kind: 'worker', protocol: 1, version: '1', id, host: id, pid: 1, slots: 1, state: 'working' },
      ...{ models: [served], calls: [], spent: { calls: 0, tokens: 0, usd: 0 } },
    };
    fleet.board.cards.set(id, { card, at: fleet.board.now() + 60_000 });
  }

  async function met(price: Price | undefined): Promise<Model> {
    const leader = fleet.leader();
    const model = leader.model({ name: NAME, origin: undefined, price, seconds: 60 });
    await leader.meet(1000);
    await leader.meet(1000);
    return model;
  }

  it('counts up to four times the known price, which is said once', async () => {
    await fleet.worker(modelOf(async () => ANSWER, { price: { ...KNOWN, completion: 20 } }));
    const million = { prompt: 1e6, cached: 1e6, completion: 1e6, cacheWrite: 1e6 };
    says('evil', { price: { ...million, long: { ...million, above: 0 } } });
    const model = await met(KNOWN);
    const four = { prompt: 12, cached: 1.2, completion: 60, cacheWrite: 12 };
    assert.deepEqual(model.price, { ...four, long: { ...four, above: 0 } });
    assert.equal(fleet.notices.length, 1, fleet.notices.join());
    assert.match(fleet.notices.join(), /on evil says that openai-compatible\/small costs more than 4 times/);
    await model.close?.();
  });

  it('counts nothing where the person says that it costs nothing', async () => {
    says('evil', { price: { prompt: 1e6, cached: 1e6, completion: 1e6 } });
    const model = await met({ prompt: 0, cached: 0, completion: 0 });
    assert.deepEqual(model.price, { prompt: 0, cached: 0, completion: 0 });
    await model.close?.();
  });

  it('counts up to what any model costs where no price is known, and says that workers differ', async () => {
    await fleet.worker(modelOf(async () => ANSWER, { price: KNOWN }));
    says('evil', { price: { prompt: 1e6, cached: 1e6, completion: 1e6 } });
    const model = await met(undefined);
    assert.deepEqual(model.price, { prompt: 1000, cached: 1000, completion: 1000 });
    assert.match(fleet.notices.join(), /evil says a price .* that no model has.*No price of .* is known here/);
    await model.close?.();
  });

  it('makes no model too small to be asked anything', async () => {
    await fleet.worker(modelOf(async () => ANSWER, { contextTokens: 100_000, thinking: { usual: 12_000, low: 4000 } }));
    says('evil', { contextTokens: 1, thinking: { usual: 1e12, low: 1e12 } });
    const model = await met(KNOWN);
    assert.deepEqual([model.contextTokens, model.thinking], [4096, { usual: 64_000, low: 64_000 }]);
    assert.match(fleet.notices.join(), /on evil says that openai-compatible\/small reads fewer than 4,096/);
    await model.close?.();
  });

  it('are not doubted where they can be', async () => {
    await fleet.worker(
      modelOf(async () => ANSWER, { price: { ...KNOWN, cached: 1, completion: 30 }, contextTokens: 8192 }),
    );
    const model = await met(KNOWN);
    assert.deepEqual([model.price, model.contextTokens], [{ prompt: 3, cached: 1, completion: 30 }, 8192]);
    assert.deepEqual(fleet.notices, []);
    await model.close?.();
  });
});
