import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../host/browser.ts';

/** For failures alone: a machine with two cores of its own needs a tenth of it for the slowest test. */
const TEST_WITHIN = 180_000;
/** Before something is taken for missing in a page: less, so that a test that fails says what it waited for. */
export const ACTS_WITHIN = 30_000;

/** A browser for the tests of one suite, there from before the first to after the last. */
export function useBrowser(suite: Mocha.Suite): { readonly browser: Browser } {
  suite.timeout(TEST_WITHIN);
  let browser: Browser | undefined;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser?.close());
  return {
    get browser() {
      if (!browser) throw new Error('The browser is there while tests run.');
      return browser;
    },
  };
}
