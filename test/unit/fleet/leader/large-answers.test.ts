import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { FleetLeader } from '../../../../src/fleet/leader/fleet-leader.ts';
import { queueOf } from '../../../../src/fleet/names.ts';
import type { Result } from '../../../../src/fleet/protocol.ts';
import type { FleetQueue, Packed, TakenCall } from '../../../../src/fleet/queue.ts';
import { someOf } from '../../../support/effort.ts';
import { ANSWER, answerTo, callFor, NAME, requestFor, said } from '../../../support/fleet/fake-fleet.ts';
import { QUEUES, type Sides } from '../../../support/fleet/queue-sides.ts';

const SEARCH = 'ab12';
const GOOD = { outcome: 'answer', ...ANSWER } as Result;
/** So large that a queue gives out one at a time. */
const large = (): string => randomBytes(1_700_000).toString('base64');

describe('an answer behind large ones that somebody else wrote', () => {
  let sides: Sides;
  beforeEach(async () => {
    const [, [, open]] = QUEUES;
    sides = await open();
  });
  afterEach(() => sides.close());

  async function next(worker: FleetQueue): Promise<TakenCall> {
    for (;;) {
      const [taken] = await worker.take(queueOf(NAME, undefined), 1);
      if (taken) return taken;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  const many: Record<string, () => Packed> = {
    'as packed': () => ({ packed: large() }),
    'with more in their rows': () => Object.assign({ packed: 'small' }, { more: large() }),
  };
  for (const [name, junk] of someOf(Object.entries(many), 1))
    it(`has its call not count as lost (${name})`, async () => {
      const { leader: queue, worker } = sides;
      const of = { search: async () => SEARCH, lease: async () => 1 };
      const leader = new FleetLeader({ queue, title: 'Why?', ...of, key: 'k', notice: () => undefined });
      const model = leader.model({ name: NAME, origin: undefined, price: undefined, seconds: 60 });
      const answered = async (asked: Promise<unknown>, before: number): Promise<unknown> => {
        const call = await next(worker);
        const beat = setInterval(() => void worker.beat([call]), 1000);
        for (let each = 0; each < before; each++)
          await worker.answer({ id: randomUUID(), queue: 'none' }, SEARCH, junk(), 'another');
        await worker.answer(call, SEARCH, await answerTo(call.id, GOOD), 'w');
        return await asked.finally(() => clearInterval(beat));
      };
      // From the first answer on, a single one need not be asked for again.
      await answered(model.generate(requestFor('Why?'), callFor(`${name} 1`)), 0);
      const answer = await answered(model.generate(requestFor('How?'), callFor(`${name} 2`)).then(said), 14);
      await model.close?.();
      assert.deepEqual(answer, ANSWER);
    });
});
