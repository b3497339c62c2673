import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { GraphNode } from '../../../src/protocol/graph-node.ts';
import type { GraphMark, GraphMoment, GraphTimeline, MarkKind } from '../../../src/protocol/graph-timeline.ts';
import { PanelPage } from '../support/panel-page.ts';
import { sampleNodes, sampleSearch } from '../support/sample-tree.ts';
import { THEMES, type ThemeName } from '../support/themes.ts';
import { useBrowser } from '../support/use-browser.ts';

const BEGUN = Date.UTC(2026, 10, 28, 12);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const KINDS: readonly MarkKind[] = ['run', 'score', 'pruned', 'act', 'score', 'failure', 'money', 'result'];
const DAY = 86_400_000;

/** One event of interest after every ten events, a second each; before the sixth of them a day went by. */
function sampleTimeline(): GraphTimeline {
  const marks = KINDS.map((kind, index): GraphMark => {
    const late = index > 4 ? 60_000 : 0;
    return { kind, seq: 10 * index + 1, at: 10_000 * index + late, time: BEGUN + 10_000 * index + (late ? DAY : 0) };
  });
  const counts = Object.fromEntries(KINDS.map((kind) => [kind, KINDS.filter((each) => each === kind).length]));
  const [first, last] = [marks[0], marks.at(-1)] as [GraphMark, GraphMark];
  return { first, last, marks, counts, pauses: [{ at: marks[5]?.at ?? 0, ms: DAY }] };
}

describe('the timeline', () => {
  const opened = useBrowser();
  const timeline = sampleTimeline();
  let nodes: GraphNode[];
  let panel: PanelPage;

  afterEach(async () => {
    assert.deepEqual(await panel.violations(), []);
    await panel.close();
  });

  async function show(options: { theme?: ThemeName; width?: number } = {}, sent = timeline): Promise<void> {
    panel = await PanelPage.open(opened.browser, options);
    nodes = sampleNodes(40);
    await panel.snapshot(sampleSearch(nodes), nodes);
    await panel.page.getByRole('button', { name: 'Timeline' }).click();
    assert.deepEqual(await panel.posted('timeline'), { type: 'timeline', isOpen: true });
    await panel.send({ type: 'timeline', timeline: sent });
    await slider().waitFor();
  }

  const slider = () => panel.page.getByRole('slider', { name: 'Moment' });
  const valueText = (): Promise<string | null> => slider().getAttribute('aria-valuetext');
  const momentAt = (index: number): GraphMoment => {
    const { kind: _kind, ...instant } = timeline.marks[index] as GraphMark;
    return { ...instant, said: `Event ${instant.seq} happened.` };
  };
  /** Answers what the page wants to see: the event of interest of that place in the list, or now. */
  const answer = async (index: number | null): Promise<void> => {
    const { to } = await panel.posted('seek');
    assert.deepEqual(to, index === null ? null : { seq: momentAt(index).seq });
    await panel.change([], { past: index === null ? null : momentAt(index), usd: index === null ? 1.27 : 0.5 });
  };
  const press = (key: string): Promise<void> => panel.page.keyboard.press(key);

  it('leads from event to event by keys, back to now, and says what happened', async () => {
    await show();
    await slider().focus();
    assert.equal(await valueText(), 'Now');
    await press('ArrowLeft');
    await answer(7);
    assert.match((await valueText()) ?? '', /Event 71 happened\.$/);
    assert.equal(await slider().getAttribute('aria-valuenow'), '71');
    await panel.page.locator('.timeline-said', { hasText: 'Event 71 happened.' }).waitFor();
    await panel.page.locator('header', { hasText: '$0.50' }).waitFor();
    await press('ArrowLeft');
    await answer(6);
    await press('Home');
    await answer(0);
    await press('ArrowLeft');
    await panel.page
      .locator('[aria-live=polite]', { hasText: 'There is nothing earlier.' })
      .waitFor({ state: 'attached' });
    await press('ArrowRight');
    await answer(1);
    await press('End');
    await answer(null);
    assert.equal(await valueText(), 'Now');
  });

  it('goes on from the moment that was asked for last, however slowly they come', async () => {
    await show();
    await slider().focus();
    for (const _ of [1, 2, 3]) await press('ArrowLeft');
    const asked = [];
    for (const _ of [1, 2, 3]) asked.push((await panel.posted('seek')).to);
    assert.deepEqual(asked, [{ seq: 71 }, { seq: 61 }, { seq: 51 }]);
    await panel.change([], { past: momentAt(6) });
    await press('ArrowLeft');
    await answer(4);
  });

  it('asks for steps where not all events of a kind are known here, several at once while none is shown', async () => {
    await show({}, { ...timeline, counts: { ...timeline.counts, score: 5000 } });
    await slider().focus();
    const asked = async (): Promise<unknown> => (await panel.posted('seek')).to;
    const now = Number.MAX_SAFE_INTEGER;
    await press('ArrowLeft');
    assert.deepEqual(await asked(), { seq: now, step: { by: -1 } });
    await press('ArrowLeft');
    const twice = await asked();
    assert.deepEqual(twice, { seq: now, step: { by: -2 } });
    await panel.change([], { past: momentAt(6) });
    await panel.send({ type: 'sought', to: twice as { seq: number } });
    await press('PageUp');
    assert.deepEqual(await asked(), { seq: 61, step: { by: 10 } });
    await panel.change([], { past: momentAt(4) });
    await press('PageDown');
    assert.deepEqual(await asked(), { seq: 61, step: { by: 0 } }, 'there and back');
    await panel.page.getByRole('button', { name: /^Pruned/ }).click();
    await slider().focus();
    await press('ArrowLeft');
    assert.deepEqual(await asked(), { seq: 21 }, 'all of this kind are known');
  });

  it('steps from the place that was clicked last, before its event is known, and stays there while others come', async () => {
    await show();
    const { x, y, width } = (await slider().boundingBox()) ?? assert.fail();
    const { mouse } = panel.page;
    const handle = () => panel.page.locator('.handle').evaluate((each) => each.getBoundingClientRect().left);
    await mouse.click(x + width / 4, y + 3);
    const first = (await panel.posted('seek')).to;
    await mouse.click(x + width / 2, y + 3);
    const second = (await panel.posted('seek')).to;
    const wanted = await handle();
    assert.ok(Math.abs(wanted - x - width / 2) < 3, String(wanted));
    await panel.change([], { past: momentAt(1) });
    await panel.send({ type: 'sought', to: first });
    assert.equal(await handle(), wanted, 'the answer to the first click is not that to the second');
    const before = timeline.marks.findLast(({ at }) => second && 'at' in second && at < second.at);
    await press('ArrowLeft');
    assert.deepEqual((await panel.posted('seek')).to, { seq: before?.seq });
  });

  it('goes back to what is shown if a moment cannot be', async () => {
    await show();
    await slider().focus();
    await press('ArrowLeft');
    await answer(7);
    await press('Home');
    const { to } = await panel.posted('seek');
    const handle = () => panel.page.locator('.handle').getAttribute('style');
    const there = await handle();
    await panel.send({ type: 'sought', to });
    assert.notEqual(await handle(), there);
    await press('ArrowLeft');
    await answer(6);
  });

  it('says that it is being read to those who step before it is', async () => {
    panel = await PanelPage.open(opened.browser);
    nodes = sampleNodes(4);
    await panel.snapshot(sampleSearch(nodes), nodes);
    await panel.page.getByRole('button', { name: 'Timeline' }).click();
    await panel.page.getByRole('button', { name: 'Previous event' }).click();
    await panel.page
      .locator('[aria-live=polite]', { hasText: 'Reading what happened…' })
      .waitFor({ state: 'attached' });
  });

  it('asks for the words of calls again at another moment', async () => {
    await show();
    await panel.send({ type: 'reveal', path: 't0' });
    const call = { number: 1, purpose: 'propose', model: 'm', attempt: 1, time: '2026-11-28T12:00:00Z', outcome: 'ok' };
    await panel.send({ type: 'details', details: { path: 't0', calls: [call], steered: [] } });
    await panel.page.locator('.calls summary').first().click();
    const asked = await panel.posted('exchange');
    const exchange = { path: 't0', call: 1, system: '', turns: [], prompt: 'Why?' };
    await panel.send({ type: 'exchange', exchange: { ...exchange, answer: 'Said later.' } });
    await slider().focus();
    await press('ArrowLeft');
    await answer(7);
    assert.deepEqual(await panel.posted('exchange'), asked);
    await panel.send({ type: 'exchange', exchange });
    await panel.page.getByText('Said later.').waitFor({ state: 'detached' });
  });

  it('leads to one kind of events only, if one is chosen', async () => {
    await show();
    await panel.page.getByRole('button', { name: 'Scores 2' }).click();
    const { page } = panel;
    for (const index of [4, 1]) {
      await page.getByRole('button', { name: 'Previous event' }).click();
      await answer(index);
    }
    await page.getByRole('button', { name: 'Next event' }).click();
    await answer(4);
    await page.getByRole('button', { name: 'Next event' }).click();
    await answer(null);
  });

  it('leads to a mark that is clicked, to any place that is dragged to, and to now at its end', async () => {
    await show();
    const { x, y, width, height } = (await slider().boundingBox()) ?? assert.fail();
    const places = timeline.last.at;
    const placeOf = (at: number): number => x + 8 + ((width - 16) * at) / places;
    const { mouse } = panel.page;
    // The lanes are in the order of kinds: that of prunes is the third.
    await mouse.click(placeOf(timeline.marks[2]?.at ?? 0) + 3, y + 2.5 * (height / 7));
    await answer(2);
    await mouse.move(x + width / 3, y + 3);
    await mouse.down();
    await mouse.move(x + width / 2, y + 3);
    const at = (await panel.posted('seek')).to;
    assert.ok(at && 'at' in at && Math.abs(at.at - places / 3) < places / 50, JSON.stringify(at));
    const to = (await panel.posted('seek')).to;
    assert.ok(to && 'at' in to && Math.abs(to.at - places / 2) < places / 50, JSON.stringify(to));
    await mouse.move(x + width - 1, y + 3);
    assert.equal((await panel.posted('seek')).to, null);
    await mouse.up();
  });

  it('leaves no doubt that it is the past, and lets nobody change it', async () => {
    await show();
    await panel.send({ type: 'reveal', path: 't0' });
    await slider().focus();
    await press('ArrowLeft');
    await answer(7);
    const { page } = panel;
    const why = 'This is how it was. Go back to now to change anything.';
    await page.locator('.past-line', { hasText: 'after event 71' }).waitFor();
    await page.locator('main.past').waitFor();
    const pause = page.getByRole('button', { name: 'Pause', exact: true });
    assert.deepEqual([await pause.isDisabled(), await pause.getAttribute('title')], [true, why]);
    assert.ok(await page.locator('.inspector .button-row .button').first().isDisabled());
    await page.locator('canvas').focus();
    for (const key of ['Delete', 'Control+z', 'Control+Enter']) await press(key);
    await page.getByRole('button', { name: 'More actions', exact: true }).click();
    const prune = page.getByRole('menuitem', { name: 'Prune branch' });
    if ((await prune.count()) > 0) assert.equal(await prune.getAttribute('aria-disabled'), 'true');
    await page.getByRole('menuitem', { name: 'Reveal in sidebar' }).click();
    assert.equal((await panel.posted('act')).action, 'reveal', 'and nothing before it');
    await page.locator('.past-line').getByRole('button', { name: 'Back to now' }).click();
    await answer(null);
    await page.locator('.past-line').waitFor({ state: 'detached' });
    assert.ok(await page.locator('canvas').evaluate((each) => each === document.activeElement), 'the focus is kept');
    assert.equal(await pause.isDisabled(), false);
  });

  it('keeps its moment while the search goes on, and its selection where the node is not there yet', async () => {
    await show();
    const first = nodes.find(({ path }) => path === 't0') as GraphNode;
    await panel.send({ type: 'reveal', path: 't0' });
    await slider().focus();
    await press('ArrowLeft');
    await panel.posted('seek');
    await panel.change([], { past: momentAt(7) }, ['t0']);
    await panel.page.locator('.status-line', { hasText: 'the question' }).waitFor();
    const last = { seq: 90, at: timeline.last.at + 20_000, time: timeline.last.time + 20_000 };
    await panel.send({ type: 'timeline', timeline: { ...timeline, last } });
    assert.match((await valueText()) ?? '', /Event 71 happened/);
    await press('End');
    await panel.posted('seek');
    await panel.change([first], { past: null });
    await panel.page.locator('.inspector h2', { hasText: first.title }).waitFor();
    assert.equal(await panel.page.locator('.status-line', { hasText: 'the question' }).count(), 0);
  });

  it('makes a fork of the moment that is shown', async () => {
    await show();
    const fork = panel.page.getByRole('button', { name: 'Fork from here' });
    assert.ok(await fork.isDisabled(), 'this is now');
    await slider().focus();
    await press('ArrowLeft');
    await answer(7);
    await fork.click();
    assert.deepEqual(await panel.posted('fork'), { type: 'fork', seq: 71 });
    await panel.send({ type: 'timeline', timeline: { ...timeline, noFork: 'It changes files.' } });
    assert.deepEqual([await fork.isDisabled(), await fork.getAttribute('title')], [true, 'It changes files.']);
  });

  it('opens by a key of the drawing, closes, and is there again in a page that was loaded again', async () => {
    await show();
    const { page } = panel;
    await page.getByRole('button', { name: 'Close the timeline' }).click();
    assert.deepEqual(await panel.posted('timeline'), { type: 'timeline', isOpen: false });
    await press('Comma');
    assert.deepEqual(await panel.posted('timeline'), { type: 'timeline', isOpen: true });
    await panel.close();
    panel = await PanelPage.open(opened.browser);
    await panel.snapshot(sampleSearch(nodes, { past: momentAt(3) }), nodes);
    assert.deepEqual(await panel.posted('timeline'), { type: 'timeline', isOpen: true });
    await panel.page.locator('.past-line', { hasText: 'after event 31' }).waitFor();
  });

  it('is open in a page that was hidden while it showed what is now, unless it was closed', async () => {
    await show();
    const kept = await panel.kept();
    await panel.page.getByRole('button', { name: 'Close the timeline' }).click();
    const closed = await panel.kept();
    await panel.close();
    panel = await PanelPage.open(opened.browser, { kept });
    await panel.snapshot(sampleSearch(nodes), nodes);
    assert.deepEqual(await panel.posted('timeline'), { type: 'timeline', isOpen: true });
    await panel.close();
    panel = await PanelPage.open(opened.browser, { kept: closed });
    await panel.snapshot(sampleSearch(nodes), nodes);
    assert.equal(await panel.page.locator('.timeline').count(), 0);
  });

  it('says that nothing has happened yet', async () => {
    const never = { seq: 0, at: 0, time: 0 };
    panel = await PanelPage.open(opened.browser);
    nodes = sampleNodes(4);
    await panel.snapshot(sampleSearch(nodes), nodes);
    await panel.page.getByRole('button', { name: 'Timeline' }).click();
    await panel.send({ type: 'timeline', timeline: { first: never, last: never, marks: [], counts: {}, pauses: [] } });
    await panel.page.getByText('Nothing has happened yet.').waitFor();
  });

  for (const theme of Object.keys(THEMES) as ThemeName[])
    it(`can be read and used by everybody, in ${theme}`, async () => {
      await show({ theme, width: theme === 'dark' ? 600 : 1280 });
      assert.deepEqual(await panel.audit(axe), []);
      await slider().focus();
      await press('ArrowLeft');
      await answer(7);
      assert.deepEqual(await panel.audit(axe), []);
    });
});
