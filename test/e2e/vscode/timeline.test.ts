import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { until } from '../../host/until.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runCli } from '../cli/run-cli.ts';
import { savePicture } from './support/save-picture.ts';
import { useWindow } from './support/use-window.ts';

const workspace = temporaryFolder('timeline');
cpSync(join(import.meta.dirname, '../../host/sample-workspace'), workspace, { recursive: true });

const START = ['start', 'How does the server protect itself?', '--model', 'workspace/quotes', '--size', 'small'];

describe('the timeline in the editor', () => {
  // Before the window takes its copy of the folder.
  before(async () => {
    const { code, stderr } = await runCli([...START, '--max-depth', '2', '--dir', 'thought-trees/guarded'], {
      cwd: workspace,
    });
    assert.equal(code, 0, stderr);
  });
  const opened = useWindow({ workspace });
  let frame: FrameLocator;

  it('leads through what happened, with tree, state and details as they were', async () => {
    const { window } = opened;
    await window.openContainer('Thought Tree');
    await window.rowAction(window.treeItem(/^How does the server protect itself/), 'Open Thought Tree');
    frame = await window.webview('canvas');
    await frame.locator('.state', { hasText: 'finished' }).waitFor();
    await frame.getByRole('button', { name: 'Timeline' }).click();
    const slider = frame.getByRole('slider', { name: 'Moment' });
    await slider.focus();
    await window.page.keyboard.press('Home');
    await frame.locator('.past-line', { hasText: /after event 1(?!\d)/ }).waitFor();
    await frame.locator('.timeline-said', { hasText: 'Nothing worth a word had happened yet.' }).waitFor();
    await frame.locator('.progress', { hasText: 'nothing yet' }).waitFor({ state: 'attached' });
    for (const said of [/Began with workspace\/quotes/, /has the best score so far: \d+(\.\d+)? of 10/, /Finished/]) {
      await window.page.keyboard.press('ArrowRight');
      await frame.locator('.timeline-said', { hasText: said }).waitFor();
    }
    await window.page.keyboard.press('ArrowLeft');
    await savePicture(window, 'timeline');
    await frame.locator('.past-line').getByRole('button', { name: 'Back to now' }).click();
    await frame.locator('.past-line').waitFor({ state: 'detached' });
    await frame.locator('.state', { hasText: 'finished' }).waitFor();
  });

  it('has its calls in a tab of their own, with the words of each', async () => {
    const { window } = opened;
    await frame.getByRole('tab', { name: 'Calls' }).click();
    await frame.locator('.calls-sum', { hasText: /^\d+ calls · [\d.]+K? tokens · / }).waitFor();
    const grid = frame.getByRole('grid', { name: 'Calls' });
    await frame.locator('.call-lanes .call-bar').first().waitFor();
    await grid.focus();
    await window.page.keyboard.press('End');
    const call = frame.locator('.chosen-call');
    await call.getByRole('button', { name: 'Copy: Answer' }).waitFor();
    await call.locator('.outcome', { hasText: 'ok' }).waitFor();
    const all = Number(await grid.getAttribute('aria-rowcount'));
    await frame.getByRole('slider', { name: 'Moment' }).focus();
    await window.page.keyboard.press('Home');
    await frame.locator('.no-calls', { hasText: 'There is no call to a model yet.' }).waitFor();
    await frame.getByRole('button', { name: 'Back to now' }).click();
    assert.ok(all > 3);
    await frame.locator(`[role=grid][aria-rowcount="${all}"]`).waitFor();
    await frame.getByRole('tab', { name: 'Tree' }).click();
    await frame.locator('canvas').waitFor();
  });

  it('makes a fork of the moment that is shown, and opens it', async () => {
    const { window, host } = opened;
    await frame.getByRole('slider', { name: 'Moment' }).focus();
    await window.page.keyboard.press('ArrowLeft');
    const line = frame.locator('.past-line', { hasText: /after event \d+/ });
    const [, event = ''] = /after event (\d+)/.exec((await line.textContent()) ?? '') ?? [];
    await frame.getByRole('button', { name: 'Fork from here' }).click();
    await window.notification(`as it was after event ${event}`).waitFor();
    await window.tab(`@${event}`).waitFor();
    const fork = join(host.folder ?? '', 'thought-trees');
    await until(async () => {
      const made = readFileSync(join(fork, `how-does-the-server-protect-itself-${event}`, 'search.json'), 'utf8');
      assert.equal((JSON.parse(made) as { forkedFrom: { event: number } }).forkedFrom.event, Number(event));
    }, 60_000);
  });
});
