import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isThoughtTreeError } from '../../../../../src/core/search/errors.ts';
import { commandTask } from '../../../../../src/kinds/thoughts/tasks/find-task.ts';
import type { ThoughtPath } from '../../../../../src/kinds/thoughts/tasks/task.ts';
import {
  type Command,
  commandWords,
  permitCommand,
  type RunCommandOptions,
} from '../../../../../src/searches/own-tasks.ts';
import { startProcess } from '../../../store/support/other-process.ts';

const never = new AbortController().signal;

describe('a command that decides', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'thought-tree-command-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** A check that runs this program text. */
  const check = async (program: string, more: Partial<RunCommandOptions> = {}) => {
    const file = join(folder, 'check.mjs');
    await writeFile(file, program);
    const command: Command = [process.execPath, file];
    return permitCommand({ command, folder, isTrusted: true, consent: async () => true, ...more });
  };
  const solved = async (program: string, path: ThoughtPath, more?: Partial<RunCommandOptions>): Promise<boolean> =>
    (await commandTask(await check(program, more)).solved?.(path, never)) as boolean;
  const path: ThoughtPath = { problem: 'p', thoughts: [{ content: 'one' }, { content: 'two' }] };

  it('takes a path for a solution where it ends with 0', async () => {
    assert.equal(await solved('process.exit(0)', path), true);
    assert.deepEqual(await solved('process.exit(3)', path), { ok: false, why: 'It exits with 3.' });
    assert.equal(await solved('process.kill(process.pid, "SIGTERM"); setTimeout(() => 0, 1e6)', path), false);
  });

  it('gets the problem and the thoughts on its standard input, whatever they say', async () => {
    const hostile = '"; touch owned; $(touch owned) `touch owned` && touch owned\n--help\u0000\u202e';
    const seen = join(folder, 'seen.json');
    const program = `import { readFileSync, writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ input: readFileSync(0, 'utf8'), words: process.argv.slice(2) }));`;
    assert.equal(await solved(program, { problem: hostile, thoughts: [{ content: hostile }] }), true);
    const { input, words } = JSON.parse(readFileSync(seen, 'utf8')) as { input: string; words: string[] };
    assert.deepEqual(JSON.parse(input), { problem: hostile, thoughts: [hostile] });
    assert.deepEqual(words, []);
    assert.ok(!existsSync(join(folder, 'owned')));
  });

  it('is not told what is ours', async () => {
    process.env['THOUGHT_TREE_API_KEY'] = 'secret';
    try {
      assert.equal(await solved('process.exit(process.env.THOUGHT_TREE_API_KEY === undefined ? 0 : 1)', path), true);
    } finally {
      delete process.env['THOUGHT_TREE_API_KEY'];
    }
  });

  it('is given no key of a model, by whatever name, and everything else', async () => {
    const keys = [
      ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN'],
      ...['OPENAI_ADMIN_KEY', 'GOOGLE_APPLICATION_CREDENTIALS', 'AWS_BEARER_TOKEN_BEDROCK', 'GROQ_API_KEY', 'XAI_KEY'],
      ...['REPLICATE_API_TOKEN', 'SOME_NEW_PROVIDER_API_KEY', 'openai_api_key'],
    ];
    const own = ['NPM_TOKEN', 'DATABASE_PASSWORD', 'OPENAI_MODEL', 'CI'];
    const names = [...keys, ...own].filter((name) => process.env[name] === undefined);
    for (const name of names) process.env[name] = 'x';
    try {
      const seen = `${JSON.stringify([...keys, ...own])}.filter((name) => process.env[name] !== undefined)`;
      const wanted = JSON.stringify(JSON.stringify(own));
      assert.equal(await solved(`process.exit(JSON.stringify(${seen}) === ${wanted} ? 0 : 1)`, path), true);
    } finally {
      for (const name of names) delete process.env[name];
    }
  });

  it('ends with its parent, even if that is killed', async () => {
    const pid = join(folder, 'pid');
    await check(`import { writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(pid)}, String(process.pid)); setInterval(() => 0, 1000);`);
    const parent = startProcess(`
      const { permitCommand } = await load('searches/own-tasks.ts');
      const command = [process.execPath, ${JSON.stringify(join(folder, 'check.mjs'))}];
      const run = await permitCommand({
        command, folder: ${JSON.stringify(folder)}, isTrusted: true, consent: async () => true,
      });
      say('running');
      await run('', new AbortController().signal);
    `);
    assert.equal(await parent.line(), 'running');
    while (!existsSync(pid) || readFileSync(pid, 'utf8') === '')
      await new Promise((resolve) => setTimeout(resolve, 20));
    parent.signal('SIGKILL');
    await parent.ended;
    await gone(Number(readFileSync(pid, 'utf8')));
  });

  it('need not read what it is given, and may print as much as it likes', async () => {
    let printed = '';
    const program = `process.stdout.write('x'.repeat(5_000_000), () => process.exit(0))`;
    const thoughts = [{ content: 'y'.repeat(2_000_000) }];
    assert.equal(await solved(program, { problem: 'p', thoughts }, { onOutput: (text) => (printed = text) }), true);
    assert.equal(printed.length, 64 * 1024);
  });

  it('is ended at its time limit, and all that it started with it', async () => {
    const program = `import { spawn } from 'node:child_process';
      import { writeFileSync } from 'node:fs';
      const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'inherit' });
      writeFileSync('pid', String(child.pid));
      setInterval(() => 0, 1000);`;
    // On a busy machine it takes a while until it has started anything.
    for (let timeoutMs = 1500; !existsSync(join(folder, 'pid')); timeoutMs *= 2) {
      const run = await check(program, { timeoutMs });
      assert.deepEqual(await run('', never), { exitCode: undefined, output: '' });
    }
    await gone(Number(readFileSync(join(folder, 'pid'), 'utf8')));
  });

  it('leaves nothing behind where it ends by itself', async () => {
    const program = `import { spawn } from 'node:child_process';
      import { writeFileSync } from 'node:fs';
      const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'inherit' });
      writeFileSync('pid', String(child.pid));
      process.exit(0);`;
    assert.equal(await solved(program, path), true);
    await gone(Number(readFileSync(join(folder, 'pid'), 'utf8')));
  });

  it('is ended where the search is stopped', async () => {
    const stop = new AbortController();
    const started = join(folder, 'started');
    const run = await check(
      `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(started)}, ''); setInterval(() => 0, 1000)`,
    );
    const running = run('', stop.signal);
    while (!existsSync(started)) await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort();
    assert.deepEqual(await running, { exitCode: undefined, output: '' });
    assert.deepEqual(await run('', stop.signal), { exitCode: undefined, output: '' });
  });

  it('runs in a trusted workspace only, and only where a person agreed to exactly it', async () => {
    const asked: Command[] = [];
    const consent = async (command: Command): Promise<boolean> => {
      asked.push(command);
      return false;
    };
    const command: Command = ['npm', 'test'];
    const refused = (error: unknown): boolean => isThoughtTreeError(error, 'bad-input');
    await assert.rejects(permitCommand({ command, folder, isTrusted: false, consent }), refused);
    assert.deepEqual(asked, []);
    await assert.rejects(permitCommand({ command, folder, isTrusted: true, consent }), refused);
    assert.deepEqual(asked, [command]);
  });

  it('that cannot be started says so', async () => {
    const command: Command = [join(folder, 'no-such-program')];
    const run = await permitCommand({ command, folder, isTrusted: true, consent: async () => true });
    await assert.rejects(
      run('', never),
      (error) => isThoughtTreeError(error, 'bad-input') && /no-such-program/.test(error.message),
    );
  });
});

describe('the words of a command', () => {
  it('are those of the line, with quotes around words that hold spaces', () => {
    assert.deepEqual(commandWords(' npm run  test -- "a b" \'c "d"\' ""'), [
      'npm',
      'run',
      'test',
      '--',
      'a b',
      'c "d"',
      '',
    ]);
  });

  for (const line of ['', '  ', 'npm test && rm x', 'echo $HOME', 'a | b', 'say "hello', 'cat < x', '`x`'])
    it(`are refused: ${JSON.stringify(line)}`, () => {
      assert.throws(
        () => commandWords(line),
        (error) => isThoughtTreeError(error, 'bad-input'),
      );
    });
});

/** Waits until a process is no more, or is only waiting for its parent to notice. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
      if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return;
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
