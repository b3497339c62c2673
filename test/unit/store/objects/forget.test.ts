import assert from 'node:assert/strict';
import fc from 'fast-check';
import { forgetIn } from '../../../../src/store/objects/forget.ts';
import { KeptTexts } from '../../../../src/store/objects/kept-texts.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { textHash } from '../../../../src/store/system-ports.ts';
import { effort } from '../../../support/effort.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import '../../../support/property-seed.ts';
import { QUESTION, simulate } from '../../../support/searches/simulated-search.ts';

const RUNS = effort(300);

function filesUnder(files: MemoryFiles, folder: string): [path: string, text: string][] {
  return files.namesNow(folder).flatMap((name): [string, string][] => {
    const path = folder === '' ? name : `${folder}/${name}`;
    return files.isFolderNow(path) ? filesUnder(files, path) : [[path, files.readNow(path) as string]];
  });
}

function outside(files: MemoryFiles): [string, string][] {
  return filesUnder(files, '').filter(([path]) => !path.startsWith('.search/'));
}

/** A finished search whose model's answers, notes and documents have a text in them. */
async function searchWith(secret: string): Promise<MemoryFiles> {
  const files = new MemoryFiles();
  const store = createMemoryStore(QUESTION, files);
  const tree = { fanout: (_: string, depth: number) => [2][depth] ?? 0, documentWords: 4 };
  const { search, run, clock } = await simulate({ tree, store, search: { limits: { maxDepth: 1 } } });
  await run();
  const [node] = search.tree.root.children;
  const path = node?.slug as string;
  await search.act({ action: 'note', text: `Mind ${secret} here.` }, 'terminal');
  await search.act({ action: 'note', node: path, text: `${secret}` }, 'terminal');
  await search.act({ action: 'undo' }, 'terminal');
  await search.act({ action: 'undo' }, 'terminal');
  files.put(`${path}/document.md`, `---\ntitle: T\nsummary: S\n---\n\n${secret}\n`);
  await search.reconcile(path);
  await search.act({ action: 'redo', node: path, force: true }, 'terminal');
  await clock.run(search.close());
  // In an answer in JSON, which is in the JSON of a conversation.
  const answer = JSON.stringify({ text: secret });
  files.put(
    '.search/conversations/x.json',
    JSON.stringify({ id: 'x', title: '', turns: [{ role: 'assistant', text: answer }] }),
  );
  files.put('.search/set-aside/a.1.md', secret);
  files.put('.search/snapshot.jsonl', secret);
  return files;
}

describe('forgetting', () => {
  it(`leaves a text nowhere in .search, and the rest as it is (${RUNS} texts)`, async () => {
    const texts = fc
      .string({ unit: 'grapheme', minLength: 6, maxLength: 40 })
      .filter((text) => text.trim().length >= 6);
    await fc.assert(
      fc.asyncProperty(texts, async (random) => {
        const secret = `${random.trim()} "p\\w"\n\tü`;
        const files = await searchWith(secret);
        const escaped = JSON.stringify(secret).slice(1, -1);
        const isIn = (text: string): boolean =>
          [secret, escaped, JSON.stringify(escaped).slice(1, -1)].some((form) => text.includes(form));
        assert.ok(filesUnder(files, '.search').filter(([, text]) => isIn(text)).length >= 4);
        const before = outside(files);
        await forgetIn(files, { text: secret }, {});
        assert.deepEqual(
          filesUnder(files, '.search').filter(([, text]) => isIn(text)),
          [],
        );
        assert.deepEqual(outside(files), before);
        const store = new SearchStore(files, { check: () => undefined, release: async () => undefined });
        const { search, run } = await simulate({ store, search: { limits: { maxDepth: 1 } } });
        assert.deepEqual(store.problems, []);
        assert.equal(search.record.hasBegun, true);
        await run();
      }),
      { numRuns: RUNS },
    );
  }).timeout(300_000);

  it('leaves what any moment since a date shows', async () => {
    const files = new MemoryFiles();
    const store = createMemoryStore(QUESTION, files);
    const at = (time: string, seq: number, text: string) =>
      ({ seq, time, type: 'text-written', file: 'notes.md', text: textHash(text) }) as const;
    for (const [text, time, seq] of [
      ['first', '2026-01-01T00:00:00.000Z', 1],
      ['second', '2026-02-01T00:00:00.000Z', 2],
      ['third', '2026-03-01T00:00:00.000Z', 3],
    ] as const) {
      await store.writeNotes(text);
      await store.append(at(time, seq, text));
    }
    const { texts } = await forgetIn(files, { before: Date.parse('2026-02-15') }, {});
    const kept = new KeptTexts(files);
    const are = await Promise.all(['first', 'second', 'third'].map((text) => kept.has(textHash(text))));
    assert.deepEqual([texts, ...are], [1, false, true, true]);
  });

  it('refuses what the journal cannot be read without, and changes nothing', async () => {
    const files = await searchWith('a secret');
    const before = filesUnder(files, '');
    await assert.rejects(forgetIn(files, { text: 'node-status' }, {}), /could not be read/);
    await assert.rejects(forgetIn(files, { text: 'a' }, {}), /at least/);
    assert.deepEqual(filesUnder(files, ''), before);
  });

  it('says which files of the search itself still have it', async () => {
    const files = await searchWith('a secret');
    files.put('notes.md', 'This is a secret.');
    assert.deepEqual((await forgetIn(files, { text: 'a secret' }, {})).outside, ['notes.md']);
  });
});
