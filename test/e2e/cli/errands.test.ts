import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { actOnSearch } from '../../../src/searches/act-on-search.ts';
import { overviewOf } from '../../../src/searches/reader/search-overview.ts';
import { openDiskFiles } from '../../../src/store/files/disk/disk-files.ts';
import { createMemoryStore, MemoryFiles } from '../../support/memory-store.ts';
import { snapshotOf } from '../../support/searches/search-snapshot.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { WITH_ERRANDS } from '../../support/toy-kind/errands.ts';
import { type Hands, resultFor, runErrands } from '../../support/toy-kind/errands-client.ts';
import { handsOf, MOVE_HOUSE, simulateErrands } from '../../support/toy-kind/simulated-errands.ts';
import { type CliEnd, type RunningCli, runCli, startCli } from './run-cli.ts';

const program = fileURLToPath(new URL('../../support/toy-kind/main.ts', import.meta.url));
const FOLDER = 'thought-trees/move-house';
const START = ['start', 'Move house', '--kind', 'errands', '--most', '4'];

/** The whole search of errands, as it comes out where client and search are one process. */
async function expectedTree(): Promise<Record<string, string>> {
  const files = new MemoryFiles();
  const { search, run } = await simulateErrands(createMemoryStore(MOVE_HOUSE, files));
  await runErrands(handsOf(search, run));
  return contentOf(await snapshotOf(files));
}

/** What the search found; what it was asked differs by its date and options. */
function contentOf({ 'search.json': _asked, ...files }: Record<string, string>): Record<string, string> {
  return files;
}

async function treeIn(cwd: string): Promise<Record<string, string>> {
  return contentOf(await snapshotOf(await openDiskFiles(join(cwd, FOLDER))));
}

describe('errands, done from outside', () => {
  let cwd: string;
  let running: RunningCli | undefined;
  const cli = (...args: string[]): Promise<CliEnd> => runCli(args, { cwd, program });
  const begin = (...args: string[]): RunningCli => {
    running = startCli(args, { cwd, program });
    return running;
  };
  const place = () => ({ folder: join(cwd, FOLDER), workspace: cwd });

  beforeEach(() => {
    cwd = temporaryFolder('errands');
  });
  afterEach(async () => {
    running?.child.kill('SIGKILL');
    await running?.end;
    running = undefined;
  });

  /** A client that asks whatever process holds the search; each call goes through its requests. */
  const outside = (): Hands => ({
    next: async () => {
      for (;;) {
        const { record, state } = await overviewOf(WITH_ERRANDS, place().folder);
        const offers = record.offers.open.map(({ offer }) => offer);
        if (offers.length > 0 || state === 'finished') return offers;
        await sleep(50);
      }
    },
    act: async (call) => {
      const openModel = () => Promise.reject(new Error('no model is asked'));
      const outcome = await actOnSearch(place(), call, { kinds: WITH_ERRANDS, by: 'client', openModel });
      assert.ok(outcome.ok, outcome.say.text);
      return outcome.value;
    },
  });

  it('are named when a run has nothing else to do, and the search continues when they are answered', async () => {
    const started = await cli(...START);
    assert.equal(started.code, 7, started.stderr);
    const [, id = ''] = /^ {2}(\w+): propose$/m.exec(started.stdout) ?? [];
    assert.match(started.stdout, /answer thought-trees\/move-house --answers/);
    const status = JSON.parse((await cli('status', FOLDER, '--json')).stdout);
    assert.equal(status.state, 'paused');
    assert.deepEqual(status.offers, [
      { id, kind: 'propose', nodes: [''], ask: { question: 'Move house', most: 4 }, expiresMs: 60_000 },
    ]);
    const wrong = await cli('answer', FOLDER, '--answers', JSON.stringify([{ offer: id, result: 7 }]), '--json');
    assert.equal(wrong.code, 2);
    const { ok, problems } = JSON.parse(wrong.stdout);
    assert.deepEqual([ok, problems[0].offer], [false, id]);
    const unknown = JSON.stringify(['a', 'b'].map((offer) => ({ offer, result: 7 })));
    const said = (await cli('answer', FOLDER, '--answers', unknown)).stderr;
    for (const offer of ['a', 'b']) assert.match(said, new RegExp(`^  ${offer}: There is no offer "${offer}"`, 'm'));
    const answers = JSON.stringify([{ offer: id, result: { errands: ['Drive'] } }]);
    const answered = await cli('answer', FOLDER, '--answers', answers, '--resume');
    assert.equal(answered.code, 7, answered.stderr);
    assert.match(answered.stdout, /^ {2}\w+: do drive$/m);
    assert.equal((await cli('answer', FOLDER, '--answers', answers)).code, 2);
  });

  it('give the same tree as in one process, whoever answers: each command separately', async () => {
    assert.equal((await cli(...START)).code, 7);
    let code: number | null = 7;
    const hands: Hands = {
      next: async () => (code === 7 ? (JSON.parse((await cli('status', FOLDER, '--json')).stdout).offers ?? []) : []),
      act: async ({ action, answers }) => {
        ({ code } = await cli(action, FOLDER, '--answers', JSON.stringify(answers), '--resume'));
      },
    };
    assert.equal(await runErrands(hands), 9);
    assert.equal(code, 0);
    assert.deepEqual(await treeIn(cwd), await expectedTree());
  });

  it('are the same through the requests of a process that waits', async () => {
    const { end, until } = begin(...START, '--wait');
    await until((said) => said.includes('Waiting:'));
    assert.equal(await runErrands(outside()), 9);
    const { code, stdout } = await end;
    assert.equal(code, 0, stdout);
    assert.deepEqual(await treeIn(cwd), await expectedTree());
  });

  it('are the same if the waiting process is killed between any two answers', async () => {
    let { until, child, end } = begin(...START, '--wait');
    await until((said) => said.includes('Waiting:'));
    const hands = outside();
    const next = async () => {
      const offers = await hands.next();
      if (offers.length === 0) return offers;
      child.kill('SIGKILL');
      await end;
      ({ until, child, end } = begin('resume', FOLDER, '--wait'));
      await until((said) => said.includes('Waiting:'));
      assert.deepEqual(await hands.next(), offers, 'offers have other names');
      return offers;
    };
    assert.equal(await runErrands({ ...hands, next }), 9);
    assert.equal((await end).code, 0);
    assert.deepEqual(await treeIn(cwd), await expectedTree());
  });

  it('are kept by whoever took them, over commands and restarts; an answer to a search that rests leaves it at rest', async () => {
    assert.equal((await cli(...START)).code, 7);
    const [id = ''] = (await outside().next()).map((offer) => offer.id);
    const taken = await cli('take', FOLDER, id, '--as', 'one', '--json');
    assert.equal(taken.code, 0, taken.stderr);
    const { value } = JSON.parse(taken.stdout);
    assert.equal(value.offer.id, id);
    assert.ok(Math.abs(Date.parse(value.expiresAt) - Date.now() - 60_000) < 30_000, value.expiresAt);
    const answers = JSON.stringify([{ offer: id, result: { errands: ['Drive'] } }]);
    const other = await cli('answer', FOLDER, '--answers', answers, '--as', 'two', '--json');
    assert.deepEqual([other.code, JSON.parse(other.stdout).reason], [2, 'offer-taken']);
    assert.equal((await cli('give-back', FOLDER, id, '--as', 'one')).code, 0);
    const person = await cli('take', FOLDER, id, '--as', 'two', '--person', '--json');
    assert.equal(JSON.parse(person.stdout).value.expiresAt, undefined);
    assert.equal((await cli('resume', FOLDER)).code, 7, 'a run in between changes nothing of it');
    const [still] = JSON.parse((await cli('status', FOLDER, '--json')).stdout).offers;
    assert.deepEqual(still.taken, { by: 'two', person: true });
    const answered = await cli('answer', FOLDER, '--answers', answers, '--as', 'two');
    assert.equal(answered.code, 0, answered.stderr);
    assert.match(answered.stdout, /The search is not running\. To continue:\n {2}thought-tree resume /);
    const { state, nodes, offers } = JSON.parse((await cli('status', FOLDER, '--json')).stdout);
    assert.deepEqual([state, nodes.length, offers?.length ?? 0], ['paused', 1, 0]);
    const resumed = await cli('resume', FOLDER);
    assert.equal(resumed.code, 7);
    assert.match(resumed.stdout, /^ {2}\w+: do drive$/m);
  });

  it('are the same where the process is killed once it has kept an answer to three of them', async () => {
    const { until } = begin(...START, '--wait');
    await until((said) => said.includes('Waiting:'));
    const { act, next } = outside();
    const answersTo = (offers: Awaited<ReturnType<Hands['next']>>) =>
      offers.map((offer) => ({ offer: offer.id, result: resultFor(offer) }));
    await act({ action: 'answer', answers: answersTo(await next()) });
    const three = await next();
    assert.equal(three.length, 3);
    const journal = join(cwd, FOLDER, '.search', 'journal.jsonl');
    const before = (await readFile(journal, 'utf8')).split('offers-answered').length;
    const request = act({ action: 'answer', answers: answersTo(three) }).catch(() => undefined);
    while ((await readFile(journal, 'utf8')).split('offers-answered').length === before) await sleep(1);
    running?.child.kill('SIGKILL');
    await running?.end;
    await request;
    begin('resume', FOLDER, '--wait');
    assert.equal(await runErrands({ act, next }), 5, 'what was kept is answered again');
    assert.equal((await running?.end)?.code, 0);
    assert.deepEqual(await treeIn(cwd), await expectedTree());
  });

  it('can be proposed and counted, with data for whoever asks', async () => {
    assert.equal((await cli(...START)).code, 7);
    const { act, next } = outside();
    const [first] = await next();
    await act({ action: 'answer', answers: [{ offer: first?.id, result: { errands: ['Drive'] } }] });
    assert.deepEqual(await act({ action: 'propose', titles: ['Drive', 'Phone'] }), { paths: ['drive-2', 'phone'] });
    assert.deepEqual(await act({ action: 'tally' }), { done: 0, open: 3, hours: 0 });
    const told = await cli('tally', FOLDER, '--json');
    assert.deepEqual(JSON.parse(told.stdout), {
      ok: true,
      value: { done: 0, open: 3, hours: 0 },
      message: '3 errands are open.',
    });
    const { code } = await cli('propose', FOLDER, 'drive', '--titles', '["Refuel"]');
    assert.equal(code, 0);
    assert.deepEqual(await act({ action: 'tally', node: 'drive' }), { done: 0, open: 2, hours: 0 });
  });
});
