import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ScriptedServer, startScriptedServer } from '../../support/servers/scripted-server.ts';
import { type Answer, McpClient, MODES } from './mcp-client.ts';

const MODEL = 'openai-compatible/scripted';
const PAID = ['--model', MODEL, '--price', '1,1,1'];
const START = { question: 'Why is the build slow?', size: 'small', max_depth: 2 };
const YES: Answer = { action: 'accept', content: { allow: true } };

describe('permission over MCP', () => {
  let dir: string;
  let server: ScriptedServer;
  const clients: McpClient[] = [];
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'thought-tree-mcp-permission-'));
    await writeFile(join(dir, 'build.md'), '# Build\n\nThe build is slow because it compiles everything.\n');
    server = await startScriptedServer();
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close().catch(() => undefined);
    await server.close();
    await rm(dir, { recursive: true, force: true });
  });

  const open = async (args: readonly string[], options: Parameters<typeof McpClient.open>[1] = {}) => {
    const env = { THOUGHT_TREE_BASE_URL: server.baseUrl };
    const client = await McpClient.open(['--dir', dir, ...args], { env, ...options });
    clients.push(client);
    return client;
  };

  const NOBODY = undefined;
  const cases: {
    name: string;
    flags: string[];
    answer: Answer | undefined;
    args?: object;
    /** What the refusal says; undefined if it is allowed. */
    refused?: RegExp;
    isAsked: boolean;
  }[] = [
    { name: 'a person who allows it', flags: PAID, answer: YES, isAsked: true },
    {
      name: 'a person who declines',
      flags: [...PAID, '--allow-usd', '5'],
      answer: { action: 'decline' },
      refused: /did not allow it/,
      isAsked: true,
    },
    {
      name: 'a person who cancels',
      flags: [...PAID, '--allow-usd', '5'],
      answer: { action: 'cancel' },
      refused: /did not allow it/,
      isAsked: true,
    },
    {
      name: 'a person who does not tick it',
      flags: PAID,
      answer: { action: 'accept', content: { allow: false } },
      refused: /did not allow it/,
      isAsked: true,
    },
    { name: 'nobody, and no flag', flags: PAID, answer: NOBODY, refused: /--allow-usd/, isAsked: false },
    { name: 'nobody, and an amount', flags: [...PAID, '--allow-usd', '5'], answer: NOBODY, isAsked: false },
    {
      name: 'nobody, and an amount, but max_usd is 0',
      flags: [...PAID, '--allow-usd', '5'],
      answer: NOBODY,
      args: { max_usd: 0 },
      refused: /max_usd is 0/,
      isAsked: false,
    },
    {
      name: 'nobody, and only --allow-delete',
      flags: [...PAID, '--allow-delete'],
      answer: NOBODY,
      refused: /--allow-usd/,
      isAsked: false,
    },
    {
      name: 'nobody, an amount, and a model that the caller chose',
      flags: ['--allow-usd', '5'],
      answer: NOBODY,
      args: { model: MODEL },
      refused: /--model/,
      isAsked: false,
    },
    {
      name: 'nobody, an amount, and an unknown price',
      flags: ['--model', MODEL, '--allow-usd', '5'],
      answer: NOBODY,
      refused: /--price/,
      isAsked: false,
    },
  ];
  for (const mode of MODES)
    for (const { name, flags, answer, args = {}, refused, isAsked } of cases)
      it(`of ${name} decides whether a model is called (${mode})`, async () => {
        const asked: string[] = [];
        const reply =
          answer &&
          ((message: string): Answer => {
            asked.push(message);
            return answer;
          });
        const client = await open(flags, { mode, ...(reply && { answer: reply }) });
        const result = await client.raw('tree_start', { ...START, ...args, wait_seconds: 40 });
        assert.equal(asked.length, isAsked ? 1 : 0);
        if (isAsked)
          assert.match(asked[0] as string, /Forecast: about \d+ calls(?:.|\n)*It pauses before it spends more than/);
        if (refused) {
          assert.equal(result.isError, true);
          assert.match(result.content[0]?.text ?? '', refused);
          assert.equal(server.log.length, 0, 'no permission, no call');
          assert.deepEqual(await client.call('tree_list', {}), { searches: [], more: 0 });
        } else {
          assert.equal(result.isError ?? false, false, result.content[0]?.text);
          assert.ok(server.log.length > 0);
        }
      });

  for (const mode of MODES)
    it(`is not needed for quotes from the folder (${mode})`, async () => {
      const client = await open(PAID, { mode });
      const result = await client.call('tree_start', { ...START, model: 'workspace/quotes', wait_seconds: 40 });
      assert.equal(result['state'], 'finished');
      assert.equal(server.log.length, 0);
    });

  it('is asked for what removes something, and what the flag allows', async () => {
    const quotes = { ...START, model: 'workspace/quotes', wait_seconds: 40 };
    for (const [flags, answer, refused] of [
      [[], NOBODY, /--allow-delete/],
      [['--allow-usd', '5'], NOBODY, /--allow-delete/],
      [['--allow-delete'], NOBODY, undefined],
      [['--allow-delete'], { action: 'decline' }, /did not allow it/],
      [[], YES, undefined],
    ] as [string[], Answer | undefined, RegExp | undefined][]) {
      const client = await open(flags, answer && { answer: () => answer });
      const { search } = await client.call('tree_start', quotes);
      const { nodes } = await client.call('tree_read', { search, what: 'outline' });
      const [{ node }] = nodes as [{ node: string }];
      const pruned = await client.raw('tree_act', { search, node, action: 'prune' });
      assert.equal(pruned.isError === true, refused !== undefined, pruned.content[0]?.text);
      if (refused) assert.match(pruned.content[0]?.text ?? '', refused);
      const { status } = await client.call('tree_read', { search, what: 'node', node });
      assert.equal(status === 'pruned', refused === undefined);
    }
  });

  it('of the command line is for all searches of a server together, and max_usd can only lower it', async () => {
    // A few calls cost a dollar: a search cannot go far.
    const price = ['--model', MODEL, '--price', '100,100,100'];
    const client = await open([...price, '--allow-usd', '5']);
    const begin = async (args: object) => await client.raw('tree_start', { ...START, ...args });
    const first = await begin({ max_usd: 2, wait_seconds: 40 });
    assert.equal(first.structuredContent?.['state'], 'paused', first.content[0]?.text);
    // All that is left is set aside for the second one, so that nothing is left for a third.
    const second = await begin({ max_usd: 100 });
    assert.equal(second.isError ?? false, false, second.content[0]?.text);
    const third = await begin({ max_usd: 0.01 });
    assert.match(third.content[0]?.text ?? '', /\$5\.00 of --allow-usd are spent, or set aside/);
    await client.call('tree_wait', { search: second.structuredContent?.['search'], seconds: 40 });
    const listed = (await client.call('tree_list', {}))['searches'] as { usd: number }[];
    const [usd = 0, before = 0] = listed.map((each) => each.usd);
    assert.ok(before > 0 && before <= 2 && usd > 0 && usd + before <= 5, `${before} ${usd}`);
    const tokens = server.billed.prompt + server.billed.completion;
    assert.ok(tokens / 10_000 <= 5, String(tokens));
  });

  it('that was given for one thing is none for another', async () => {
    const asked: string[] = [];
    const client = await open(PAID, {
      answer: (message) => (asked.push(message) > 1 ? { action: 'decline' } : YES),
    });
    const { search } = await client.call('tree_start', { ...START, max_usd: 0.0005, wait_seconds: 40 });
    const before = server.log.length;
    const grown = await client.raw('tree_act', { search, action: 'grow', arguments: { guards: { usd: 50 } } });
    assert.equal(grown.isError, true);
    assert.equal(asked.length, 2);
    assert.equal(server.log.length, before);
    const limits = (await client.call('tree_status', { search }))['limits'] as { max_usd: number };
    assert.equal(limits.max_usd, 0.0005);
  });

  for (const mode of MODES)
    it(`is asked for once, though the search goes on meanwhile (${mode})`, async () => {
      let asked = 0;
      const answer = (): Answer => {
        asked++;
        return YES;
      };
      const client = await open(PAID, { mode, answer });
      const { search } = await client.call('tree_start', { ...START, size: 'all', max_depth: 6 });
      await server.until((log) => log.length > 4);
      const grow = { search, action: 'grow', arguments: { guards: { usd: 9 } } };
      assert.equal(((await client.call('tree_act', grow))['done'] as { ok: boolean }).ok, true);
      assert.equal(asked, 2);
      const { limits } = await client.call('tree_status', { search });
      assert.ok(Math.abs((limits as { max_usd: number }).max_usd - 9) < 0.5);
    });

  it('is needed for every action that may call a model or removes something, on a search and its nodes', async () => {
    const first = await open([...PAID, '--allow-usd', '5']);
    const { search } = await first.call('tree_start', { ...START, size: 'all', wait_seconds: 0 });
    await server.until((log) => log.length > 6);
    await first.call('tree_act', { search, action: 'pauseNow' });
    for (let state: unknown = 'running'; state !== 'paused'; )
      state = (await first.call('tree_wait', { search, seconds: 5 }))['state'];
    const calls = server.log.length;
    const outline = (await first.call('tree_read', { search, what: 'outline' }))['nodes'] as { node: string }[];
    const values: Record<string, unknown> = { text: 'A note.', title: 'A node', guards: { usd: 100 }, size: 'all' };
    const asked: string[] = [];
    const decline = (message: string): Answer => {
      asked.push(message);
      return { action: 'decline' };
    };
    const clients = [await open(PAID), await open(PAID, { mode: 'auto' }), await open(PAID, { answer: decline })];
    const tried = new Set<string>();
    for (const client of clients)
      for (const node of [undefined, ...outline.slice(0, 4).map((each) => each.node)]) {
        const { actions } = await client.call('tree_act', { search, ...(node !== undefined && { node }) });
        for (const { action, spends, removes, arguments: takes } of actions as OfferedAction[]) {
          const args = Object.fromEntries(takes.flatMap(({ name }) => (name in values ? [[name, values[name]]] : [])));
          const given = { search, ...(node !== undefined && { node }), action, arguments: args };
          const { isError = false } = await client.raw('tree_act', given);
          // Adding a node, or taking one back, waits until somebody runs the search.
          const isFree = ['add', 'restore'].includes(action) || !(spends || removes);
          assert.equal(isError, !isFree, `${action} ${node}`);
          tried.add(action);
        }
      }
    for (const action of ['resume', 'finish', 'grow', 'expand', 'prune', 'note', 'add'])
      assert.ok(tried.has(action), action);
    assert.ok(asked.length > 5);
    assert.equal(server.log.length, calls, 'no permission, no call');
    const status = await first.call('tree_status', { search });
    assert.equal((status['limits'] as { max_usd: number }).max_usd, 5);
    assert.equal((status['nodes'] as { pruned: number }).pruned, 0);
  });
});

interface OfferedAction {
  readonly action: string;
  readonly spends: boolean;
  readonly removes: boolean;
  readonly arguments: readonly { readonly name: string }[];
}
