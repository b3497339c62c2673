import assert from 'node:assert/strict';
import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { joinedPath } from '../../../../src/core/tree/slug.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { compareSearches, paragraphsBetween } from '../../../../src/searches/history/compare-searches.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import '../../../support/property-seed.ts';
import { QUESTION, simulate } from '../../../support/searches/simulated-search.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const text = fc.array(fc.constantFrom('one', 'two', 'three', 'four'), { maxLength: 12 });

/** Puts the files of a search in memory on disk. */
async function copyOut(files: MemoryFiles, folder: string, path = ''): Promise<void> {
  await mkdir(join(folder, path), { recursive: true });
  for (const name of files.namesNow(path)) {
    const at = joinedPath(path, name);
    if (files.isFolderNow(at)) await copyOut(files, folder, at);
    else await writeFile(join(folder, at), files.readNow(at) as string);
  }
}

describe('comparing searches', () => {
  let home: string;
  let folder: string;
  let first: string;

  before(async () => {
    home = temporaryFolder('compare');
    folder = join(home, 'search');
    const files = new MemoryFiles();
    const tree = { fanout: (_: string, depth: number) => [3, 2][depth] ?? 0, documentWords: 4 };
    const limits = { size: 'all' as const, maxDepth: 2 };
    const { run, search, clock } = await simulate({
      store: createMemoryStore(QUESTION, files),
      tree,
      search: { limits },
    });
    await run();
    await clock.run(search.close());
    await copyOut(files, folder);
    first = search.tree.root.children[0]?.slug as string;
  });

  it('finds nothing between a search and its copy, and the one edit that is made to that', async () => {
    const copy = join(home, 'copy');
    await cp(folder, copy, { recursive: true });
    const none = await compareSearches(KINDS, folder, copy);
    assert.deepEqual([none.changed, none.alone, none.divergence], [[], [], undefined]);
    await appendFile(join(copy, first, 'document.md'), '\nOne more.\n');
    const { changed, same } = await compareSearches(KINDS, folder, copy);
    assert.deepEqual(
      changed.map(({ paths }) => paths.b),
      [first],
    );
    assert.equal(same, none.same - 1);
    assert.deepEqual(changed[0]?.paragraphs, [{ side: 'b', text: 'One more.' }]);
  });

  it('does not list the words of a document that one side has not written', async () => {
    const copy = join(home, 'unwritten');
    await cp(folder, copy, { recursive: true });
    await rm(join(copy, first, 'document.md'));
    const { changed } = await compareSearches(KINDS, folder, copy);
    assert.deepEqual(
      changed.map(({ paths, paragraphs }) => [paths.b, paragraphs]),
      [[first, []]],
    );
  });

  it('matches a node by its id when it was renamed, and by its content without one', async () => {
    const copy = join(home, 'renamed');
    await cp(folder, copy, { recursive: true });
    const file = join(copy, first, 'node.json');
    const node = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    await writeFile(file, JSON.stringify({ ...node, title: 'Another title' }));
    const { changed, alone } = await compareSearches(KINDS, folder, copy);
    assert.deepEqual(
      changed.map(({ title }) => title.b),
      ['Another title'],
    );
    assert.deepEqual(alone, []);
    await writeFile(file, JSON.stringify({ ...node, id: undefined, title: 'Another title' }));
    const byContent = await compareSearches(KINDS, folder, copy);
    assert.deepEqual(byContent.alone, []);
    assert.deepEqual(
      byContent.changed.map(({ paths }) => paths.a),
      [first],
    );
  });

  it('names the first thing that happened after a moment', async () => {
    const journal = (await readFile(join(folder, '.search', 'journal.jsonl'), 'utf8')).trim().split('\n');
    const events = journal.map((line) => JSON.parse(line) as { seq: number; type: string });
    const added = events.find(({ type }) => type === 'node-added') as { seq: number };
    const { divergence, alone } = await compareSearches(KINDS, `${folder}@${added.seq - 1}`, folder);
    assert.equal(divergence?.after, added.seq - 1);
    assert.match(divergence?.b?.text ?? '', /3 nodes below/);
    assert.deepEqual(
      alone.map(({ side, nodes }) => `${side} ${nodes}`),
      ['b 3', 'b 3', 'b 3'],
    );
  });

  it('names where two that went on from one moment part: what each did first', async () => {
    const after = (await readFile(join(folder, '.search', 'journal.jsonl'), 'utf8')).trim().split('\n').length;
    const goesOn = async (name: string, node: string): Promise<string> => {
      const copy = join(home, name);
      await cp(folder, copy, { recursive: true });
      const event = { seq: after + 1, time: new Date(0).toISOString(), type: 'node-status', node, by: 'terminal' };
      const pruned = { ...event, status: 'pruned', was: 'leaf' };
      await appendFile(join(copy, '.search', 'journal.jsonl'), `${JSON.stringify(pruned)}\n`);
      return copy;
    };
    const [one, other] = (await readdir(folder)).filter((name) => !name.includes('.')) as [string, string];
    const sides = [await goesOn('one', one), await goesOn('other', other)] as const;
    const { divergence } = await compareSearches(KINDS, ...sides);
    assert.equal(divergence?.after, after);
    assert.match(divergence.a?.text ?? '', /was pruned/);
    assert.match(divergence.b?.text ?? '', /was pruned/);
    assert.notEqual(divergence.a?.text, divergence.b?.text);
  });

  it('compares two nodes of one search, and a node with what it was', async () => {
    const [other] = (await readdir(folder)).filter((name) => name !== first && !name.includes('.'));
    const { changed, a, b } = await compareSearches(KINDS, join(folder, first), join(folder, other as string));
    assert.deepEqual([a.node, b.node, a.nodes], [first, other, 3]);
    assert.deepEqual(changed[0]?.paths, { a: first, b: other });
    const events = (await readFile(join(folder, '.search', 'journal.jsonl'), 'utf8')).trim().split('\n');
    const now = await compareSearches(KINDS, join(folder, first), `${join(folder, first)}@${events.length}`);
    assert.deepEqual([now.changed, now.alone, now.same], [[], [], 3]);
  });

  it('says what to add and to take away to make one text of another', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const only = paragraphsBetween(a.join('\n\n'), b.join('\n\n'));
        const without = (side: 'a' | 'b', all: readonly string[]): string[] => {
          const left = only.filter((each) => each.side === side).map((each) => each.text);
          return all.filter((each) => !(each === left[0] && left.shift()));
        };
        assert.equal(without('a', a).length, without('b', b).length);
        assert.equal(a.length - without('a', a).length, only.filter(({ side }) => side === 'a').length);
      }),
    );
  });
});
