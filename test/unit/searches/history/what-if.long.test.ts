import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ModelRequest } from '../../../../src/core/ports/model.ts';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import type { SearchFile, SearchOptions } from '../../../../src/core/search/search-file.ts';
import { joinedPath } from '../../../../src/core/tree/slug.ts';
import { pathOf, type Tree, walk } from '../../../../src/core/tree/tree.ts';
import { loadKind } from '../../../../src/engine/kind.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { overviewAt } from '../../../../src/searches/history/past-overview.ts';
import { type Otherwise, playAgain, type WhatIf } from '../../../../src/searches/history/what-if.ts';
import { RecordedAnswers } from '../../../../src/searches/models/own-answers.ts';
import type { Place } from '../../../../src/searches/place.ts';
import type { FileText, WriteOptions } from '../../../../src/store/files/files.ts';
import { systemClock } from '../../../../src/store/system-ports.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { QUESTION, type Simulation, simulate } from '../../../support/searches/simulated-search.ts';
import { simulateThoughts, thoughtFile } from '../../../support/searches/simulated-thoughts.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const PRICE = { prompt: 3, cached: 0.3, completion: 15 };
const TREE = { seed: 5, fanout: (_: string, depth: number) => [4, 3, 2][depth] ?? 0, documentWords: 6 };
const limits = { size: 'all' as const, maxDepth: 3 };

/** Puts a search in memory on disk, in a workspace of its own. */
async function onDisk(files: MemoryFiles): Promise<Place> {
  const workspace = temporaryFolder('what-if');
  const folder = join(workspace, 'thought-trees', 'build');
  const copy = async (path: string): Promise<void> => {
    await mkdir(join(folder, path), { recursive: true });
    for (const name of files.namesNow(path)) {
      const at = joinedPath(path, name);
      if (files.isFolderNow(at)) await copy(at);
      else await writeFile(join(folder, at), files.readNow(at) as string);
    }
  };
  await copy('');
  return { workspace, folder };
}

/** Writes the words of a pick long after the answers that came next were used. */
class SlowCalls extends MemoryFiles {
  override async writeAtomic(path: string, text: FileText, options?: WriteOptions): Promise<void> {
    if (path.startsWith('.search/calls/')) await setTimeout(50);
    await super.writeAtomic(path, text, options);
  }
}

const latencyMs = ({ node, purpose }: ModelRequest): number => 50 + ((node.length * 37 + purpose.length * 91) % 400);

async function researched(options: SearchFile['options']): Promise<{ run: Simulation; files: MemoryFiles }> {
  const files = new MemoryFiles();
  const file = { ...QUESTION, options };
  const run = await simulate({
    store: createMemoryStore(file, files),
    file,
    tree: TREE,
    model: { price: PRICE, latencyMs },
    search: { limits, concurrency: 3 },
  });
  await run.run();
  await run.clock.run(run.search.close());
  return { run, files };
}

function nodesIn(tree: Tree): string[] {
  return [...walk(tree.root)].map((node) => `${pathOf(node)} ${node.status}`).sort();
}

function callsIn(journal: readonly JournalEvent[]): string[] {
  return journal.flatMap((event) => (event.type === 'call-started' ? [`${event.purpose} ${event.node}`] : [])).sort();
}

const again = (place: Place, otherwise: Partial<Otherwise> = {}, keep?: string): Promise<WhatIf> =>
  playAgain(KINDS, place, { options: {}, limits: {}, ...otherwise }, { keep });

describe('a search played again on the answers that it got', () => {
  it('is the same tree and the same bill with the same settings, and leaves nothing behind', async () => {
    const { files } = await researched({});
    const place = await onDisk(files);
    const { comparison, neverAsked, stopped } = await again(place);
    assert.deepEqual([neverAsked, stopped], [[], undefined]);
    assert.deepEqual([comparison.changed, comparison.alone], [[], []]);
    const bill = ({ nodes, calls, tokens, usd }: typeof comparison.a) => [nodes, calls, tokens, usd.toFixed(9)];
    assert.deepEqual(bill(comparison.b), bill(comparison.a));
    assert.ok(comparison.a.calls > 30 && comparison.a.usd > 0);
    assert.deepEqual(await readdir(dirname(place.folder)), ['build']);
  });

  it('lets an answer come only after what came of those before it, however long that takes to write', async () => {
    const { files, run } = await researched({});
    const before = await overviewAt(KINDS, (await onDisk(files)).folder);
    const { descriptor } = await loadKind(KINDS, before.file);
    const answers = await RecordedAnswers.of(before, descriptor.purposes, undefined);
    answers.begin(true);
    const { search, store } = await simulate({
      store: createMemoryStore(QUESTION, new SlowCalls()),
      search: { limits, concurrency: answers.concurrency, model: answers.model(false), clock: systemClock },
    });
    search.listen((event) => answers.hear(event));
    await search.run();
    await search.close();
    assert.deepEqual([answers.told.neverAsked, answers.told.estimated], [[], 0]);
    assert.deepEqual(callsIn(await store.readJournal()), callsIn(await run.store.readJournal()));
  });

  it('with another picker makes the calls and the tree of a real run with that picker', async () => {
    const { files, run } = await researched({ picker: 'ranked' });
    const { run: real } = await researched({ picker: 'one-at-a-time' });
    assert.notDeepEqual(callsIn(await real.store.readJournal()), callsIn(await run.store.readJournal()));
    const place = await onDisk(files);
    const keep = join(dirname(place.folder), 'kept');
    const { comparison, estimated, neverAsked } = await again(place, { options: { picker: 'one-at-a-time' } }, keep);
    assert.deepEqual(neverAsked, []);
    assert.ok(estimated > 0, 'its picks were made of the rankings of then');
    assert.equal(comparison.b.calls, real.search.record.spend.calls);
    assert.deepEqual([comparison.changed, comparison.alone], [[], []]);
    const kept = await overviewAt(KINDS, keep);
    assert.deepEqual(nodesIn(kept.tree), nodesIn(real.search.tree));
    assert.deepEqual(callsIn(await kept.store.readJournal()), callsIn(await real.store.readJournal()));
    assert.deepEqual((await readdir(dirname(place.folder))).sort(), ['build', 'kept']);
  });

  it('with a lower limit stops there, and costs no more than that', async () => {
    const { files } = await researched({});
    const { comparison, stopped } = await again(await onDisk(files), { limits: { guards: { calls: 10 } } });
    assert.equal(comparison.b.calls, 10);
    assert.ok(stopped);
    assert.deepEqual(
      comparison.alone.filter(({ side }) => side === 'b'),
      [],
    );
    const half = comparison.a.usd / 2;
    const poorer = (await again(await onDisk(files), { limits: { guards: { usd: half } } })).comparison.b;
    assert.ok(poorer.usd > 0 && poorer.usd <= half + comparison.a.usd / 10, `${poorer.usd} of ${half}`);
  });

  it('with another beam finds the answers by what they are about, and names what was never asked', async () => {
    const place = await thoughtOver({ candidates: 3, beam: 2 });
    const same = await again(place);
    assert.deepEqual([same.comparison.changed, same.comparison.alone, same.neverAsked], [[], [], []]);
    assert.equal(same.comparison.b.calls, same.comparison.a.calls);
    const narrower = await again(place, { options: { beam: 1 } });
    assert.ok(narrower.comparison.b.calls < same.comparison.b.calls, 'a narrower beam asks less');
    assert.deepEqual(narrower.neverAsked, []);
    const deeper = await again(place, { strategy: 'depth-first' });
    assert.ok(deeper.recorded + deeper.estimated > 0 && deeper.comparison.b.nodes > 0, 'another strategy');
    const wider = await again(await thoughtOver({ candidates: 3, beam: 1 }), { options: { beam: 2 } });
    assert.ok(wider.neverAsked.length > 0, 'what the wider beam goes on with, nobody went on with');
  });

  it('with another judge makes the tree of a real run where each thought was judged, and else names the first question that nobody asked', async () => {
    const place = await thoughtOver({ candidates: 3, beam: 2, judge: 'layer' });
    const parent = await again(place, { options: { judge: 'parent' } });
    assert.deepEqual([parent.neverAsked, parent.stopped], [[], undefined]);
    assert.ok(parent.estimated > 0, 'judgements were put together of those of then');
    const real = await thoughtOver({ candidates: 3, beam: 2, judge: 'parent' });
    assert.notEqual(parent.comparison.b.calls, parent.comparison.a.calls);
    assert.equal(parent.comparison.b.calls, (await again(real)).comparison.a.calls);
    assert.deepEqual(
      [parent.comparison.changed, parent.comparison.alone],
      [[], []],
      'the same scores, the same thoughts',
    );
    // Thoughts that are compared are judged otherwise than alone, and nobody compared them.
    const voting = await again(place, { options: { evaluation: 'comparative_voting' } });
    assert.deepEqual(voting.neverAsked[0], { purpose: 'evaluate', node: '' });
    const { b } = voting.comparison;
    assert.ok(b.nodes > 0 && b.nodes < voting.comparison.a.nodes, 'the thoughts before that question are there');
    const compared = await again(await thoughtOver({ candidates: 3, beam: 2, evaluation: 'comparative_voting' }));
    assert.deepEqual([compared.neverAsked, compared.comparison.changed, compared.comparison.alone], [[], [], []]);
  });
});

async function thoughtOver(options: Partial<SearchOptions>): Promise<Place> {
  const files = new MemoryFiles();
  const { run, clock, search } = await simulateThoughts({
    search: { limits: { maxDepth: 2 } },
    store: createMemoryStore(thoughtFile({ options }), files),
  });
  await run();
  await clock.run(search.close());
  return await onDisk(files);
}
