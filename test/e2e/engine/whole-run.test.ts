import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Conversation } from '../../../src/core/search/conversation.ts';
import type { ChildrenFile } from '../../../src/core/search/search-file.ts';
import type { NodeFile } from '../../../src/core/tree/node-file.ts';
import { endsWith, nodesAsked, removeSearches, repeatedCalls, TestSearch } from '../../support/searches/e2e-search.ts';
import type { LoggedRequest } from '../../support/servers/scripted-server.ts';
import { randomLatency } from '../../support/servers/server-faults.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';

const depthOf = (path: string): number => (path === '' ? 0 : path.split('/').length);
const parentOf = (path: string): string => path.split('/').slice(0, -1).join('/');
const tree = scriptedTree({ fanout: (_path, depth) => [5, 3, 2][depth] ?? 0 });
const NODES = 5 + 15 + 30;
// Long beside what a busy machine needs to begin the next request.
const latencyMs = randomLatency(30, 120, 7);

describe('a whole search, from the command line to a server', () => {
  afterEach(removeSearches);

  it('works on the first level in order, then on what the picker ranked', async () => {
    const search = await TestSearch.make({ answer: tree.answer, latencyMs: 10 });
    await endsWith(0, search.start('--size', 'all', '--concurrency', '1'));
    const [root, ...rest] = search.server.log;
    assert.deepEqual([root?.purpose, root?.node], ['children', '']);
    const documents = nodesAsked(rest, 'document');
    const firstLevel = (await search.readJson<ChildrenFile>('children.json')).map(({ slug }) => slug);
    assert.equal(firstLevel.length, 5);
    assert.deepEqual(documents.slice(0, 5), firstLevel);
    assert.equal(documents.length, NODES);
    assert.equal(search.server.peak.others, 1);
    assert.ok(followsRankings(search) >= 10);
  });

  it('asks for each leaf with the plain picker', async () => {
    const search = await TestSearch.make({ answer: tree.answer });
    const flags = ['--size', 'all', '--max-depth', '2', '--concurrency', '1', '--picker', 'one-at-a-time'];
    await endsWith(0, search.start(...flags));
    const asked = search.server.log.filter(({ purpose, node }) => purpose === 'pick' || depthOf(node) === 2);
    assert.equal(asked.length, 2 * 15);
    const picked = search.journal().flatMap((event) => (event.type === 'picked' ? [event.ranking] : []));
    asked.forEach(({ purpose, node }, index) => {
      if (index % 2 === 0) assert.equal(purpose, 'pick');
      else assert.deepEqual(picked[(index - 1) / 2], [node], `${node} was not picked`);
    });
  });

  it('writes an answer before it continues, and never exceeds its concurrency', async () => {
    const wrong: string[] = [];
    const search = await TestSearch.make((folder) => ({
      answer: tree.answer,
      latencyMs,
      onRequest: (request) => wrong.push(...whatIsWrong(folder, request)),
    }));
    await endsWith(0, search.start('--size', 'all'));
    assert.deepEqual(wrong, []);
    assert.deepEqual([search.server.peak.others, search.server.peak.picks], [4, 1]);
    assert.deepEqual(repeatedCalls(search.server.log), []);
    assert.equal(nodesAsked(search.server.log, 'document').length, NODES);
    checkJournal(search);
    const { state, results } = await search.status();
    assert.equal(state, 'finished');
    assert.deepEqual(
      [results.expanded, results.leaves, results.failed, results.open, results.calls],
      [20, 30, 0, 0, search.server.log.length],
    );
    const { prompt, cached, completion } = search.server.billed;
    assert.deepEqual(results.tokens, { prompt, cached, completion, worstCase: 0 });
  });

  it('limits concurrent requests by --concurrency', async () => {
    const search = await TestSearch.make({ answer: tree.answer, latencyMs });
    await endsWith(0, search.start('--size', 'small', '--concurrency', '2'));
    assert.equal(search.server.peak.others, 2);
  });

  it("sends a child its parent's messages byte for byte, and one system text to all", async () => {
    const search = await TestSearch.make({ answer: tree.answer, latencyMs });
    await endsWith(0, search.start('--size', 'all'));
    const { log } = search.server;
    const lists = new Map(log.filter(({ purpose }) => purpose === 'children').map((each) => [each.node, each]));
    const children = log.filter(({ purpose, node }) => purpose === 'document' && depthOf(node) > 1);
    assert.equal(children.length, 45);
    for (const child of children) {
      const parent = lists.get(parentOf(child.node));
      const said = [...(parent?.messages ?? []), { role: 'assistant', content: parent?.text }];
      assert.deepEqual(child.messages.slice(0, -1), said);
      assert.ok(child.cachedTokens > 0);
    }
    for (const { messages, purpose, node } of log) {
      assert.deepEqual(messages[0], log[0]?.messages[0], `another system text for ${purpose} ${node}`);
      if (purpose === 'document' && depthOf(node) === 1) assert.equal(messages.length, 2);
    }
  });

  it('names purpose and node in headers, Chinese titles percent-encoded', async () => {
    const titles = ['构建缓存：何时失效？', '依赖 与 版本', 'Ünïcödé überall', '😀😀', 'plain'];
    const chinese = scriptedTree({
      fanout: (_path, depth) => [5, 2][depth] ?? 0,
      title: (_path, index) => titles[index] ?? '',
    });
    const search = await TestSearch.make({ answer: chinese.answer });
    await endsWith(0, search.start('--size', 'all'));
    const { nodes } = await search.status();
    assert.equal(nodes.length, 15);
    assert.ok(nodes.some(({ path }) => path === '构建缓存-何时失效/依赖-与-版本'));
    for (const { path, title } of nodes) {
      assert.ok(titles.includes(title));
      assert.ok(existsSync(join(search.folder, path, 'document.md')), path);
    }
    assert.deepEqual(nodesAsked(search.server.log, 'document').sort(), nodes.map(({ path }) => path).sort());
    for (const { headers, node } of search.server.log) {
      const raw = String(headers['x-thought-tree-node'] ?? '');
      assert.match(raw, /^[\x21-\x7e]*$/);
      assert.equal(raw, node.split('/').map(encodeURIComponent).join('/'));
    }
  });
});

/** What is wrong with the files when a request comes. */
function whatIsWrong(folder: string, { purpose, node, attempt }: LoggedRequest): string[] {
  const read = (path: string): string | undefined =>
    existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : undefined;
  const json = <T>(path: string): T | undefined => JSON.parse(read(path) ?? 'null') ?? undefined;
  const wrong: string[] = [];
  const expect = (what: string, is: boolean | undefined): unknown =>
    is || wrong.push(`${purpose} ${JSON.stringify(node)}: ${what}`);
  const started = `"purpose":"${purpose}","node":${JSON.stringify(node)},"model"`;
  expect('it is in the journal', (read('.search/journal.jsonl') ?? '').split(started).length > attempt);
  if (purpose === 'pick' || purpose === 'synthesize') return wrong;
  if (node === '') {
    expect('there is no list yet', read('children.json') === undefined);
    return wrong;
  }
  const file = json<NodeFile>(`${node}/node.json`);
  expect('it is in progress', file?.status === 'in-progress');
  const parent = parentOf(node);
  const siblings = json<ChildrenFile>(parent === '' ? 'children.json' : `${parent}/children.json`);
  expect(
    'its parent lists it',
    siblings?.some(({ slug }) => slug === node.split('/').at(-1)),
  );
  expect(
    'all its siblings have a folder',
    siblings?.every(({ slug }) => read(join(parent, slug, 'node.json'))),
  );
  if (parent !== '') expect('its parent is done', json<NodeFile>(`${parent}/node.json`)?.status === 'expanded');
  expect('it has no list yet', read(`${node}/children.json`) === undefined);
  expect(
    'it has a document exactly when it is asked for children',
    !read(`${node}/document.md`) === (purpose === 'document'),
  );
  if (purpose === 'document') return wrong;
  const { turns = [] } = json<Conversation>(`.search/conversations/${file?.sessionId}.json`) ?? {};
  expect('the document was kept as it was answered', turns.at(-1)?.text === tree.document(node));
  return wrong;
}

/** In the journal, what happens to a node comes in the order of an expansion. */
function checkJournal(search: TestSearch): void {
  const journal = search.journal();
  assert.deepEqual(
    journal.map(({ seq }) => seq),
    journal.map((_, index) => index + 1),
  );
  for (const path of new Set(nodesAsked(search.server.log, 'document'))) {
    const steps = journal.flatMap((event) => {
      if (!('node' in event) || event.node !== path) return [];
      if (event.type === 'node-status' && event.document !== undefined) return 'document';
      return 'status' in event ? event.status : 'purpose' in event ? `${event.type} ${event.purpose}` : event.type;
    });
    const call = (purpose: string): string[] => [`call-started ${purpose}`, `call-ended ${purpose}`];
    const isLeaf = depthOf(path) === 3;
    const end = isLeaf ? ['leaf'] : ['node-added', 'expanded'];
    assert.deepEqual(steps, ['in-progress', ...call('document'), 'document', ...call('children'), ...end], path);
  }
}

/** Checks that with one slot every guided node is the first one open in the ranking of its time; how many were. */
function followsRankings(search: TestSearch): number {
  let [before, ranking]: string[][] = [[], []];
  let followed = 0;
  const begun = new Set<string>();
  const firstOf = (list: readonly string[] = []): string | undefined => list.find((path) => !begun.has(path));
  for (const event of search.journal()) {
    if (event.type === 'picked') [before, ranking] = [ranking, [...event.ranking, ...(ranking ?? [])]];
    if (event.type !== 'node-status' || event.status !== 'in-progress' || event.sessionId === undefined) continue;
    // A slot that came free while the ranking was being written down still took from the one before.
    const allowed = [firstOf(ranking), firstOf(before)];
    // A better leaf that came later goes before what is ranked.
    const isNew = !ranking?.includes(event.node);
    if (depthOf(event.node) > 1 && allowed[0] !== undefined && allowed[1] !== undefined && !isNew) {
      assert.ok(allowed.includes(event.node), `${event.node} instead of ${allowed.join(' or ')}`);
      followed++;
    }
    begun.add(event.node);
    before = ranking;
  }
  return followed;
}
