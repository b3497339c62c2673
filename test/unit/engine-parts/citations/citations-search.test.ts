import assert from 'node:assert/strict';
import type { ModelRequest } from '../../../../src/core/ports/model.ts';
import { nodeAt, pathOf, walk } from '../../../../src/core/tree/tree.ts';
import { type Simulation, simulate } from '../../../support/searches/simulated-search.ts';
import { type HeldText, heldText } from './held-text.ts';

const FILES = { 'src/queue.ts': 'export class Queue {\n  push(job: Job): void {}\n}\n' };
const TRUE_QUOTATION = '[src/queue.ts:2]\n\n```ts\n  push(job: Job): void {}\n```';
const FALSE_QUOTATION = '[src/queue.ts:2]\n\n```ts\n  push(job: Job): Promise<void> {}\n```';

function answer(...quotations: string[]): string {
  return `---\ntitle: A\nsummary: It pushes.\n---\n# A\n\nIt pushes.\n\n${quotations.join('\n\n')}\n`;
}

interface Cited extends Simulation {
  readonly requests: ModelRequest[];
}

async function citing(
  text: HeldText | undefined,
  document: (request: ModelRequest, attempt: number) => string | Error | undefined,
  search: object = {},
): Promise<Cited> {
  const requests: ModelRequest[] = [];
  const simulation = await simulate({
    tree: { fanout: (_path, depth) => (depth === 0 ? 2 : 0), documentWords: 20 },
    model: {
      instead: (request, attempt) => {
        requests.push(request);
        return request.purpose === 'document' ? document(request, attempt) : undefined;
      },
    },
    search: { limits: { size: 'all', maxDepth: 2 }, concurrency: 1, ...(text && { workspaceText: text }), ...search },
  });
  return { ...simulation, requests };
}

/** What node.json says of the single citations. */
const entriesOf = async ({ store }: Cited, path: string): Promise<string> =>
  (await store.readNodeFile(path))?.quotations?.join('\n') ?? '';

const firstOf = ({ search }: Cited): string => pathOf(search.tree.root.children[0] ?? search.tree.root);

describe('a search whose documents cite files', () => {
  it('marks each citation in the document, and counts them in node.json and in the tree', async () => {
    const run = await citing(heldText(FILES), () => answer(TRUE_QUOTATION, TRUE_QUOTATION.replace(':2', ':1')));
    await run.run();
    const path = firstOf(run);
    const document = (await run.store.readDocument(path)) ?? '';
    assert.match(document, /\ncitations: 2 verified\n---\n/, 'and no more, above all no hashes');
    assert.match(await entriesOf(run, path), /^\S+:2 verified #\w{13}\n\S+:2 verified #\w{13}$/);
    assert.match(document, /\[src\/queue\.ts:2\]\(\.\.\/\.\.\/\.\.\/src\/queue\.ts#L2\)/);
    assert.doesNotMatch(document, /queue\.ts:1/);
    const counts = { verified: 2, moved: 0, stale: 0, not_found: 0 };
    assert.deepEqual((await run.store.readNodeFile(path))?.citations, counts);
    assert.deepEqual(nodeAt(run.search.tree, path)?.citations, counts);
    assert.equal(run.requests.filter(({ purpose, node }) => purpose === 'document' && node === path).length, 1);
  });

  it('asks nothing again for a document that quotes what is not there: it is marked in it', async () => {
    const run = await citing(heldText(FILES), () => answer(FALSE_QUOTATION, '[../x.ts:1]\n\n> y'));
    await run.run();
    const path = firstOf(run);
    assert.equal(run.requests.filter(({ purpose, node }) => purpose === 'document' && node === path).length, 1);
    assert.deepEqual(nodeAt(run.search.tree, path)?.citations, { verified: 0, moved: 0, stale: 0, not_found: 2 });
    assert.notEqual(nodeAt(run.search.tree, path)?.status, 'failed');
    const document = (await run.store.readDocument(path)) ?? '';
    assert.match(document, /^`src\/queue\.ts:2` \(not found there\)$/m);
    assert.match(document, /^`\.\.\/x\.ts:1` \(not found there\)$/m);
  });

  it('is not taken for edited by a person because of its marks', async () => {
    const run = await citing(heldText(FILES), () => answer(TRUE_QUOTATION, FALSE_QUOTATION));
    await run.run();
    const path = firstOf(run);
    await run.search.act({ action: 'redo', node: path }, 'test');
    assert.equal((await run.clock.run(run.search.run())).state, 'finished');
    assert.ok((await run.store.readDocument(path))?.includes('citations: 1 verified, 1 not found'));
  });

  it('checks again when files change: what was there is stale, and comes back', async () => {
    const text = heldText(FILES);
    const run = await citing(text, () => answer(TRUE_QUOTATION));
    await run.run();
    const path = firstOf(run);
    const before = await run.store.readDocument(path);
    assert.equal(await run.search.recheckCitations(), 0);
    assert.equal(await run.store.readDocument(path), before);
    text.files['src/queue.ts'] = 'export class Stack {}\n';
    assert.equal(await run.search.recheckCitations(path), 1);
    assert.deepEqual(nodeAt(run.search.tree, path)?.citations, { verified: 0, moved: 0, stale: 1, not_found: 0 });
    assert.equal((await run.store.readNodeFile(path))?.citations?.stale, 1);
    assert.match((await run.store.readDocument(path)) ?? '', /^citations: 1 stale$/m);
    assert.match(await entriesOf(run, path), /^src\/queue\.ts:2 stale #\w+$/);
    text.files['src/queue.ts'] = `\n${FILES['src/queue.ts']}`;
    assert.equal(await run.search.recheckCitations(path), 1);
    assert.match(await entriesOf(run, path), /^src\/queue\.ts:3 verified #/);
    assert.match(
      (await run.store.readDocument(path)) ?? '',
      /^citations: 1 verified$[\s\S]*\[src\/queue\.ts:3\]\([^)]*queue\.ts#L3\)/m,
    );
    text.files['src/queue.ts'] = FILES['src/queue.ts'];
    await run.search.recheckCitations();
    assert.equal(await run.store.readDocument(path), before);
  });

  it('checks again what earlier runs found before a report says it, by a resume and by the action', async () => {
    const text = heldText(FILES);
    const first = await citing(text, () => answer(TRUE_QUOTATION));
    await first.run();
    const { store } = first;
    assert.match((await store.readReport()) ?? '', /Of 2 citations .* 2 are where/);
    const open = (): Promise<Cited> => citing(text, () => answer(TRUE_QUOTATION), { store });
    text.files['src/queue.ts'] = 'export class Stack {}\n';
    const resumed = await open();
    await resumed.run();
    assert.match((await store.readReport()) ?? '', /2 stale:/);
    assert.equal(nodeAt(resumed.search.tree, firstOf(resumed))?.citations?.stale, 1);
    text.files['src/queue.ts'] = FILES['src/queue.ts'];
    const resting = await open();
    await resting.clock.run(resting.search.act({ action: 'report' }, 'test'));
    assert.doesNotMatch((await store.readReport()) ?? '', /stale/);
    await (await open()).run();
    const same = await open();
    await same.run();
    assert.deepEqual(same.requests, [], 'a report that says it all is not paid for again');
  });

  it('never writes into a document that a person edited', async () => {
    const text = heldText(FILES);
    const run = await citing(text, () => answer(TRUE_QUOTATION));
    await run.run();
    const path = firstOf(run);
    const edited = `${await run.store.readDocument(path)}\nA word of mine.\n`;
    await run.store.writeDocument(path, edited);
    text.files['src/queue.ts'] = `\n${FILES['src/queue.ts']}`;
    assert.equal(await run.search.recheckCitations(path), 1);
    assert.equal(await run.store.readDocument(path), edited);
    assert.equal(nodeAt(run.search.tree, path)?.citations?.moved, 1);
    text.files['src/queue.ts'] = 'other\n';
    assert.equal(await run.search.recheckCitations(path), 1);
    assert.equal(await run.store.readDocument(path), edited);
    assert.equal(nodeAt(run.search.tree, path)?.citations?.stale, 1);
  });

  it('asks nothing and marks nothing without a workspace, but takes off marks that a model wrote', async () => {
    const forged = answer(TRUE_QUOTATION).replace('summary:', 'citations: {verified: 3}\nsummary:');
    const run = await citing(undefined, () => forged);
    await run.run();
    assert.doesNotMatch((await run.store.readDocument(firstOf(run))) ?? '', /citations:|verified/);
    assert.equal(await run.search.recheckCitations(), 0);
  });

  it('fails no node where files cannot be read', async () => {
    const broken = { ...heldText(FILES), read: () => Promise.reject(new Error('no bundle')) };
    const run = await citing(broken, () => answer(TRUE_QUOTATION));
    assert.equal((await run.run()).state, 'finished');
    for (const node of walk(run.search.tree.root)) assert.notEqual(node.status, 'failed');
  });

  it('makes the marks again of a document that was written right before a run was killed', async () => {
    const first = await citing(heldText(FILES), () => answer(TRUE_QUOTATION), { limits: { size: 'all', maxDepth: 1 } });
    await first.run();
    const path = firstOf(first);
    const [document, file] = [await first.store.readDocument(path), await first.store.readNodeFile(path)];
    await first.store.changeNode(path, { status: 'in-progress', citations: undefined, quotations: undefined });
    const again = await citing(heldText(FILES), () => answer(TRUE_QUOTATION), { store: first.store });
    await again.run();
    assert.equal(await first.store.readDocument(path), document);
    const { citations, quotations } = (await first.store.readNodeFile(path)) ?? {};
    assert.deepEqual({ citations, quotations }, { citations: file?.citations, quotations: file?.quotations });
    assert.equal(quotations?.length, 1);
    assert.deepEqual(
      again.requests.filter(({ purpose }) => purpose === 'document'),
      [],
    );
  });

  it('makes the marks again from the conversation, where a run was killed before the document was written', async () => {
    const first = await citing(heldText(FILES), () => answer(TRUE_QUOTATION), { limits: { size: 'all', maxDepth: 1 } });
    await first.run();
    const path = firstOf(first);
    const node = nodeAt(first.search.tree, path);
    const before = await first.store.readDocument(path);
    await first.store.setDocumentAside(path);
    await first.store.writeNode(path, { status: 'in-progress', sessionId: node?.sessionId });
    const again = await simulate({
      store: first.store,
      search: { workspaceText: heldText(FILES), limits: { size: 'all', maxDepth: 1 } },
    });
    await again.run();
    assert.equal(await first.store.readDocument(path), before);
    assert.equal(nodeAt(again.search.tree, path)?.citations?.verified, 1);
    assert.deepEqual(
      again.model.log.filter(({ purpose }) => purpose === 'document'),
      [],
    );
  });
});
