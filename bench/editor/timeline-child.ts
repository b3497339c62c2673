import '../../test/unit/extension/use-fake-vscode.ts';
import '../../test/support/own-state.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { KINDS } from '../../src/kinds/kinds.ts';
import type { HostMessage } from '../../src/protocol/host-message.ts';
import { readViewMessage } from '../../src/protocol/view-message.ts';
import { launchBrowser } from '../../test/host/browser.ts';
import { PanelPage } from '../../test/ui/support/panel-page.ts';
import { heapInUse } from '../harness/in-child.ts';
import type { TimelineResult } from './timeline.ts';

const { FollowedSearch } = await import('../../src/extension/library/followed-search.ts');
const { GraphFeed } = await import('../../src/extension/panel/graph-feed.ts');
const { GraphPast } = await import('../../src/extension/panel/graph-past.ts');
const { GraphSource } = await import('../../src/extension/panel/graph-source.ts');

/** Clicks, and steps by keys. */
const TIMES = 30;

const [folder] = process.argv.slice(2) as [string];

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

const search = new FollowedSearch(folder, folder);
await search.open();
await search.refresh();
const source = new GraphSource(search, KINDS);
const feed = new GraphFeed({ source, folder, post, actions: () => [], onError: (error) => console.error(error) });
/** Resolves when all of the last moment is sent. */
let whole = Promise.resolve();
const past = new GraphPast({
  search,
  kinds: KINDS,
  library: { scan: async () => undefined },
  feed: {
    show: (moment, view) => {
      whole = feed.show(moment, view);
      return whole;
    },
  },
  post,
  onShown: () => undefined,
  onError: (error) => console.error(error),
});
const browser = await launchBrowser();
const panel = await PanelPage.open(browser, {
  onMessage: (value, page) => {
    shown = page;
    const message = readViewMessage(value);
    if (message?.type === 'ready') void feed.begin(message.view);
    if (message?.type === 'timeline') void (message.isOpen ? past.open() : past.close());
    if (message?.type === 'seek') void past.seek(message.to, message.view);
  },
});
const { page } = panel;
await page.locator('canvas').waitFor();
while (!source.isWhole || reading) await sleep(5);
await sending;
const metrics = await page.context().newCDPSession(page);
const pageHeap = async (): Promise<number> => {
  await metrics.send('HeapProfiler.collectGarbage');
  return (await metrics.send('Runtime.getHeapUsage')).usedSize;
};
const [hostBefore, pageBefore] = [heapInUse(), await pageHeap()];

/** Does something in the page; resolves with the time from its event to the frame after what it leads to, in milliseconds. */
async function timed(event: string, selector: string, act: () => Promise<void>): Promise<number> {
  await page.evaluate(
    ([on, what]) => {
      const textOf = (): string => document.querySelector(what)?.textContent ?? '';
      const before = textOf();
      const found = Promise.withResolvers<number>();
      addEventListener(
        on,
        () => {
          const begun = performance.now();
          const look = (): void => {
            if (textOf() === before) requestAnimationFrame(look);
            else requestAnimationFrame(() => setTimeout(() => found.resolve(performance.now() - begun)));
          };
          look();
        },
        { capture: true, once: true },
      );
      Object.assign(window, { timed: found.promise });
    },
    [event, selector] as const,
  );
  await act();
  return await page.evaluate(() => (window as never as { timed: Promise<number> }).timed);
}

const button = page.getByRole('button', { name: 'Timeline' });
/** Returns the processor time of this process so far, in milliseconds: busy machines lengthen only the time by the clock. */
const used = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const usedBefore = used();
const opened = await timed('click', '.lane-names', () => button.click());
const track = page.getByRole('slider', { name: 'Moment' });
const begun = performance.now();
await page.waitForFunction(
  (last) => document.querySelector('.track')?.getAttribute('aria-valuemax') === last,
  String(search.record.seq),
);
const read = opened + performance.now() - begun;
const openedWork = used() - usedBefore;
const box = (await track.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
const settled = async (): Promise<void> => {
  await whole;
  await sending;
  await panel.settled();
};
const [clicks, steps, wholes, work]: [number[], number[], number[], number[]] = [[], [], [], []];
// Far from each other, there and back.
for (let i = 0; i < TIMES; i++) {
  const x = box.x + 20 + (((i * 37) % 100) / 100) * (box.width - 60);
  const begun = performance.now();
  const before = used();
  clicks.push(await timed('pointerdown', '.past-line', () => page.mouse.click(x, box.y + 3)));
  await whole;
  await sending;
  wholes.push(performance.now() - begun);
  work.push(used() - before);
  await settled();
}
await track.focus();
for (let i = 0; i < TIMES; i++) {
  // In a search that does nothing but go on, the events of interest are few.
  const key = i % 10 < 5 ? 'ArrowLeft' : 'ArrowRight';
  if (i % 10 === 0)
    await timed('pointerdown', '.past-line', () => page.mouse.click(box.x + box.width - 60 - i, box.y + 3));
  await settled();
  steps.push(await timed('keydown', '.past-line', () => page.keyboard.press(key)));
  await settled();
}
const result: TimelineResult = {
  events: search.record.seq,
  nodes: search.size,
  opened,
  read,
  clicks,
  steps,
  whole: wholes,
  openedWork,
  work,
  hostBytes: heapInUse() - hostBefore,
  pageBytes: (await pageHeap()) - pageBefore,
};
await browser.close();
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit();
