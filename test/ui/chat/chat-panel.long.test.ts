import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../e2e/cli/run-cli.ts';
import { until } from '../../host/until.ts';
import { THEMES, type ThemeName } from '../support/themes.ts';
import { useBrowser } from '../support/use-browser.ts';
import { ChatPage } from './chat-page.ts';
import { ChatServer } from './chat-server.ts';

const PICTURES = join(import.meta.dirname, '../../../out/pictures');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const URI = 'ui://thought-tree/panel';

describe('the panel in a chat', () => {
  const opened = useBrowser();
  let workspace: string;
  let server: ChatServer;
  let html: string;
  let chat: ChatPage;

  before(async () => {
    mkdirSync(PICTURES, { recursive: true });
  });
  beforeEach(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'thought-tree-chat-'));
    for (const [name, text] of Object.entries(FILES)) await writeFile(join(workspace, name), text);
    const start = [
      'start',
      'How do requests wait, and how do workers take them?',
      '--model',
      'workspace/quotes',
      '--size',
      'small',
      '--max-depth',
      '2',
    ];
    const { code, stderr } = await runCli([...start, '--dir', 'thought-trees/waiting'], { cwd: workspace });
    assert.equal(code, 0, stderr);
    server = await ChatServer.start(workspace, '--allow-delete');
    const { contents } = (await server.ask('resources/read', { uri: URI })) as { contents: { text: string }[] };
    html = contents[0]?.text ?? '';
  });
  afterEach(async () => {
    await chat?.close();
    await server.close();
    await rm(workspace, { recursive: true, force: true });
  });

  async function show(theme: ThemeName, width: number, tool = 'tree_status', input: object = { search: 'waiting' }) {
    const height = 750;
    const result = await server.call(tool, { ...input });
    const call = (name: string, args: Record<string, unknown>) => server.call(name, args);
    chat = await ChatPage.open(opened.browser, { theme, width, height, html, input, result, call });
    return chat;
  }

  it('is offered with the tools that it shows, with good text for others; what it asks with is hidden from models', async () => {
    const { tools } = (await server.ask('tools/list', {})) as {
      tools: { name: string; _meta?: { ui?: { resourceUri?: string; visibility?: string[] } } }[];
    };
    const ui = (name: string) => tools.find((tool) => tool.name === name)?._meta?.ui;
    assert.equal(ui('tree_status')?.resourceUri, URI);
    assert.equal(ui('tree_start')?.resourceUri, URI);
    assert.equal(ui('tot_status')?.resourceUri, URI);
    assert.deepEqual(ui('panel_changes')?.visibility, ['app']);
    const { resources } = (await server.ask('resources/list', {})) as {
      resources: { uri: string; mimeType: string }[];
    };
    assert.equal(resources.find(({ uri }) => uri === URI)?.mimeType, 'text/html;profile=mcp-app');
    const { content } = (await server.call('tree_status', { search: 'waiting' })) as { content: { text: string }[] };
    assert.match(content[0]?.text ?? '', /How do requests wait/);
    // It is one page: nothing in it would have to be loaded.
    assert.doesNotMatch(html, /<link|<script[^>]+src=|url\((?!#)|@import/);
  });

  for (const theme of Object.keys(THEMES) as ThemeName[])
    for (const width of [249, 600])
      it(`shows a search in ${theme}, ${width} pixels wide, and passes the checks of axe`, async () => {
        const { app } = await show(theme, width);
        const isNarrow = width < 480;
        await (isNarrow ? app.getByRole('treeitem').first() : app.locator('canvas')).waitFor();
        if (isNarrow) await app.getByRole('treeitem').nth(1).click();
        else {
          await app.locator('canvas').focus();
          for (const key of ['Home', 'ArrowRight']) await chat.page.keyboard.press(key);
        }
        await app.getByRole('button', { name: 'Prune branch' }).waitFor();
        await app.locator('.document').waitFor();
        await chat.page.locator('iframe').screenshot({ path: join(PICTURES, `chat-${width}-${theme}.png`) });
        assert.deepEqual(await chat.audit(AXE), []);
        assert.deepEqual(await chat.violations(), []);
        const frame = chat.page.frames().find((each) => each.url().endsWith('/app'));
        const overflow = await frame?.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(Number(overflow) <= 0, 'nothing is wider than the page');
        const sizes = (await chat.heard()).filter(({ method }) => method === 'ui/notifications/size-changed');
        assert.ok(sizes.every(({ params }) => Number(params['height']) <= 750) && sizes.length > 0);
      });

  it('prunes, restores and expands nodes, and shows what others change meanwhile', async () => {
    const { app } = await show('dark', 249);
    const first = app.getByRole('treeitem').nth(1);
    await first.click();
    await app.getByRole('button', { name: 'Prune branch' }).click();
    await app.getByRole('button', { name: 'Restore branch' }).waitFor();
    await first.filter({ hasText: /pruned/ }).waitFor();
    const pruned = (await server.call('tree_read', { search: 'waiting', what: 'outline' })) as {
      content: { text: string }[];
    };
    assert.match(pruned.content[0]?.text ?? '', /pruned/);
    await app.getByRole('button', { name: 'Restore branch' }).click();
    await app.getByRole('button', { name: 'Prune branch' }).waitFor();
    const before = await callsMade();
    await app.getByRole('button', { name: 'Expand next' }).click();
    await until(async () => assert.ok((await callsMade()) > before, 'it was worked on once more'), 60_000);
    await server.call('tree_wait', { search: 'waiting', seconds: 20 });
    // Somebody else prunes it, and the page hears of it.
    const { code } = await runCli(['prune', 'thought-trees/waiting', await slugOf(0)], { cwd: workspace });
    assert.equal(code, 0);
    const second = app.getByRole('treeitem', { name: /pruned/ }).first();
    await second.waitFor();
    const calls = (await chat.heard())
      .filter(({ method }) => method === 'tools/call')
      .map(({ params }) => params['name']);
    assert.deepEqual(new Set(calls), new Set(['panel_changes', 'tree_act']));
  });

  async function callsMade(): Promise<number> {
    const { content } = (await server.call('tree_status', { search: 'waiting' })) as { content: { text: string }[] };
    return Number(/Spent: (\d+) calls/.exec(content[0]?.text ?? '')?.[1]);
  }

  async function slugOf(index: number): Promise<string> {
    const list = JSON.parse(await readFile(join(workspace, 'thought-trees/waiting/children.json'), 'utf8'));
    return String(list[index].slug);
  }

  it('shows an investigation, and what agents do with it meanwhile', async () => {
    const started = (await server.call('tot_start', { query: 'Where do requests wait?' })) as {
      content: { text: string }[];
    };
    const { sessionId } = JSON.parse(started.content[0]?.text ?? '') as { sessionId: string };
    const { app } = await show('dark', 249, 'tot_status', { sessionId });
    await app.getByRole('heading', { name: 'Where do requests wait?' }).waitFor();
    const nodes = [{ id: 'R1.A', parent: null, title: 'The queue', plannedAction: 'Read it' }];
    await server.call('tot_propose', { sessionId, nodes });
    // A proposal looks pending; what was found without an agent says so.
    await app.getByRole('treeitem', { name: /The queue.*round 1, pending/ }).waitFor();
    const findings = 'Two queues.\n\n## References\n- queue.ts - both';
    await server.call('tot_commit', { sessionId, results: [{ nodeId: 'R1.A', state: 'EXPLORE', findings }] });
    const lead = app.getByRole('treeitem', { name: /The queue.*round 1, looked into, unverified/ });
    await lead.waitFor();
    await lead.click();
    await app.getByText('Nothing says how it came about.').waitFor();
  });

  it('can be used with keys alone where it is narrow', async () => {
    const { app } = await show('light', 249);
    const items = app.getByRole('treeitem');
    await items.first().focus();
    await chat.page.keyboard.press('ArrowDown');
    await app.locator('[role=treeitem][aria-selected=true]:focus').nth(0).waitFor();
    assert.equal(await items.nth(1).getAttribute('aria-selected'), 'true');
    const before = await items.count();
    await chat.page.keyboard.press('Home');
    await chat.page.keyboard.press('ArrowLeft');
    await app.locator('[aria-expanded=false]').first().waitFor();
    await items.nth(before - 1).waitFor({ state: 'detached' });
    await chat.page.keyboard.press('ArrowRight');
    await items.nth(before - 1).waitFor();
    assert.equal(await items.count(), before);
  });

  it('says what was refused, and does nothing then', async () => {
    await server.close();
    server = await ChatServer.start(workspace);
    const { app } = await show('dark', 249);
    await app.getByRole('treeitem').nth(1).click();
    await app.getByRole('button', { name: 'Prune branch' }).click();
    await app.getByRole('alert').filter({ hasText: '--allow-delete' }).waitFor();
    assert.equal(await app.getByRole('treeitem', { name: /pruned/ }).count(), 0);
  });
});

/** A workspace in which there is something to quote. */
const FILES: Readonly<Record<string, string>> = {
  'queue.ts': `/** Requests wait here until a worker is free. */
export class RequestQueue {
  readonly waiting: Request[] = [];
  /** Puts a request at the end of the queue. */
  push(request: Request): void {
    this.waiting.push(request);
  }
}
`,
  'worker.ts': `import { RequestQueue } from './queue.ts';
/** Takes requests from the queue, one at a time, and waits for the next one. */
export async function work(queue: RequestQueue): Promise<void> {
  for (;;) await handle(queue.waiting.shift());
}
`,
  'README.md':
    '# Waiting\n\n## The queue\n\nRequests wait in a queue.\n\n## The workers\n\nWorkers take requests from the queue.\n\n## Timeouts\n\nA request that waits for a minute fails.\n',
};
