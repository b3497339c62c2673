import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../host/browser.ts';
import { ServerProcess } from '../../host/server-process.ts';
import { Workbench } from '../../host/workbench.ts';

const ROOT = join(import.meta.dirname, '../../..');
const OPENS_WITHIN = 300_000;

describe('npm run vscode, where there is no VS Code', () => {
  let browser: Browser;
  let script: ServerProcess;

  before(async () => {
    browser = await launchBrowser();
    const env = { ...process.env, VSCODE_EXECUTABLE: 'no-such-vscode' };
    script = new ServerProcess([join(ROOT, 'scripts/vscode.mjs')], { cwd: ROOT, env });
  });
  after(async () => {
    await browser?.close();
    await script?.stop();
  });

  it('says where a workbench with the extension and the sample workspace can be opened', async () => {
    const [, url = ''] = await script.printed(/^Open (http:\/\/127\.0\.0\.1:\S+)/m, OPENS_WITHIN);
    const window = await Workbench.open({ url: () => url }, browser);
    await window.openContainer('Thought Tree');
    await window.welcome('Ask a hard question').waitFor();
    await window.openContainer('Explorer');
    await window.treeItem('docs').waitFor();
    await window.close();
  });

  it('ends on request', async () => {
    await script.stop();
    assert.equal(script.exitCode, 0);
  });
});
