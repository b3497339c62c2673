import type { Frame, Locator } from 'playwright-core';
import type { Workbench } from '../../../host/workbench.ts';

/** For failures alone. */
const ANSWERS_WITHIN = 150_000;

/** The chat of a window, driven by what a person sees in it. */
export class ChatView {
  readonly #window: Workbench;

  constructor(window: Workbench) {
    this.#window = window;
  }

  get view(): Locator {
    return this.#window.page.locator('.interactive-session').first();
  }

  /** The last answer, with its card. */
  get answer(): Locator {
    return this.view.locator('.interactive-item-container.interactive-response').last();
  }

  /** The last button of a name, on a card or below an answer. */
  button(name: string | RegExp): Locator {
    return this.view.getByRole('button', { name }).last();
  }

  /** Waits until the conversation says something that it did not when it was asked last. */
  async answered(text: RegExp): Promise<void> {
    await this.#items().filter({ hasText: text }).last().waitFor({ timeout: ANSWERS_WITHIN });
  }

  /** Asks once the editor's models are known to the chat: until then it has no answer for anybody. */
  async askFirst(text: string, send?: () => Promise<void>): Promise<void> {
    await this.#open();
    await this.view.getByRole('button', { name: /Scripted 1/ }).waitFor({ timeout: ANSWERS_WITHIN });
    await this.ask(text, send);
  }

  /** Asks something and does not wait for the answer. @param send hands it in; Enter by default */
  async ask(text: string, send = (): Promise<void> => this.#window.page.keyboard.press('Enter')): Promise<void> {
    const { page } = this.#window;
    await this.#open();
    // A notification lies above the input, and stays there in a window that has no focus.
    await this.#window.command('Notifications: Clear All Notifications');
    await this.view.locator('.interactive-input-part .monaco-editor').first().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.keyboard.type(text, { delay: 5 });
    // The list of participants and commands would take the Enter.
    await page.keyboard.press('Escape');
    await send();
  }

  /** The page of an app inside the chat, which is in a frame of its own, once `ready` is in it. */
  async app(ready: string): Promise<Frame> {
    const { page } = this.#window;
    const until = Date.now() + ANSWERS_WITHIN;
    for (;;) {
      for (const frame of page.frames()) {
        if (frame === page.mainFrame()) continue;
        if (
          (await frame
            .locator(ready)
            .count()
            .catch(() => 0)) > 0
        )
          return frame;
      }
      if (Date.now() > until) throw new Error(`No frame has ${ready}`);
      await page.waitForTimeout(100);
    }
  }

  #items(): Locator {
    return this.view.locator('.interactive-item-container.interactive-response, .interactive-input-part');
  }

  async #open(): Promise<void> {
    if (!(await this.view.isVisible())) await this.#window.command('Chat: Open Chat');
    await this.view.locator('.interactive-input-part .monaco-editor').first().waitFor();
  }
}
