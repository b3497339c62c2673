import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { readQueueAddress } from '../../../src/fleet/address.ts';
import { queueOf } from '../../../src/fleet/names.ts';
import type { LeaderRegistration } from '../../../src/fleet/protocol.ts';
import { type FleetQueue, type Packed, pack } from '../../../src/fleet/queue.ts';
import { openQueue } from '../../support/fleet/built-queue.ts';
import { TestFleet } from '../../support/fleet/test-fleet.ts';
import { endsWith } from '../../support/searches/e2e-search.ts';
import { type ScriptedServer, startScriptedServer } from '../../support/servers/scripted-server.ts';
import { until } from '../../support/until.ts';

const MODEL = 'openai-compatible/scripted';
const SEARCH = 'ab12';

describe('a worker with a hostile leader', () => {
  let fleet: TestFleet;
  let queue: FleetQueue;
  let server: ScriptedServer;
  /** Where nobody may ever be asked. */
  let elsewhere: ScriptedServer;
  before(async () => {
    fleet = await TestFleet.make();
    queue = await openQueue(readQueueAddress(fleet.url), true);
  });
  beforeEach(async () => {
    server = await startScriptedServer({ answer: () => 'word '.repeat(50) });
    elsewhere = await startScriptedServer();
  });
  afterEach(async () => {
    await server.close();
    await elsewhere.close();
  });
  after(async () => {
    await queue.close();
    await fleet.remove();
  });

  const here = (): string => new URL(server.baseUrl).origin;
  const there = (): string => new URL(elsewhere.baseUrl).origin;
  const ours = (): string => queueOf(MODEL, here());

  function call(id: string, more: object = {}, asked: object = {}): object {
    const request = {
      purpose: 'document',
      node: 'a',
      system: '',
      turns: [],
      prompt: 'Why?',
      maxOutputTokens: 100,
      ...asked,
    };
    const about = { search: SEARCH, model: MODEL, origin: here(), seconds: 30, token: 'a'.repeat(64) };
    return { protocol: 1, id, ...about, request, ...more };
  }

  async function send(payload: Packed, id = randomUUID(), name = ours()): Promise<void> {
    await queue.send({ id, queue: name, payload, seconds: 30 });
  }

  async function ask(more: object = {}, asked: object = {}): Promise<string> {
    const id = randomUUID();
    await send(await pack(call(id, more, asked)), id);
    return id;
  }

  it('makes nothing but calls of its own model, at its own server, with its own headers', async () => {
    const names = [
      MODEL,
      'claude/sonnet',
      'replay//etc/passwd',
      'workspace/quotes',
      '../../../etc/passwd',
      `openai-compatible/${'../..'.repeat(20)}x`,
    ];
    await queue.openSearch(SEARCH, [
      ours(),
      ...names.map((name) => queueOf(name, there())),
      ...names.map((name) => queueOf(name, undefined)),
    ]);
    const card: LeaderRegistration = {
      ...{ kind: 'leader', protocol: 1, id: 'evil', title: '\u001b[2J../../x', underWay: 0 },
      models: names.flatMap((name) => [{ name }, { name, origin: there() }]),
    };
    const keepRegistered = setInterval(() => void queue.register(card).catch(() => undefined), 1000);
    // One that serves whatever is asked for, and one for its own model.
    const anything = await fleet.worker(server.baseUrl, 'any', '--slots', '8');
    const evil = {
      baseUrl: elsewhere.baseUrl,
      url: elsewhere.baseUrl,
      headers: { authorization: 'Bearer evil', 'x-evil': '1' },
    };
    await ask(
      { ...evil, apiKey: 'evil', options: evil, provider: evil },
      { ...evil, model: 'evil', stream: false, workplace: { folder: '/', rights: 'all' } },
    );
    for (const model of names) {
      for (const origin of [there(), undefined]) {
        const id = randomUUID();
        await send(await pack(call(id, { model, origin })), id, queueOf(model, origin));
      }
      if (model !== MODEL) await ask({ model });
    }
    await ask({ origin: there() });
    for (const purpose of ['document\r\nx-evil: 1', '../../../x', 'x'.repeat(200)]) await ask({}, { purpose });
    await ask({}, { maxOutputTokens: -1 });
    await ask({ seconds: 1e9 });
    await ask({ protocol: 2 });
    await ask({ search: "'; drop table x" });
    await send({ packed: 'not deflated' });
    await send({ packed: deflateSync(Buffer.alloc(300 * 1024 * 1024)).toString('base64') });
    await send({ packed: deflateSync('"'.repeat(9 * 1024 * 1024)).toString('base64') });
    await send(await pack(call(randomUUID())), randomUUID());
    const last = await ask({}, { node: '../../../etc/\u001b[31m', prompt: 'The last one.' });
    await server.until((log) => log.some(({ prompt }) => prompt === 'The last one.'));
    await until(async () => (await queue.states([{ id: last, queue: ours() }])).get(last) === 'answered');
    clearInterval(keepRegistered);

    assert.deepEqual(server.log.map(({ prompt }) => prompt).sort(), ['The last one.', 'Why?']);
    assert.equal(elsewhere.log.length, 0);
    for (const { path, headers, authorization, model, body } of server.log) {
      assert.deepEqual([path, authorization, model], ['/v1/chat/completions', 'Bearer any', 'scripted']);
      assert.equal(headers['x-evil'], undefined);
      assert.doesNotMatch(body, /evil|workplace/);
    }
    anything.kill('SIGTERM');
    const { stdout } = await endsWith(0, anything);
    assert.ok(!stdout.includes('\u001b[31m'), 'a name reaches no terminal as a command');
  });

  for (const [what, flags, most] of [
    ['tokens', ['--max-tokens', '20000'], { tokens: 20_000, usd: Number.POSITIVE_INFINITY }],
    ['money', ['--price', '1,1,10', '--max-usd', '0.05'], { tokens: Number.POSITIVE_INFINITY, usd: 0.05 }],
  ] as const)
    it(`holds its own cap of ${what} against a thousand calls`, async () => {
      await queue.openSearch(SEARCH, [ours()]);
      await Promise.all(Array.from({ length: 1000 }, () => ask({}, { maxOutputTokens: 1000 })));
      const worker = await fleet.worker(server.baseUrl, `capped-${what}`, '--slots', '8', ...flags);
      await worker.said(/cap of the day is reached/);
      worker.kill('SIGTERM');
      await endsWith(0, worker);
      const { prompt, completion } = server.billed;
      assert.ok(server.log.length > 5, `${server.log.length} calls`);
      assert.ok(prompt + completion <= most.tokens, `${prompt + completion} tokens`);
      assert.ok((prompt + 10 * completion) / 1e6 <= most.usd, `${prompt}, ${completion}`);
      const waiting = (await queue.waiting([ours()])).get(ours()) ?? 0;
      assert.equal(waiting, 1000 - server.log.length, 'the others are still there for somebody else');
      const another = await fleet.worker(server.baseUrl, `capped-${what}`, ...flags);
      await another.said(/cap of the day is reached/);
      another.kill('SIGTERM');
      await endsWith(0, another);
      assert.equal(server.log.length, 1000 - waiting, 'it remembers after a restart');
    });
});
