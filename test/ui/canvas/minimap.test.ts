import assert from 'node:assert/strict';
import { PanelPage } from '../support/panel-page.ts';
import { sampleNodes, sampleSearch } from '../support/sample-tree.ts';
import { useBrowser } from '../support/use-browser.ts';

describe('the map of a large tree', () => {
  const opened = useBrowser();
  let panel: PanelPage;
  afterEach(() => panel?.close());

  /** A tree that is open as a whole, so that most of it is out of sight. */
  async function filled(count: number, width = 1280): Promise<void> {
    panel = await PanelPage.open(opened.browser, { width });
    const nodes = sampleNodes(count);
    await panel.snapshot(sampleSearch(nodes, { state: 'paused' }), nodes);
    await panel.showLevels(0);
  }

  const map = () => panel.page.locator('.minimap');
  /** A part of it, once it shows where the window came to rest. */
  const boxOf = async (selector: '.minimap' | '.minimap-frame') => {
    const shown = panel.page.locator(selector);
    await shown.waitFor();
    await panel.settled();
    return (await shown.boundingBox()) ?? assert.fail(`${selector} is not shown`);
  };
  const frame = () => boxOf('.minimap-frame');
  const cameraY = async (): Promise<number> => ((await panel.kept())['camera'] as { y: number }).y;

  it('is there from 1,000 nodes on, for eyes only', async () => {
    await filled(1000, 2000);
    await map().waitFor();
    assert.equal(await map().getAttribute('aria-hidden'), 'true');
    assert.equal(await map().locator('a, button, input, [tabindex]').count(), 0);
    await panel.page.getByRole('button', { name: 'Show everything' }).click();
    await map().waitFor({ state: 'hidden' }); // it covers nothing where all of the drawing is in the window
    await panel.close();
    await filled(999);
    assert.ok(!(await map().isVisible()));
  });

  it('is not in a narrow window', async () => {
    await filled(2000, 480);
    assert.ok(!(await map().isVisible()));
    await panel.resize(900, 700);
    await map().waitFor();
  });

  it('shows which part is in the window, and follows it', async () => {
    await filled(3000);
    await panel.page.getByRole('button', { name: 'Show everything' }).click();
    await panel.page.getByRole('button', { name: 'Zoom in' }).click();
    const most = await frame();
    for (let i = 0; i < 8; i++) await panel.page.getByRole('button', { name: 'Zoom in' }).click();
    const part = await frame();
    assert.ok(part.height < most.height / 4, `${part.height} of ${most.height}`);
    await panel.page.mouse.move(600, 300);
    await panel.page.mouse.wheel(0, 4000);
    assert.ok((await frame()).y > part.y + 1);
  });

  it('moves the window when it is pressed or dragged, and takes no focus', async () => {
    await filled(3000);
    await panel.page.getByRole('button', { name: 'Show everything' }).click();
    for (let i = 0; i < 9; i++) await panel.page.getByRole('button', { name: 'Zoom in' }).click();
    await panel.page.locator('canvas').focus();
    const box = await boxOf('.minimap');
    await panel.page.mouse.move(box.x + box.width / 2, box.y + box.height - 20);
    await panel.page.mouse.down();
    const pressed = await frame();
    assert.ok(
      Math.abs(pressed.y + pressed.height / 2 - (box.y + box.height - 20)) < 4,
      'the middle is where it was pressed',
    );
    const before = await cameraY();
    await panel.page.mouse.move(box.x + box.width / 2, box.y + box.height - 60, { steps: 4 });
    const dragged = await frame();
    assert.ok(Math.abs(dragged.y - (pressed.y - 40)) < 3, `from ${pressed.y} to ${dragged.y}`);
    await panel.page.mouse.up();
    assert.ok((await cameraY()) > before, 'what is further up is shown');
    assert.equal(await panel.page.evaluate(() => document.activeElement?.tagName), 'CANVAS');
    await panel.page.mouse.move(box.x + 5, box.y + 5);
    assert.equal((await frame()).y, dragged.y, 'a button that is not held moves nothing');
  });
});
