import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stepsAnswer } from '../../support/game24/game24-server.ts';
import { startLedServer } from '../../support/investigation/led-server.ts';
import { type ScriptedServer, startScriptedServer } from '../../support/servers/scripted-server.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';
import { runCli } from './run-cli.ts';

/** In the name of every folder and file, and in every line. */
const MARK = 'gluonquark';
const QUESTION = 'How long does a search wait before it repeats a call?';
const LINES = [
  `# ${MARK}: how long a search waits`,
  `export function wait_${MARK}(search, call) { return search.wait(call); } // ${MARK} repeats it`,
  '',
].join('\n');
const FILES = [
  'README.md',
  'package.json',
  'wait.ts',
  'src/wait-before-call.js',
  'doc/search.md',
  'lib/repeat_call.py',
];
const TREE = scriptedTree({ fanout: (_path, depth) => [2, 2][depth] ?? 0 });

const KINDS: Readonly<Record<string, { args: string[]; serve: () => Promise<ScriptedServer>; purposes: string[] }>> = {
  research: {
    args: [QUESTION, '--max-depth', '2'],
    serve: () => startScriptedServer({ answer: TREE.answer }),
    purposes: ['children', 'document', 'synthesize'],
  },
  investigation: {
    args: [QUESTION, '--kind', 'investigation'],
    serve: () => startLedServer({}),
    purposes: ['investigate', 'propose-leads', 'verify-finding'],
  },
  thoughts: {
    args: ['4 9 10 13', '--kind', 'thoughts', '--task', 'game24'],
    serve: () => startScriptedServer({ answer: stepsAnswer() }),
    purposes: ['generate', 'evaluate'],
  },
};

describe('a folder of which models may see nothing', () => {
  let folder: string;
  let server: ScriptedServer;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), `${MARK}-`));
    for (const name of FILES) {
      const file = join(folder, `${MARK}-${name.replace('/', `/${MARK}-`)}`);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, LINES);
    }
    for (const name of ['README.md', 'package.json'])
      await writeFile(join(folder, name), name === 'README.md' ? LINES : JSON.stringify({ name: MARK }));
  });
  afterEach(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const sent = async (args: readonly string[], more: readonly string[]): Promise<string> => {
    const model = ['--model', 'openai-compatible/tiny', '--base-url', server.baseUrl, '--dir', 'thought-trees/waits'];
    const { code, stderr, stdout } = await runCli(['start', ...args, ...model, ...more], { cwd: folder });
    assert.equal(code, 0, `${stderr}${stdout}`);
    return server.log.map(({ body, headers, path }) => `${path}${JSON.stringify(headers)}${body}`).join('\n');
  };

  for (const [kind, { args, serve, purposes }] of Object.entries(KINDS))
    it(`is in no byte of any request: ${kind}`, async () => {
      server = await serve();
      const all = await sent(args, ['--read', 'nothing']);
      const asked = new Set(server.log.map(({ purpose }) => purpose));
      for (const purpose of purposes) assert.ok(asked.has(purpose), `${purpose} of ${[...asked].join()}`);
      assert.ok(
        !all.toLowerCase().includes(MARK),
        all.slice(Math.max(0, all.toLowerCase().indexOf(MARK) - 300)).slice(0, 600),
      );
      assert.ok(!all.includes(Buffer.from(MARK).toString('base64').slice(0, 12)));
    });

  it('would be in them if they might: the marks are found', async () => {
    server = await startScriptedServer({ answer: TREE.answer });
    const all = await sent([QUESTION, '--max-depth', '1'], ['--read', 'quotes']);
    assert.match(all, new RegExp(`wait_${MARK}`));
    assert.match(all, new RegExp(`${MARK}-wait`));
  });
});
