import assert from 'node:assert/strict';
import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { joinedPath } from '../../../../src/core/tree/slug.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import {
  compareSearches,
  compareSides,
  paragraphsBetween,
  type Side,
} from '../../../../src/searches/history/compare-searches.ts';
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

  it('names the first difference between two searches of the same question that are no forks of each other', async () => {
    let times = 0;
    const asked = async (count: number): Promise<string> => {
      const files = new MemoryFiles();
      const seed = ++times;
      const tree = { fanout: (_: string, depth: number) => [count, 2][depth] ?? 0, documentWords: 4 };
      const parts = { tree, seed, search: { limits: { size: 'all' as const, maxDepth: 2 } } };
      const { run, search, clock } = await simulate({ store: createMemoryStore(QUESTION, files), ...parts });
      await run();
      await clock.run(search.close());
      await copyOut(files, join(home, `asked-${seed}`));
      const journal = join(home, `asked-${seed}`, '.search/journal.jsonl');
      const later = (_: string, time: string): string =>
        `"time":"${new Date(Date.parse(time) + seed * 1000).toISOString()}"`;
      await writeFile(journal, (await readFile(journal, 'utf8')).replace(/"time":"([^"]+)"/g, later));
      return join(home, `asked-${seed}`);
    };
    const [one, again, more] = [await asked(3), await asked(3), await asked(4)];
    // The same titles, ids of their own.
    const same = await compareSearches(KINDS, one, again);
    assert.deepEqual([same.changed, same.alone, same.divergence], [[], [], undefined]);
    const { divergence, alone } = await compareSearches(KINDS, one, more);
    assert.deepEqual([divergence?.after, divergence?.at, divergence?.a], [undefined, QUESTION.title, undefined]);
    assert.equal(divergence?.b?.text, `“${alone[0]?.title}” is below it.`);
    const file = join(again, 'search.json');
    await appendFile(join(again, first, 'document.md'), '\nOne more.\n');
    const said = (await compareSearches(KINDS, one, again)).divergence;
    assert.deepEqual([said?.a, said?.b?.text], [undefined, 'It says: One more.']);
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll(QUESTION.prompt, 'Another question?'));
    const other = await compareSearches(KINDS, one, again);
    assert.deepEqual([other.divergence, other.changed.length], [undefined, 1]);
  });

  it('names what differs first in a matched node: its status, its score, then the words of its document', async () => {
    const copy = join(home, 'differs');
    await cp(folder, copy, { recursive: true });
    const [document, file] = [join(copy, first, 'document.md'), join(copy, first, 'node.json')];
    await appendFile(document, '\nOne more.\n');
    const words = (await compareSearches(KINDS, folder, copy)).divergence;
    assert.deepEqual([words?.a, words?.b?.text], [undefined, 'It says: One more.']);
    const node = JSON.parse(await readFile(file, 'utf8')) as { title: string };
    await writeFile(file, JSON.stringify({ ...node, evaluation: { score: 3 } }));
    const score = (await compareSearches(KINDS, folder, copy)).divergence;
    assert.deepEqual([score?.at, score?.b?.text], [node.title, 'Its score became 3.']);
  });

  it('looks a number of times at siblings that grows as they do, not with its square', async () => {
    /** A tree of siblings that match by title alone, in the opposite order, and as many that do not match. */
    const looksAt = async (count: number): Promise<number> => {
      let looks = 0;
      const side = (name: string, order: (titles: string[]) => string[]): Side => {
        const root = { title: 'T', children: [] as object[], status: 'expanded', slug: '' };
        const titles = order(Array.from({ length: 2 * count }, (_, at) => `${at < count ? 'both' : name} ${at}`));
        root.children = titles.map((title) => {
          const node = { parent: root, slug: title.replace(' ', '-'), children: [], status: 'leaf' };
          const counted = () => {
            looks++;
            return title;
          };
          return Object.defineProperty(node, 'title', { get: counted });
        });
        const store = { readDocumentHash: async () => undefined, readJournal: async () => [] };
        const overview = { folder: name, store, file: { prompt: '?', kind: 'k' }, tree: { size: 2 * count } };
        const results = { calls: 0, usd: 0, tokens: { prompt: 0, completion: 0 } };
        return { overview: { ...overview, results, reader: {} }, node: root } as unknown as Side;
      };
      const { same, alone } = await compareSides({ a: side('a', (all) => all), b: side('b', (all) => all.reverse()) });
      assert.deepEqual([same, alone.length], [count, 2 * count]);
      return looks;
    };
    const [once, twice] = [await looksAt(500), await looksAt(1000)];
    assert.ok(twice <= 2 * once + 10, `${once} looks at titles, ${twice} at twice as many`);
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
