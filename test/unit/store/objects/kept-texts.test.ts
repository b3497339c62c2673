import assert from 'node:assert/strict';
import fc from 'fast-check';
import { KEPT_TEXTS, KeptTexts, LONGEST_KEPT, TextKeeper } from '../../../../src/store/objects/kept-texts.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { textHash } from '../../../../src/store/system-ports.ts';
import { effort } from '../../../support/effort.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import '../../../support/property-seed.ts';
import { QUESTION } from '../../../support/searches/simulated-search.ts';

const RUNS = effort(1000);

async function textOf(files: MemoryFiles, hash: string): Promise<string | undefined> {
  const kept = await new KeptTexts(files).read(hash);
  return kept instanceof Uint8Array ? Buffer.from(kept).toString() : kept;
}

function open(files: MemoryFiles): SearchStore {
  return new SearchStore(files, { check: () => undefined, release: async () => undefined });
}

describe('texts that are kept', () => {
  let files: MemoryFiles;

  beforeEach(() => {
    files = new MemoryFiles();
    createMemoryStore(QUESTION, files);
  });

  it(`are read as they were, byte for byte, and are there once (${RUNS} runs)`, async () => {
    const bytes = fc.oneof(
      fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
      fc.uint8Array(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { maxLength: 20 }), async (texts) => {
        const fresh = new MemoryFiles();
        const keeper = new TextKeeper(fresh, {});
        await Promise.all(texts.map((text) => keeper.keep(text)));
        for (const text of texts) await new TextKeeper(fresh, {}).keep(text);
        for (const text of texts)
          assert.deepEqual(Buffer.from((await keeper.read(textHash(text))) as Uint8Array), Buffer.from(text));
        const lines = fresh.readNow(KEPT_TEXTS)?.split('\n').length ?? 1;
        assert.equal(lines - 1, new Set(texts.map(textHash)).size);
      }),
      { numRuns: RUNS },
    );
  });

  it('are a document that was replaced, removed, or found edited', async () => {
    const store = open(files);
    await store.writeNode('a', { title: 'A', slug: 'a', status: 'leaf' });
    const first = await store.writeDocument('a', 'first\n');
    await store.append({ seq: 1, time: '', type: 'node-status', node: 'a', status: 'leaf', document: first });
    files.put('a/document.md', 'by hand\n');
    const document = textHash('by hand\n');
    await store.append({ seq: 2, time: '', type: 'node-status', node: 'a', status: 'leaf', document, by: 'hand' });
    files.put('a/document.md', 'by hand, unseen\n');
    await store.writeDocument('a', 'second\n');
    await store.setDocumentAside('a');
    for (const text of ['first\n', 'by hand\n', 'by hand, unseen\n', 'second\n'])
      assert.equal(await textOf(files, textHash(text)), text);
  });

  it('are each version of notes, plan and report, which is told of once', async () => {
    const store = open(files);
    const told: string[] = [];
    const hashes = new Map<string, string>();
    await store.followTexts(new Map(), new Map(), (file, text, by) => {
      if (text !== undefined) hashes.set(text, file);
      told.push(`${file} ${by ?? ''} ${text === undefined ? 'gone' : ''}`.trim());
    });
    await store.writeNotes('one\n');
    await store.writeNotes('two\n');
    await store.readNotes();
    files.put('notes.md', 'mine\n');
    assert.equal(await store.readNotes(), 'mine\n');
    await store.readNotes();
    await store.writePlan('plan: 1\n');
    files.put('prompts/root.md', 'My prompt.\n');
    await store.readPrompt('root.md');
    files.dropFile('notes.md');
    await store.readNotes();
    const said = ['search.json opening', 'notes.md', 'notes.md', 'notes.md hand', 'plan.yaml'];
    assert.deepEqual(told, [...said, 'prompts/root.md hand', 'notes.md hand gone']);
    for (const hash of hashes.keys()) assert.ok((await textOf(files, hash)) !== undefined);
  });

  it('outlast a line that a crash left incomplete, and lines that are damaged', async () => {
    const keeper = new TextKeeper(files, {});
    await keeper.keepNew('one');
    files.put(
      KEPT_TEXTS,
      `${files.readNow(KEPT_TEXTS)}\0\0\0\n{"hash":"${textHash('two')}","text":"forged"}\n{"hash":"`,
    );
    const after = new TextKeeper(files, {});
    await after.keepNew('three');
    assert.equal(await textOf(files, textHash('one')), 'one');
    assert.equal(await textOf(files, textHash('two')), undefined, 'a text that is another one');
    assert.equal(await textOf(files, textHash('three')), 'three');
  });

  it('are named where they are too long', async () => {
    const long = 'x'.repeat(LONGEST_KEPT + 1);
    await new TextKeeper(files, {}).keepNew(long);
    assert.equal(await textOf(files, textHash(long)), 'too-long');
    assert.ok((files.readNow(KEPT_TEXTS)?.length ?? 0) < 200);
  });

  it('are those of a search from before, from its next opening on', async () => {
    files.put('a/document.md', 'from before\n');
    const store = open(files);
    await store.followTexts(new Map(), new Map([['a', textHash('from before\n')]]), () => undefined);
    assert.equal(await textOf(files, textHash('from before\n')), 'from before\n');
  });

  it('are in the journal only once they are kept, in its order', async () => {
    const store = open(files);
    files.put('a/document.md', 'by hand\n');
    const document = textHash('by hand\n');
    const append = files.append.bind(files);
    const order: string[] = [];
    files.append = async (path, text, commit) => {
      await append(path, text, commit);
      order.push(
        ...text
          .trimEnd()
          .split('\n')
          .map((line) => `${path === KEPT_TEXTS ? 'text' : JSON.parse(line).seq}`),
      );
    };
    const hand = { type: 'node-status' as const, node: 'a', status: 'leaf' as const, document, by: 'hand' };
    await Promise.all([
      store.append({ seq: 1, time: '', type: 'adopted' }),
      store.append({ seq: 2, time: '', ...hand }),
      store.append({ seq: 3, time: '', type: 'adopted' }),
    ]);
    await store.append({ seq: 4, time: '', type: 'adopted' });
    assert.deepEqual(order, ['1', 'text', '2', '3', '4']);
  });
});
