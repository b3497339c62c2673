import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { effort } from '../../../support/effort.ts';
import '../../../support/property-seed.ts';
import { pathOf, walk } from '../../../../src/core/tree/tree.ts';
import { openTree } from '../../../../src/engine-parts/opening/open-tree.ts';
import { type DiskFiles, openDiskFiles } from '../../../../src/store/files/disk/disk-files.ts';
import { takeLease } from '../../../../src/store/lease/lease.ts';
import { openFilesForWriting } from '../../../../src/store/open-store.ts';
import { SearchReadStore } from '../../../../src/store/search-read-store.ts';
import { keepSnapshot } from '../../../../src/store/snapshot/keep-snapshot.ts';
import { SNAPSHOT } from '../../../../src/store/snapshot/snapshot.ts';
import { systemClock, systemRandom } from '../../../../src/store/system-ports.ts';
import { MemoryFiles } from '../../../support/memory-store.ts';
import { EDITS, type Edit, editFolder, nodeFolders, writeNodeFolder } from '../../../support/searches/folder-editor.ts';
import { newFolder, removeFolders } from '../support/places.ts';

const KEY = 'the key of this user';

interface Place {
  readonly root: string;
  /** On the same disk, next to it. */
  readonly outside: string;
  readonly files: DiskFiles;
}

/** A search of ten nodes on three levels. */
async function newSearch(): Promise<Place> {
  const folder = await newFolder();
  const [root, outside] = [join(folder, 'search'), join(folder, 'outside')];
  for (const each of [root, outside, join(root, '.search')]) mkdirSync(each);
  writeFileSync(join(root, 'search.json'), '{"version":1,"kind":"research","title":"Why","prompt":"Why?"}');
  writeFileSync(join(root, 'children.json'), JSON.stringify(['aa', 'bb', 'cc'].map((slug) => ({ title: slug, slug }))));
  for (const top of ['aa', 'bb', 'cc']) writeNodeFolder(root, top, 'expanded', top === 'cc' ? ['xy'] : ['xy', 'yx']);
  for (const top of ['aa', 'bb', 'cc']) writeNodeFolder(root, `${top}/xy`, 'leaf');
  for (const top of ['aa', 'bb']) writeNodeFolder(root, `${top}/yx`, 'expanded', ['zz']);
  for (const top of ['aa', 'bb']) writeNodeFolder(root, `${top}/yx/zz`, 'leaf');
  return { root, outside, files: await openDiskFiles(root) };
}

/** Resolves once whatever is changed from now on gets a later time of change. */
async function settled(files: DiskFiles): Promise<void> {
  const now = await files.now();
  while ((await files.now()) === now) await new Promise(setImmediate);
}

async function keep({ files }: Place): Promise<void> {
  await settled(files);
  await keepSnapshot(files, { key: KEY, settledMs: 0 });
  await settled(files);
}

/** Everything that opening finds, and which nodes' folders were read for it. */
async function opened(files: DiskFiles, key?: string): Promise<{ found: unknown; read: string[] }> {
  const read: string[] = [];
  const counting: DiskFiles = Object.create(files, {
    look: {
      value: (...asked: Parameters<DiskFiles['look']>) => {
        if (asked[0] !== '') read.push(asked[0]);
        return files.look(...asked);
      },
    },
  });
  for (const name of ['stat', 'readBytes', 'read', 'stampNow', 'list'] as const)
    Object.defineProperty(counting, name, { value: files[name].bind(files) });
  const store = new SearchReadStore(counting, key);
  const { root } = await openTree(store, 'Why', 'reader');
  const nodes = [...walk(root)].map((node) => [pathOf(node), node.file, node.listed, node.summary, node.status]);
  return { found: { nodes, problems: [...store.problems].sort((a, b) => (a.message < b.message ? -1 : 1)) }, read };
}

const edit: fc.Arbitrary<Edit> = fc.record({
  what: fc.constantFrom(...EDITS),
  at: fc.nat(1000),
  to: fc.nat(1000),
});

describe('a snapshot of the tree', () => {
  afterEach(removeFolders);

  it('saves reading what did not change', async () => {
    const place = await newSearch();
    await keep(place);
    const { found, read } = await opened(place.files, KEY);
    assert.deepEqual(read, []);
    const plain = await opened(place.files);
    assert.deepEqual(plain.found, found);
    assert.equal(plain.read.length, 10);
  });

  it('never hides what was changed by hand, whatever that was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(edit, { maxLength: 4 }), { minLength: 1, maxLength: 3 }), async (rounds) => {
        const place = await newSearch();
        for (const edits of rounds) {
          await keep(place);
          for (const each of edits) editFolder(place.root, place.outside, each);
          assert.deepEqual((await opened(place.files, KEY)).found, (await opened(place.files)).found);
        }
      }),
      { numRuns: effort(150) },
    );
  });

  it('leaves out what was changed shortly before it was made', async () => {
    const place = await newSearch();
    await settled(place.files);
    await keepSnapshot(place.files, { key: KEY, settledMs: 60_000 });
    assert.equal((await opened(place.files, KEY)).read.length, 10);
  });

  it('takes unchanged nodes from the one before', async () => {
    const place = await newSearch();
    await keep(place);
    const before = readFileSync(join(place.root, SNAPSHOT), 'utf8');
    editFolder(place.root, place.outside, { what: 'other title', at: 0, to: 7 });
    await settled(place.files);
    await keepSnapshot(place.files, { key: KEY, settledMs: 60_000 });
    const { found, read } = await opened(place.files, KEY);
    assert.deepEqual(read, [nodeFolders(place.root)[0]]);
    assert.deepEqual(found, (await opened(place.files)).found);
    assert.notEqual(readFileSync(join(place.root, SNAPSHOT), 'utf8'), before);
  });

  it('says nothing about a copy of its folder', async () => {
    const place = await newSearch();
    await keep(place);
    const copy = `${place.root}-copy`;
    execFileSync('cp', ['-a', place.root, copy]);
    const files = await openDiskFiles(copy);
    const { found, read } = await opened(files, KEY);
    assert.equal(read.length, 10);
    assert.deepEqual(found, (await opened(files)).found);
  });

  it('still holds where its folder was moved', async () => {
    const place = await newSearch();
    await keep(place);
    execFileSync('mv', [place.root, `${place.root}-moved`]);
    assert.deepEqual((await opened(await openDiskFiles(`${place.root}-moved`), KEY)).read, []);
  });

  it('is nothing if any bit of it is another, if it is cut off, or of another user or version', async () => {
    const place = await newSearch();
    await keep(place);
    const file = join(place.root, SNAPSHOT);
    const whole = readFileSync(file);
    const isUsed = async (key = KEY): Promise<boolean> => (await opened(place.files, key)).read.length === 0;
    assert.ok(await isUsed());
    assert.ok(!(await isUsed('the key of somebody else')));
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(7), async (at, bit) => {
        const flipped = Buffer.from(whole);
        flipped[at] = (flipped[at] as number) ^ (1 << bit);
        writeFileSync(file, flipped);
        assert.ok(!(await isUsed()));
        writeFileSync(file, whole.subarray(0, at));
        assert.ok(!(await isUsed()));
      }),
      { numRuns: effort(100) },
    );
    writeFileSync(file, whole);
    assert.ok(await isUsed());
    rmSync(file);
    assert.ok(!(await isUsed()));
    mkdirSync(file);
    assert.ok(!(await isUsed()));
  });

  it('is removed after a loss of power, when states and content of files may be of different moments', async () => {
    const GONE = 2 ** 22 + 1; // above the highest process id
    const ports = (bootId: string) => ({
      clock: systemClock,
      random: systemRandom,
      identity: { pid: GONE, host: 'h', bootId },
    });
    for (const [bootId, isKept] of [
      ['same', true],
      ['other', false],
    ] as const) {
      const place = await newSearch();
      await takeLease(place.files, ports('same')); // and never released
      await keep(place);
      const store = await openFilesForWriting(place.files, { ...ports(bootId), sealKey: KEY });
      assert.equal(existsSync(join(place.root, SNAPSHOT)), isKept);
      await store.close();
    }
  });

  it('is written only where states of files can be told apart', async () => {
    const files = new MemoryFiles();
    await keepSnapshot(files, { key: KEY });
    assert.ok(!files.existsNow(SNAPSHOT));
    const { root } = await newSearch();
    await keepSnapshot(await openDiskFiles(root, { platform: 'win32' }), { key: KEY, settledMs: 0 });
    assert.throws(() => statSync(join(root, SNAPSHOT)));
  });
});
