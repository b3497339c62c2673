import assert from 'node:assert/strict';
import type { LastEnd } from '../../../../src/core/ports/store.ts';
import { KeptTexts } from '../../../../src/store/objects/kept-texts.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { textHash } from '../../../../src/store/system-ports.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { snapshotOf } from '../../../support/searches/search-snapshot.ts';
import { QUESTION, type Simulation, simulate } from '../../../support/searches/simulated-search.ts';

let runs = 0;

function emptyFiles(): MemoryFiles {
  const files = new MemoryFiles();
  createMemoryStore(QUESTION, files);
  return files;
}

/** Opens a search as the process after one that ended in a certain way, and runs it to its end. */
async function runAfter(files: MemoryFiles, lastEnd: LastEnd): Promise<Simulation> {
  const right = { check: () => undefined, release: async () => undefined, lastEnd };
  const simulation = await simulate({
    tree: { fanout: (_path, depth) => [3, 2][depth] ?? 0 },
    search: { limits: { size: 'all' } },
    store: new SearchStore(files, right),
    seed: ++runs,
  });
  await simulation.run();
  return simulation;
}

describe('opening a search after its last process', () => {
  let files: MemoryFiles;
  let whole: Record<string, string>;
  let branch: string;
  beforeEach(async () => {
    files = emptyFiles();
    const { search } = await runAfter(files, 'closed');
    branch = search.tree.root.children[1]?.slug ?? '';
    whole = await snapshotOf(files);
  });

  /** The branch as it is when the search is opened after a loss of power, on a computer that was started at a time. */
  async function branchAfter(startedAt: number): Promise<{ score: number | undefined; isDone: boolean }> {
    const right = { check: () => undefined, release: async () => undefined, lastEnd: 'power-loss' as const, startedAt };
    const { search } = await simulate({ store: new SearchStore(files, right), seed: ++runs });
    const node = search.tree.root.children.find(({ slug }) => slug === branch);
    return { score: node?.evaluation?.score, isDone: node?.status === 'expanded' };
  }

  it('takes what is missing as removed by hand, if it was closed or merely killed', async () => {
    for (const lastEnd of ['closed', 'killed'] as const) {
      files.drop(branch);
      const { search, model } = await runAfter(files, lastEnd);
      assert.ok(
        search.tree.root.children.every(({ slug }) => slug !== branch),
        lastEnd,
      );
      assert.deepEqual(
        model.log.filter(({ purpose }) => purpose !== 'synthesize'),
        [],
      );
      branch = search.tree.root.children[0]?.slug ?? '';
    }
  });

  it('makes everything again after a loss of power, whatever is missing or empty, without asking', async () => {
    files.drop(branch);
    const [other] = JSON.parse(whole['children.json'] ?? '[]') as { slug: string }[];
    for (const name of ['node.json', 'document.md', 'children.json']) files.put(`${other?.slug}/${name}`, '');
    files.put('children.json', '[\n  {\n    "title": "Bin');
    const { model, store } = await runAfter(files, 'power-loss');
    assert.deepEqual(await snapshotOf(files), whole);
    assert.deepEqual(model.log, []);
    assert.deepEqual(store.problems, []);
  });

  it('does so after a mere kill too, if a file was cut off', async () => {
    files.put(`${branch}/node.json`, '{\n  "id": "x",\n  "tit');
    await runAfter(files, 'killed');
    assert.deepEqual(await snapshotOf(files), whole);
  });

  it('keeps what a person set in a node.json after the computer was started again', async () => {
    const file = JSON.parse(files.readNow(`${branch}/node.json`) ?? '{}') as object;
    const scored = `${JSON.stringify({ ...file, evaluation: { score: 1.5 } }, undefined, 2)}\n`;
    const { sessionId: _sessionId, ...left } = file as { sessionId?: string };
    const reopened = `${JSON.stringify({ ...left, status: 'unexpanded' }, undefined, 2)}\n`;
    for (const [edited, wanted] of [
      [scored, { score: 1.5, isDone: true }],
      [reopened, { isDone: false }],
    ] as const) {
      files.put(`${branch}/node.json`, edited);
      const older = await branchAfter(Date.now() + 60_000);
      assert.notEqual(older.score, 1.5, 'of before that, nothing counts as set by hand');
      assert.ok(older.isDone);
      files.put(`${branch}/node.json`, edited);
      const { score, isDone } = await branchAfter(0);
      assert.deepEqual(wanted.isDone ? { score, isDone } : { isDone }, wanted);
      files.put(`${branch}/node.json`, `${JSON.stringify(file, undefined, 2)}\n`);
      await branchAfter(0);
    }
  });

  it('keeps what a person wrote meanwhile', async () => {
    const edited = '---\ntitle: Mine\nsummary: Mine.\n---\n\nMy own words.\n';
    const file = JSON.parse(files.readNow(`${branch}/node.json`) ?? '{}') as object;
    files.put(`${branch}/document.md`, edited);
    files.put(
      `${branch}/node.json`,
      `${JSON.stringify({ ...file, title: 'Mine', mine: 1, note: 'Look!' }, undefined, 2)}\n`,
    );
    const { search } = await runAfter(files, 'power-loss');
    assert.equal(files.readNow(`${branch}/document.md`), edited);
    const kept = JSON.parse(files.readNow(`${branch}/node.json`) ?? '') as Record<string, unknown>;
    assert.deepEqual([kept['title'], kept['note'], kept['mine']], ['Mine', 'Look!', 1]);
    assert.equal(search.tree.root.children[1]?.title, 'Mine');
  });

  it('leaves alone what a person broke by hand, and keeps a copy before it is replaced', async () => {
    const broken = '{ "title": "Mine" "status": "leaf" }\n';
    files.put(`${branch}/node.json`, broken);
    await runAfter(files, 'power-loss');
    assert.equal(files.readNow(`${branch}/node.json.damaged-1`), broken);
  });

  it('keeps a copy of what a person may have cut off by hand', async () => {
    const document = files.readNow(`${branch}/document.md`) ?? '';
    const file = files.readNow(`${branch}/node.json`) ?? '';
    files.put(`${branch}/document.md`, document.slice(0, -20));
    files.put(`${branch}/node.json`, file.replace(/\}\s*$/, ''));
    await runAfter(files, 'power-loss');
    assert.deepEqual(await snapshotOf(files), whole);
    const kept = await new KeptTexts(files).read(textHash(document.slice(0, -20)));
    assert.equal(Buffer.from((kept ?? '') as Uint8Array).toString(), document.slice(0, -20));
    assert.equal(files.readNow(`.search/set-aside/${branch}.1.node.json`), file.replace(/\}\s*$/, ''));
  });

  it('makes nothing that a forged journal names outside of the search', async () => {
    const journal = files.readNow('.search/journal.jsonl') ?? '';
    const forged = [
      { type: 'node-added', node: '', children: [{ title: 'Evil', slug: '..', id: 'evil', status: 'unexpanded' }] },
      { type: 'node-added', node: '..', children: [{ title: 'Evil', slug: 'evil', id: 'evil2', status: 'leaf' }] },
      { type: 'node-added', node: '', children: [{ title: 'Evil', slug: 'prompts', id: 'evil3', status: 'leaf' }] },
    ];
    const lines = forged.map((event, index) => JSON.stringify({ seq: 100_000 + index, time: 't', ...event }));
    files.put('.search/journal.jsonl', `${journal}${lines.join('\n')}\n`);
    files.drop(branch);
    await runAfter(files, 'power-loss');
    assert.deepEqual(await snapshotOf(files), whole);
  });

  it('applies an act of a person that the journal tells of to an older file', async () => {
    const older = files.readNow(`${branch}/node.json`) ?? '';
    const { search } = await runAfter(files, 'closed');
    await search.act({ action: 'prune', node: branch }, 'test');
    files.put(`${branch}/node.json`, older);
    const { search: again } = await runAfter(files, 'power-loss');
    assert.equal(again.tree.root.children[1]?.status, 'pruned');
  });
});
