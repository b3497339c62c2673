import assert from 'node:assert/strict';
import { PGlite } from '@electric-sql/pglite';
import { BossQueue } from '../../../../src/fleet/boss/boss-queue.ts';
import type { LeaderCard, WorkerCard } from '../../../../src/fleet/protocol.ts';
import { pgliteDb } from '../../../support/fleet/pglite-db.ts';

describe('a card in the database', function () {
  this.timeout(60_000);
  let database: PGlite;
  let queue: BossQueue;
  before(async () => {
    database = await PGlite.create();
    queue = await BossQueue.on(pgliteDb(database), { looksAfter: false });
  });
  after(async () => {
    await queue.close();
    await database.close();
  });

  it('has what the database does not know as text replaced', async () => {
    const title = `${'Why? '.repeat(50)}\0 \\u0000 😀`.slice(0, -1);
    const card: LeaderCard = { kind: 'leader', protocol: 1, id: 'l1', title, models: [], underWay: 0 };
    await queue.showCard(card);
    const [shown] = await queue.cards();
    assert.equal(shown?.kind === 'leader' && shown.title, `${'Why? '.repeat(50)}\ufffd \\u0000 \ufffd`);
    await queue.removeCard('l1');
  });

  it('leaves out calls of a worker that has too many to show', async () => {
    const call = { model: 'ollama/small', node: 'n'.repeat(4000), purpose: 'document', since: 0 };
    const card: WorkerCard = {
      ...{ kind: 'worker', protocol: 1, version: '1', id: 'w1', host: 'h', pid: 1, slots: 500, state: 'working' },
      ...{ models: [], calls: Array.from({ length: 500 }, () => call), spent: { calls: 0, tokens: 0, usd: 0 } },
    };
    await queue.showCard(card);
    const [shown] = await queue.cards();
    assert.ok(shown?.kind === 'worker' && shown.slots === 500);
    assert.ok(shown.calls.length > 10 && shown.calls.length < 100, String(shown.calls.length));
  });
});
