import type { Page } from 'playwright-core';
import { launchBrowser } from '../../test/host/browser.ts';
import { PanelPage } from '../../test/ui/support/panel-page.ts';
import { sampleNodes, sampleSearch } from '../../test/ui/support/sample-tree.ts';
import type { PanelResult } from './panel.ts';

const [count = 100, frames = 120] = process.argv.slice(2).map(Number);

/** Returns the 95th percentile. */
function p95(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? 0;
}

/** Milliseconds between frames while the drawing moves in each of them; including raster. */
function intervals(page: Page, move: 'pan' | 'zoom', many: number): Promise<number[]> {
  return page.evaluate(
    ([kind, wanted]) =>
      new Promise<number[]>((done) => {
        const canvas = document.querySelector('canvas') as HTMLCanvasElement;
        const found: number[] = [];
        let last = performance.now();
        const step = (now: number): void => {
          found.push(now - last);
          last = now;
          if (found.length > wanted) {
            done(found.slice(1));
            return;
          }
          const turn = Math.floor(found.length / 20) % 2 ? -1 : 1;
          const options = {
            deltaY: (kind === 'zoom' ? 12 : 40) * turn,
            deltaX: 8 * turn,
            ctrlKey: kind === 'zoom',
            cancelable: true,
          };
          canvas.dispatchEvent(new WheelEvent('wheel', options));
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    [move, many] as const,
  );
}

/** Returns the same with a full redraw in each frame: a card and a curve per node. */
function plainIntervals(page: Page, nodes: number, many: number): Promise<number[]> {
  return page.evaluate(
    ([total, wanted]) =>
      new Promise<number[]>((done) => {
        const { width, height } = document.querySelector('canvas') as HTMLCanvasElement;
        const canvas = Object.assign(document.createElement('canvas'), { width, height });
        canvas.style.cssText = 'position:fixed;inset:0;z-index:9';
        document.body.append(canvas);
        const context = canvas.getContext('2d', { alpha: false }) as CanvasRenderingContext2D;
        const found: number[] = [];
        let last = performance.now();
        const step = (now: number): void => {
          found.push(now - last);
          last = now;
          if (found.length > wanted) {
            canvas.remove();
            done(found.slice(1));
            return;
          }
          context.fillStyle = '#1f1f1f';
          context.fillRect(0, 0, width, height);
          for (let i = 0; i < total; i++) {
            const [x, y] = [((i * 7919) % 6) * (width / 6) + found.length, (i / total) * height];
            context.strokeStyle = '#585858';
            context.beginPath();
            context.moveTo(x - 60, ((i >> 3) / (total >> 3 || 1)) * height);
            context.bezierCurveTo(x - 30, y, x - 30, y, x, y);
            context.stroke();
            context.fillStyle = '#89d185';
            context.fillRect(x, y, 80, 3);
          }
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    [nodes, many] as const,
  );
}

const browser = await launchBrowser();
const panel = await PanelPage.open(browser, { reducedMotion: 'no-preference' });
const nodes = sampleNodes(count);
const message = {
  type: 'snapshot',
  seq: 0,
  folder: '/f',
  search: sampleSearch(nodes, { state: 'paused' }),
  nodes,
} as const;
// From the message's arrival to the end of the frame that shows the tree, with raster forced.
const first = await panel.page.evaluate(
  (snapshot) =>
    new Promise<number>((done) => {
      const begun = performance.now();
      window.dispatchEvent(new MessageEvent('message', { data: snapshot }));
      const look = (): void => {
        const canvas = document.querySelector('canvas');
        const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
        const isDrawn = pixels?.some((value, at) => at % 4 === 0 && value !== pixels[0]);
        if (isDrawn) done(performance.now() - begun);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    }),
  message as never,
);
const pan = await intervals(panel.page, 'pan', frames);
await panel.showLevels(0);
await panel.page.getByRole('button', { name: 'Show everything' }).click();
await panel.page.waitForTimeout(500);
for (let i = 0; i < 5; i++) await panel.page.getByRole('button', { name: 'Zoom in' }).click();
await panel.page.waitForTimeout(500);
const panAll = await intervals(panel.page, 'pan', frames);
const zoomAll = await intervals(panel.page, 'zoom', frames);
const plain = await plainIntervals(panel.page, count, count > 10_000 ? 10 : 40);
const change = {
  type: 'change',
  seq: 1,
  search: { worked: 35, calls: 72, tokens: 821_000 },
  upserts: [nodes.at(-1)],
  removals: [],
};
await browser.close();
const figures: PanelResult = {
  first,
  pan: p95(pan),
  panAll: p95(panAll),
  zoomAll: p95(zoomAll),
  plain: p95(plain),
  snapshotBytes: JSON.stringify(message).length,
  changeBytes: JSON.stringify(change).length,
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
