import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ledAnswer } from '../../support/investigation/led-investigation.ts';
import { startLedServer } from '../../support/investigation/led-server.ts';
import type { ScriptedServer } from '../../support/servers/scripted-server.ts';
import { lastPrompt, serveTools } from '../../support/servers/tool-server.ts';
import { type CliEnd, eventsOf, makeWorkspace, runCli, startCli } from './run-cli.ts';

const QUESTION = 'How long does a search wait before it repeats a call?';

describe('thought-tree start --kind investigation', () => {
  let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
  let server: ScriptedServer | undefined;

  beforeEach(async () => {
    workspace = await makeWorkspace();
  });
  afterEach(async () => {
    await server?.close();
    server = undefined;
    await workspace.remove();
  });

  async function run(
    code: number,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<CliEnd> {
    const end = await runCli(args, { cwd: workspace.folder, env });
    assert.equal(end.code, code, `${end.stderr}\n${end.stdout}`);
    return end;
  }
  const byQuotes = [
    'start',
    QUESTION,
    '--kind',
    'investigation',
    '--model',
    'workspace/quotes',
    '--dir',
    'thought-trees/waits',
  ];
  const scripted = (): string[] => ['--model', 'openai-compatible/scripted', '--base-url', String(server?.baseUrl)];
  const byServer = (...more: string[]): string[] => [
    ...['start', QUESTION, '--kind', 'investigation', '--dir', 'thought-trees/waits', '--json', '--no-context'],
    ...scripted(),
    ...more,
  ];
  const file = (...path: string[]): string => join(workspace.folder, 'thought-trees', 'waits', ...path);

  it('ends with a report, without a language model, and every receipt and citation holds', async () => {
    await run(0, byQuotes);
    const report = await readFile(file('report.md'), 'utf8');
    assert.match(report, /^# How long does a search wait/);
    assert.match(report, /## Quoted\n\n- /);
    assert.doesNotMatch(report, /\bverified|confirmed/i);
    assert.match(report, /\d rounds, \d+ nodes\.\n$/, 'nothing is said of agents where the engine did it all');
    const { stdout: status } = await run(0, ['status', 'thought-trees/waits', '--json']);
    const { receipts, nodes } = JSON.parse(status);
    assert.equal(receipts.engine, nodes.length);
    assert.equal(receipts.unverified, 0);
    const { stdout: shown } = await run(0, ['show', 'thought-trees/waits', nodes[0].path]);
    assert.match(shown, /^Receipt +by the engine, in call \S+ to workspace\/quotes$/m);
    const { stdout } = await run(0, ['verify', 'thought-trees/waits', '--strict']);
    assert.match(
      stdout,
      /^Receipts: \d+ hold, 0 do not hold, 0 cannot be checked here\nCitations: [1-9]\d* hold, 0 do/m,
    );
  });

  it('checks the citations of other searches too, which have no receipts', async () => {
    await run(0, ['start', QUESTION, '--model', 'workspace/quotes', '--size', 'small', '--dir', 'thought-trees/waits']);
    const { stdout } = await run(0, ['verify', 'thought-trees/waits', '--strict']);
    assert.match(stdout, /^Receipts: 0 hold, 0 do not hold, 0 cannot be checked here\nCitations: [1-9]\d* hold, 0 do/m);
  });

  it('says what does not hold after an edit, and what cannot be checked in a clone', async () => {
    await run(0, byQuotes);
    const [root = ''] = (await readdir(file())).filter((name) => name.startsWith('r1-a'));
    const verify = async (code: number, where: string, ...more: string[]) =>
      JSON.parse((await run(code, ['verify', where, '--json', '--folder', '.', ...more])).stdout);

    // A clone has neither journal nor conversations.
    const clone = join(workspace.folder, 'thought-trees', 'clone');
    await cp(file(), clone, { recursive: true });
    await rm(join(clone, '.search'), { recursive: true });
    const cloned = await verify(0, 'thought-trees/clone');
    assert.equal(cloned.receipts.holds + cloned.receipts.fails, 0);
    assert.ok(cloned.receipts.unknown > 5 && cloned.citations.fails === 0 && cloned.citations.holds > 5);
    await run(1, ['verify', 'thought-trees/clone', '--strict', '--folder', '.']);
    const { stdout: status } = await run(0, ['status', 'thought-trees/clone', '--json']);
    assert.equal(JSON.parse(status).receipts.engine, 0);

    // Somebody else's journal proves nothing here, whatever it says.
    const state = await mkdtemp(join(tmpdir(), 'thought-tree-other-'));
    const { stdout } = await run(0, ['verify', 'thought-trees/waits', '--json'], { XDG_STATE_HOME: state });
    await rm(state, { recursive: true });
    assert.equal(JSON.parse(stdout).receipts.holds, 0);
    assert.equal(JSON.parse(stdout).receipts.fails, 0);

    // A state that is written over, and a quotation that is made up.
    const node = JSON.parse(await readFile(file(root, 'node.json'), 'utf8'));
    await writeFile(file(root, 'node.json'), JSON.stringify({ ...node, own: { ...node.own, state: 'FOUND' } }));
    const edited = await verify(1, 'thought-trees/waits');
    assert.equal(edited.receipts.fails, 1);
    assert.deepEqual(
      edited.checks.filter(({ result }: { result: string }) => result === 'fails'),
      [
        {
          path: root,
          what: 'receipt',
          about: 'workspace/quotes',
          result: 'fails',
          why: 'Its node.json was changed since the search wrote it.',
        },
      ],
    );
    await writeFile(file(root, 'node.json'), JSON.stringify(node));
    const document = await readFile(file(root, 'document.md'), 'utf8');
    await writeFile(
      file(root, 'document.md'),
      document.replace(/(```\w*\n)/, '$1Searches never wait for anything at all.\n'),
    );
    const forged = await verify(1, 'thought-trees/waits');
    assert.deepEqual([forged.receipts.fails, forged.citations.fails], [1, 1]);
    await writeFile(file(root, 'document.md'), document);

    // Words that were never said.
    const path = file('.search', 'conversations', `${node.sessionId}.json`);
    const conversation = await readFile(path, 'utf8');
    await writeFile(path, conversation.replace('summary:', 'summary: Indeed,'));
    const said = await verify(1, 'thought-trees/waits');
    assert.match(
      said.checks.find(({ result }: { result: string }) => result === 'fails').why,
      /is not what the receipt says/,
    );
    await writeFile(path, conversation);
    await verify(0, 'thought-trees/waits', '--strict');
  });

  it('is led by a model over HTTP, also through a kill, for as many rounds as asked for, and ends with a verdict', async () => {
    const leads = (round: number): string[] => (round < 7 ? [`First ${round}`, `Second ${round}`] : []);
    server = await startLedServer({ leads }, { latencyMs: 20 });
    const first = startCli(byServer('--min-rounds', '6'), { cwd: workspace.folder });
    await first.until((stdout) => stdout.split('"call-ended"').length > 12);
    first.child.kill('SIGKILL');
    await first.end;
    const asked = server.log.length;
    const { stdout } = await run(0, ['resume', 'thought-trees/waits', '--json', ...scripted()]);
    const end = eventsOf(stdout).findLast((event) => event.type === 'search-finished');
    assert.equal(end?.reason, 'complete');
    assert.ok(server.log.length > asked);
    const keys = server.log.map(
      ({ purpose, node, prompt }) => `${purpose} ${node} ${/Plan round \d/.exec(prompt)?.[0]}`,
    );
    assert.ok(keys.length - new Set(keys).size <= 4, 'more was asked again than what was in flight');
    const report = await readFile(file('report.md'), 'utf8');
    assert.match(report, /^# .*\n\nThe verdict rests on /);
    assert.match(report, /## Confirmed\n\n- Half of R2\.A1 waits [\s\S]*\/r6-a9-first-6\/[\s\S]*6 rounds, \d+ nodes\./);
    await run(0, ['verify', 'thought-trees/waits']);
  });

  it('lets models run small programs only where a person allows it, and keeps what they printed', async () => {
    const program = "import { readdirSync } from 'node:fs';\nconsole.log('here:', readdirSync('src').length, 6 * 7);";
    const tools = await serveTools((request, round) => {
      const { purpose, tools: offered } = request;
      const canTry = offered.includes('run_program');
      if (canTry && round === 0 && purpose === 'investigate')
        return [{ name: 'run_program', input: { program, language: 'javascript' } }];
      const asked = { purpose, turns: [], node: '', system: '', data: { question: '' }, maxOutputTokens: 0 };
      return ledAnswer({ ...asked, prompt: lastPrompt(request) }, { result: () => 'settled' });
    });
    const by = ['--model', 'openai-compatible/tiny', '--base-url', tools.baseUrl, '--kind', 'investigation', '--json'];
    try {
      const { stdout } = await run(0, [
        'start',
        QUESTION,
        ...by,
        '--allow-experiments',
        '--dir',
        'thought-trees/tried',
      ]);
      const used = eventsOf(stdout).filter(({ type }) => type === 'tool-used');
      assert.equal(used.length, 1);
      const [root = ''] = (await readdir(join(workspace.folder, 'thought-trees/tried'))).filter((name) =>
        /^r1/.test(name),
      );
      const document = await readFile(join(workspace.folder, 'thought-trees/tried', root, 'document.md'), 'utf8');
      assert.match(
        document,
        /## Tried\n\n1\. The program:\n[\s\S]*readdirSync\('src'\)[\s\S]*Exit code 0\.\nhere: \d+ 42\n/,
      );
      await run(0, ['verify', 'thought-trees/tried']);
      const asked = tools.log.length;
      await run(0, ['start', QUESTION, ...by, '--dir', 'thought-trees/derived']);
      assert.ok(tools.log.slice(asked).every(({ tools: offered }) => !offered.includes('run_program')));
    } finally {
      await tools.close();
    }
    const { stderr } = await run(2, ['start', QUESTION, '--allow-experiments', '--model', 'workspace/quotes']);
    assert.match(stderr, /--allow-experiments/);
  });

  it('has at most as many rounds as the rules allow', async () => {
    const { stderr } = await run(2, [
      'start',
      QUESTION,
      '--kind',
      'investigation',
      '--min-rounds',
      '21',
      '--model',
      'workspace/quotes',
    ]);
    assert.match(stderr, /min-rounds/);
  });
});
