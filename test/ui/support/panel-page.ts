import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { PANEL_BUILD } from '../../../scripts/panel-build.ts';
import { pageWords } from '../../../src/extension/panel/page-words.ts';
import type { GraphAction, GraphNode, GraphSearch } from '../../../src/protocol/graph-node.ts';
import type { HostMessage } from '../../../src/protocol/host-message.ts';
import type { ViewMessage } from '../../../src/protocol/view-message.ts';
import { auditOf } from './audit.ts';
import { sampleOffers } from './sample-tree.ts';
import { THEMES, type ThemeName, themeStyle } from './themes.ts';
import { ACTS_WITHIN } from './use-browser.ts';

const ROOT = join(import.meta.dirname, '../../..');
const NONCE = 'n0nce';

/** What the editor puts into each page before the page's own style. */
const EDITOR_STYLE = `@layer vscode-default {
  a, a code { color: var(--vscode-textLink-foreground); }
  code { font-family: monospace; color: var(--vscode-textPreformat-foreground); background-color: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px; }
  pre code { padding: 0; }
  blockquote { background: var(--vscode-textBlockQuote-background); border-color: var(--vscode-textBlockQuote-border); }
  kbd { background-color: var(--vscode-input-background); color: var(--vscode-foreground); border: 1px solid var(--vscode-widget-border); border-radius: 3px; box-shadow: inset 0 -1px 0 var(--vscode-widget-shadow); vertical-align: middle; padding: 1px 3px; }
}`;

interface Bundle {
  readonly script: string;
  readonly style: string;
}

let bundling: Promise<Bundle> | undefined;

/** The panel's page as it is shipped, made of its source. */
function bundle(): Promise<Bundle> {
  bundling ??= bundleIt();
  return bundling;
}

async function bundleIt(): Promise<Bundle> {
  const { outputFiles } = await build({
    ...PANEL_BUILD,
    absWorkingDir: ROOT,
    entryPoints: ['webview-ui/main.tsx'],
    outdir: 'out',
    write: false,
  });
  const textOf = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return { script: textOf('.js'), style: textOf('.css') };
}

interface PageOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: 'reduce' | 'no-preference';
  /** What the page kept before it was reloaded. */
  readonly kept?: unknown;
  /** Gets each message of the page, at once: then the page has a host, and is not waited for. */
  readonly onMessage?: (message: unknown, page: Page) => void;
  /** Whether the page's first message is taken out, as by default. */
  readonly awaitsReady?: boolean;
  /** Runs in the page before anything else. */
  readonly watch?: () => void;
  /** What the editor's language says for English texts. */
  readonly words?: Readonly<Record<string, string>>;
}

/** What the host offers on nodes, in the reader's language. */
function offersIn(words: Readonly<Record<string, string>>): string {
  const translated = ({ name, title }: GraphAction): GraphAction => ({ name, title: words[title] ?? title });
  const offers = Object.entries(sampleOffers()).map(([status, actions]) => [status, actions.map(translated)]);
  return JSON.stringify(Object.fromEntries(offers));
}

interface FakeEditor {
  posted: ViewMessage[];
  kept: unknown;
  violations: string[];
}

/** The panel in a browser by itself; the test is its host. */
export class PanelPage {
  readonly page: Page;
  #seq = 0;

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(browser: Browser, options: PageOptions = {}): Promise<PanelPage> {
    const { theme = 'dark', width = 1280, height = 800, reducedMotion = 'reduce', kept = null, words = {} } = options;
    const page = await browser.newPage({ viewport: { width, height }, reducedMotion, timezoneId: 'UTC' });
    page.setDefaultTimeout(options.onMessage ? 120_000 : ACTS_WITHIN);
    if (options.watch) await page.addInitScript(options.watch);
    const { onMessage } = options;
    if (onMessage) await page.exposeBinding('toHost', (_, message: unknown) => onMessage(message, page));
    const { script, style } = await bundle();
    const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Thought Tree</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src blob:; style-src 'nonce-${NONCE}'; script-src 'nonce-${NONCE}'">
<style nonce="${NONCE}">${EDITOR_STYLE}${themeStyle(theme)}</style><style nonce="${NONCE}">${style}</style></head>
<body class="${THEMES[theme].body}"><div id="panel"></div>
<script type="application/json" id="words">${JSON.stringify(pageWords(words)).replaceAll('<', '\\u003c')}</script>
<script nonce="${NONCE}">
window.fake = { posted: [], kept: ${JSON.stringify(kept)}, violations: [], offers: ${offersIn(words)}, status: new Map() };
addEventListener('securitypolicyviolation', (event) => fake.violations.push(event.violatedDirective + ' ' + event.blockedURI));
addEventListener('message', ({ data }) => { for (const { path, status } of data.nodes ?? data.upserts ?? []) fake.status.set(path, status); });
function offer(path) {
  const above = path.split('/').slice(0, -1).map((_, i, all) => all.slice(0, i + 1).join('/'));
  const isCutOff = above.some((each) => fake.status.get(each) === 'pruned');
  postMessage({ type: 'actions', path, actions: fake.offers[isCutOff ? 'cut-off' : fake.status.get(path)] ?? [] });
}
window.acquireVsCodeApi = () => ({
  postMessage: (message) => { fake.posted.push(message); if (message.type === 'ready' && window.seen) seen.asked ||= performance.timeOrigin + performance.now(); window.toHost?.(message); if (message.type === 'select' && message.path) offer(message.path); }, setState: (state) => { fake.kept = state; }, getState: () => fake.kept,
});</script>
<script nonce="${NONCE}">${script.replaceAll('</script', '<\\/script')}</script></body></html>`;
    await page.route('http://127.0.0.1/panel', (route) => route.fulfill({ contentType: 'text/html', body: html }));
    await page.goto('http://127.0.0.1/panel');
    const panel = new PanelPage(page);
    if (!options.onMessage && options.awaitsReady !== false) await panel.posted('ready');
    return panel;
  }

  async send(message: HostMessage): Promise<void> {
    await this.page.evaluate((each) => window.postMessage(each), message as never);
    await this.settled();
  }

  async snapshot(search: GraphSearch, nodes: readonly GraphNode[]): Promise<void> {
    this.#seq = 0;
    await this.send({ type: 'snapshot', seq: 0, folder: '/home/me/thought-trees/sample', search, nodes });
    await this.page.locator('canvas').waitFor();
    await this.settled();
  }

  async change(upserts: readonly GraphNode[], search: Partial<GraphSearch> = {}, removals: readonly string[] = []) {
    this.#seq++;
    await this.send({ type: 'change', seq: this.#seq, search, upserts, removals });
  }

  /** Opens the box with filters, levels and legend. */
  async openFilters(): Promise<void> {
    await this.page.getByRole('button', { name: 'Filters and legend' }).click();
    await this.page.getByLabel('Levels').waitFor();
  }

  /** Opens the box with cost, limits and forecast. */
  async openFigures(): Promise<void> {
    await this.page.getByRole('button', { name: 'Cost and limits' }).click();
    await this.page.locator('.figures').waitFor();
  }

  /** Closes a box that was opened from the header. */
  async closeBox(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await this.page.locator('.popover').waitFor({ state: 'detached' });
  }

  /** @param levels how many levels are shown; 0 for all */
  async showLevels(levels: number): Promise<void> {
    await this.openFilters();
    await this.page.getByLabel('Levels').selectOption(String(levels));
    await this.closeBox();
    await this.settled();
  }

  /**
   * Waits until what was asked for is drawn: until two frames have passed in which the page changed nothing, each with
   * what is put off until it is painted.
   */
  async settled(): Promise<void> {
    await this.page.evaluate(async (most) => {
      let changes = 0;
      const watch = new MutationObserver(() => changes++);
      watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      // Effects run in a task after the frame; a busy machine may draw the next one before that.
      const frame = () => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done)));
      for (let before = -1; before !== changes && changes < most; ) {
        before = changes;
        await frame();
        await frame();
      }
      watch.disconnect();
    }, 100);
  }

  /**
   * Waits until the page has done what it does within a time, however slow it is: its own timers of at most so many
   * milliseconds, begun by now, run first.
   */
  async passes(milliseconds: number): Promise<void> {
    await this.settled();
    await this.page.evaluate((most) => new Promise((done) => setTimeout(done, most)), milliseconds);
    await this.settled();
  }

  /** Makes the window another size, and waits until the page has it. */
  async resize(width: number, height: number): Promise<void> {
    await this.page.setViewportSize({ width, height });
    await this.page.waitForFunction(([wide, high]) => window.innerWidth === wide && window.innerHeight === high, [
      width,
      height,
    ] as const);
    await this.settled();
  }

  /** Waits for a message of the page and takes it out; the oldest of its type. */
  async posted<T extends ViewMessage['type']>(type: T): Promise<Extract<ViewMessage, { type: T }>> {
    const found = await this.page.waitForFunction((wanted) => {
      const { posted } = (window as unknown as { fake: FakeEditor }).fake;
      const at = posted.findIndex((message) => message.type === wanted);
      return at < 0 ? undefined : posted.splice(at, 1)[0];
    }, type);
    return (await found.jsonValue()) as Extract<ViewMessage, { type: T }>;
  }

  async kept(): Promise<Record<string, unknown>> {
    await this.passes(250); // it is kept a moment later
    return await this.page.evaluate(() => (window as unknown as { fake: FakeEditor }).fake.kept as never);
  }

  /** What axe objects to, with the places. */
  async audit(axe: string): Promise<string[]> {
    return await auditOf(this.page, axe);
  }

  /** How many colours are in the drawing, looked at in places. */
  async colours(): Promise<number> {
    return await this.page.evaluate(() => {
      const canvas = document.querySelector('canvas') as HTMLCanvasElement;
      const { data } = (canvas.getContext('2d') as CanvasRenderingContext2D).getImageData(
        0,
        0,
        canvas.width,
        canvas.height,
      );
      const found = new Set<number>();
      for (let i = 0; i < data.length; i += 4)
        found.add(((data[i] ?? 0) << 16) | ((data[i + 1] ?? 0) << 8) | (data[i + 2] ?? 0));
      return found.size;
    });
  }

  /** What it says, to eyes and to screen readers, that is outside of «», and more than a figure. */
  async foreignTexts(): Promise<string[]> {
    return await this.page.evaluate(() => {
      const said: string[] = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        if (!node.parentElement?.closest('script, style')) said.push(node.textContent ?? '');
      for (const element of document.querySelectorAll('*'))
        for (const name of ['aria-label', 'aria-roledescription', 'title', 'placeholder', 'alt'])
          said.push(element.getAttribute(name) ?? '');
      return said.filter((text) => /\p{L}{2}/u.test(text.replaceAll(/«[^»]*»/g, '')));
    });
  }

  async violations(): Promise<string[]> {
    return await this.page.evaluate(() => (window as unknown as { fake: FakeEditor }).fake.violations);
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}
