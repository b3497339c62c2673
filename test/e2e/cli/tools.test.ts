import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startToolServer, type ToolServer } from '../../support/servers/tool-server.ts';
import { eventsOf, makeWorkspace, runCli, startCli } from './run-cli.ts';

const TREE = { fanout: (_path: string, depth: number) => (depth === 0 ? 2 : 0) };
const USES = [
  { name: 'list', input: {} },
  { name: 'read', input: { path: '../../etc/passwd' } },
  { name: 'search', input: { pattern: 'backoff\\(' } },
  { name: 'read_lines', input: { path: 'src/patience.ts', from: 1, to: 5 } },
];

describe('a search whose model uses tools', () => {
  let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
  let server: ToolServer | undefined;

  beforeEach(async () => {
    workspace = await makeWorkspace();
    await writeFile(join(workspace.folder, '.env'), 'KEY=oleander\n');
  });
  afterEach(async () => {
    await server?.close();
    await workspace.remove();
  });

  const options = (...more: string[]) => {
    const args = ['--model', 'openai-compatible/tiny', '--base-url', String(server?.baseUrl), '--no-context', '--json'];
    return { args: [...args, ...more], where: { cwd: workspace.folder } };
  };

  it('lists, searches and reads the workspace, is refused the rest, and pays for every round', async () => {
    server = await startToolServer(TREE, USES);
    const { args, where } = options('--tools');
    const { code, stdout, stderr } = await runCli(['start', 'How does it wait?', ...args], where);
    assert.equal(code, 0, stderr);
    const events = eventsOf(stdout);
    const used = events.flatMap((event) => (event.type === 'tool-used' ? [event] : []));
    const [first] = used;
    assert.deepEqual(
      used.filter(({ node }) => node === first?.node).map(({ tool, what, isRefused }) => [tool, what, isRefused]),
      [
        ['list', '.', false],
        ['read', '{"path":"../../etc/passwd"}', true],
        ['search', '"backoff\\\\("', false],
        ['read_lines', 'src/patience.ts:1-5', false],
      ],
    );
    assert.equal(used.length, 2 * USES.length);
    const end = events.findLast((event) => event.type === 'search-finished');
    assert.equal(end?.results.calls, server.log.length);
    const results = server.log.flatMap(({ messages }) => messages.filter(({ role }) => role === 'tool'));
    const text = results.map(({ content }) => content).join('\n');
    assert.match(text, /^src\/patience\.ts\b.*\n\d+\t.*backoff\(/m);
    assert.match(text, /1\timport type/);
    assert.match(text, /leads out of the workspace/);
    assert.doesNotMatch(text, /oleander|root:/);
    assert.deepEqual(server.log.find(({ purpose }) => purpose === 'document')?.tools, [
      'search',
      'read',
      'list',
      'outline',
      'find_references',
    ]);
  });

  it('continues in the middle of its uses after a kill, and pays for none again', async () => {
    let isHeld = true;
    server = await startToolServer(TREE, USES, ({ purpose }, round) => isHeld && purpose === 'document' && round === 3);
    const { args, where } = options('--tools', '--concurrency', '1', '--dir', join(workspace.folder, 'search'));
    const { child, end } = startCli(['start', 'How does it wait?', ...args], where);
    const { log } = server;
    await server.until(() => log.filter(({ purpose }) => purpose === 'document').length === 4);
    child.kill('SIGKILL');
    await end;
    isHeld = false;
    const before = log.length;
    const resumed = options();
    const { code, stderr } = await runCli(['resume', join(workspace.folder, 'search'), ...resumed.args], resumed.where);
    assert.equal(code, 0, stderr);
    const [first, ...rest] = log.slice(before).filter(({ purpose }) => purpose === 'document');
    assert.equal(first?.messages.filter(({ role }) => role === 'tool').length, 3);
    assert.equal(rest.length, 1 + USES.length + 1);
  });

  it('is given none unless requested', async () => {
    server = await startToolServer(TREE, USES);
    const { args, where } = options();
    const { code } = await runCli(['start', 'How does it wait?', ...args], where);
    assert.equal(code, 0);
    assert.ok(server.log.every(({ tools }) => tools.length === 0));
  });
});
