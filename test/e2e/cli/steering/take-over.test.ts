import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventsOf, makeWorkspace, runCli } from '../run-cli.ts';

const QUESTION = 'How long does a search wait for its model?';
const DOCUMENT = '---\ntitle: Calls back\nsummary: Patience.\n---\n\nIt keeps calls back.\n';

describe('a tree of another program, without a search.json', () => {
  let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
  beforeEach(async () => {
    workspace = await makeWorkspace();
  });
  afterEach(() => workspace.remove());

  /** One topic is finished, one was being worked on, and one is on the list alone. */
  async function foreignTree(): Promise<string> {
    const folder = join(workspace.folder, 'tree');
    const topics = ['Calls back', '等待', 'Never begun'].map((title, i) => ({ title, slug: `topic-${i + 1}` }));
    for (const { slug } of topics.slice(0, 2)) await mkdir(join(folder, slug), { recursive: true });
    const put = (path: string, value: unknown) =>
      writeFile(join(folder, path), typeof value === 'string' ? value : JSON.stringify(value));
    await put('children.json', topics);
    await put('topic-1/node.json', { ...topics[0], status: 'expanded', sessionId: 'theirs', extra: 'kept' });
    await put('topic-1/document.md', DOCUMENT);
    await put('topic-1/children.json', []);
    await put('topic-2/node.json', { ...topics[1], status: 'in-progress' });
    return folder;
  }

  it('is reported with what to do, and becomes a search if one is started in its folder', async () => {
    const folder = await foreignTree();
    const cwd = workspace.folder;
    const status = await runCli(['status', 'tree'], { cwd });
    assert.notEqual(status.code, 0);
    assert.match(status.stderr, /start "…" --dir /);
    const { code, stdout, stderr } = await runCli(['start', QUESTION, '--dir', 'tree', '--size', 'all', '--json'], {
      cwd,
    });
    assert.equal(code, 0, stderr);
    const events = eventsOf(stdout);
    const began = events.flatMap((event) => (event.type === 'call-started' && event.node ? event.node : []));
    assert.ok(began.includes('topic-2') && !began.includes('topic-1') && !began.includes(''), `${began}`);
    assert.equal(await readFile(join(folder, 'topic-1', 'document.md'), 'utf8'), DOCUMENT);
    const kept = JSON.parse(await readFile(join(folder, 'topic-1', 'node.json'), 'utf8'));
    assert.deepEqual([kept.extra, kept.title], ['kept', 'Calls back']);
    const other = JSON.parse(await readFile(join(folder, 'topic-2', 'node.json'), 'utf8'));
    assert.equal(other.title, '等待');
    assert.match(other.status, /expanded|leaf/);
    const { search, nodes } = JSON.parse((await runCli(['status', 'tree', '--json'], { cwd })).stdout);
    assert.equal(search?.prompt ?? QUESTION, QUESTION);
    assert.ok(nodes.some(({ path }: { path: string }) => path === 'topic-1'));
  });
});
