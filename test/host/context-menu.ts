import type { Locator, Page } from 'playwright-core';
import { exactly } from './texts.ts';
import { until } from './until.ts';

/** What is used here of the page's own world, whose types this project does without. */
interface PageGlobals {
  isClicked?: boolean;
  strayClick?: boolean;
  addEventListener(event: string, listener: () => void, options: { once: boolean; capture?: boolean }): void;
}

/** The menu that a right click opens. */
export class ContextMenu {
  readonly #page: Page;
  readonly #within: number;

  /** @param within how long anything is tried, in milliseconds: for failures alone */
  constructor(page: Page, within: number) {
    this.#page = page;
    this.#within = within;
  }

  /** Chooses an entry of a target's menu, or of the submenu `under` one of its entries. */
  async choose(target: Locator, label: string, under?: string): Promise<void> {
    const entry = this.#entry(label);
    // Whatever takes the focus closes a menu, and for its first 100 ms a menu accepts no click; that of a submenu is then
    // taken by the entry that it belongs to, and the menu stays.
    let isTaken = false;
    await until(async (patience) => {
      const isOpen = await entry.isVisible();
      if (isTaken && !isOpen) return;
      if (!isOpen) await this.#open(target, entry, under, patience);
      isTaken = await this.#isTaken(() => entry.click({ timeout: patience + 1000 }));
      if (!isTaken) throw new Error(`The menu did not take the click on ${label}`);
      await entry.waitFor({ state: 'hidden', timeout: patience + 1000 });
    }, this.#within);
  }

  async labels(target: Locator): Promise<string[]> {
    await target.click({ button: 'right' });
    const labels = this.#page.locator('.monaco-menu .action-label:not(.separator)');
    await labels.first().waitFor();
    const texts = await labels.allInnerTexts();
    await this.#page.keyboard.press('Escape');
    return texts;
  }

  #entry(label: string): Locator {
    return this.#page
      .locator('.monaco-menu .action-label')
      .filter({ hasText: exactly(label) })
      .first();
  }

  async #open(target: Locator, entry: Locator, under: string | undefined, patience: number): Promise<void> {
    await target.click({ button: 'right', timeout: patience + 2000 });
    try {
      if (under !== undefined) await this.#entry(under).hover({ timeout: patience + 2000 });
      await entry.waitFor({ timeout: patience + 2000 });
    } catch (error) {
      await this.#page.keyboard.press('Escape');
      throw error;
    }
  }

  /** Whether a menu took a click: it keeps the event to itself, which otherwise arrives at the window. */
  async #isTaken(click: () => Promise<void>): Promise<boolean> {
    await this.#page.evaluate(() => {
      const page = globalThis as unknown as PageGlobals;
      [page.isClicked, page.strayClick] = [false, false];
      page.addEventListener('mouseup', () => (page.isClicked = true), { once: true, capture: true });
      page.addEventListener('mouseup', () => (page.strayClick = true), { once: true });
    });
    let failure: unknown;
    await click().catch((error: unknown) => {
      failure = error;
    });
    const [isClicked, isStray] = await this.#page.evaluate(() => {
      const { isClicked, strayClick } = globalThis as unknown as PageGlobals;
      return [isClicked, strayClick];
    });
    // On a slow machine the time of a click may be over when it has been made.
    if (failure !== undefined && !isClicked) throw failure;
    return !isStray;
  }
}
