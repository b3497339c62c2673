import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { hasGrammar, type Language, languageOf } from '../../files/languages.ts';
import { arePlausible, type Mark, packMarks } from '../marks.ts';
import { marksByOutline } from '../outline.ts';
import type { FromParser, ToParser } from './parser.ts';
import { type Find, loadLanguage, memoryHeld } from './tree-sitter.ts';

// A process that finds marks in texts, one after the other. It is one of its own since a text may be made to take tree-sitter
// time, memory or its life, and since what it asks of V8 holds for all WebAssembly of a process.

/** The memory that tree-sitter may hold while it waits for the next text, in bytes. */
const MOST_KEPT = 128_000_000;
const NEVER = 2 ** 31 - 1;

// V8 would optimize the largest functions of grammars, which takes half a gigabyte for those of shell scripts and is never
// worth it here. (`--liftoff-only`, which means the same, does nothing once V8 runs.)
for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag);

/** The processor time of this process, in milliseconds, at which it ends. */
const end = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
Atomics.store(end, 0, NEVER);
/** The thread that ends the process, since WebAssembly lets nothing else in; text, so that it starts fast. */
const WATCH = `
const end = require('node:worker_threads').workerData;
setInterval(() => {
  const { user, system } = process.cpuUsage();
  if ((user + system) / 1000 > Atomics.load(end, 0)) process.kill(process.pid, 'SIGKILL');
}, 50);
`;
new Worker(WATCH, { eval: true, workerData: end });

/** Does what may take some processor time, in milliseconds, and no more. */
function within<Result>(most: number, work: () => Result): Result {
  const { user, system } = process.cpuUsage();
  Atomics.store(end, 0, (user + system) / 1000 + most);
  try {
    return work();
  } finally {
    Atomics.store(end, 0, NEVER);
  }
}

async function finderOf(language: Language): Promise<Find> {
  return hasGrammar(language)
    ? await loadLanguage(language)
    : (text): readonly Mark[] => marksByOutline(text, language.query);
}

async function answer({ path, text, most }: ToParser): Promise<FromParser> {
  const language = languageOf(path, text);
  const find = language && (await finderOf(language).catch(() => undefined));
  if (!find) return { isLast: false };
  try {
    const marks = within(most, () => find(text));
    const shown = arePlausible(marks, text.length) ? marks : [];
    return { marks: packMarks(shown), isLast: memoryHeld() > MOST_KEPT };
  } catch {
    return { marks: packMarks([]), isLast: true };
  }
}

/** Resolves when it is written, so that nothing which ends the process can take an answer with it. */
function send(message: FromParser | 'ready'): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, undefined, {}, () => resolve());
  });
}

let queue = send('ready');
process.on('message', (message: ToParser) => {
  queue = queue.then(async () => {
    const answered = await answer(message);
    await send(answered);
    if (answered.isLast) process.exit();
  });
});
process.on('disconnect', () => process.exit());
