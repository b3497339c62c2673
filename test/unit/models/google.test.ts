import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { openModel } from '../../../src/models/open-model.ts';
import { ONE_CALL } from '../../support/models/one-call.ts';
import { type Act, startProtocolServer } from '../../support/servers/protocol-server.ts';
import { gemini } from '../../support/servers/protocols/gemini.ts';
import type { Protocol } from '../../support/servers/protocols/protocol.ts';
import { modelRequest } from './model-request.ts';

const call = { ...ONE_CALL, signal: new AbortController().signal };

/** What a model makes of one act of the server's, and how many requests it took. */
async function outcomeOf(act: Act, protocol: Protocol = gemini) {
  const server = await startProtocolServer(protocol, () => act);
  try {
    const model = await openModel('google/gemini-3.5-flash', { workspace: '.', baseUrl: server.baseUrl });
    const outcome = await model.generate(modelRequest(), call).catch((error: unknown) => error);
    return { outcome: outcome as { text?: string; finish?: string; reason?: string; details?: object }, server };
  } finally {
    await server.close();
  }
}

describe('google model', () => {
  it('waits as long as the body of an error requests', async () => {
    const errors: Protocol['errors'] = (message) => ({
      ...gemini.errors(message),
      'rate-limit': {
        status: 429,
        body: {
          error: {
            code: 429,
            status: 'RESOURCE_EXHAUSTED',
            message: 'Please retry in 34.07s.',
            details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }],
          },
        },
      },
    });
    const { outcome } = await outcomeOf({ does: 'error', error: 'rate-limit' }, { ...gemini, errors });
    deepEqual([outcome.reason, outcome.details], ['rate-limited', { charged: false, retryAfterMs: 34_500 }]);
  });

  it('makes no second request by itself, though the server asks for one', async () => {
    const chunk = {
      candidates: [{ content: { parts: [{ text: 'Half' }] }, finishReason: 'CONTINUATION', continuationToken: 'more' }],
    };
    const body = `data: ${JSON.stringify(chunk)}\r\n\r\n`;
    const { outcome, server } = await outcomeOf({ does: 'send', type: gemini.type, body });
    equal(outcome.reason, 'cut-off');
    equal(server.seen.length, 1);
  });

  it('accepts a list of chunks from a server that does not support events', async () => {
    const part = (text: string, rest: object = {}) => ({ candidates: [{ content: { parts: [{ text }] }, ...rest }] });
    const body = JSON.stringify([part('An '), part('answer.', { finishReason: 'STOP' })]);
    const { outcome } = await outcomeOf({ does: 'send', type: 'application/json', body });
    deepEqual(outcome, { text: 'An answer.', finish: 'stop' });
  });

  it('reports a blocked prompt', async () => {
    const body = `data: ${JSON.stringify({ promptFeedback: { blockReason: 'SAFETY' } })}\r\n\r\n`;
    const { outcome } = await outcomeOf({ does: 'send', type: gemini.type, body });
    deepEqual(outcome, { text: '', finish: 'refused' });
  });

  for (const name of ['../x', 'a/../b', 'x?key=1', 'a b', 'x#y', '..', 'a//b'])
    it(`rejects a name that would change the address: ${name}`, async () => {
      const opening = openModel(`google/${name}`, { workspace: '.', baseUrl: 'http://127.0.0.1:1' });
      await rejects(opening, (error: Error) => ok(/looks like google\/gemini/.test(error.message)) === undefined);
    });
});
