import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Workbench } from '../../../host/workbench.ts';

/** Somebody who uses a window for the first time. Their clicks and keys are counted, what they type is not. */
export class Stranger {
  readonly #window: () => Workbench;
  #acts: string[] = [];

  /** @param window the one in use now: a test may have opened another one */
  constructor(window: () => Workbench) {
    this.#window = window;
  }

  /**
   * Does something within a number of clicks and keys.
   * @throws AssertionError naming all of them if there were more
   */
  async does(most: number, task: () => Promise<void>): Promise<void> {
    this.#acts = [];
    await task();
    assert.ok(this.#acts.length <= most, `${this.#acts.length} acts, not ${most}: ${this.#acts.join('; ')}`);
  }

  async clicks(target: Locator): Promise<void> {
    this.#count(`click on ${target}`);
    await target.click();
  }

  /** Two clicks near the beginning of a line. */
  async doubleClicks(target: Locator): Promise<void> {
    this.#count(`click on ${target}`, 'and another one');
    await target.dblclick({ position: { x: 90, y: 8 } });
  }

  /** A click on a row of an open quick pick. */
  async picks(label: string | RegExp): Promise<void> {
    this.#count(`click on ${label}`);
    await this.#window().pick(label);
  }

  /** A click on a button that a row has while the pointer is on it. */
  async acts(row: Locator, button: string): Promise<void> {
    this.#count(`click on ${button}`);
    await this.#window().rowAction(row, button);
  }

  /** A click on a button of a notification. */
  async answers(notification: string, button: string): Promise<void> {
    this.#count(`click on ${button}`);
    await this.#window().answerNotification(notification, button);
  }

  /** A right click and a click on an entry of the menu: two. */
  async chooses(target: Locator, entry: string): Promise<void> {
    this.#count(`right click on ${target}`, `click on ${entry}`);
    await this.#window().contextMenu(target, entry);
  }

  async presses(key: string): Promise<void> {
    this.#count(key);
    await this.#window().page.keyboard.press(key);
  }

  /**
   * Types a text into the box that asks for it, and hands it in: Enter is a part of typing where there is nothing else to choose.
   * @param asked a part of what the box says: what is typed before it is there goes elsewhere
   */
  async handsIn(asked: string, text: string): Promise<void> {
    await this.#window().page.locator('.quick-input-widget:visible').filter({ hasText: asked }).waitFor();
    await this.types(text);
    await this.#window().page.keyboard.press('Enter');
  }

  async types(text: string): Promise<void> {
    await this.#window().page.keyboard.insertText(text);
  }

  #count(...acts: readonly string[]): void {
    this.#acts.push(...acts);
  }
}
