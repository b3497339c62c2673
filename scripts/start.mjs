// npm start: installs what is missing, then runs `thought-tree` from its sources with the pinned Node.
//   npm start                              finds the answer to a question about this repository, in seconds and without a model
//   npm start -- "…" [--folder PATH]       another question, another folder; paths are relative to the current folder
//   npm start -- "…" --model NAME …        a search with a model, or with any other option of `start`
//   npm start -- --demo                    shows a tree grow: a search that was recorded with a real model, played again
//   npm start -- status DIR                any other command, without a build: what-if DIR, list, models, help
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled, root } from './ensure.mjs';

const node = ensureInstalled();
const cli = join(root, 'src', 'cli', 'cli.ts');
const args = process.argv.slice(2);
const FOR_FIND = ['--callers', '--json', '--folder'];
/** What stands for itself, without a folder after it. */
const ALONE = ['list', 'models', 'money', 'help', '--help', '--version'];
const QUESTION = 'How does a process take over the lease of another one?';
const RECORDED = join(root, 'examples', 'recorded-puzzle.jsonl');

const command = commandOf(args);
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

function commandOf(args) {
  if (args[0] === '--demo') return demo(args.slice(1));
  // Most commands need a folder after them; any other single word is a question.
  const isAlone = ALONE.includes(args[0]);
  const isCommand =
    isAlone || (/^[a-z]+(-[a-z]+)*$/.test(args[0] ?? '') && args[0] !== 'start' && /^[^-]/.test(args[1] ?? ''));
  if (isCommand) return args;
  const found = foundWith(args);
  if (!found) return ['start', '--demo', root, ...args];
  tellLocalModels();
  return ['find', ...found];
}

/** The arguments with which a question is only looked up; nothing if they ask for more than that. */
function foundWith(args) {
  const [question, ...more] = args.length > 0 && !args[0].startsWith('-') ? args : [QUESTION, ...args];
  const isFind = more.every((each, at) => FOR_FIND.includes(each) || more[at - 1] === '--folder');
  const place = more.includes('--folder') ? [] : ['--folder', root];
  return isFind && question !== 'start' ? [question, ...more, ...place] : undefined;
}

/** A search that was recorded with a real model, in a folder of its own, as slowly as a reader can follow. */
function demo(more) {
  const { problem, options } = JSON.parse(readFileSync(`${RECORDED}.json`, 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'thought-tree-demo-'));
  process.env.THOUGHT_TREE_REPLAY_PACE_MS ??= '1500';
  console.error(
    'A recorded search: a real model answered this once; its answers are played again. No model is asked now.\n' +
      `Its problem:\n\n${problem.replaceAll(/ (?=\(\d+\) |Find every )/g, '\n')}\n`,
  );
  return ['start', problem, ...options, '--folder', folder, '--model', `replay/${RECORDED}`, ...more];
}

/** Looks for a model that runs on this computer, and says how a tree is grown with it. */
function tellLocalModels() {
  const { OLLAMA_HOST = 'http://127.0.0.1:11434' } = process.env;
  const address = OLLAMA_HOST.includes('://') ? OLLAMA_HOST : `http://${OLLAMA_HOST}`;
  fetch(new URL('/api/tags', address), { signal: AbortSignal.timeout(500) })
    .then(async (response) => {
      const { models } = await response.json();
      const name = models?.[0]?.name;
      if (typeof name === 'string' && /^[\w.:/-]{1,100}$/.test(name))
        console.error(`A model runs here: npm start -- "…" --model ollama/${name} grows a tree with it.`);
    })
    .catch(() => undefined);
}
