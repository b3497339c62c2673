import type { Locator, Page } from 'playwright-core';
import { escaped, exactly } from './texts.ts';
import { until } from './until.ts';

/** Before a click is taken for lost, in milliseconds. */
const CLICKS_WITHIN = 5000;

/** The lists at the top of a window, of commands and of whatever an extension asks. */
export class QuickPick {
  readonly #page: Page;
  readonly #within: number;

  /** @param within how long anything is tried, in milliseconds: for failures alone */
  constructor(page: Page, within: number) {
    this.#page = page;
    this.#within = within;
  }

  /** The input of an open quick pick or input box. */
  get input(): Locator {
    return this.#page.locator('.quick-input-widget:visible .quick-input-box input').last();
  }

  /** A row, by a part of what it says: its label, description and detail. */
  row(label: string | RegExp): Locator {
    // What a row says to a screen reader: the row itself keeps, unseen, the detail of one that was there before it.
    const name = typeof label === 'string' ? new RegExp(escaped(label)) : label;
    return this.#rows().and(this.#page.getByRole('option', { name })).first();
  }

  /** Picks a row once the list is whole: a click while its rows change may be on another one. */
  async pick(label: string | RegExp): Promise<void> {
    const row = this.row(label);
    await this.#choose(row, async () => {
      await row.waitFor();
      await this.#page.locator('.quick-input-widget:visible .quick-input-progress.active').waitFor({ state: 'hidden' });
    });
  }

  /** Runs a command under its whole name in the palette. */
  async command(name: string): Promise<void> {
    const row = this.#rows()
      .filter({ has: this.#page.locator('.label-name', { hasText: exactly(name) }) })
      .first();
    await this.#choose(row, async (patience) => {
      // An extension's commands come to the palette a little after the window is drawn, and an open palette stays as it is.
      try {
        await this.#openPalette(name, patience + CLICKS_WITHIN);
        await row.waitFor({ timeout: patience });
      } catch (error) {
        await this.#page.keyboard.press('Escape');
        throw error;
      }
    });
  }

  /** What the palette offers now for `text`: whole names, in its order. */
  async commands(text: string): Promise<string[]> {
    await this.#openPalette(text);
    await this.#rows().first().waitFor();
    const names = await this.#rows().locator('.label-name').allInnerTexts();
    await this.#page.keyboard.press('Escape');
    return names;
  }

  /** Clicks on a row, which goes when it is chosen, and does so again as long as it is still there. */
  async #choose(row: Locator, prepare: (patience: number) => Promise<void>): Promise<void> {
    let isClicked = false;
    await until(async (patience) => {
      if (isClicked && !(await row.isVisible())) return;
      await prepare(patience);
      await row.click({ timeout: patience + CLICKS_WITHIN });
      isClicked = true;
      await row.waitFor({ state: 'hidden', timeout: patience + CLICKS_WITHIN });
    }, this.#within);
  }

  #rows(): Locator {
    return this.#page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
  }

  /** @throws if it closes again, because something else takes the focus */
  async #openPalette(text: string, within = this.#within): Promise<void> {
    await this.#page.keyboard.press('F1');
    await this.input.fill(`>${text}`, { timeout: within });
  }
}
