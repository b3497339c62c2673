import { deepEqual, equal, ok } from 'node:assert/strict';
import type { ModelRequest } from '../../../src/core/ports/model.ts';
import { openModel } from '../../../src/models/open-model.ts';
import { ONE_CALL } from '../../support/models/one-call.ts';
import { startProtocolServer } from '../../support/servers/protocol-server.ts';
import { marksIn, messages } from '../../support/servers/protocols/messages.ts';
import { modelRequest } from './model-request.ts';

const turns = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', text: `turn ${at}` }) as const);

/** Where the marks of these requests are: `system`, or the number of a turn, the prompt being the last. */
async function marksOf(...requests: Partial<ModelRequest>[]): Promise<(string | number)[][]> {
  const server = await startProtocolServer(messages, () => ({ does: 'answer', pieces: ['fine'] }));
  try {
    const model = await openModel('anthropic/claude-tiny', { workspace: '.', baseUrl: server.baseUrl });
    equal(model.warmsCache, true);
    for (const request of requests)
      await model.generate(modelRequest(request), { ...ONE_CALL, signal: new AbortController().signal });
    return server.seen.map(marksIn);
  } finally {
    await server.close();
  }
}

describe("marks for Anthropic's cache", () => {
  it('are at the system text, the fork point and the end', async () => {
    deepEqual(await marksOf({ turns: turns(6), shared: 4 }), [['system', 3, 6]]);
    deepEqual(await marksOf({ turns: turns(6), shared: 6 }), [['system', 5, 6]]);
  });

  it('are at the system text and the end if nothing is inherited, or that is unknown', async () => {
    deepEqual(await marksOf({ turns: [], shared: 0 }, { turns: turns(4) }), [
      ['system', 0],
      ['system', 4],
    ]);
  });

  it('do not cache what nobody continues from', async () => {
    deepEqual(await marksOf({ isLast: true }), [['system']]);
    deepEqual(await marksOf({ isLast: true, turns: turns(2), shared: 2 }), [['system', 1]]);
  });

  it('need no system text, and ignore a wrong number', async () => {
    deepEqual(await marksOf({ system: '', turns: turns(2), shared: 2 }, { turns: turns(2), shared: 99 }), [
      [1, 2],
      ['system', 1, 2],
    ]);
  });

  it('let a child find what its parent cached', async () => {
    // The parent's list of children ended with its prompt: that end is where the child's fork point begins.
    const [parent, child, sibling] = await marksOf(
      { purpose: 'children', turns: turns(2), shared: 0 },
      { turns: turns(4), shared: 4, prompt: 'one' },
      { turns: turns(4), shared: 4, prompt: 'two' },
    );
    deepEqual(
      [parent, child, sibling],
      [
        ['system', 2],
        ['system', 3, 4],
        ['system', 3, 4],
      ],
    );
    ok(Number(child?.[1]) - Number(parent?.[1]) < 20, 'the server looks back twenty blocks from a mark');
  });
});
