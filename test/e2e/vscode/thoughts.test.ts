import assert from 'node:assert/strict';
import type { Workbench } from '../../host/workbench.ts';
import { savePicture } from './support/save-picture.ts';
import { useWindow } from './support/use-window.ts';

const PUZZLE = '4 9 10 13';

describe('a problem in the window', () => {
  // The editor shows no more than three notifications that come within a second, and a search that is answered at once is
  // over in less.
  const env = { SCRIPTED_MODELS: JSON.stringify({ delay: 200 }) };
  const opened = useWindow({ env, settings: { 'thoughtTree.concurrency': 2 } });

  it('is solved from the palette, with a model of the editor, to its answer', async () => {
    const { window } = opened;
    await window.openContainer('Thought Tree');
    await window.command('Thought Tree: Start Tree Search');
    await window.answer('What do you want to know', PUZZLE);
    await window.pickRow('Scripted 1').waitFor();
    assert.equal(await window.pickRow('No model: quotes').count(), 0, 'it writes no words of its own');
    await testModel(window, 'Scripted 1');
    await savePicture(window, 'models');
    await window.pick('Scripted 1');
    await window.pickRow(/Medium.*about \d+ calls/).waitFor();
    await window.pick('Medium');
    await window.notification(`"${PUZZLE}" is finished. Answer: `).waitFor();
    const said = ((await window.notification('Answer: ').textContent()) ?? '').replaceAll('\u00a0', ' ');
    const [, answer = ''] = /Answer: (.* = 24)/.exec(said) ?? assert.fail(said);
    const numbers = answer.replace(/ = 24$/, '').match(/\d+/g) ?? [];
    assert.deepEqual(
      numbers.map(Number).toSorted((a, b) => a - b),
      [4, 9, 10, 13],
    );
  });

  it('shows the scores and the best path in the sidebar', async () => {
    const { window } = opened;
    await window.treeItem(/^4 9 10 13, solved/).waitFor();
    await window.expand(window.treeItem(PUZZLE));
    await window.treeItem(/\(left: .*\), expanded, best path, score 8\.\d/).waitFor();
  });

  it('opens its report with the answer', async () => {
    const { window } = opened;
    await window.answerNotification('is finished', 'Open Report');
    const page = await window.webview('h1');
    await page.locator('body', { hasText: /= 24/ }).waitFor();
    await window.command('View: Close All Editors');
  });

  it('draws the scores in its panel', async () => {
    const { window } = opened;
    await window.rowAction(window.treeItem(/^4 9 10 13, solved/), 'Open Thought Tree');
    const frame = await window.webview('canvas');
    await frame.locator('.state', { hasText: 'finished' }).waitFor();
    // Its answer is taken with one click.
    await frame.locator('header').getByText('Solved').waitFor({ state: 'attached' });
    await frame.getByRole('button', { name: 'Copy the answer' }).first().click();
    const answer = await frame.locator('header .verdict .brief').textContent();
    assert.match(answer ?? '', / = 24$/);
    await frame.locator('[aria-live=polite]', { hasText: 'Copied.' }).waitFor({ state: 'attached' });
    await frame.locator('canvas').focus();
    for (const key of ['Home', 'ArrowRight', ...Array(7).fill('ArrowDown')]) await window.page.keyboard.press(key);
    await frame.locator('.inspector h2', { hasText: '9 + 10 = 19' }).waitFor();
    await frame.locator('.inspector .status-line', { hasText: '8.5 of 10' }).waitFor();
    await frame.getByRole('button', { name: 'Show everything' }).click();
    await savePicture(window, 'thoughts');
  });

  it('shows how a problem is taken apart before it begins, and begins it as it was edited', async () => {
    const { window } = opened;
    await window.command('Thought Tree: Solve a Problem');
    await window.answer('What is the problem', '1 2 3 4');
    await window.pick('Mathematics');
    await window.pick('Medium');
    await window.dialog('This is the decomposition of the problem').waitFor();
    await window.dialog('Use each number once').getByRole('button', { name: 'Edit First' }).click();
    await window.tab('decomposition.json').waitFor();
    await window.editorShows(/"success_criteria": "24 is left"/);
    // The notification goes by itself; what remains is the row, and the buttons of the file's tab.
    await window.notification('You can edit decomposition.json').waitFor();
    await window.command('Notifications: Clear All Notifications');
    await window.treeItem(/^1 2 3 4, waits for Start/).waitFor();
    await window.page.locator('.part.editor').getByRole('button', { name: 'Start from This Plan…' }).click();
    await window.treeItem(/^1 2 3 4, (running|finished)/).waitFor();
    await window.notification('"1 2 3 4" is finished. Answer: ').waitFor();
  });
});

/** Presses the button next to a model in the open list, and waits for the result of a real call. */
async function testModel(window: Workbench, name: string): Promise<void> {
  await window.pickRow(/anthropic.*needs a key/).waitFor();
  await window.rowAction(window.pickRow(name), 'Test This Model');
  await window.pickRow(/Scripted 1.*It answers, after \d+\.\d s/).waitFor();
}
