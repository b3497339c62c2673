import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActionCall, ActionReply, ActionRequest } from '../../../../src/core/actions/action-call.ts';
import { type InboxParts, RequestInbox } from '../../../../src/store/requests/request-inbox.ts';
import { sendRequest } from '../../../../src/store/requests/requests.ts';
import { systemRandom } from '../../../../src/store/system-ports.ts';
import { until } from '../../../support/until.ts';
import { startProcess } from '../support/other-process.ts';
import { newFolder, removeFolders } from '../support/places.ts';

const LEASE = 'token-of-the-lease';
/** In milliseconds: more than any test may take. */
const HOUR = 3_600_000;
const PRUNE: ActionCall = { action: 'prune', node: 'alpha' };

describe('requests between processes', () => {
  let search: string;
  let folder: string;
  let inboxes: RequestInbox[] = [];
  beforeEach(async () => {
    search = await newFolder();
    folder = join(search, '.search', 'requests');
    await mkdir(folder, { recursive: true });
  });
  afterEach(async () => {
    await Promise.all(inboxes.map((inbox) => inbox.close()));
    inboxes = [];
    await removeFolders();
  });

  async function open(parts: Partial<InboxParts> = {}): Promise<ActionRequest[]> {
    const done: ActionRequest[] = [];
    const carryOut = async (request: ActionRequest): Promise<ActionReply> => {
      done.push(request);
      return { ok: true, message: `${request.action.action} was done` };
    };
    inboxes.push(await RequestInbox.open(search, { carryOut, lease: LEASE, checkLease: () => undefined, ...parts }));
    return done;
  }
  const send = (patienceMs = HOUR, held = true, action = PRUNE, lease = LEASE): Promise<ActionReply | undefined> =>
    sendRequest(search, action, { by: 'test', random: systemRandom, lease, isHeld: async () => held, patienceMs });
  const put = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
  const request = (id: string, time = new Date(), lease = LEASE): string =>
    JSON.stringify({ id, by: 'test', time: time.toISOString(), lease, action: PRUNE });
  const replyTo = async (id: string): Promise<ActionReply> => {
    const file = join(folder, `${id}.done.json`);
    await until(() => existsSync(file));
    return JSON.parse(await readFile(file, 'utf8')) as ActionReply;
  };

  it('are carried out and answered, and leave nothing behind', async () => {
    const done = await open();
    assert.deepEqual(await send(), { ok: true, message: 'prune was done' });
    assert.deepEqual([done.length, done[0]?.by, done[0]?.action], [1, 'test', PRUNE]);
    await Promise.all(inboxes.map((inbox) => inbox.close()));
    assert.deepEqual(await readdir(folder), []);
  });

  it('are withdrawn if nobody takes them, at once if nobody holds the search', async () => {
    assert.equal(await send(50), undefined);
    assert.equal(await send(HOUR, false), undefined);
    assert.deepEqual(await readdir(folder), []);
    const done = await open();
    await sleep(20);
    assert.deepEqual(done, []);
  });

  it('work without change notifications of the file system', async () => {
    const done = await open({
      watchFolder: () => {
        throw new Error('ENOSPC: no watches left');
      },
    });
    await sleep(50);
    assert.equal((await send())?.ok, true);
    assert.equal(done.length, 1);
  });

  it('are answered as long as it takes, while their holder lives', async () => {
    await open({
      carryOut: async () => {
        await sleep(400);
        return { ok: false, reason: 'bad-input', message: 'No.' };
      },
    });
    assert.deepEqual(await send(30), { ok: false, reason: 'bad-input', message: 'No.' });
  });

  it('say that the holder died, if it had taken them', async () => {
    const sent = send(200, false);
    await until(async () => (await readdir(folder)).some((name) => /^[\w-]+\.json$/.test(name)));
    const [name = ''] = (await readdir(folder)).filter((each) => each.endsWith('.json'));
    await rename(join(folder, name), join(folder, name.replace('.json', '.taken')));
    assert.equal((await sent)?.reason, 'timed-out');
  });

  it('are either carried out or withdrawn, whoever is quicker', async () => {
    const done = await open();
    const replies: (ActionReply | undefined)[] = [];
    for (let round = 0; round < 10; round++)
      replies.push(...(await Promise.all(Array.from({ length: 10 }, (_, n) => send(n % 4)))));
    assert.equal(replies.length, 100);
    assert.equal(replies.filter((reply) => reply?.ok).length, done.length);
    assert.equal(new Set(done.map(({ id }) => id)).size, done.length);
    assert.ok(replies.every((reply) => reply === undefined || reply.ok));
  });

  it('are done once, however many inboxes there are', async () => {
    const all = [await open(), await open(), await open()];
    const replies = await Promise.all(Array.from({ length: 60 }, () => send()));
    assert.ok(replies.every((reply) => reply?.ok));
    const ids = all.flat().map(({ id }) => id);
    assert.deepEqual([ids.length, new Set(ids).size], [60, 60]);
  });

  it('are not touched by a process that lost the search, nor by one that loses it while it checks', async () => {
    let looks = 0;
    const lost = await open({
      checkLease: () => {
        if (looks++ > 0) throw new Error('lost');
      },
    });
    assert.equal(await send(400), undefined);
    assert.ok(looks >= 2);
    assert.deepEqual(lost, []);
    const done = await open();
    assert.equal((await send())?.ok, true);
    assert.deepEqual([lost.length, done.length], [0, 1]);
  });

  const hostile: [string, string][] = [
    ['no JSON', 'what is this?'],
    ['nothing', ''],
    ['huge', `{"id": "x", "text": "${'x'.repeat(200_000)}"}`],
    ['another schema', '{"id": "x", "by": "me", "time": "now", "action": {"action": "explode"}}'],
    ['another id', request('somebody-else')],
    ['a path as a node', '{"id": "x", "by": "me", "time": "now", "action": {"action": "prune", "node": 1}}'],
    ['nonsense as a time', JSON.stringify({ id: 'x', by: 'me', time: 'soon', action: PRUNE })],
    ['an old time', request('x', new Date(Date.now() - 3_600_000))],
  ];
  for (const [what, text] of hostile)
    it(`with ${what} are refused and do no harm`, async () => {
      const done = await open();
      await put('x.json', text);
      const reply = await replyTo('x');
      assert.deepEqual([reply.ok, reply.reason], [false, 'bad-input']);
      assert.equal((await send())?.ok, true);
      assert.equal(done.length, 1);
    });

  it('with names that lead elsewhere, links, folders and pipes are not touched', async () => {
    const outside = join(await newFolder(), 'secret.json');
    const text = request('linked');
    await writeFile(outside, text);
    await symlink(outside, join(folder, 'linked.json'));
    await mkdir(join(folder, 'folder.json'));
    await put('..%2f..%2fx.json', request('..%2f..%2fx'));
    await put('a.b.json', request('a.b'));
    const done = await open();
    assert.equal((await send())?.ok, true);
    assert.equal(done.length, 1);
    assert.equal(await readFile(outside, 'utf8'), text);
    const left = ['..%2f..%2fx.json', 'a.b.json', 'folder.json', 'linked.json'];
    assert.deepEqual((await readdir(folder)).sort(), left);
  });

  it('write no answer through a planted link', async () => {
    const outside = join(await newFolder(), 'precious');
    await writeFile(outside, 'precious');
    await symlink(outside, join(folder, 'x.done.json.tmp'));
    await symlink(outside, join(folder, 'x.done.json'));
    await open();
    await put('x.json', request('x'));
    await until(async () => !(await readdir(folder)).some((name) => name === 'x.json' || name === 'x.taken'));
    assert.equal(await readFile(outside, 'utf8'), 'precious');
  });

  it('are refused if their folder leads elsewhere', async () => {
    const other = await newFolder();
    const elsewhere = await newFolder();
    await mkdir(join(other, '.search'));
    await symlink(elsewhere, join(other, '.search', 'requests'));
    const carryOut = async (): Promise<ActionReply> => ({ ok: true, message: '' });
    const parts: InboxParts = { carryOut, lease: LEASE, checkLease: () => undefined };
    await assert.rejects(RequestInbox.open(other, parts), { reason: 'outside' });
    assert.deepEqual(await readdir(elsewhere), []);
  });

  it('for another lease are not carried out, and whoever waits learns at once that they are gone', async () => {
    const done = await open();
    assert.equal(await send(300, true, PRUNE, 'an-earlier-lease'), undefined);
    await put('forged.written', request('forged', new Date('2099-01-01'), 'guessed'));
    await rename(join(folder, 'forged.written'), join(folder, 'forged.json'));
    await until(async () => (await readdir(folder)).length === 0);
    assert.deepEqual(done, []);
  });

  it('that a new holder removes while they are written come to nobody, which is no error', async () => {
    let isOver = false;
    const removes = async (): Promise<void> => {
      for (; !isOver; await sleep(1))
        for (const name of await readdir(folder))
          if (name.endsWith('.tmp')) await unlink(join(folder, name)).catch(() => undefined);
    };
    const sends = async (): Promise<(ActionReply | undefined)[]> => {
      try {
        return await Promise.all(Array.from({ length: 50 }, () => send(0, false)));
      } finally {
        isOver = true;
      }
    };
    const [sent] = await Promise.all([sends(), removes()]);
    assert.ok(sent.every((reply) => reply === undefined));
    await rm(search, { recursive: true });
    await assert.rejects(send(0, false), { reason: 'not-found' });
  });

  it('come to nobody once the search is lost, which is told without one', async () => {
    const gone = new Error('taken over');
    let isLost = false;
    const checkLease = (): void => {
      if (isLost) throw gone;
    };
    const told: unknown[] = [];
    await open({ checkLease, onLost: (error) => told.push(error) });
    assert.equal((await send())?.ok, true);
    isLost = true;
    await until(() => told.length > 0);
    assert.equal(await send(300), undefined);
    assert.deepEqual(told, [gone]);
  });

  it('that name no lease are refused', async () => {
    const done = await open();
    await put('old.json', JSON.stringify({ id: 'old', by: 'test', time: new Date().toISOString(), action: PRUNE }));
    assert.equal((await replyTo('old')).ok, false);
    assert.deepEqual(done, []);
  });

  it('of a flood of 1,000 are each done once', async () => {
    const ids = Array.from({ length: 1000 }, (_, n) => `flood-${n}`);
    await Promise.all(ids.map((id) => put(`${id}.json`, request(id))));
    const done = await open();
    assert.equal((await send(HOUR))?.ok, true);
    await until(() => done.length === 1001);
    assert.equal(new Set(done.map(({ id }) => id)).size, 1001);
  });

  it('that were left behind are cleared away at opening; what may still be read stays', async () => {
    const old = new Date(Date.now() - 120_000);
    await put('fresh.done.json', '{}');
    for (const name of ['a.done.json', 'b.taken', 'c.json.tmp', 'd.json']) {
      await put(name, request(name.split('.')[0] ?? ''));
      await utimes(join(folder, name), old, old);
    }
    const done = await open();
    assert.equal((await replyTo('d')).ok, false, 'asked too long ago');
    assert.deepEqual(done, []);
    await until(() => !existsSync(join(folder, 'd.taken')));
    assert.deepEqual((await readdir(folder)).sort(), ['d.done.json', 'fresh.done.json']);
  });

  it('pass between two processes', async () => {
    const holder = startProcess(`
      const { RequestInbox } = await load('store/requests/request-inbox.ts');
      const carryOut = async ({ action }) => ({ ok: true, message: 'did ' + action.action });
      const inbox = await RequestInbox.open(${JSON.stringify(search)}, { carryOut, lease: 'token-of-the-lease', checkLease: () => undefined });
      say('open');
      const alive = setInterval(() => undefined, 1000);
      await hear();
      await inbox.close();
      clearInterval(alive);
      process.exit();
    `);
    assert.equal(await holder.line(), 'open');
    assert.deepEqual(await send(), { ok: true, message: 'did prune' });
    holder.signal('SIGKILL');
    await holder.ended;
    assert.equal(await send(60_000, false), undefined);
  });
});
