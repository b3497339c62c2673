import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answer, DIR, FIRST, SteeredSearch } from './steered-search.ts';

const [A = '', B = ''] = FIRST;

describe('topics that a person adds, from a terminal', () => {
  let search: SteeredSearch;
  afterEach(() => search.remove());

  const statusOnDisk = async (path: string): Promise<string> =>
    (JSON.parse(await readFile(join(search.folder, path, 'node.json'), 'utf8')) as { status: string }).status;
  /** The nodes that documents are asked for, in order, once a search has gone on. */
  const askedBy = async (...args: string[]): Promise<string[]> => {
    const before = search.server.log.length;
    const { code, stderr } = await search.run(...args);
    assert.equal(code, 0, stderr);
    return search.server.log.slice(before).flatMap(({ purpose, node }) => (purpose === 'document' ? [node] : []));
  };
  const endsBySize = async (): Promise<void> => {
    search = await SteeredSearch.make();
    assert.equal((await search.start('--size', 'small').end).code, 0);
    assert.equal((await search.eventsOf('search-finished')).at(-1)?.reason, 'size');
  };

  it('are the only ones that are worked on when the size is reached', async () => {
    await endsBySize();
    assert.equal((await search.run('add', DIR, '.', 'What I ask')).code, 0);
    assert.equal((await search.run('add', DIR, A, 'What I ask below')).code, 0);
    assert.deepEqual((await askedBy('resume', DIR)).sort(), [`${A}/what-i-ask-below`, 'what-i-ask'].sort());
    assert.match(await statusOnDisk('what-i-ask'), /expanded|leaf/);
    assert.match(await readFile(join(search.folder, 'report.md'), 'utf8'), /What I ask below/);
    assert.equal((await search.eventsOf('search-finished')).at(-1)?.reason, 'size');
    assert.deepEqual(await askedBy('resume', DIR), [], 'once is enough');
  });

  it('are worked on below a topic that is open itself, which comes first', async () => {
    await endsBySize();
    const { nodes } = await search.json<{ nodes: { path: string; status: string }[] }>('status', DIR);
    const open = nodes.find(({ status }) => status === 'unexpanded')?.path ?? assert.fail();
    assert.equal((await search.run('add', DIR, open, 'Mine')).code, 0);
    assert.deepEqual(await askedBy('resume', DIR), [open, `${open}/mine`]);
  });

  it('may be folders that were made by hand while nobody ran the search', async () => {
    await endsBySize();
    await mkdir(join(search.folder, 'made-by-hand'));
    await writeFile(
      join(search.folder, 'made-by-hand', 'node.json'),
      '{"title": "Made by hand", "status": "unexpanded"}',
    );
    assert.deepEqual(await askedBy('resume', DIR), ['made-by-hand']);
    assert.match(await statusOnDisk('made-by-hand'), /expanded|leaf/);
  });

  it('are what a resume is for: where nothing is left, it says what it would do and cost, and does nothing', async () => {
    await endsBySize();
    assert.equal((await search.run('note', DIR, 'Mind the gap.')).code, 0, 'the report is older than that');
    const [before, journal] = [search.server.log.length, (await search.journal()).length];
    const { code, stdout } = await search.run('resume', DIR);
    assert.equal(code, 0);
    assert.match(stdout, /Nothing is left to work on .* only rewrite its report, with at most one call/);
    assert.match(stdout, /^ {2}thought-tree report thought-trees\/why$/m);
    assert.equal(search.server.log.length, before, 'no call');
    assert.equal((await search.eventsOf('search-resumed')).length, 0);
    assert.ok((await search.journal()).length >= journal);
    assert.equal((await search.run('report', DIR)).code, 0);
    assert.equal(search.server.log.length, before + 1);
    assert.ok((await askedBy('resume', DIR, '--size', 'medium')).length > 0, 'it may go further');
  });

  it('come before what the search would do next, in the process that runs it', async () => {
    const gate = Promise.withResolvers<void>();
    search = await SteeredSearch.make({
      answer: async function* (call) {
        if (call.purpose === 'document') await gate.promise;
        yield answer(call);
      },
    });
    const running = search.start('--size', 'small', '--concurrency', '1');
    await search.untilDocuments(1);
    assert.equal((await search.run('add', DIR, '.', 'What I ask')).code, 0);
    gate.resolve();
    assert.equal((await running.end).code, 0);
    const asked = search.server.log.flatMap(({ purpose, node }) => (purpose === 'document' ? [node] : []));
    assert.deepEqual(asked.slice(0, 3), [A, 'what-i-ask', B]);
  });
});
