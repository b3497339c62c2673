import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ScriptedServer, startScriptedServer } from '../../support/servers/scripted-server.ts';
import type { ServerCall } from '../../support/servers/server-call.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';
import { makeWorkspace, runCli } from './run-cli.ts';

const TREE = scriptedTree({ fanout: (_path, depth) => (depth === 0 ? 2 : 0) });
const QUESTION = 'How does the patience of a search keep calls back while it waits, in src/patience.ts?';

/** Cites lines that it cannot know, so that a check would have to say what they are. */
function answer(call: ServerCall): string {
  if (call.purpose !== 'document') return TREE.answer(call);
  return `---\ntitle: A\nsummary: It waits.\n---\n# A\n\n[src/patience.ts:1-9]\n\n\`\`\`ts\nmade up\n\`\`\`\n`;
}

describe('what models may see of the folder', () => {
  let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
  let server: ScriptedServer;
  beforeEach(async () => {
    workspace = await makeWorkspace();
    server = await startScriptedServer({ answer });
  });
  afterEach(async () => {
    await server.close();
    await workspace.remove();
  });

  const start = (more: readonly string[], env: Record<string, string> = {}) => {
    const model = ['--model', 'openai-compatible/tiny', '--base-url', server.baseUrl, '--json', '--max-depth', '1'];
    const folder = ['--dir', 'thought-trees/waits'];
    return runCli(['start', QUESTION, ...folder, ...model, ...more], { cwd: workspace.folder, env });
  };
  const bodies = (): string => server.log.map(({ body }) => body).join('\n');
  const options = async (): Promise<Record<string, unknown>> =>
    JSON.parse(await readFile(join(workspace.folder, 'thought-trees/waits/search.json'), 'utf8')).options;

  it('is not one byte of it with --read nothing, not even of what a model names', async () => {
    const { code, stderr } = await start(['--read', 'nothing']);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /Sent to tiny \(127\.0\.0\.1:\d+\): nothing of the files of /);
    const written = (await readFile(join(workspace.folder, 'src/patience.ts'), 'utf8')).split('\n');
    const lines = written.map((line) => JSON.stringify(line.trim()).slice(1, -1)).filter((line) => line.length > 12);
    assert.ok(lines.length > 10);
    const sent = bodies();
    assert.ok(server.log.some(({ purpose }) => purpose === 'document'));
    for (const line of lines) assert.ok(!sent.includes(line), line);
    assert.doesNotMatch(sent, /"tools":/);
    assert.equal((await options())['read'], 'nothing');
    const status = await runCli(['status', 'thought-trees/waits', '--json'], { cwd: workspace.folder });
    assert.equal((JSON.parse(status.stdout) as { read: string }).read, 'nothing');
  });

  it('is what is said before the first request: passages, or what is looked up, too, by default', async () => {
    const quotes = await start(['--read', 'quotes']);
    assert.equal(quotes.code, 0, quotes.stderr);
    assert.match(quotes.stderr, /Sent to tiny \(.*\): passages of the files of .* Nothing with --read nothing\./);
    assert.doesNotMatch(bodies(), /"tools":/);
    await workspace.remove();
    workspace = await makeWorkspace();
    const usual = await start([]);
    assert.match(
      usual.stderr,
      /what it looks up in the files of .* Less with --read quotes; nothing with --read nothing\./,
    );
    assert.match(bodies(), /"name":"find_references"/);
    assert.equal((await options())['read'], 'tools');
    const both = await start(['--read', 'quotes', '--tools']);
    assert.equal(both.code, 2);
    assert.match(both.stderr, /--tools/);
  });

  it('is nothing of a home folder unless a person says so', async () => {
    const env = { HOME: workspace.folder };
    const refused = await start([], env);
    assert.equal(refused.code, 6, refused.stderr);
    assert.match(refused.stderr, /is your home folder.* give --read tools or --read quotes/);
    assert.equal(server.log.length, 0);
    const disk = ['start', QUESTION, '--model', 'openai-compatible/tiny', '--base-url', server.baseUrl];
    const whole = await runCli(disk, { cwd: '/', env: { HOME: workspace.folder } });
    assert.equal(whole.code, 6, whole.stderr);
    assert.match(whole.stderr, /is a whole disk.* or --read nothing to send no file/);
    assert.equal(server.log.length, 0);
    const said = await start(['--read', 'quotes'], env);
    assert.equal(said.code, 0, said.stderr);
    const args = ['resume', 'thought-trees/waits', '--size', 'large', '--base-url', server.baseUrl];
    const again = await runCli(args, { cwd: workspace.folder, env });
    assert.equal(again.code, 0, 'what was allowed once is not asked again');
  });
});
