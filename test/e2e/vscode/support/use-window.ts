import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../../host/browser.ts';
import { Host, type HostOptions } from '../../../host/host.ts';
import { Workbench } from '../../../host/workbench.ts';
import { packagedExtension } from '../../../support/packaged-extension.ts';

const HOST = join(import.meta.dirname, '../../../host');

/** What the tests of one `describe` share, there once they run. */
export interface Opened {
  readonly browser: Browser;
  readonly host: Host;
  /** The window in use; a test that closes it puts another one here. */
  window: Workbench;
}

/**
 * Opens a window with the packaged extension for the tests of the `describe` that calls this. They continue from each
 * other's state, so that after a failure the others are left out. A failed test leaves a picture in out/pictures.
 */
export function useWindow(options: HostOptions = {}): Opened {
  const opened = {} as { -readonly [key in keyof Opened]: Opened[key] };
  let failed: Mocha.Suite | undefined;

  before(async () => {
    const vsix = [await packagedExtension(), ...(options.vsix ?? [])];
    const extensions = options.extensions ?? [join(HOST, 'lm-provider')];
    const workspace = options.workspace ?? join(HOST, 'sample-workspace');
    opened.browser = await launchBrowser();
    opened.host = await Host.start({ ...options, workspace, vsix, extensions });
    opened.window = await Workbench.open(opened.host, opened.browser);
  });

  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    failed = this.currentTest.parent;
    failed?.bail(true);
    await opened.window.screenshot(this.currentTest.fullTitle());
    // A log is often all that is left of a failure.
    process.stderr.write(`What the window shows:\n${await opened.window.shownText()}\n`);
  });

  after(async () => {
    // Of its own tests alone: mocha would leave out those of all other files, too.
    failed?.bail(false);
    await opened.browser?.close();
    await opened.host?.stop();
  });

  return opened;
}
