import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mock } from 'node:test';
import type { Model } from '../../../../src/core/ports/model.ts';
import type { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import {
  jobNames,
  OwnPurse,
  openPurse,
  purseLeft,
  throughPurse,
  workerPurse,
} from '../../../../src/searches/purse/purse.ts';
import { PurseFile } from '../../../../src/searches/purse/purse-file.ts';
import { realPath } from '../../../../src/searches/trust/search-use.ts';
import { newFolder, removeFolders } from '../../store/support/places.ts';

const MADE = { purpose: 'document', model: 'a/b' };
const ended = (call: string, usd: number) => ({
  ...{ type: 'call-ended' as const, call, node: '', purpose: 'document', outcome: 'ok', ms: 1, charged: true },
  usage: { prompt: 10, cached: 0, completion: 5, usd },
});

describe('a purse', () => {
  let folder: string;
  let now: number;
  beforeEach(async () => {
    folder = await newFolder();
    now = new Date(2026, 10, 29, 23, 0).getTime();
  });
  afterEach(removeFolders);

  function open(workspace = '/work/a'): OwnPurse {
    const file = PurseFile.open(join(folder, 'state'), () => now);
    assert.ok(file);
    return new OwnPurse(file, { folder: workspace, search: 'thought-trees/why' });
  }

  const booked = async (purse: OwnPurse, call: string, usd: number): Promise<boolean> =>
    (await purse.book({ call, ...MADE }, { tokens: 100, usd })) === undefined;

  it('books the worst case first, and has what a call cost in its place once that is told', async () => {
    const purse = open();
    await purse.setLimit('day', 1);
    assert.ok(await booked(purse, '1', 0.7));
    assert.ok(!(await booked(purse, '2', 0.4)));
    await purse.hear(ended('1', 0.2));
    await purse.hear(ended('1', 0.2));
    assert.ok(await booked(purse, '2', 0.4));
    const [day] = await purse.pockets();
    assert.deepEqual([day?.spent, day?.booked, day?.limit], [0.2, 0.4, 1]);
    await purse.close();
  });

  it('raises what is booked for a call, which stays one call', async () => {
    const purse = open();
    await purse.setLimit('month', 1);
    for (const usd of [0.4, 0.9, 0.5]) assert.ok(await booked(purse, '1', usd));
    assert.ok(!(await booked(purse, '1', 1.1)));
    assert.equal((await purse.pockets())[1]?.booked, 0.9);
    await purse.close();
  });

  it('begins a day once: a clock that is put forward and back again begins no other', async () => {
    const purse = open();
    await purse.setLimit('day', 1);
    assert.ok(await booked(purse, '1', 1));
    now += 2 * 3_600_000;
    assert.ok(await booked(purse, '2', 1), 'the next day');
    now -= 2 * 3_600_000;
    assert.ok(!(await booked(purse, '3', 1)), 'still that day');
    assert.equal((await purse.pockets())[0]?.of, '2026-11-30');
    now += 26 * 3_600_000;
    assert.ok(await booked(purse, '4', 1));
    // A month ends in the middle of this.
    assert.deepEqual((await purse.pockets()).map(({ of }) => of).slice(0, 2), ['2026-12-01', '2026-12']);
    await purse.close();
  });

  it('holds the limit of a folder for that folder alone, over all days', async () => {
    const [one, other] = [open(), open('/work/b')];
    await one.setLimit('folder', 1);
    assert.ok(await booked(one, '1', 0.8));
    now += 72 * 3_600_000;
    assert.ok(!(await booked(one, '2', 0.8)));
    assert.ok(await booked(other, '3', 0.8));
    await Promise.all([one.close(), other.close()]);
  });

  it('says whether room may come: calls of living processes end, those of a killed one stay at their worst', async () => {
    const purse = open();
    await purse.setLimit('day', 1);
    assert.ok(await booked(purse, '1', 0.9));
    assert.equal((await purse.book({ call: '2', ...MADE }, { tokens: 1, usd: 0.9 }))?.mayPass, true);
    assert.equal((await purse.book({ call: '2', ...MADE }, { tokens: 1, usd: 1.1 }))?.mayPass, false);
    await purse.hear({ ...ended('1', 0), charged: false, usage: undefined });
    const program = `
      import { OwnPurse } from '${new URL('../../../../src/searches/purse/purse.ts', import.meta.url).href}';
      import { PurseFile } from '${new URL('../../../../src/searches/purse/purse-file.ts', import.meta.url).href}';
      const file = PurseFile.open(${JSON.stringify(join(folder, 'state'))}, () => ${now});
      const purse = new OwnPurse(file, { folder: '/work/a', search: '' });
      await purse.book({ call: 'left', model: 'a/b', purpose: 'document' }, { tokens: 1, usd: 0.9 });
      process.kill(process.pid, 'SIGKILL');`;
    assert.equal(spawnSync(process.execPath, ['--input-type=module', '-e', program]).signal, 'SIGKILL');
    assert.equal((await purse.book({ call: '3', ...MADE }, { tokens: 1, usd: 0.9 }))?.mayPass, false);
    await purse.close();
  });

  it('counts what nobody told at its worst, and what nobody knows the price of as such', async () => {
    const purse = open();
    assert.ok(await booked(purse, '1', 0.5));
    await purse.hear({ ...ended('1', 0), usage: undefined, booked: { tokens: 900, usd: 0.75 } });
    await purse.book({ call: '2', ...MADE }, { tokens: 100 });
    await purse.hear({ ...ended('2', 0), usage: { prompt: 10, cached: 0, completion: 5 } });
    const { byModel } = await purse.sorts('2026-11-01');
    assert.deepEqual(byModel, [{ of: 'a/b', calls: 2, tokens: 915, usd: 0.75, booked: 0.75, unpriced: 1 }]);
    await purse.close();
  });

  it('refuses a call that nothing but itself is in the way of, rather than have it wait', async () => {
    const purse = open();
    await purse.setLimit('day', 1.5);
    assert.ok(await booked(purse, '1', 1));
    assert.equal((await purse.book({ call: '1', ...MADE }, { tokens: 1, usd: 2 }))?.mayPass, false);
    await purse.close();
  });

  it('stays usable whatever a server says that a call cost', async () => {
    const purse = open();
    for (const call of ['1', '2', '3']) {
      assert.ok(await booked(purse, call, 0.1));
      await purse.hear(ended(call, 1e300));
    }
    await purse.setLimit('day', 1);
    assert.ok(!(await booked(purse, '4', 0.1)));
    assert.equal((await purse.pockets())[0]?.spent, 3e6);
    await purse.close();
  });

  it('allows no call that it cannot book, though there was no limit when it last could', async () => {
    const [here, elsewhere] = [open(), open()];
    assert.ok(await booked(here, '1', 0.1));
    await elsewhere.setLimit('day', 1);
    await elsewhere.close();
    const sqlite = process.getBuiltinModule('node:sqlite');
    const other = new sqlite.DatabaseSync(join(folder, 'state', 'purse.db'));
    other.exec('ALTER TABLE open RENAME TO moved');
    await assert.rejects(here.book({ call: '2', ...MADE }, { tokens: 1, usd: 100 }), { reason: 'not-writable' });
    other.close();
    await here.close();
  });

  it('says of a booking that it did not get to the disk, as a power cut would take it back', async () => {
    const [here, elsewhere] = [open(), open()];
    await elsewhere.setLimit('day', 1);
    for (const name of await readdir(join(folder, 'state')))
      if (name.endsWith('-wal')) await rm(join(folder, 'state', name));
    assert.ok(await booked(here, '1', 0.4));
    await assert.rejects(here.kept('1'), ({ reason, details }: ThoughtTreeError) => {
      assert.deepEqual([reason, details.charged], ['not-writable', false]);
      return true;
    });
    await here.kept('1');
    await here.close();
    await elsewhere.close();
  });

  it('keeps a booking on the disk only where something is limited, and no refusal', async () => {
    const purse = open();
    const flush = mock.method(PurseFile.prototype, 'flush');
    try {
      assert.ok(await booked(purse, '1', 0.4));
      await purse.kept('1');
      assert.equal(flush.mock.callCount(), 0);
      await purse.setLimit('day', 1);
      await Promise.all(['2', '3', '4'].map((call) => booked(purse, call, 0.1)));
      for (const call of ['2', '3', '4']) await purse.kept(call);
      assert.ok(!(await booked(purse, '5', 0.9)));
      assert.equal(flush.mock.callCount(), 2, 'one for the limit, and one for all three');
    } finally {
      flush.mock.restore();
      await purse.close();
    }
  });

  it('allows no call where it cannot be used, as it may hold limits', async () => {
    await open().close();
    await writeFile(join(folder, 'state', 'purse.db'), 'no database '.repeat(1000));
    assert.throws(() => open(), { reason: 'not-writable' });
  });
});

describe('a call that belongs to no search', () => {
  it('is booked in the purse before it is made, counts what it cost, and is not made beyond a limit', async () => {
    const purse = openPurse({ folder: '', search: '' });
    assert.ok(purse);
    const day = async (): Promise<number> => (await purse.pockets())[0]?.spent ?? 0;
    const before = await day();
    let made = 0;
    const model: Model = {
      ...{ name: 'a/b', label: 'B', free: false, price: { prompt: 100, cached: 10, completion: 1000 } },
      generate: async () => {
        assert.ok(((await purse.pockets())[0]?.booked ?? 0) > 0.1);
        made++;
        return { text: 'It is.', finish: 'stop', usage: { prompt: 1000, cached: 0, completion: 10 } };
      },
    };
    const request = {
      ...{ purpose: 'explain', node: '', system: '', turns: [], prompt: 'Why?', data: { question: '' } },
      maxOutputTokens: 100,
    };
    const call = { question: 'q', call: 'c', signal: new AbortController().signal };
    try {
      await throughPurse(model, '').generate(request, call);
      assert.ok(Math.abs((await day()) - before - 0.11) < 1e-9);
      await purse.setLimit('day', before + 0.12);
      await assert.rejects(throughPurse(model, '').generate(request, call), { reason: 'budget' });
      assert.equal(made, 1);
    } finally {
      await purse.setLimit('day', undefined);
      await purse.close();
    }
  });
});

describe('the purse of workers and their searches on one computer', () => {
  after(async () => {
    const purse = openPurse({ folder: '', search: '' });
    await purse?.setLimit('day', undefined);
    await purse?.close();
    await removeFolders();
  });

  it('has a call once that both know, and the calls of searches elsewhere, as far as the limits allow', async () => {
    const workspace = await newFolder();
    const purse = openPurse({ folder: await realPath(workspace), search: 'thought-trees/a' });
    const worker = workerPurse();
    assert.ok(purse && worker);
    const spent = async (): Promise<number> => (await purse.pockets()).reduce((sum, each) => sum + each.booked, 0);
    await purse.book({ call: 'c1', ...MADE }, { tokens: 1, usd: 2 });
    await jobNames()('c1', 'job-1');
    const before = await spent();
    const call = { id: 'job-1', model: 'a/b', request: { purpose: 'document' } };
    const settle = await worker.book(call, { tokens: 1, usd: 2 });
    assert.ok(settle);
    settle({ tokens: 1, usd: 1 });
    assert.equal(await spent(), before);
    const other = await worker.book({ ...call, id: 'job-2' }, { tokens: 1, usd: 2 });
    assert.ok(other && (await spent()) > before);
    other('unmade');
    while ((await spent()) > before);
    const [day] = await purse.pockets();
    await purse.setLimit('day', (day?.spent ?? 0) + (day?.booked ?? 0) + 1);
    assert.equal(await worker.book({ ...call, id: 'job-3' }, { tokens: 1, usd: 2 }), undefined);
    assert.ok(Math.abs(((await purseLeft(workspace)) ?? 0) - 1) < 1e-6);
    await purse.hear({ ...ended('c1', 0), charged: false, usage: undefined });
    await purse.close();
  });
});
