import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { makeWorkspace } from '../cli/run-cli.ts';
import { COMMAND } from './mcp-client.ts';

interface Answered {
  readonly id?: number | string;
  readonly error?: { readonly code: number; readonly message: string };
}

describe('the server over standard streams', () => {
  let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
  before(async () => {
    workspace = await makeWorkspace();
  });
  after(() => workspace.remove());

  /** What is answered to messages that come at once, and how the server ends. */
  async function answersTo(
    messages: readonly object[],
  ): Promise<{ ids: unknown[]; code: unknown; errors: Answered[] }> {
    const env = { ...process.env, XDG_STATE_HOME: join(workspace.folder, '.state') };
    const server = spawn(process.execPath, [COMMAND, 'mcp', '--dir', workspace.folder], { env });
    let out = '';
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    const lineOf = (message: object): string =>
      JSON.stringify('jsonrpc' in message ? message : { jsonrpc: '2.0', ...message });
    server.stdin.end(messages.map((message) => `${lineOf(message)}\n`).join(''));
    const [code] = await once(server, 'close');
    const lines = out.split('\n').filter(Boolean);
    const answers = lines.map((line) => JSON.parse(line) as Answered).filter(({ id }) => id !== undefined);
    return { ids: answers.map(({ id }) => id).sort(), code, errors: answers.filter(({ error }) => error) };
  }
  const hello = {
    ...{ id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  };
  const call = (id: number, name: string, args: object = {}) => ({
    ...{ id, method: 'tools/call' },
    params: { name, arguments: args },
  });

  it('answers what was asked before the end of its input, then goes', async () => {
    const question = { question: 'Why?', model: 'workspace/quotes', size: 'small', wait_seconds: '20' };
    const calls = [call(2, 'tree_list'), call(3, 'tree_start', question)];
    const { ids, code } = await answersTo([hello, { method: 'notifications/initialized' }, ...calls]);
    assert.deepEqual([ids, code], [[1, 2, 3], 0]);
  });

  it('refuses a message that is too long, wherever its id stands, and goes on', async () => {
    const question = 'x'.repeat(11_000_000);
    const long = { method: 'tools/call', params: { name: 'tree_start', arguments: { question } } };
    const { method, params } = long;
    const between = { jsonrpc: '2.0', method, id: 5, params };
    const before = { method, params, id: 6, jsonrpc: '2.0' };
    const messages = [hello, { id: 'two', ...long }, { ...long, id: 3 }, long, between, before, call(4, 'tree_list')];
    const { ids, code, errors } = await answersTo(messages);
    assert.deepEqual([ids, code], [[1, 3, 4, 5, 6, 'two'], 0]);
    assert.deepEqual(
      errors.map(({ id, error }) => [id, error?.code, /more than 10 MB/.test(error?.message ?? '')]),
      [
        ['two', -32_600, true],
        [3, -32_600, true],
        [5, -32_600, true],
        [6, -32_600, true],
      ],
    );
  });

  it('does not wait for what was taken back', async () => {
    const taken = { method: 'notifications/cancelled', params: { requestId: 2 } };
    const { ids, code } = await answersTo([hello, call(2, 'tree_wait', { search: 'x' }), taken, call(3, 'tree_list')]);
    assert.deepEqual([ids, code], [[1, 3], 0]);
  }).timeout(40_000); // it waited a minute

  it('goes at once where nothing was asked', async () => {
    assert.deepEqual(await answersTo([]), { ids: [], code: 0, errors: [] });
  });
});
