import assert from 'node:assert/strict';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { PanelPage } from './support/panel-page.ts';
import { sampleNodes, sampleSearch } from './support/sample-tree.ts';
import { useBrowser } from './support/use-browser.ts';

describe('a picture that was shifted', () => {
  const opened = useBrowser();

  for (const [what, zoom] of [
    ['marks', 0],
    ['lines of words', 9],
    ['cards', 16],
  ] as const)
    it(`shows ${what} as if it was redrawn`, async () => {
      const nodes = sampleNodes(1000);
      const search = sampleSearch(nodes, { state: 'paused' });
      const moved = await PanelPage.open(opened.browser);
      await moved.snapshot(search, nodes);
      await moved.showLevels(0);
      await moved.page.getByRole('button', { name: 'Show everything' }).click();
      for (let i = 0; i < zoom; i++) await moved.page.getByRole('button', { name: 'Zoom in' }).click();
      await moved.page.mouse.move(300, 400);
      for (let i = 0; i < 40; i++) {
        await moved.page.mouse.wheel(i < 25 ? 17 : -23, i % 13 < 9 ? 31 : -37);
        await moved.settled();
      }
      await moved.page.mouse.move(300, 40); // no node is pointed at
      const pushed = await pictureOf(moved);
      const fresh = await PanelPage.open(opened.browser, { kept: await moved.kept() });
      await fresh.snapshot(search, nodes);
      const drawn = await pictureOf(fresh);
      const { width, height } = pushed;
      // The rims of a stroke that a strip cuts in two are rounded twice.
      const different = pixelmatch(pushed.data, drawn.data, undefined, width, height, { threshold: 0.1 });
      assert.ok(different <= width * height * 0.0002, `${different} dots differ`);
      await moved.close();
      await fresh.close();
    });
});

async function pictureOf(panel: PanelPage): Promise<PNG> {
  await panel.passes(100); // after that long without a move it is drawn sharp
  return PNG.sync.read(await panel.page.locator('canvas').screenshot());
}
