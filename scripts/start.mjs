// npm start: installs what is missing, then runs `thought-tree start` from its sources with the pinned Node.
//   npm start                              a question about this repository
//   npm start -- "…" [--folder PATH …]     another question, another folder; paths are relative to the current folder
//   npm start -- status DIR                any other command, without a build
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled, root } from './ensure.mjs';

const node = ensureInstalled();
const cli = join(root, 'src', 'cli', 'cli.ts');
const args = process.argv.slice(2);
// Every command but `start` needs a folder after it; a single word is a question.
const isCommand = /^[a-z]+$/.test(args[0] ?? '') && args[0] !== 'start' && /^[^-]/.test(args[1] ?? '');
const command = isCommand ? args : ['start', '--demo', root, ...args];
const child = spawn(node, [cli, ...command], {
  cwd: process.env.INIT_CWD ?? process.cwd(),
  stdio: 'inherit',
  // The commands that the program suggests can be typed as they are.
  env: { ...process.env, THOUGHT_TREE_COMMAND: 'npm start --' },
});
// Ctrl-C reaches the child by itself, since the terminal signals all of its processes: passing it on would make it two.
// This process only has to stay until the child has paused the search.
process.on('SIGINT', () => undefined);
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`${node} cannot be run: ${error.message}`);
  process.exitCode = 1;
});
child.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
});
