import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SearchFile } from '../../../src/core/search/search-file.ts';
import { openDiskFiles } from '../../../src/store/files/disk/disk-files.ts';
import {
  createSearch,
  findHolder,
  findSearches,
  openFilesForWriting,
  openForReading,
  openForWriting,
} from '../../../src/store/open-store.ts';
import { systemClock, systemRandom } from '../../../src/store/system-ports.ts';
import { newFolder, removeFolders } from './support/places.ts';

const SEARCH: SearchFile = {
  version: 1,
  kind: 'research',
  title: 'Why?',
  prompt: 'Why so?',
  options: { size: 'small' },
};
const ports = { clock: systemClock, random: systemRandom };
const event = { seq: 1, time: 't', type: 'search-running' as const };

describe('making and opening a search on disk', () => {
  let parent: string;
  let folder: string;
  beforeEach(async () => {
    parent = await newFolder();
    folder = join(parent, 'thought-trees', 'why');
  });
  after(removeFolders);

  it('creates the folder, search.json and the .gitignore for the engine’s own files', async () => {
    await createSearch(folder, { later: 1, ...SEARCH, createdAt: 'now' });
    assert.equal(await readFile(join(folder, '.search/.gitignore'), 'utf8'), '*\n');
    const text = await readFile(join(folder, 'search.json'), 'utf8');
    assert.deepEqual(Object.keys(JSON.parse(text)), [
      'version',
      'kind',
      'title',
      'prompt',
      'options',
      'createdAt',
      'later',
    ]);
    assert.ok(text.endsWith('}\n'));
  });

  it('ends where no folder can be made', async function () {
    if (process.platform === 'win32') this.skip();
    for (const place of ['/proc/none', '/proc/none/below'])
      await assert.rejects(createSearch(place, SEARCH), ({ reason }: { reason: string }) => reason.startsWith('not-'));
    await writeFile(join(parent, 'file'), 'mine');
    await assert.rejects(createSearch(join(parent, 'file/why'), SEARCH), { reason: 'not-writable' });
    assert.equal(await readFile(join(parent, 'file'), 'utf8'), 'mine');
  });

  it('refuses a second search in the same folder, even if two begin at once', async () => {
    const made = await Promise.allSettled([1, 2, 3].map(() => createSearch(folder, SEARCH)));
    assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 1);
    await assert.rejects(createSearch(folder, { ...SEARCH, title: 'Other' }), { reason: 'exists' });
    assert.equal((await (await openForReading(folder)).readSearch()).title, 'Why?');
  });

  it('begins no search where the journal or the answers of another one are: they may have come with the folder', async () => {
    for (const path of ['.search/journal.jsonl', '.search/conversations/root.json']) {
      const other = join(folder, path.length.toString());
      await mkdir(join(other, path, '..'), { recursive: true });
      await writeFile(join(other, path), '{}\n');
      await assert.rejects(createSearch(other, SEARCH), { reason: 'exists', message: /of another search/ });
      assert.deepEqual(await readdir(other), ['.search']);
    }
  });

  it('removes the requests that lie there when it is opened, and follows no link to others', async () => {
    const requests = join(folder, '.search/requests');
    await createSearch(folder, SEARCH);
    await mkdir(requests);
    for (const name of ['a.json', 'b.taken', 'c.done.json']) await writeFile(join(requests, name), '{}');
    await (await openForWriting(folder, ports)).close();
    assert.deepEqual(await readdir(requests), []);
    const linked = join(parent, 'thought-trees', 'linked');
    await createSearch(linked, SEARCH);
    const precious = join(parent, 'precious');
    await mkdir(precious);
    await writeFile(join(precious, 'a.json'), '{}');
    await symlink(precious, join(linked, '.search/requests'));
    await (await openForWriting(linked, ports)).close();
    assert.deepEqual(await readdir(precious), ['a.json']);
  });

  it('keeps a request that came once its lease could be seen', async () => {
    const requests = join(folder, '.search/requests');
    await createSearch(folder, SEARCH);
    await mkdir(requests);
    const files = await openDiskFiles(folder);
    const { cleanUp } = files;
    files.cleanUp = async () => {
      await writeFile(join(requests, 'new.json'), '{}');
      await cleanUp.call(files);
    };
    await (await openFilesForWriting(files, ports)).close();
    assert.deepEqual(await readdir(requests), ['new.json']);
  });

  it('changes nothing on bad input', async () => {
    await assert.rejects(createSearch(folder, { ...SEARCH, prompt: '' }), { reason: 'bad-input' });
    assert.deepEqual(await readdir(parent), []);
    await assert.rejects(openForWriting(folder, ports), { reason: 'not-found' });
    await writeFile(join(parent, 'file'), '');
    await assert.rejects(createSearch(join(parent, 'file', 'below'), SEARCH), { reason: 'not-writable' });
    await assert.rejects(openForReading(join(parent, 'file')), { name: 'ThoughtTreeError' });
    await mkdir(folder, { recursive: true });
    await assert.rejects(openForWriting(folder, ports), { reason: 'not-found', message: /no search in/ });
    for (const [text, reason] of [
      ['{"version":99}', 'newer-version'],
      ['{"version":', 'damaged'],
    ] as const) {
      await writeFile(join(folder, 'search.json'), text);
      await assert.rejects(openForWriting(folder, ports), { reason });
      await assert.rejects(openForReading(folder), { reason });
      assert.deepEqual(await readdir(folder), ['search.json']);
    }
  });

  it('opens for one writer at a time, and for any number of readers', async () => {
    await createSearch(folder, SEARCH);
    assert.equal(await findHolder(folder, systemClock), undefined);
    const writer = await openForWriting(folder, ports);
    await assert.rejects(openForWriting(folder, ports), { reason: 'held' });
    const reader = await openForReading(folder);
    await writer.writeNode('a', { title: 'A' });
    await writer.append(event);
    assert.equal((await reader.readNode('a'))?.file.title, 'A');
    const { events, position } = await reader.readJournalFrom();
    assert.deepEqual(events, [event]);
    await writer.append({ ...event, seq: 2 });
    assert.deepEqual(
      (await reader.readJournalFrom(position)).events.map(({ seq }) => seq),
      [2],
    );
    assert.ok(!('writeNode' in reader), 'who reads has nothing to write with');
    assert.equal((await findHolder(folder, systemClock))?.state, 'alive');
    await writer.close();
    assert.equal((await findHolder(folder, systemClock))?.state, 'released');
    await assert.rejects(writer.writeNode('a', { title: 'B' }), { reason: 'lease-lost' });
    await (await openForWriting(folder, ports)).close();
  });

  it('repairs what a crash left behind on opening', async () => {
    await createSearch(folder, SEARCH);
    await writeFile(join(folder, '.search/tmp/4711-left'), 'half a docu');
    const line = `${JSON.stringify(event)}\n`;
    await writeFile(join(folder, '.search/journal.jsonl'), `${line}{"seq":2`);
    const reader = await openForReading(folder);
    assert.deepEqual([(await reader.readJournal()).length, reader.problems.length], [1, 0]);
    assert.deepEqual(await readdir(join(folder, '.search/tmp')), ['4711-left']);
    const writer = await openForWriting(folder, ports);
    assert.deepEqual(await readdir(join(folder, '.search/tmp')), []);
    assert.equal(await readFile(join(folder, '.search/journal.jsonl'), 'utf8'), line);
    await writer.close();
  });

  it('makes the engine’s own folder in a clone', async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'search.json'), JSON.stringify(SEARCH));
    const store = await openForWriting(folder, ports);
    await store.writeConversation({ id: 'c', turns: [] });
    await store.append(event);
    assert.deepEqual((await readdir(join(folder, '.search'))).sort(), [
      '.gitignore',
      'conversations',
      'journal.jsonl',
      'lease-1.json',
      'tmp',
    ]);
    await store.close();
  });

  it('reads no node through a symbolic link, and reports it', async () => {
    await createSearch(folder, SEARCH);
    const outside = await newFolder();
    await writeFile(join(outside, 'node.json'), '{"title":"Outside"}');
    await symlink(outside, join(folder, 'out'));
    await writeFile(join(folder, 'children.json'), '[{"title":"Out","slug":"out"}]');
    const store = await openForWriting(folder, ports);
    assert.deepEqual((await store.readRootChildren()).folders, []);
    assert.equal(await store.readNode('out'), undefined);
    assert.equal(await store.readDocument('out'), undefined);
    assert.match(store.problems[0]?.message ?? '', /"out" leads out of the search's folder/);
    await assert.rejects(store.writeNode('out', { title: 'X' }), { reason: 'outside' });
    assert.deepEqual(await readdir(outside), ['node.json']);
    await store.close();
  });

  it('finds the searches of a folder, the damaged ones too', async () => {
    assert.deepEqual(await findSearches(join(parent, 'none')), []);
    const trees = join(parent, 'thought-trees');
    await createSearch(join(trees, 'b'), SEARCH);
    await createSearch(join(trees, 'a'), { ...SEARCH, title: 'A' });
    await mkdir(join(trees, 'empty'));
    await mkdir(join(trees, 'damaged'));
    await writeFile(join(trees, 'damaged', 'search.json'), '{\n"version"\n}');
    await writeFile(join(trees, 'file.txt'), '');
    const found = await findSearches(trees);
    assert.deepEqual(
      found.map(({ folder: path, search, problem }) => [path, search?.title, problem?.line]),
      [
        [join(trees, 'a'), 'A', undefined],
        [join(trees, 'b'), 'Why?', undefined],
        [join(trees, 'damaged'), undefined, 3],
      ],
    );
  });
});

describe('the system’s clock and randomness', () => {
  it('sleep until they are told to stop', async () => {
    const end = new AbortController();
    const sleeping = systemClock.sleep(3_600_000, end.signal);
    end.abort();
    await sleeping;
    await systemClock.sleep(3_600_000, end.signal);
    const before = systemClock.now();
    await Promise.all([systemClock.sleep(5), new Promise((resolve) => setTimeout(resolve, 10))]);
    assert.ok(systemClock.now() - before >= 4);
  });

  it('give numbers from 0 to 1, and ids that can name files', () => {
    for (let n = 0; n < 1000; n++) {
      const number = systemRandom.next();
      assert.ok(number >= 0 && number < 1);
    }
    assert.match(systemRandom.id(), /^[\w-]{36}$/);
    assert.notEqual(systemRandom.id(), systemRandom.id());
  });
});
