import '../../test/unit/extension/use-fake-vscode.ts';
import '../../test/support/own-state.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { foldsOf } from '../../src/engine-parts/opening/open-held-search.ts';
import { KINDS } from '../../src/kinds/kinds.ts';
import { research } from '../../src/kinds/research/research.ts';
import type { HostMessage } from '../../src/protocol/host-message.ts';
import { readViewMessage } from '../../src/protocol/view-message.ts';
import { ownKey } from '../../src/searches/trust/state-folder.ts';
import { openDiskFiles } from '../../src/store/files/disk/disk-files.ts';
import { keepSnapshot } from '../../src/store/snapshot/keep-snapshot.ts';
import { launchBrowser } from '../../test/host/browser.ts';
import { PanelPage } from '../../test/ui/support/panel-page.ts';
import { heapInUse } from '../harness/in-child.ts';
import type { PanelFilesResult } from './panel-files.ts';

const { FollowedSearch } = await import('../../src/extension/library/followed-search.ts');
const { GraphFeed } = await import('../../src/extension/panel/graph-feed.ts');
const { GraphSource } = await import('../../src/extension/panel/graph-source.ts');

const [folder, how] = process.argv.slice(2) as [string, 'journal' | 'snapshot'];

/** Returns the time of day in milliseconds, with parts, as pages have it too. */
const now = (): number => performance.timeOrigin + performance.now();

/** In the page: notes when the drawing has more than one colour, how long its tasks take, and how far the messages are. */
function watchPage(): void {
  const seen = Object.assign(window as never as object, { seen: { drawn: 0, block: 0, asked: 0 } }).seen;
  new PerformanceObserver((list) => {
    // Loading the page is a task too, and the same for every tree.
    for (const { duration, startTime } of list.getEntries())
      if (seen.asked > 0 && performance.timeOrigin + startTime + duration > seen.asked)
        seen.block = Math.max(seen.block, duration);
  }).observe({ entryTypes: ['longtask'] });
  // Looking at every pixel would take longer than the page takes to draw them.
  const small = new OffscreenCanvas(64, 40).getContext('2d', { willReadFrequently: true });
  const look = (): void => {
    const canvas = document.querySelector('canvas');
    if (canvas && canvas.width > 0) small?.drawImage(canvas, 0, 0, 64, 40);
    const pixels = canvas && small?.getImageData(0, 0, 64, 40).data;
    if (pixels?.some((value, at) => at % 4 === 0 && value !== pixels[0]))
      seen.drawn = performance.timeOrigin + performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

interface Seen {
  readonly drawn: number;
  readonly block: number;
  /** When the page first asked for content. */
  readonly asked: number;
}

/** Returns the longest that other work waits for, from now on. */
function watchTasks(): () => number {
  let worst = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    worst = Math.max(worst, performance.now() - last - 5);
    last = performance.now();
  }, 5);
  return () => {
    clearInterval(timer);
    return worst;
  };
}

/** Returns a page in a new tab, which talks with the feed; resolves when it has drawn something. */
async function show(browser: Browser, feed: InstanceType<typeof GraphFeed>, kept: unknown): Promise<[Page, Seen]> {
  const onMessage = (value: unknown, page: Page): void => {
    shown = page;
    const message = readViewMessage(value);
    if (message?.type === 'ready') void feed.begin(message.view);
  };
  const panel = await PanelPage.open(browser, { kept, reducedMotion: 'no-preference', onMessage, watch: watchPage });
  const handle = await panel.page.waitForFunction(() => {
    const { seen } = window as never as { seen: Seen };
    return seen.drawn > 0 && seen;
  });
  return [panel.page, (await handle.jsonValue()) as Seen];
}

let shown: Page | undefined;
let sending = Promise.resolve();
let reading: unknown;

function post(message: HostMessage): void {
  if ('search' in message && 'reading' in message.search) reading = message.search.reading;
  sending = sending.then(async () => {
    await shown
      ?.evaluate((text) => window.postMessage(JSON.parse(text)), JSON.stringify(message))
      .catch(() => undefined);
  });
}

if (how === 'snapshot')
  await keepSnapshot(await openDiskFiles(folder), {
    key: ownKey() as string,
    folds: () => foldsOf(research, 'Slow build'),
    settledMs: 0,
  });
const search = new FollowedSearch(folder, folder);
await search.open();
await search.refresh(); // as the sidebar does before
const browser = await launchBrowser();
await (await PanelPage.open(browser)).close(); // makes the page's bundle
const empty = heapInUse();
const source = new GraphSource(search, KINDS);
const feed = new GraphFeed({
  source,
  folder,
  post,
  actions: () => [],
  onError: (error) => console.error(error),
});
const tasks = watchTasks();
const begun = now();
const [page, seen] = await show(browser, feed, null);
while (!source.isWhole || reading) await sleep(5);
await sending;
const whole = now() - begun;
const hostBlock = tasks();
const heap = heapInUse() - empty;
await page.waitForTimeout(500); // it keeps its view a moment later
const kept = await page.evaluate(() => (window as never as { fake: { kept: unknown } }).fake.kept);
const { block } = (await page.evaluate(() => (window as never as { seen: Seen }).seen)) as Seen;
await page.close();
feed.pause();
const reopened = now();
const [, again] = await show(browser, feed, kept);
await browser.close();
const result: PanelFilesResult = {
  nodes: search.size,
  first: seen.drawn - begun,
  whole,
  again: again.drawn - again.asked,
  againLoaded: again.drawn - reopened,
  hostBlock,
  pageBlock: block,
  heap,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit();
