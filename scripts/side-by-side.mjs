// Runs npm scripts at the same time: the first one shows its output at once, the others show theirs when they have ended.
//   node scripts/side-by-side.mjs SCRIPT SCRIPT+SCRIPT ...
// What a plus joins runs one after the other, whether or not the one before failed. Exits with 1 if any of them failed.
import { spawn } from 'node:child_process';

const [first, ...others] = process.argv.slice(2);

/** Runs one; returns whether it succeeded, and what it printed if that is not shown at once. */
function run(script, isShown) {
  const stdio = isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'];
  const child = spawn('npm', ['run', script], { stdio, shell: process.platform === 'win32' });
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
