import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import { shortLabel } from '../../src/core/text/short-label.ts';
import { ContextMenu } from './context-menu.ts';
import type { Host } from './host.ts';
import { QuickPick } from './quick-pick.ts';
import { escaped, exactly } from './texts.ts';
import { until } from './until.ts';

// Bounds for failures alone: a machine with two busy cores needs a tenth of it.
const STARTS_WITHIN = 300_000;
const ACTS_WITHIN = 150_000;
const PICTURES = join(import.meta.dirname, '../../out/pictures');

export interface WorkbenchOptions {
  /** 1280 × 800 by default. */
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** What is used here of the page's own world, whose types this project does without. */
interface PageElement {
  querySelectorAll(selector: string): Iterable<PageElement>;
}
interface PageGlobals {
  getComputedStyle(element: PageElement, pseudo: string): { readonly content: string };
}

/** One window of VS Code, driven by what a person sees in it. Waits are for conditions; selectors are those of 1.139. */
export class Workbench {
  readonly page: Page;
  readonly #quickPick: QuickPick;
  readonly #menu: ContextMenu;

  private constructor(page: Page) {
    this.page = page;
    this.#quickPick = new QuickPick(page, ACTS_WITHIN);
    this.#menu = new ContextMenu(page, ACTS_WITHIN);
  }

  /**
   * Opens a window and waits until its extension host is there.
   * @param browser a browser; or another window's `context`, for one that shares its memory (secrets, layout, drafts)
   */
  static async open(
    host: Pick<Host, 'url'>,
    browser: Browser | BrowserContext,
    options: WorkbenchOptions = {},
  ): Promise<Workbench> {
    const viewport = options.viewport ?? { width: 1280, height: 800 };
    const context = 'newContext' in browser ? await browser.newContext({ viewport }) : browser;
    const page = await context.newPage();
    page.setDefaultTimeout(ACTS_WITHIN);
    page.setDefaultNavigationTimeout(STARTS_WITHIN);
    const workbench = new Workbench(page);
    try {
      await page.goto(host.url());
      await workbench.#ready();
    } catch (error) {
      await workbench.screenshot('did-not-open').catch(() => undefined);
      await workbench.close();
      throw error;
    }
    return workbench;
  }

  get context(): BrowserContext {
    return this.page.context();
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.#ready();
  }

  /** Closes the window as its cross does. Its extension host ends 5 seconds later. */
  async close(): Promise<void> {
    await this.page.close();
  }

  /** Runs a command by the palette, under its whole name there (`Category: Title`). */
  async command(name: string): Promise<void> {
    await this.#quickPick.command(name);
  }

  /** What the palette offers now for `text`: whole names, in its order. */
  async commands(text: string): Promise<string[]> {
    return await this.#quickPick.commands(text);
  }

  /** The input of an open quick pick or input box. */
  get input(): Locator {
    return this.#quickPick.input;
  }

  /** A row of an open quick pick, by a part of what it says. */
  pickRow(label: string | RegExp): Locator {
    return this.#quickPick.row(label);
  }

  async pick(label: string | RegExp): Promise<void> {
    await this.#quickPick.pick(label);
  }

  /** Types into an open input box whose title or prompt says `about`, and enters. */
  async answer(about: string | RegExp, text: string): Promise<void> {
    await this.page.locator('.quick-input-widget:visible').filter({ hasText: about }).waitFor();
    await this.input.fill(text);
    await this.input.press('Enter');
  }

  /** Shows a view container by its name in the activity bar. */
  async openContainer(name: string): Promise<void> {
    const title = this.page.locator('.part.sidebar .title-label').filter({ hasText: new RegExp(`^${escaped(name)}`) });
    const tab = this.page.locator('.part.activitybar').getByRole('tab', { name }).first();
    // A click hides the container that is shown already, and a window that starts shows the last one in a moment.
    await until(async (patience) => {
      if (await title.isVisible()) return;
      await tab.click({ timeout: 2 * patience });
      await title.waitFor({ timeout: patience });
    }, ACTS_WITHIN);
  }

  /** A row of a tree in the sidebar, by its title (all of it, however short its label) or by a pattern in all that the row says. */
  treeItem(label: string | RegExp): Locator {
    const rows = this.page.locator('.part.sidebar .pane-body .monaco-list-row');
    // What a row says to a screen reader.
    if (typeof label !== 'string')
      return this.page.locator('.part.sidebar').getByRole('treeitem', { name: label }).first();
    return rows
      .filter({ has: this.page.locator('.label-name', { hasText: exactly(label, shortLabel(label).label) }) })
      .first();
  }

  /** The text of an empty view of the sidebar. */
  welcome(text: string | RegExp): Locator {
    return this.page.locator('.part.sidebar .welcome-view-content').filter({ hasText: text });
  }

  /** A button in the title of the view that the sidebar shows. */
  viewAction(name: string): Locator {
    return this.page
      .locator('.part.sidebar .title-actions, .part.sidebar .pane-header')
      .getByRole('button', { name })
      .first();
  }

  /** Waits until a row of the Explorer has a badge, which is drawn by styles alone. */
  async hasBadge(item: Locator, badge: string): Promise<void> {
    await item.waitFor();
    await until(async () => {
      const badges = await item.evaluate((row: unknown) => {
        const { getComputedStyle } = globalThis as unknown as PageGlobals;
        return [...(row as PageElement).querySelectorAll('*')].map((each) => getComputedStyle(each, '::after').content);
      });
      if (!badges.join().includes(badge)) throw new Error(`The badge ${badge} is not there, but ${badges.join()}`);
    }, ACTS_WITHIN);
  }

  /** Opens a row of a tree, until the first row below it is drawn. */
  async expand(item: Locator): Promise<void> {
    // What is being revealed opens by itself: a click that comes just after that would close it again. And what is read
    // anew while it opens may close.
    await until(async (patience) => {
      if ((await item.getAttribute('aria-expanded')) !== 'true')
        await item.locator('.monaco-tl-twistie').click({ timeout: 2 * patience });
      await until(async () => {
        if (!(await this.#isOpen(item))) throw new Error('the row stays closed');
      }, patience);
    }, ACTS_WITHIN);
  }

  async #isOpen(item: Locator): Promise<boolean> {
    const names = ['aria-expanded', 'aria-level', 'data-index'];
    const [expanded, level, index] = await Promise.all(names.map((name) => item.getAttribute(name)));
    if (expanded !== 'true') return false;
    const next = item.locator('xpath=..').locator(`[data-index="${Number(index) + 1}"]`);
    // Beyond the end of what is in the window, nothing is drawn.
    return (await next.count()) === 0 || Number(await next.getAttribute('aria-level')) > Number(level);
  }

  /** Chooses from the menu that a right click opens, or from the submenu `under` one of its entries. */
  async contextMenu(target: Locator, label: string, under?: string): Promise<void> {
    await this.#menu.choose(target, label, under);
  }

  /** The labels in the menu that a right click opens. */
  async contextMenuItems(target: Locator): Promise<string[]> {
    return await this.#menu.labels(target);
  }

  notification(text: string | RegExp): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item').filter({ hasText: text }).first();
  }

  /** Presses a button of a notification; in the list of all, where it went to if it was there for ten seconds. */
  async answerNotification(text: string | RegExp, button: string): Promise<void> {
    const listed = this.page.locator('.notifications-center .notification-list-item').filter({ hasText: text }).first();
    const notification = this.notification(text).or(listed).first();
    await until(async (patience) => {
      try {
        await notification.getByRole('button', { name: button, exact: true }).click({ timeout: 5 * patience });
      } catch (error) {
        await this.command('Notifications: Show Notifications');
        throw error;
      }
    }, ACTS_WITHIN);
  }

  /** A modal dialog. */
  dialog(text: string | RegExp): Locator {
    return this.page.locator('.monaco-dialog-box').filter({ hasText: text });
  }

  statusBarItem(text: string | RegExp): Locator {
    return this.page.locator('.part.statusbar .statusbar-item').filter({ hasText: text }).first();
  }

  /** Clicks on a row of the sidebar, and again where the list was drawn anew in the meantime, until the tab is there. */
  async openRow(row: Locator, tab: string | RegExp): Promise<void> {
    await until(async (patience) => {
      await row.click({ timeout: 2 * patience });
      await this.tab(tab).waitFor({ timeout: 2 * patience });
    }, ACTS_WITHIN);
  }

  /** Presses a button of a row, which is there while the pointer is on it: a list drawn anew may have moved the row away. */
  async rowAction(row: Locator, name: string): Promise<void> {
    await until(async (patience) => {
      await row.hover({ timeout: 2 * patience });
      await row.getByRole('button', { name }).click({ timeout: 2 * patience });
    }, ACTS_WITHIN);
  }

  /** The tab of an open editor. */
  tab(name: string | RegExp): Locator {
    return this.page.locator('.part.editor').getByRole('tab', { name }).first();
  }

  /** Waits until the active editor shows a text, with plain spaces: its tab is there before its lines are. */
  async editorShows(text: RegExp): Promise<void> {
    const lines = this.page.locator('.part.editor .editor-group-container.active .view-lines .view-line');
    await until(async () => {
      const shown = (await lines.allTextContents()).join('\n').replaceAll('\u00a0', ' ');
      if (!text.test(shown)) throw new Error(`The editor shows no ${text}, but ${shown.slice(0, 500)}`);
    }, ACTS_WITHIN);
  }

  /** The page of a webview, which is two frames deep, once `ready` is in it. */
  async webview(ready = 'body', index = 0): Promise<FrameLocator> {
    const frame = this.page.frameLocator(`iframe.webview.ready >> nth=${index}`).frameLocator('iframe#active-frame');
    await frame.locator(ready).first().waitFor();
    return frame;
  }

  /** Trusts the folder of a window that was opened in restricted mode. */
  async trust(): Promise<void> {
    await this.command('Workspaces: Manage Workspace Trust');
    await this.page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    await this.statusBarItem('Restricted Mode').waitFor({ state: 'hidden' });
    await this.page.locator('.monaco-modal-editor-block .codicon-close').first().click();
    await this.page.locator('.monaco-modal-editor-block').waitFor({ state: 'hidden' });
  }

  /** Saves a picture of the window as `out/pictures/NAME.png` and returns its path. */
  async screenshot(name: string): Promise<string> {
    mkdirSync(PICTURES, { recursive: true });
    const path = join(PICTURES, `${name.replaceAll(/[^\p{L}\p{N}.-]+/gu, '-')}.png`);
    await this.page.screenshot({ path });
    return path;
  }

  /** What the window says of itself outside the editors, each part in a line: for the log of a failure. */
  async shownText(): Promise<string> {
    const parts = ['.quick-input-widget:visible', '.monaco-menu:visible', '.monaco-dialog-box:visible'];
    parts.push('.notification-list-item:visible', '.part.sidebar:visible', '.part.statusbar:visible');
    const texts = await Promise.all(parts.map((part) => this.page.locator(part).allInnerTexts()));
    return texts
      .map((each, at) => `${parts[at]}: ${each.join(' / ').replaceAll(/\s+/g, ' ').slice(0, 500)}`)
      .join('\n');
  }

  async #ready(): Promise<void> {
    const items = this.page.locator('.part.statusbar .statusbar-item');
    await items.first().waitFor({ timeout: STARTS_WITHIN });
    // The remote indicator says so until the extension host answers.
    await items.filter({ hasText: 'Opening Remote' }).waitFor({ state: 'hidden', timeout: STARTS_WITHIN });
  }
}
