import assert from 'node:assert/strict';
import { appendFile, cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Model } from '../../../../src/core/ports/model.ts';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import type { Search } from '../../../../src/engine/search.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { actOnSearch, silentModel } from '../../../../src/searches/act-on-search.ts';
import { history } from '../../../../src/searches/history/history.ts';
import { openSearch } from '../../../../src/searches/open-search.ts';
import { ownSearch } from '../../../../src/searches/trust/own-search.ts';
import { realPath, recallUse, type SearchUse, writeUse } from '../../../../src/searches/trust/search-use.ts';
import { ownKey } from '../../../../src/searches/trust/state-folder.ts';
import { openForWriting } from '../../../../src/store/open-store.ts';
import { systemClock, systemRandom } from '../../../../src/store/system-ports.ts';
import { forgedCall, forgeSearch, makeOwn } from '../../../support/searches/forged-search.ts';
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
  /** Whether it counts as closed, and how much of its journal has a seal. */
  const isClosed = async (at = folder): Promise<boolean> => {
    const { sealed } = await use(at);
    const { size } = await stat(journalIn(at));
    return sealed?.isOpen === false && sealed.bytes === size;
  };
  /** Adds to it as its own programs do, without them. */
  const forge = async (at: string): Promise<void> => {
    const time = new Date().toISOString();
    const lines = forgedCall('c', { prompt: 1, completion: 1 }).map((event, index) => ({
      seq: 80 + index,
      time,
      ...event,
    }));
    const whole = (await readFile(journalIn(at), 'utf8')).replace(/[^\n]*$/, '');
    await writeFile(journalIn(at), whole + lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  };
  const open = async (at: string, model: Model): Promise<Pick<Search, 'limits'> & { readonly usd: number }> => {
    const { search } = await openSearch({
      kinds: KINDS,
      place: { folder: at, workspace },
      openModel: async () => model,
    });
    const { limits } = search;
    const { usd } = search.record.ledger.spent;
    await search.close();
    return { limits, usd };
  };
  const edit = async (at: string, from = '"test"', to = '"tset"'): Promise<void> => {
    const text = await readFile(journalIn(at), 'utf8');
    assert.ok(text.includes(from));
    await writeFile(journalIn(at), text.replace(from, to));
  };
  /** Leaves it as a kill in the next run would. */
  const kill = async (): Promise<void> => {
    const { id } = await recallUse(folder);
    const { sealed = assert.fail('no seal'), ...rest } = await use();
    writeUse(id ?? '', { ...rest, sealed: { ...sealed, isOpen: true } });
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
    assert.ok(await isClosed());
    await act();
    const moved = join(workspace, 'moved');
    await rename(folder, moved);
    await act(moved);
    await act(moved);
    assert.equal(await adoptions(moved), 0);
    assert.deepEqual([await isClosed(moved), (await use(moved)).allowed?.concurrency], [true, 8]);
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
  });

  it('is believed after a kill, with what the run had added, if it still begins as it was left', async () => {
    await kill();
    const copy = join(workspace, 'copy');
    await cp(folder, copy, { recursive: true });
    await act();
    assert.deepEqual([await adoptions(), await isClosed()], [0, true]);
    await edit(copy);
    await act(copy);
    assert.equal(await adoptions(copy), 1);
  });

  it('is remembered as growing before anything is added to it, and as whole where nothing was', async () => {
    const store = await openForWriting(folder, { ...PORTS, sealKey: ownKey() });
    await ownSearch(store, { kinds: KINDS, folder, created: undefined, isAgreed: true, given: {} });
    assert.ok((await use()).sealed?.isOpen);
    await store.close();
    assert.ok(await isClosed());
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
    const moved = join(workspace, 'moved');
    await rename(folder, moved);
    await history.forget(moved, { text: 'mind the cache' }, 'test');
    await act(moved);
    assert.equal(await adoptions(moved), 0);
  });

  it('stays this user’s own when they are killed while they forget a text in it', async () => {
    const seal = join(folder, '.search', 'journal-seal.json');
    await rm(seal);
    await mkdir(join(seal, 'in-the-way'), { recursive: true }); // as little is sealed as after a kill
    await history.forget(folder, { text: 'mind the cache' }, 'test');
    await act();
    assert.equal(await adoptions(), 0);
    await assert.rejects(history.forget(folder, { text: 'x' }, 'test'));
    assert.equal((await use()).allowed?.concurrency, 8);
  });

  it('is not believed with what was forged after an earlier seal of it, or as an earlier seal has it', async () => {
    const early = join(workspace, 'early');
    await cp(folder, early, { recursive: true });
    for (let count = 0; count < 5; count++) await act();
    const back = join(workspace, 'back');
    await cp(early, back, { recursive: true });
    await kill();
    await forge(early);
    await act(early);
    assert.equal(await adoptions(early), 1, 'in a run');
    await act();
    await act(back);
    assert.equal(await adoptions(back), 1, 'an earlier state');
    await rm(folder, { recursive: true });
    await rename(early, folder);
    await act();
    assert.equal(await adoptions(), 1, 'where it was: the adopted journal has not gone on');
  });

  it('is believed as grown only where it is or was moved to, not in what else was copied from there', async () => {
    await kill();
    const copies = ['first', 'second'].map((name) => join(workspace, name)) as [string, string];
    for (const copy of copies) await cp(folder, copy, { recursive: true });
    await act(copies[0]);
    assert.equal(await adoptions(copies[0]), 1);
    const moved = join(workspace, 'moved');
    await rename(folder, moved);
    await act(moved);
    assert.equal(await adoptions(moved), 0);
    await forge(copies[1]);
    await act(copies[1]);
    assert.equal(await adoptions(copies[1]), 1);
    const { limits, spend } = await use(copies[1]);
    assert.deepEqual([limits, spend?.usd], [LIMITS, 12]);
  });

  it('keeps its limits, its spend and what is believed of it when an opening after a move is refused or killed', async () => {
    const refused = { ...silentModel(MODEL), prose: false };
    const isKept = async (at: string, adopted: number): Promise<void> => {
      const file = JSON.parse(await readFile(join(at, 'search.json'), 'utf8'));
      await writeFile(
        join(at, 'search.json'),
        JSON.stringify({ ...file, kind: 'thoughts', strategy: 'breadth-first' }),
      );
      const store = await openForWriting(at, { ...PORTS, sealKey: ownKey() });
      await ownSearch(store, { kinds: KINDS, folder: at, created: undefined, isAgreed: true, given: {} });
      const { here, elsewhere } = await recallUse(at);
      assert.deepEqual((here ?? elsewhere)?.limits, LIMITS, 'a kill would leave this');
      assert.equal((here ?? elsewhere)?.path, await realPath(at));
      await store.close();
      const ids = new Set<string | undefined>();
      for (const _ of [1, 2]) {
        await assert.rejects(open(at, refused));
        ids.add((await recallUse(at)).id);
      }
      assert.equal(ids.size, 1, 'it has an id of its own from the first');
      const { limits, usd } = await open(at, silentModel(MODEL));
      assert.deepEqual([limits.guards.usd, limits.guards.tokens, usd], [20, 9_000_000, 12]);
      assert.equal(await adoptions(at), adopted);
    };
    const copy = join(workspace, 'copy');
    await cp(folder, copy, { recursive: true });
    await edit(copy);
    await isKept(copy, 1);
    const moved = join(workspace, 'moved');
    await rename(folder, moved);
    await isKept(moved, 0);
  });

  it('keeps its adoption from when it is adopted, whatever is done to it after a kill', async () => {
    const bare = join(workspace, 'bare');
    await forgeSearch(bare, { journal: [{ type: 'search-started', model: MODEL, limits: LIMITS }] });
    const before = await readFile(journalIn(bare), 'utf8');
    const openModel = async (): Promise<Model> => silentModel(MODEL);
    const { search } = await openSearch({ kinds: KINDS, place: { folder: bare, workspace }, openModel });
    const killed = { id: (await recallUse(bare)).id ?? '', use: await use(bare) };
    await search.close();
    assert.equal(await adoptions(bare), 1);
    writeUse(killed.id, killed.use);
    await writeFile(journalIn(bare), before);
    await act(bare);
    assert.equal(await adoptions(bare), 1);
  });

  it('is as the process left it that took it over from one without the lease', async () => {
    const late = await openForWriting(folder, { ...PORTS, sealKey: ownKey() });
    await ownSearch(late, { kinds: KINDS, folder, created: undefined, isAgreed: true, given: {} });
    const search = join(folder, '.search');
    for (const name of await readdir(search)) if (name.startsWith('lease-')) await rm(join(search, name));
    await act();
    const { sealed } = await use();
    await late.close();
    assert.deepEqual((await use()).sealed, sealed);
    assert.equal(await adoptions(), 0);
  });

  it('has limits and spend that outlive words of an earlier version', async () => {
    const { id = '' } = await recallUse(folder);
    writeUse(id, { ...(await use()), sealed: 'beginning' as unknown as SearchUse['sealed'] });
    await act();
    const { limits, spend } = await use();
    assert.deepEqual([await adoptions(), limits, spend?.usd, await isClosed()], [0, LIMITS, 12, true]);
  });
});
