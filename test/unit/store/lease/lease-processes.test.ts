import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SearchFile } from '../../../../src/core/search/search-file.ts';
import { isGone, thisProcess } from '../../../../src/store/lease/process-identity.ts';
import { createSearch, findHolder, openForReading, openForWriting } from '../../../../src/store/open-store.ts';
import { systemClock, systemRandom } from '../../../../src/store/system-ports.ts';
import { until } from '../../../support/until.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type OtherProcess, startProcess } from '../support/other-process.ts';
import { newFolder, removeFolders } from '../support/places.ts';

const SEARCH: SearchFile = { version: 1, kind: 'research', title: 'T', prompt: 'P', options: {} };

const OPEN = `
  const { openForWriting } = await load('store/open-store.ts');
  const { systemClock: clock, systemRandom: random } = await load('store/system-ports.ts');
  const open = (folder) => openForWriting(folder, { clock, random });
  const keepAlive = setInterval(() => undefined, 1000);
`;

describe('the lease between processes', () => {
  let folder: string;
  let others: OtherProcess[];
  beforeEach(async () => {
    folder = join(await newFolder(), 'search');
    await createSearch(folder, SEARCH);
    others = [];
  });
  afterEach(async () => {
    for (const other of others) other.signal('SIGKILL');
    await Promise.all(others.map((other) => other.ended));
  });
  after(removeFolders);

  const start = (code: string): OtherProcess => {
    const other = startProcess(OPEN + code);
    others.push(other);
    return other;
  };
  const ports = { clock: systemClock, random: systemRandom };
  const startHolder = async (): Promise<OtherProcess> => {
    const holder = start(`await open(${JSON.stringify(folder)}); say('open');`);
    assert.equal(await holder.line(), 'open');
    return holder;
  };

  it('is not free while its holder is known to run, however long the computer slept; it is if the holder is stopped', async () => {
    const holder = await startHolder();
    const clock = new ManualClock();
    clock.pass(60_000);
    assert.equal((await findHolder(folder, clock))?.state, 'alive');
    holder.signal('SIGSTOP');
    await until(async () => (await findHolder(folder, clock))?.state === 'silent');
    holder.signal('SIGCONT');
    await until(async () => (await findHolder(folder, clock))?.state === 'alive');
  });

  it('is free if its holder is dead and its parent takes no notice, as in containers', async () => {
    // The shell starts a process and becomes another one, which never asks how it ended.
    const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 30'], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const [text] = (await once(parent.stdout, 'data')) as [Buffer];
      const { started: _started, ...me } = thisProcess();
      const other = { ...me, pid: Number(String(text).trim()) };
      await until(() => isGone(other, thisProcess()));
      assert.ok(process.kill(other.pid, 0), 'a zombie still has its number');
    } finally {
      parent.kill('SIGKILL');
    }
  });

  it('is refused while its holder lives, and taken at once when it is dead', async () => {
    const holder = await startHolder();
    const message = new RegExp(`process ${holder.pid} on `);
    await assert.rejects(openForWriting(folder, ports), { reason: 'held', message });
    holder.signal('SIGKILL');
    await holder.ended;
    const store = await openForWriting(folder, ports);
    assert.deepEqual([store.holder?.epoch, store.holder?.pid], [2, process.pid]);
    await store.close();
  });

  it('goes to exactly one of several processes, round after round', async () => {
    const takers = Array.from({ length: 4 }, () =>
      start(`
        let store;
        for (let word; (word = await hear()) !== undefined; )
          if (word === 'close') { await store?.close(); store = undefined; say('closed'); }
          else try { store = await open(word); say('won ' + store.holder.epoch); } catch (error) { say(error.reason); }
      `),
    );
    for (let round = 1; round <= 25; round++) {
      for (const taker of takers) taker.say(folder);
      const said = await Promise.all(takers.map((taker) => taker.line()));
      assert.deepEqual(said.sort(), ['held', 'held', 'held', `won ${round}`]);
      for (const taker of takers) taker.say('close');
      await Promise.all(takers.map((taker) => taker.line()));
    }
  });

  it('once lost while its holder was stopped, lets it write nothing more', async () => {
    const holder = start(`
      const store = await open(${JSON.stringify(folder)});
      say('open');
      const event = (seq) => ({ seq, time: 't', type: 'search-running' });
      for (let n = 1, reason; ; n++) {
        const writes = [
          () => store.append(event(n)), () => store.writeNode('node', { title: 'N' + n }),
          () => store.writeNode('node-' + n, { title: 'N' }), () => store.writeDocument('node', 'text ' + n),
          () => store.writeChildren('node', [{ title: 'N' + n, slug: 'n' }]),
          () => store.writeConversation({ id: 'c', turns: [{ role: 'user', text: 'x' + n, purpose: 'document' }] }),
        ];
        const results = await Promise.allSettled(writes.map((write) => write()));
        const failed = results.filter((each) => each.status === 'rejected').map((each) => each.reason.reason);
        if (failed.length === writes.length) { say(failed.join(' ')); break; }
      }
      await store.close();
      say('closed');
      clearInterval(keepAlive);
      process.stdin.destroy();
    `);
    assert.equal(await holder.line(), 'open');
    await until(async () => (await readdir(folder)).length > 10);
    holder.signal('SIGSTOP');
    await until(async () => /\) T/.test(await readFile(`/proc/${holder.pid}/stat`, 'utf8').catch(() => ') T')));
    const clock = new ManualClock();
    await assert.rejects(openForWriting(folder, { ...ports, clock }), { reason: 'held' });
    clock.pass(31_000);
    const store = await openForWriting(folder, { ...ports, clock });
    const before = await snapshot(folder);
    holder.signal('SIGCONT');
    assert.match((await holder.line()) ?? '', /^(lease-lost ?){6}$/);
    assert.equal(await holder.line(), 'closed');
    await holder.ended;
    const after = await snapshot(folder);
    // At most what each of its system calls under way was about to do: here one rename or append.
    const changed = [...after].filter(([path, text]) => before.get(path) !== text);
    assert.ok(changed.length <= 1, JSON.stringify(changed.map(([path]) => path)));
    store.checkLease();
    assert.deepEqual((await openForReading(folder)).problems, []);
    await store.close();
  });
});

/** The content of every file by its path, and every folder. Temporary files are no part of a search. */
async function snapshot(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const path of (await readdir(folder, { recursive: true })).sort()) {
    if (path.startsWith(join('.search', 'tmp'))) continue;
    const isFolder = (await stat(join(folder, path))).isDirectory();
    found.set(path, isFolder ? 'folder' : await readFile(join(folder, path), 'utf8'));
  }
  return found;
}
