import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SOURCE_FORM } from '../../../support/searches/e2e-search.ts';
import { startScriptedServer } from '../../../support/servers/scripted-server.ts';
import { scriptedTree } from '../../../support/servers/server-tree.ts';
import { type CliEnd, makeWorkspace, runCli } from '../run-cli.ts';

const KEYS = {
  THOUGHT_TREE_API_KEY: 'tt-secret/aaaa+0123456789==',
  ANTHROPIC_API_KEY: 'sk-ant-bbbb-0123456789',
  OPENAI_API_KEY: 'sk-proj-cccc-0123456789',
  GOOGLE_GENERATIVE_AI_API_KEY: 'AIza-dddd-0123456789',
};
const USER = 'someone';
const PASSWORD = 'p4ss-eeee-0123456789';
const IN_QUERY = 'query-ffff-0123456789';

/** Every form in which a key could be found. */
const FORMS = [...Object.values(KEYS), PASSWORD, IN_QUERY].flatMap((key) => [
  key,
  encodeURIComponent(key),
  Buffer.from(key).toString('base64').replace(/=+$/, '').slice(0, -2),
]);

const tree = scriptedTree({ fanout: (_path, depth) => [3, 2][depth] ?? 0, documentWords: 20 });

describe('keys', () => {
  let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
  const printed: CliEnd[] = [];
  beforeEach(async () => {
    workspace = await makeWorkspace();
    printed.length = 0;
  });
  afterEach(() => workspace.remove());

  /** Names what holds a key, of everything that was written below a folder or printed. */
  async function findings(): Promise<string[]> {
    const found: string[] = [];
    const look = (where: string, text: string): void => {
      for (const form of FORMS) if (text.includes(form)) found.push(`${where}: ${form}`);
    };
    for (const { stdout, stderr } of printed) look('stdout', stdout + stderr);
    for (const path of await readdir(workspace.folder, { recursive: true })) {
      look('a name', path);
      const file = join(workspace.folder, path);
      if ((await stat(file)).isFile()) look(path, await readFile(file, 'utf8'));
    }
    return found;
  }

  it('never get into a file, line, error or recording, even if a server sends them back', async () => {
    let fails = false;
    const echo = (): string =>
      `Bearer ${KEYS.THOUGHT_TREE_API_KEY} and ${IN_QUERY}, ${encodeURIComponent(KEYS.OPENAI_API_KEY)}`;
    const server = await startScriptedServer({
      answer: (call) => tree.answer(call).replaceAll('lease', echo()),
      fault: ({ purpose, n }) => {
        if (fails) return { kind: '401', body: { error: { message: `Wrong key: ${echo()}, ${PASSWORD}` } } };
        return purpose === 'document' && n % 5 === 0
          ? { kind: '500', body: { error: { message: echo() } } }
          : undefined;
      },
    });
    const env = { ...KEYS };
    const run = async (...args: string[]): Promise<CliEnd> => {
      const end = await runCli(args, { cwd: workspace.folder, env });
      printed.push(end);
      return end;
    };
    const address = new URL(server.baseUrl);
    address.searchParams.set('key', IN_QUERY);
    const model = ['--model', 'openai-compatible/m', '--base-url', address.href];
    const limits = ['--size', 'small', '--max-calls', '10', '--record', 'kept.jsonl', ...SOURCE_FORM];
    try {
      const first = await run('start', 'Why?', ...model, ...limits);
      assert.equal(first.code, 3, first.stderr);
      assert.match(first.stdout, /resume.*--base-url/);
      fails = true;
      assert.equal((await run('resume', 'thought-trees/why', ...model, '--max-calls', '500', '--json')).code, 4);
      fails = false;
      assert.equal((await run('resume', 'thought-trees/why', ...model)).code, 0);
      const topic = tree.titlesOf('')[0] ?? '';
      for (const args of [
        ['show', 'thought-trees/why', topic, '--call', '1'],
        ['status', 'thought-trees/why', '--json'],
        ['list'],
      ])
        assert.equal((await run(...args)).code, 0);
      await run('models', '--base-url', address.href);
      await run('models', '--test', 'openai-compatible/m', '--base-url', address.href);
      const withUser = server.baseUrl.replace('//', `//${USER}:${PASSWORD}@`);
      await run('start', 'Why again?', '--model', 'openai-compatible/m', '--base-url', withUser, '--size', 'small');
      await run(
        'start',
        'Why at last?',
        '--model',
        'openai-compatible/m',
        '--base-url',
        `${withUser.replace(/:\d+\//, ':1/')}?key=${IN_QUERY}`,
      );
      assert.ok(
        server.log.some(({ authorization }) => authorization?.includes(KEYS.THOUGHT_TREE_API_KEY)),
        'the key was sent',
      );
      assert.ok(
        server.log.some(({ path }) => path.includes(IN_QUERY)),
        'so was the one in the address',
      );
      const documents = await readFile(join(workspace.folder, 'kept.jsonl'), 'utf8');
      assert.match(documents, /\[key\]/, 'the server did send them back');
    } finally {
      await server.close();
    }
    assert.deepEqual(await findings(), []);
  });
});
