import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { KINDS } from '../../src/kinds/kinds.ts';
import { sharing } from '../../src/searches/sharing/sharing.ts';
import { SAMPLE, type SampleNode, type SharedSample, sharedSample } from '../support/searches/shared-sample.ts';
import { auditOf } from './support/audit.ts';
import { useBrowser } from './support/use-browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const LOOKS = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'forced light colours': { colorScheme: 'light', forcedColors: 'active' },
  'forced dark colours': { colorScheme: 'dark', forcedColors: 'active' },
} as const;

const HOSTILE = [
  '<script>window.ran = 1</script><img src="https://evil.example/a.png" onerror="window.ran = 1">',
  '![x](https://evil.example/b.png) [a](javascript:window.ran=1)',
  '</style></head><body onload="window.ran = 1"><iframe src="https://evil.example/"></iframe>',
  '<style>@import "https://evil.example/c.css"; body { background: url(https://evil.example/d.png) }</style>',
].join('\n\n');

/** Opens the page as a file, and keeps what it asks for and complains about. */
async function open(page: Page, sample: SharedSample): Promise<{ requests: string[]; complaints: string[] }> {
  const { workspace, overview } = sample;
  const parts = { kinds: KINDS, workspace, show: ({ text }: { text: string }) => text, language: 'en' };
  const file = join(workspace, 'shared.html');
  writeFileSync(file, await sharing.html(await overview(), parts));
  const requests: string[] = [];
  const complaints: string[] = [];
  const own = pathToFileURL(file).href;
  page.on('request', (request) => request.url().split('#')[0] !== own && requests.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.context().setOffline(true);
  await page.goto(own);
  return { requests, complaints };
}

describe('a search as one HTML page, in a browser without a network', () => {
  const running = useBrowser();
  let page: Page;
  beforeEach(async () => {
    page = await running.browser.newPage({ viewport: { width: 1100, height: 800 } });
  });
  afterEach(() => page.close());

  it('shows everything, and asks for nothing', async () => {
    const { requests, complaints } = await open(page, await sharedSample());
    await page.getByRole('heading', { name: 'Why is the build slow?', level: 1 }).waitFor();
    assert.ok(await page.locator('svg text', { hasText: 'The disk is slow' }).isVisible(), 'the drawing');
    assert.ok(await page.getByRole('article', { name: 'The key of the cache' }).isVisible());
    const colour = await page
      .locator('svg > rect')
      .first()
      .evaluate((rect) => getComputedStyle(rect).fill);
    assert.equal(colour, 'rgb(255, 255, 255)', 'the drawing has the colours of the page');
    assert.deepEqual({ requests, complaints }, { requests: [], complaints: [] });
  });

  it('begins with the root of the tree, as wide as the window has room, and as it is on request', async () => {
    const chain = (level: number): SampleNode => ({
      title: `Level ${level} of a tree with titles that are wide`,
      ...(level < 6 && { below: { deep: chain(level + 1) } }),
    });
    const many = Array.from({ length: 40 }, (_, i) => [`wide-${i}`, { title: `A long title of topic ${i}` }] as const);
    const nodes: Record<string, SampleNode> = { ...SAMPLE, deep: chain(1), ...Object.fromEntries(many) };
    await open(page, await sharedSample(nodes));
    const drawing = page.locator('.drawing');
    const overflow = (): Promise<number> => drawing.evaluate((box) => box.scrollWidth - box.clientWidth);
    assert.equal(await overflow(), 0, 'all of its width is in sight');
    const root = page.locator('svg text', { hasText: 'Why is the build slow?' }).first();
    const isRootInSight = async (): Promise<boolean> => {
      const [box, text] = [await drawing.boundingBox(), await root.boundingBox()];
      if (!box || !text) return false;
      return text.x >= box.x && text.x < box.x + box.width && text.y >= box.y && text.y < box.y + box.height;
    };
    assert.ok(await isRootInSight());
    await page.getByRole('checkbox', { name: 'In its own size' }).check();
    assert.ok((await overflow()) > 100, 'its own size');
    assert.ok(await isRootInSight());
  });

  it('leads from a card of the drawing to its document, by mouse and by keyboard', async () => {
    await open(page, await sharedSample());
    await page.locator('svg text', { hasText: 'The key of the cache' }).click();
    await page.waitForURL(/#n2$/);
    assert.ok(await page.getByRole('article', { name: 'The key of the cache' }).evaluate((e) => e.matches(':target')));
    await page.getByRole('link', { name: 'The tests run one after the other' }).first().press('Enter');
    await page.waitForURL(/#n3$/);
  });

  it('stays inert with hostile titles and documents of up to a megabyte', async () => {
    const nodes: Record<string, SampleNode> = {
      ...SAMPLE,
      evil: { title: HOSTILE, document: HOSTILE, score: 9.9 },
      long: { title: 'x'.repeat(1000), document: `${HOSTILE}\n\n`.repeat(2000) },
    };
    const forged = {
      report: `# ${HOSTILE}\n\n${HOSTILE}\n`,
      search: { title: HOSTILE.slice(0, 900), prompt: HOSTILE },
    };
    const { requests, complaints } = await open(page, await sharedSample(nodes, forged));
    assert.equal(await page.evaluate(() => 'ran' in window), false);
    assert.deepEqual({ requests, complaints }, { requests: [], complaints: [] });
    assert.equal(await page.locator('script, img, iframe, body style, [onerror], [onload]').count(), 0);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(wide, 0, 'nothing sticks out of the page');
  });

  for (const [name, look] of Object.entries(LOOKS))
    it(`passes the checks of axe, with ${name}`, async () => {
      await page.emulateMedia(look);
      const table =
        '| a | b |\n| :-: | -: |\n| 1 | 2 |\n\n> quoted\n\n```ts\nconst a = 1;\n```\n\n### Deep\n\n# High\n';
      const nodes = {
        ...SAMPLE,
        more: { title: 'A table', document: table, score: 2 },
        failed: { title: 'It failed', status: 'failed' },
      };
      await open(page, await sharedSample(nodes));
      await page.locator('summary').click();
      assert.deepEqual(await auditOf(page, AXE), []);
    });

  it('can be read at 320 pixels', async () => {
    await page.setViewportSize({ width: 320, height: 600 });
    await open(page, await sharedSample());
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= 320), true);
  });
});
