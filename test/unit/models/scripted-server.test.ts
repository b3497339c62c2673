import { deepEqual, equal, notDeepEqual, ok, rejects } from 'node:assert/strict';
import {
  type ScriptedServer,
  type ScriptedServerOptions,
  startScriptedServer,
} from '../../support/servers/scripted-server.ts';
import type { ServerCall } from '../../support/servers/server-call.ts';
import { PASSING_FAULTS, randomFaults, randomLatency } from '../../support/servers/server-faults.ts';
import { candidatesIn, scriptedTree } from '../../support/servers/server-tree.ts';

const aCall = (parts: Partial<ServerCall> = {}): ServerCall => ({
  n: 1,
  purpose: 'document',
  node: 'a',
  attempt: 1,
  model: 'tiny',
  messages: [],
  prompt: '',
  maxTokens: undefined,
  ...parts,
});

const PICK = `The outline:
- Candidate keys [expanded] 7.5 — of databases
  - Bundling [leaf]

The candidates, one a line:

- auth/oauth2-flow
- 构建/缓存
- bundling

Weigh these:
- coverage

Answer with up to 2, one a line, inside <output>.`;

describe('scripted server', () => {
  const servers: ScriptedServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });

  async function start(options: ScriptedServerOptions = {}) {
    const server = await startScriptedServer(options);
    servers.push(server);
    const ask = (purpose: string, node: string, body: object = {}) =>
      fetch(`${server.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'x-thought-tree-call': purpose, 'x-thought-tree-node': encodeURIComponent(node) },
        body: JSON.stringify({ model: 'tiny', messages: [{ role: 'user', content: 'four' }], ...body }),
      });
    return { server, ask };
  }

  it('answers in one piece if no stream is requested', async () => {
    const { server, ask } = await start({ answer: () => 'fine' });
    const response = await ask('document', 'a');
    const { choices, usage } = (await response.json()) as { choices: { message: object }[]; usage: object };
    deepEqual(choices[0]?.message, { role: 'assistant', content: 'fine' });
    deepEqual(usage, {
      prompt_tokens: 1,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens: 1,
      total_tokens: 2,
    });
    await server.until(([request]) => request?.outcome === 'answered');
    deepEqual([server.log[0]?.text, server.log[0]?.completionTokens], ['fine', 1]);
  });

  it('counts open requests, picks separately', async () => {
    const gate = Promise.withResolvers<void>();
    const { server, ask } = await start({
      answer: async function* () {
        await gate.promise;
        yield 'fine';
      },
    });
    const asked = [ask('pick', ''), ask('document', 'a'), ask('document', 'b'), ask('children', 'c')];
    await server.until((log) => log.length === 4);
    gate.resolve();
    for (const response of await Promise.all(asked)) await response.text();
    for (const node of ['d', 'e']) await (await ask('document', node)).text();
    deepEqual(server.peak, { all: 4, picks: 1, others: 3 });
  });

  it('charges for work done, and not for refused requests', async () => {
    const { server, ask } = await start({
      answer: () => 'x'.repeat(96),
      fault: ({ n }) => [undefined, '500', 'cut', '429'][n - 1] as '500' | undefined,
    });
    await (await ask('document', 'a')).text();
    await (await ask('document', 'b', { messages: [{ role: 'user', content: 'different' }] })).text();
    await rejects(async () => (await ask('document', 'c', { stream: true })).text());
    await (await ask('document', 'd')).text();
    await server.until((log) => log.every(({ outcome, ended }) => outcome !== 'open' && ended !== undefined));
    deepEqual(
      server.log.map(({ outcome }) => outcome),
      ['answered', '500', 'cut', '429'],
    );
    deepEqual(server.billed, { prompt: 2, cached: 1, completion: 24 + 12 });
  });

  it('ends while requests hang', async () => {
    const { server, ask } = await start({
      fault: ({ node }) => (node === 'a' ? 'hang' : undefined),
      latencyMs: 60_000,
    });
    const asked = [ask('document', 'a'), ask('document', 'b')].map((response) => rejects(response));
    const waiting = rejects(server.until((log) => log.length === 3));
    await server.until((log) => log.length === 2);
    await server.close();
    await Promise.all([...asked, waiting]);
  });

  it('reports mistakes when it ends', async () => {
    const server = await startScriptedServer({
      answer: () => {
        throw new Error('No such node');
      },
    });
    await rejects(fetch(`${server.baseUrl}/chat/completions`, { method: 'POST', body: '{"messages": []}' }));
    await rejects(server.close(), /No such node/);
  });

  it('does not know other addresses', async () => {
    const { server } = await start();
    equal((await fetch(`${server.baseUrl}/models`)).status, 404);
    equal(server.log.length, 0);
  });
});

describe('scripted tree', () => {
  it('depends on seed and node alone', () => {
    const [one, two] = [scriptedTree({ seed: 1 }), scriptedTree({ seed: 1 })];
    equal(one.answer(aCall({ n: 1 })), two.answer(aCall({ n: 9, attempt: 3, prompt: 'Other words' })));
    notDeepEqual(one.titlesOf(''), scriptedTree({ seed: 2 }).titlesOf(''));
    deepEqual(
      ['', 'a', 'a/b', 'a/b/c'].map((path) => one.titlesOf(path).length),
      [5, 3, 3, 0],
    );
    ok(/<output>\n\[\]\n<\/output>/.test(one.children('a/b/c')));
  });

  it('ranks what it finds among the candidates', () => {
    deepEqual(candidatesIn(PICK), ['auth/oauth2-flow', '构建/缓存', 'bundling']);
    deepEqual(candidatesIn('Nothing here.\n- a'), []);
    const ranked = /<output>\n(.*)\n<\/output>/s.exec(scriptedTree().pick(PICK))?.[1]?.split('\n') ?? [];
    equal(ranked.length, 2);
    ok(ranked.every((path) => candidatesIn(PICK).includes(path)));
  });
});

describe('random faults and latencies', () => {
  it('occur as often as configured, and again on the same request', () => {
    const fault = randomFaults(0.2, 7);
    const calls = Array.from({ length: 2000 }, (_, i) => aCall({ n: i, node: `node-${i}` }));
    const faults = calls.map(fault);
    deepEqual(calls.map(fault), faults);
    const found = faults.filter((entry) => entry !== undefined).map((f) => (typeof f === 'string' ? f : f.kind));
    ok(found.length > 320 && found.length < 480, `${found.length}`);
    deepEqual([...new Set(found)].sort(), [...PASSING_FAULTS].sort());
    const latencies = calls.map(randomLatency(10, 20, 7));
    ok(Math.min(...latencies) >= 10 && Math.max(...latencies) < 20);
  });
});
