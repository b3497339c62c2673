import { deepEqual, equal, ok } from 'node:assert/strict';
import { testModel } from '../../../src/models/list-models.ts';
import { openModel } from '../../../src/models/open-model.ts';
import { type Act, startProtocolServer } from '../../support/servers/protocol-server.ts';
import { messages } from '../../support/servers/protocols/messages.ts';

async function tested(act: Act) {
  const server = await startProtocolServer(messages, () => act);
  try {
    const model = await openModel('anthropic/claude-tiny', { workspace: '.', baseUrl: server.baseUrl });
    return { result: await testModel(model), server };
  } finally {
    await server.close();
  }
}

describe('testing a model', () => {
  it('makes one tiny call, and says how long it took and what it used', async () => {
    const { result, server } = await tested({ does: 'answer', pieces: ['yes'] });
    ok(result.works && result.ms >= 0);
    deepEqual(result.usage, { prompt: 3, cached: 0, written: 0, completion: 2 });
    equal(server.seen.length, 1);
    equal(server.seen[0]?.maxTokens, 64);
  });

  it('works where a model that thinks first ran out of room', async () => {
    ok((await tested({ does: 'answer', pieces: [], finish: 'length' })).result.works);
  });

  it('says what is wrong', async () => {
    const { result } = await tested({ does: 'error', error: 'no-quota' });
    equal(!result.works && result.error.reason, 'quota-exceeded');
  });
});
