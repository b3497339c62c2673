import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readQueueAddress } from '../../../../src/fleet/address.ts';
import { pack } from '../../../../src/fleet/queue.ts';
import { openQueue } from '../../../support/fleet/built-queue.ts';
import { TestFleet } from '../../../support/fleet/test-fleet.ts';

const QUEUE = 'calls.test';

describe('a database that is killed', () => {
  let fleet: TestFleet;
  before(async () => {
    fleet = await TestFleet.make({ own: true });
  });
  after(() => fleet.remove());

  it('still knows which calls were taken, so that nobody makes them a second time', async () => {
    const { postgres } = fleet;
    assert.ok(postgres);
    const queue = await openQueue(readQueueAddress(fleet.url), true);
    const sent = Array.from({ length: 4 }, () => ({ id: randomUUID(), queue: QUEUE }));
    await queue.openSearch('ab12', [QUEUE]);
    for (const call of sent) await queue.send({ ...call, payload: await pack({}), seconds: 60 });
    assert.equal((await queue.take(QUEUE, sent.length)).length, sent.length);
    process.kill(postgres.pid(), 'SIGKILL');
    await postgres.again();
    await queue.close();
    const later = await openQueue(readQueueAddress(fleet.url), false);
    const states = await later.states(sent);
    await later.close();
    assert.deepEqual(
      [...states.values()],
      sent.map(() => 'taken'),
    );
  });
});
