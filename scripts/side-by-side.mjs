// Runs npm scripts at the same time: the first one shows its output at once, the others show theirs when they have ended.
//   node scripts/side-by-side.mjs SCRIPT SCRIPT+SCRIPT ...
// What a plus joins runs one after the other, whether or not the one before failed. Exits with 1 if any of them failed.
import { spawn, spawnSync } from 'node:child_process';
import { freemem, homedir, tmpdir } from 'node:os';

const [first, ...others] = process.argv.slice(2);

/** Tests wait for the disk more than for anything else: where it can be, the temporary files of each script are in memory. */
const MOUNT = 'mount -t tmpfs tmpfs /tmp';
const isInTmp = [process.cwd(), homedir(), process.execPath, ...process.argv].some((path) => path.startsWith('/tmp/'));
const inMemory =
  tmpdir() === '/tmp' && !isInTmp && freemem() > 8e9 && spawnSync('unshare', ['-m', 'sh', '-c', MOUNT]).status === 0
    ? ['unshare', '-m', 'sh', '-c', `${MOUNT} && exec "$0" "$@"`]
    : [];

/** Runs one; returns whether it succeeded, and what it printed if that is not shown at once. */
function run(script, isShown) {
  const stdio = isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'];
  const [command, ...args] = [...inMemory, 'npm', 'run', script];
  const child = spawn(command, args, { stdio, shell: process.platform === 'win32' });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => printed.push(part));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ isGood: false, printed: `${error.message}\n` }));
    child.on('close', (code) => resolve({ isGood: code === 0, printed: Buffer.concat(printed) }));
  });
}

async function runInTurn(scripts, isShown) {
  const results = [];
  for (const script of scripts.split('+')) results.push(await run(script, isShown));
  return results;
}

const running = [runInTurn(first, true), ...others.map((scripts) => runInTurn(scripts, false))];
for (const each of running)
  for (const { isGood, printed } of await each) {
    process.stdout.write(printed);
    if (!isGood) process.exitCode = 1;
  }
