import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../host/browser.ts';

/** Before something is taken for missing in a page: less, so that a test that fails says what it waited for. */
export const ACTS_WITHIN = 120_000;

/** A browser for the tests of one suite, there from before the first to after the last. */
export function useBrowser(): { readonly browser: Browser } {
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
