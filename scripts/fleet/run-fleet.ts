// npm run fleet: a fleet on this computer, to look at. It starts a PostgreSQL of its own, three workers and a search of this
// repository, asks a scripted model, draws what each worker does, and removes everything.
import { join } from 'node:path';
import { createLogUpdate } from 'log-update';
import { readQueueAddress } from '../../src/fleet/address.ts';
import { openQueue } from '../../src/fleet/open-queue.ts';
import type { WorkerRegistration } from '../../src/fleet/protocol.ts';
import type { FleetQueue } from '../../src/fleet/queue.ts';
import { type LoggedRequest, startScriptedServer } from '../../test/support/servers/scripted-server.ts';
import { scriptedTree } from '../../test/support/servers/server-tree.ts';
import { ownPostgres } from '../postgres/own-postgres.ts';
import { CommandChild } from './command-child.ts';
import { drawLanes, spentText } from './lanes.ts';
import { ownFolder } from './own-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const QUESTION = 'How does a search survive losing power?';
const MODEL = 'openai-compatible/scripted';
const WORKERS = 3;
const SLOTS = 2;
/** What a call takes: long enough to be seen, in milliseconds. */
const CALL_MS = 900;
const CALL_USD = 0.0004;
const FRAME_MS = 250;
const PARENT_MS = 500;
/** What a process ends with that was asked to. */
const INTERRUPTED = 130;

const cleanups: (() => unknown)[] = [];
const children: CommandChild[] = [];
let stops = 0;

/** First in order: the search pauses, and its workers finish what they have begun. Then at once. */
function stop(): void {
  stops++;
  for (const child of children) child.stop(stops === 1 ? 'SIGTERM' : 'SIGKILL');
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
const parent = process.ppid;
setInterval(() => {
  if (process.ppid === parent) return;
  stops++;
  stop();
}, PARENT_MS).unref();

process.exitCode = await run().catch((error: unknown) => {
  if (stops === 0) console.error(error instanceof Error ? error.message : error);
  return stops > 0 ? INTERRUPTED : 1;
});
for (const child of children) child.stop();
await Promise.all(children.map(({ over }) => over));
for (const clean of cleanups.reverse()) await clean();

async function run(): Promise<number> {
  const say = (text: string): void => console.log(text);
  const folder = ownFolder();
  cleanups.push(() => folder.remove());
  say('Starting a PostgreSQL …');
  const postgres = await ownPostgres();
  cleanups.push(() => postgres.stop());
  const { answer } = scriptedTree({ fanout: (_path, depth) => [6, 2][depth] ?? 0 });
  const server = await startScriptedServer({ answer, latencyMs: CALL_MS, cost: () => CALL_USD });
  cleanups.push(() => server.close());
  say(`Starting ${WORKERS} workers of ${SLOTS} slots, whose model is a script, and a search of this repository …`);
  const env = { THOUGHT_TREE_QUEUE: postgres.url, THOUGHT_TREE_MODEL: MODEL, THOUGHT_TREE_BASE_URL: server.baseUrl };
  const names = Array.from({ length: WORKERS }, (_, index) => `worker ${index + 1}`);
  const isDrawn = process.stdout.isTTY === true;
  const workers = names.map((name) => startWorker(name, folder.path, env, isDrawn ? undefined : say));
  await Promise.all(workers.map((worker) => worker.until(/Takes calls/)));
  if (stops > 0) return INTERRUPTED;
  const queue = await openQueue(readQueueAddress(postgres.url), false);
  cleanups.push(() => queue.close());
  const tree = join(folder.path, 'tree');
  const state = { XDG_STATE_HOME: join(folder.path, 'search') };
  const flags = ['--folder', ROOT, '--dir', tree, '--size', 'small', '--concurrency', 'fleet', '--json'];
  const search = start(['start', QUESTION, ...flags], { folder: folder.path, env: { ...env, ...state } });
  const begun = performance.now();
  await watch(queue, names, search, isDrawn);
  const code = await search.over;
  if (stops > 0) return INTERRUPTED;
  if (code !== 0) throw new Error(`The search ended with ${code}: ${search.said}`);
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  const documents = server.log.filter(({ purpose }) => purpose === 'document').length;
  say(`${documents} topics in ${seconds} s. Calls, as the model counted them:`);
  for (const name of names) say(`  ${name}: ${spentBy(server.log.filter((each) => isOf(each, name)))}`);
  say('What was started for it is gone again.');
  return 0;
}

function isOf({ authorization }: LoggedRequest, name: string): boolean {
  return authorization === `Bearer ${keyOf(name)}`;
}

function keyOf(name: string): string {
  return name.replaceAll(' ', '-');
}

function spentBy(calls: readonly LoggedRequest[]): string {
  const tokens = calls.reduce((sum, { promptTokens, completionTokens }) => sum + promptTokens + completionTokens, 0);
  return spentText({ calls: calls.length, tokens, usd: calls.length * CALL_USD });
}

function start(args: readonly string[], options: ConstructorParameters<typeof CommandChild>[1]): CommandChild {
  const child = new CommandChild(args, options);
  children.push(child);
  return child;
}

function startWorker(
  name: string,
  folder: string,
  env: Readonly<Record<string, string>>,
  say: ((text: string) => void) | undefined,
): CommandChild {
  return start(['worker', '--slots', String(SLOTS)], {
    folder,
    env: { ...env, THOUGHT_TREE_API_KEY: keyOf(name), XDG_STATE_HOME: join(folder, name) },
    onLine: (line) => say?.(`${name}  ${line}`),
  });
}

/** Shows what they do until the search is over. */
async function watch(
  queue: FleetQueue,
  names: readonly string[],
  search: CommandChild,
  isDrawn: boolean,
): Promise<void> {
  if (!isDrawn) return;
  const log = createLogUpdate(process.stdout);
  const known = new Map<number, WorkerRegistration>();
  let isOver = false;
  void search.over.then(() => {
    isOver = true;
  });
  while (!isOver) {
    for (const card of await queue.registrations()) if (card.kind === 'worker') known.set(card.pid, card);
    // They were started in this order, so that their numbers are in it, too.
    const registrations = [...known.values()].sort((a, b) => a.pid - b.pid);
    const lanes = names.map((name, index) => ({ name, card: registrations[index] }));
    log(drawLanes(lanes, Date.now(), process.stdout.columns));
    await new Promise((resolve) => setTimeout(resolve, FRAME_MS));
  }
  log.clear();
}
