import assert from 'node:assert/strict';
import { foreign } from '../../../../src/core/messages/message.ts';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { simulate } from '../../../support/searches/simulated-search.ts';

const unreachable = new ThoughtTreeError('unreachable', foreign({ text: 'Nobody answers.' }), { charged: false });

describe('a limit of minutes', () => {
  it('ends the wait for a server that answered once and then died', async () => {
    let answered = 0;
    const { run, clock } = await simulate({
      model: { latencyMs: () => 1000, instead: () => (answered++ < 3 ? undefined : unreachable) },
      search: { limits: { size: 'all', guards: { minutes: 10 } } },
    });
    const begin = clock.now();
    const outcome = await run();
    assert.ok(outcome.state === 'paused' && outcome.reason === 'budget', JSON.stringify(outcome));
    const minutes = (clock.now() - begin) / 60_000;
    assert.ok(minutes >= 10 && minutes < 12, `${minutes} minutes`);
  });
});
