import assert from 'node:assert/strict';
import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../../../scripts/fleet/run-fleet.ts', import.meta.url));

describe('npm run fleet', () => {
  let folder: string;
  let text: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'thought-tree-try-'));
    // As /tmp is: whoever the database runs as has to get there, too.
    chmodSync(folder, 0o1777);
    text = '';
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** With a folder for temporary files of its own, which shows what is left of it. */
  function run(args: readonly string[]): ChildProcessByStdio<null, Readable, Readable> {
    const [command = '', ...rest] = args;
    const child = spawn(command, rest, { env: { ...process.env, TMPDIR: folder }, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
    return child;
  }

  async function said(what: RegExp, child: { exitCode: number | null }): Promise<void> {
    while (!what.test(text)) {
      assert.equal(child.exitCode, null, text);
      await sleep(50);
    }
  }

  /** Processes that name the folder in what they were started with. */
  function left(): string[] {
    const all = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8', maxBuffer: 1e8 }).split('\n');
    return all.filter((line) => line.includes(folder));
  }

  it('shows what each worker does, and leaves nothing behind', async () => {
    const [code] = await once(run([process.execPath, SCRIPT]), 'close');
    assert.equal(code, 0, text);
    for (const name of ['worker 1', 'worker 2', 'worker 3']) {
      assert.match(text, new RegExp(`^${name} {2}.* ok openai-compatible/scripted document`, 'm'));
      assert.match(text, new RegExp(`^ {2}${name}: [1-9]\\d* calls, `, 'm'));
    }
    assert.deepEqual(readdirSync(folder), []);
    assert.deepEqual(left(), []);
  });

  it('leaves nothing behind when it is stopped', async () => {
    const child = run([process.execPath, SCRIPT]);
    await said(/ok openai-compatible/, child);
    child.kill('SIGTERM');
    const [code] = await once(child, 'close');
    assert.equal(code, 130, text);
    assert.deepEqual(readdirSync(folder), []);
    assert.deepEqual(left(), []);
  });

  it('ends when it, or who started it, is killed', async () => {
    for (const args of [
      [process.execPath, SCRIPT],
      ['sh', '-c', `"$0" "$1"; exit`, process.execPath, SCRIPT],
    ]) {
      text = '';
      const child = run(args);
      await said(/ok openai-compatible/, child);
      assert.ok(left().length >= 5, 'the search, three workers and the database');
      child.kill('SIGKILL');
      while (readdirSync(folder).length > 0 || left().length > 0) await sleep(100);
    }
  });
});
