import assert from 'node:assert/strict';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { useWindow } from './support/use-window.ts';
import { writeSearch } from './support/write-search.ts';

const START = 'Thought Tree: Start Tree Search';
const workspace = temporaryFolder('clone');
writeSearch(join(workspace, 'thought-trees/how-are-requests-limited'), 'How are requests limited?', [
  { title: 'Token bucket', status: 'expanded', children: [{ title: 'Refill', status: 'unexpanded' }] },
  { title: 'Headers', status: 'unexpanded' },
]);

describe('a folder that nobody trusted', () => {
  const opened = useWindow({ workspace, untrusted: true });

  it('shows its searches', async () => {
    const { window } = opened;
    await window.openContainer('Thought Tree');
    await window.treeItem(/^How are requests limited\?, interrupted.* · 1 topic done, 2 open/).waitFor();
    await window.openRow(window.treeItem('Token bucket'), 'token-bucket');
    const page = await window.webview('.thought-tree-head');
    await page.locator('body', { hasText: /This is about Token bucket/ }).waitFor();
  });

  it('runs none of them', async () => {
    const { window } = opened;
    const offered = await window.commands('Thought Tree: Open Thought Tree');
    assert.ok(offered.includes('Thought Tree: Open Thought Tree'), offered.join());
    for (const command of [START, 'Thought Tree: Resume'])
      assert.ok(!(await window.commands(command)).includes(command), command);
    await window.treeItem('Headers').click();
    await window.page.keyboard.press('Control+Enter');
    await window.treeItem('Headers').click({ button: 'right' });
    const expand = window.page.locator('.monaco-menu .action-item.disabled').filter({ hasText: 'Expand Next' });
    await expand.waitFor();
    await window.page.keyboard.press('Escape');
    await window.treeItem(/^How are requests limited\?, interrupted/).waitFor();
  });

  it('runs them once it is trusted', async () => {
    const { window } = opened;
    await window.trust();
    await window.command(START);
    await window.input.waitFor();
  });
});
