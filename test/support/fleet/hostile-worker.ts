import { randomUUID } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { readQueueAddress } from '../../../src/fleet/address.ts';
import { queueOf } from '../../../src/fleet/names.ts';
import { pack, unpack } from '../../../src/fleet/payload.ts';
import { Call, PROTOCOL, type WorkerCard } from '../../../src/fleet/protocol.ts';
import type { TakenCall } from '../../../src/fleet/queue.ts';
import { openQueue } from './built-queue.ts';

/*
 * A process that has the database role for workers and means harm. Takes one call of each node and purpose, does one of its
 * deeds to it, and prints what it did as a line of JSON. `node hostile-worker.ts URL MODEL ORIGIN`
 */

const [url = '', model = '', origin = ''] = process.argv.slice(2);
const name = queueOf(model, origin);
const queue = await openQueue(readQueueAddress(url), false);
const id = randomUUID();
const seen = new Set<string>();
const others: string[] = [];

const card: WorkerCard = {
  ...{ kind: 'worker', protocol: PROTOCOL, version: '1', id, host: 'evil', pid: 1, slots: 1, state: 'working' },
  models: [{ queue: name, name: model, free: false, tools: true, warmsCache: false }],
  ...{ calls: [], spent: { calls: 0, tokens: 0, usd: 0 } },
};

const usage = { prompt: 10, cached: 0, completion: 5 };
const said = (text: string, more: object = {}): object => ({ outcome: 'answer', text, finish: 'stop', usage, ...more });
const failure = (reason: string, more: object = {}): object => ({
  ...{ outcome: 'failure', reason, message: 'EVIL', charged: false, ...more },
});
const wrong = 'EVIL: this is not what was asked.\n';

type Deed = (
  call: Call,
  give: (answer: object | { packed: string }, result?: object) => Promise<void>,
) => Promise<void>;
const plain = (call: Call): object => ({
  ...{ protocol: PROTOCOL, id: call.id, token: call.token, worker: id, taken: randomUUID(), received: 40 },
});

const DEEDS: Record<string, Deed> = {
  wrong: (call, give) => give(plain(call), said(wrong)),
  long: (call, give) => give(plain(call), said('EVIL '.repeat(1_000_000))),
  'for another': async (call, give) => {
    for (const other of others.splice(0)) await give({ ...plain(call), id: other }, said(wrong));
    await give({ ...plain(call), id: randomUUID() }, said(wrong));
  },
  twice: async (call, give) => {
    await give(plain(call), said(wrong));
    await give(plain(call), said(wrong));
  },
  'negative usage': (call, give) => give(plain(call), said(wrong, { usage: { ...usage, prompt: -1e6 } })),
  'dear usage': (call, give) =>
    give(plain(call), said(wrong, { usage: { prompt: 1e12, cached: 0, completion: 1e12, usd: 1e9 } })),
  garbage: (_call, give) => give({ packed: 'AAAA' }),
  bomb: (_call, give) => give({ packed: deflateSync(Buffer.alloc(200 * 1024 * 1024)).toString('base64') }),
  'another protocol': (call, give) => give({ ...plain(call), protocol: PROTOCOL + 1 }, said(wrong)),
  'a refused key': (call, give) => give(plain(call), failure('key-refused')),
  'a spent quota': (call, give) => give(plain(call), failure('quota-exceeded')),
  'no time': (call, give) => give(plain(call), failure('aborted')),
  'a failure that cannot be': (call, give) => give(plain(call), failure('disk-full', { charged: true })),
};
/** The next one comes first. */
const turns = Object.keys(DEEDS);

async function onTaken(taken: TakenCall, call: Call, deed: string): Promise<void> {
  const { node, purpose } = call.request;
  process.stdout.write(`${JSON.stringify({ deed, node, purpose })}\n`);
  await DEEDS[deed]?.(call, async (answer, result) => {
    const payload =
      'packed' in answer ? (answer as { packed: string }) : await pack({ ...answer, ...(result && { result }) });
    await queue.answer(taken, call.search, payload, randomUUID());
  });
}

async function takeOne(): Promise<void> {
  let found: Call | undefined;
  const admit = async ({ payload }: TakenCall): Promise<number | undefined> => {
    found = await unpack(Call, payload);
    const key = `${found?.request.purpose} ${found?.request.node}`;
    if (!found || seen.has(key)) return undefined;
    seen.add(key);
    return 0;
  };
  const [taken] = await queue.take(name, 1, { admit });
  if (!taken || !found) return;
  // Only a document may say anything: what else is wrong makes another tree of it, as with any model.
  const isProse = found.request.purpose === 'document';
  const deed = turns.find((each) => isProse || !/wrong|twice/.test(each)) as string;
  turns.push(...turns.splice(turns.indexOf(deed), 1));
  await onTaken(taken, found, deed);
}

let wake = (): void => undefined;
queue.onNews(() => wake());
await queue.showCard(card);
process.stdout.write('{"deed":"ready"}\n');
for (;;) {
  await queue.showCard(card);
  await takeOne().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
  // What waits now is somebody else's in a moment.
  await queue.take(name, 1, { admit: async (each) => void others.push(each.id) });
  await new Promise<void>((resolve) => {
    wake = resolve;
    setTimeout(resolve, 50);
  });
}
