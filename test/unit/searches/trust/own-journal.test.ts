import assert from 'node:assert/strict';
import { appendFile, cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { actOnSearch } from '../../../../src/searches/act-on-search.ts';
import { history } from '../../../../src/searches/history/history.ts';
import { ownSearch } from '../../../../src/searches/trust/own-search.ts';
import { recallUse, type SearchUse, writeUse } from '../../../../src/searches/trust/search-use.ts';
import { ownKey } from '../../../../src/searches/trust/state-folder.ts';
import { openForWriting } from '../../../../src/store/open-store.ts';
import { systemClock, systemRandom } from '../../../../src/store/system-ports.ts';
import { forgeSearch, makeOwn } from '../../../support/searches/forged-search.ts';
import { newFolder, removeFolders } from '../../store/support/places.ts';

const MODEL = 'openai-compatible/m';
const LIMITS = { size: 'small' as const, maxDepth: 4, guards: { calls: 500, tokens: 9_000_000, usd: 20 } };
const PORTS = { clock: systemClock, random: systemRandom };

describe('the journal of a search whose id is known', () => {
  let workspace: string;
  let folder: string;
  const journalIn = (at: string): string => join(at, '.search', 'journal.jsonl');
  const act = async (at = folder): Promise<void> => {
    const openModel = (): Promise<never> => Promise.reject(new Error('no model'));
    const call = { action: 'note', text: 'mind the cache' };
    const { ok } = await actOnSearch({ folder: at, workspace }, call, { kinds: KINDS, by: 'test', openModel });
    assert.ok(ok);
  };
  const adoptions = async (at = folder): Promise<number> => {
    const lines = (await readFile(journalIn(at), 'utf8')).split('\n').filter(Boolean);
    return lines.map((line): JournalEvent => JSON.parse(line)).filter(({ type }) => type === 'adopted').length;
  };
  const use = async (at = folder): Promise<SearchUse> => (await recallUse(at)).here ?? assert.fail('not known here');
  const edit = async (at: string, from = '"test"', to = '"tset"'): Promise<void> => {
    const text = await readFile(journalIn(at), 'utf8');
    assert.ok(text.includes(from));
    await writeFile(journalIn(at), text.replace(from, to));
  };
  /** Leaves it as a kill in the next run would. */
  const kill = async (): Promise<void> => {
    const { id } = await recallUse(folder);
    writeUse(id ?? '', { ...(await use()), sealed: 'beginning' });
    const time = new Date().toISOString();
    await appendFile(journalIn(folder), `${JSON.stringify({ seq: 90, time, type: 'lease-taken' })}\n{"seq":91,"ti`);
  };

  beforeEach(async () => {
    workspace = await newFolder();
    folder = join(workspace, 'search');
    await forgeSearch(folder, { journal: [{ type: 'search-started', model: MODEL, limits: LIMITS }] });
    await makeOwn(folder);
    const { id } = await recallUse(folder);
    const spend = { calls: 100, tokens: 1_000_000, usd: 12, minutes: 5 };
    const allowed = { tools: true, context: true, concurrency: 8, options: {} };
    writeUse(id ?? '', { ...(await use()), limits: LIMITS, spend, allowed });
    await act(); // what an earlier version remembered is believed, and gets a seal
  });
  afterEach(removeFolders);

  it('is believed as it was left, where it is and where it was moved', async () => {
    assert.equal((await use()).sealed, 'all');
    await act();
    const moved = join(workspace, 'moved');
    await rename(folder, moved);
    await act(moved);
    await act(moved);
    assert.equal(await adoptions(moved), 0);
    assert.deepEqual([(await use(moved)).sealed, (await use(moved)).allowed?.concurrency], ['all', 8]);
  });

  it('is adopted in a copy that somebody changed: only limits and spend hold, and no act makes it believed', async () => {
    const copy = join(workspace, 'copy');
    await cp(folder, copy, { recursive: true });
    await edit(copy);
    await act(copy);
    await act(copy);
    assert.equal(await adoptions(copy), 1);
    const { limits, spend, allowed } = await use(copy);
    assert.deepEqual([limits, spend?.usd, allowed?.tools ?? false], [LIMITS, 12, false]);
    await act();
    assert.equal(await adoptions(), 0);
  });

  it('is adopted where it was, too, if somebody changed it there, added to it or took from it', async () => {
    const before = await recallUse(folder);
    await edit(folder);
    await act();
    assert.equal(await adoptions(), 1);
    assert.notEqual((await recallUse(folder)).id, before.id);
    await appendFile(
      journalIn(folder),
      `${JSON.stringify({ seq: 99, time: new Date().toISOString(), type: 'forked' })}\n`,
    );
    await act();
    assert.equal(await adoptions(), 2);
    const lines = (await readFile(journalIn(folder), 'utf8')).trimEnd().split('\n');
    await writeFile(journalIn(folder), `${lines.slice(0, -1).join('\n')}\n`);
    await act();
    assert.equal(await adoptions(), 3);
    await rm(join(folder, '.search', 'journal-seal.json'));
    await act();
    assert.equal(await adoptions(), 4);
  });

  it('is believed after a kill, with what the run had added, if it still begins as it was left', async () => {
    await kill();
    const copy = join(workspace, 'copy');
    await cp(folder, copy, { recursive: true });
    await act();
    assert.deepEqual([await adoptions(), (await use()).sealed], [0, 'all']);
    await edit(copy);
    await act(copy);
    assert.equal(await adoptions(copy), 1);
  });

  it('is remembered as growing before anything is added to it, and as whole where nothing was', async () => {
    const store = await openForWriting(folder, { ...PORTS, sealKey: ownKey() });
    await ownSearch(store, { kinds: KINDS, folder, created: undefined, isAgreed: true, given: {} });
    assert.equal((await use()).sealed, 'beginning');
    await store.close();
    assert.equal((await use()).sealed, 'all');
    await act();
    assert.equal(await adoptions(), 0);
  });

  it('stays what it was when a text is forgotten in it: this user’s own, or not', async () => {
    const copy = join(workspace, 'copy');
    await cp(folder, copy, { recursive: true });
    await edit(copy);
    for (const at of [folder, copy]) {
      await history.forget(at, { text: 'mind the cache' }, 'test');
      await act(at);
    }
    assert.deepEqual([await adoptions(), await adoptions(copy)], [0, 1]);
    await kill();
    await history.forget(folder, { text: 'mind the cache' }, 'test');
    await act();
    assert.equal(await adoptions(), 0);
  });
});
