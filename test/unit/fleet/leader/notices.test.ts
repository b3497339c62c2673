import assert from 'node:assert/strict';
import { Doubts } from '../../../../src/fleet/leader/fleet-leader.ts';
import { queueOf } from '../../../../src/fleet/names.ts';
import type { SeenRegistration } from '../../../../src/fleet/queue.ts';
import { NAME } from '../../../support/fleet/fake-fleet.ts';

/** The most workers of other versions of which a person is told. */
const MOST = 20;

const otherWorkers = (count: number): SeenRegistration[] =>
  Array.from({ length: count }, (_, i) => {
    const id = `w${i}`;
    return { kind: 'other', of: 'worker', id, host: `h${i}`, protocol: 99, silentMs: 0 };
  });

const MODELS = [{ name: NAME, origin: undefined, price: undefined, seconds: 60 }];
/** Two workers whose prices of the model cannot both be right. */
const DISPUTING = [1, 9].map((completion) => ({
  kind: 'worker',
  models: [{ queue: queueOf(NAME, undefined), name: NAME, price: { prompt: 1, completion } }],
})) as unknown as SeenRegistration[];

describe('what is wrong with a fleet', () => {
  let told: string[];
  let doubts: Doubts;
  beforeEach(() => {
    told = [];
    doubts = new Doubts(({ key }) => void told.push(key));
  });

  it('is told once of each worker of another version, up to a bound', () => {
    for (let look = 0; look < 3; look++) doubts.tell(otherWorkers(MOST + 10), MODELS);
    assert.deepEqual(
      told,
      Array.from({ length: MOST }, () => 'fleet.other-protocol'),
    );
  });

  it('is told of prices and of all else beside as many workers', () => {
    doubts.tell(DISPUTING, MODELS);
    doubts.tellOnce('else', { key: 'else' } as never);
    doubts.tell(otherWorkers(MOST), MODELS);
    assert.equal(told.filter((key) => key === 'fleet.other-protocol').length, MOST);
    assert.equal(told.length, MOST + 2);
    doubts.tell([...DISPUTING, ...otherWorkers(MOST)], MODELS);
    assert.equal(told.length, MOST + 2, 'each thing once');
  });
});
