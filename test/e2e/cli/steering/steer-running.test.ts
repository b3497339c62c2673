import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { suspend } from '../../../support/purse/suspend.ts';
import type { ScriptedServerOptions } from '../../../support/servers/scripted-server.ts';
import { eventsOf } from '../run-cli.ts';
import { answer, DIR, FIRST, HOUR, SteeredSearch } from './steered-search.ts';

interface Said {
  readonly ok: boolean;
  readonly message: string;
  readonly reason?: string;
}

const [A = '', B = ''] = FIRST;
const stuck = (...nodes: string[]): ScriptedServerOptions => ({
  latencyMs: ({ purpose, node }) => (purpose === 'document' && nodes.includes(node) ? HOUR : 0),
});

describe('steering a search that another process runs', () => {
  let search: SteeredSearch;
  const make = async (options?: ScriptedServerOptions): Promise<SteeredSearch> => {
    search = await SteeredSearch.make(options);
    return search;
  };
  afterEach(() => search.remove());

  it('pauses it: its slots finish, or stop where they are', async () => {
    const gate = Promise.withResolvers<void>();
    let isStuck = false;
    await make({
      latencyMs: ({ purpose }) => (isStuck && purpose === 'document' ? HOUR : 0),
      answer: async function* (call) {
        if (call.purpose === 'document') await gate.promise;
        yield answer(call);
      },
    });
    const first = search.start();
    await search.untilDocuments(4);
    assert.deepEqual(await search.json<Said>('pause', DIR), {
      ok: true,
      value: { now: false },
      message: 'The search pauses when its slots are done.',
      code: 0,
    });
    gate.resolve();
    const { code, stdout } = await first.end;
    assert.equal(code, 130);
    const last = eventsOf(stdout).at(-1);
    assert.ok(last?.type === 'search-paused' && last.reason === 'user' && last.results.expanded === 4);
    assert.ok(search.server.log.every(({ outcome }) => outcome === 'answered'));
    isStuck = true;
    const second = search.begin('resume', DIR, '--json');
    await search.untilDocuments(4);
    assert.equal((await search.run('pause', DIR, '--now')).stdout, 'The search is stopped.\n');
    assert.equal((await second.end).code, 130);
    await search.server.until((log) => log.some(({ outcome }) => outcome === 'aborted by client'));
    assert.deepEqual(await search.steered(), ['terminal: pause', 'terminal: pause']);
  });

  it('prunes a branch: its calls are aborted, and count; the rest continues', async () => {
    await make(stuck(A));
    const holder = search.start('--size', 'small');
    await search.server.until((log) => log.some(({ node, purpose }) => node === A && purpose === 'document'));
    const said = await search.json<Said>('prune', DIR, join(DIR, A, 'node.json'));
    assert.deepEqual([said.ok, said.code], [true, 0]);
    await search.server.until((log) => log.some(({ node, outcome }) => node === A && outcome === 'aborted by client'));
    const { code, stdout } = await holder.end;
    assert.equal(code, 0);
    const ended = eventsOf(stdout).find((event) => event.type === 'call-ended' && event.outcome === 'aborted');
    assert.ok(ended?.type === 'call-ended' && ended.charged && ended.node === A);
    const last = eventsOf(stdout).at(-1);
    assert.ok(last?.type === 'search-finished' && last.results.tokens.worstCase > 0 && last.results.pruned === 1);
    assert.equal(await search.statusOf(A), 'pruned');
  });

  it('finishes it with a report, at most one more call', async () => {
    await make(stuck(...FIRST.slice(1)));
    const holder = search.start();
    await search.untilDocuments(4);
    assert.equal((await search.json<Said>('finish', DIR)).code, 0);
    assert.equal((await holder.end).code, 0);
    const journal = await search.journal();
    const asked = journal.findIndex((event) => event.type === 'steered' && event.action === 'finish');
    const later = journal.slice(asked).flatMap((event) => (event.type === 'call-started' ? [event.purpose] : []));
    assert.ok(
      later.every((purpose) => purpose === 'synthesize'),
      later.join(),
    );
    assert.equal(search.server.log.filter(({ purpose }) => purpose === 'synthesize').length, 1);
    assert.match(await readFile(join(search.folder, 'report.md'), 'utf8'), /^# Why\?/);
    const status = await search.json<{ state: string }>('status', DIR);
    assert.equal(status.state, 'finished');
  });

  it('takes notes, topics, wishes and limits, each in the journal, and tells who holds it', async () => {
    await make(stuck(B));
    const holder = search.start('--size', 'all', '--max-depth', '2');
    await holder.until((text) => text.includes(`"node":"${A}","children"`));
    await search.server.until((log) => log.some(({ node }) => node.startsWith(`${A}/`)));
    const leaf = search.server.log.find(({ node }) => node.startsWith(`${A}/`))?.node ?? '';
    await holder.until((text) => text.includes(`"node":"${leaf}","status":"leaf"`));
    const said = [
      await search.json<Said>('note', DIR, 'Mind the cache.'),
      await search.json<Said>('note', DIR, A, 'Only the first part.'),
      await search.json<Said>('add', DIR, '.', 'A topic of mine'),
      await search.json<Said>('grow', DIR, '--size', 'all', '--max-calls', '2000'),
      await search.json<Said>('expand', DIR, leaf),
      await search.json<Said>('retry', DIR),
    ];
    assert.deepEqual(
      said.map(({ ok, code }) => [ok, code]),
      said.map(() => [true, 0]),
    );
    const refused = await search.json<Said>('restore', DIR, B);
    assert.deepEqual([refused.ok, refused.reason, refused.code], [false, 'bad-input', 2]);
    await search.server.until((log) => log.some(({ node }) => node.startsWith('a-topic-of-mine/')));
    assert.equal((await search.run('add', DIR, A, 'One below')).code, 0);
    assert.equal((await search.run('prune', DIR, B)).code, 0);
    assert.equal((await holder.end).code, 0);
    assert.equal(await search.statusOf('a-topic-of-mine'), 'expanded');
    assert.equal(await search.statusOf(leaf), 'expanded', 'past the depth limit');
    const { log } = search.server;
    assert.ok(log.some(({ prompt, node }) => prompt.includes('Only the first part.') && node === `${A}/one-below`));
    assert.ok(log.some(({ prompt }) => prompt.includes('Mind the cache.')));
    const { limits } = await search.json<{ limits: { size: string; guards: { calls: number } } }>('status', DIR);
    assert.deepEqual([limits.size, limits.guards.calls], ['all', 2000]);
    assert.deepEqual(await search.steered(), [
      'terminal: note',
      `terminal: note ${A}`,
      'terminal: add',
      'terminal: grow',
      `terminal: expand ${leaf}`,
      'terminal: retry',
      `terminal: add ${A}`,
      `terminal: prune ${B}`,
    ]);
  });

  it('redoes a document, but an edited one only if told to', async () => {
    await make(stuck(B));
    const holder = search.start('--size', 'all', '--max-depth', '1');
    await search.server.until((log) => log.filter(({ outcome }) => outcome === 'answered').length >= 4);
    await holder.until((text) => text.includes(`"node":"${A}","status":"leaf"`));
    const file = join(search.folder, A, 'document.md');
    await appendFile(file, '\nMy own words.\n');
    const refused = await search.json<Said>('redo', DIR, A);
    assert.deepEqual([refused.reason, refused.code], ['edited', 2]);
    assert.match(refused.message, /--yes/);
    assert.match(await readFile(file, 'utf8'), /My own words/);
    assert.equal((await search.run('redo', DIR, A, '--yes')).code, 0);
    await search.server.until(
      (log) => log.filter(({ node, purpose }) => node === A && purpose === 'document').length === 2,
    );
    await search.run('finish', DIR);
    assert.equal((await holder.end).code, 0);
    assert.doesNotMatch(await readFile(file, 'utf8'), /My own words/);
    const kept = await readFile(join(search.folder, '.search', 'objects', 'texts.jsonl'), 'utf8');
    assert.match(kept, /My own words/);
  });

  it('names the holder if that process does not answer, and changes nothing', async () => {
    await make(stuck(...FIRST));
    const holder = search.start();
    await search.untilDocuments(4);
    await suspend(holder.child.pid as number);
    const { code, stderr } = await search.run('prune', DIR, A);
    assert.equal(code, 5);
    assert.match(stderr, new RegExp(`Process ${holder.child.pid} on .+ did not answer`));
    const left = await readdir(join(search.folder, '.search', 'requests'));
    assert.deepEqual(left, [], 'the request was withdrawn');
    holder.child.kill('SIGCONT');
    assert.deepEqual(await search.steered(), []);
    holder.child.kill('SIGKILL');
    await holder.end;
    assert.equal((await search.run('prune', DIR, A)).code, 0, 'nobody holds it any more');
    assert.equal(await search.statusOf(A), 'pruned');
    await assert.rejects(stat(join(search.folder, A, 'document.md')));
  });
});
