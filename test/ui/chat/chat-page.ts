import type { Browser, FrameLocator, Page } from 'playwright-core';
import { THEMES, type ThemeName } from '../support/themes.ts';
import { ACTS_WITHIN } from '../support/use-browser.ts';

/** What chats call the colours of the editor. */
const VARIABLES: Readonly<Record<string, string>> = {
  'color-background-primary': 'editor-background',
  'color-background-secondary': 'editorWidget-background',
  'color-background-tertiary': 'list-hoverBackground',
  'color-text-primary': 'foreground',
  'color-text-secondary': 'descriptionForeground',
  'color-text-danger': 'errorForeground',
  'color-text-success': 'charts-green',
  'color-text-info': 'textLink-foreground',
  'color-text-warning': 'charts-yellow',
  'color-border-primary': 'panel-border',
  'color-ring-primary': 'focusBorder',
};

interface Options {
  readonly theme: ThemeName;
  readonly width: number;
  readonly height: number;
  /** The page of the app. */
  readonly html: string;
  /** What the tool was called with that the app is shown for, and what it answered. */
  readonly input: object;
  readonly result: object;
  /** Calls a tool of the server. */
  readonly call: (name: string, args: Record<string, unknown>) => Promise<object>;
}

interface FakeChat {
  readonly heard: { method: string; params: Record<string, unknown> }[];
  readonly violations: string[];
}

/** A chat in a browser that shows one app in a frame: sandboxed, with the policy of real chats, and their protocol. */
export class ChatPage {
  readonly page: Page;
  readonly app: FrameLocator;

  private constructor(page: Page) {
    this.page = page;
    this.app = page.frameLocator('iframe');
  }

  static async open(browser: Browser, options: Options): Promise<ChatPage> {
    const { theme, width, height, html, input, result, call } = options;
    const page = await browser.newPage({
      viewport: { width: width + 40, height: height + 40 },
      reducedMotion: 'reduce',
    });
    page.setDefaultTimeout(ACTS_WITHIN);
    await page.exposeFunction('callTool', call);
    const policy =
      "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; connect-src 'self'";
    const heard = html.replace('<head>', `<head><script>${WATCH}</script>`);
    await page.route('http://127.0.0.1/app', (route) =>
      route.fulfill({ contentType: 'text/html', headers: { 'content-security-policy': policy }, body: heard }),
    );
    const { colours } = THEMES[theme];
    const known: Readonly<Record<string, string>> = colours;
    const variables = Object.fromEntries(
      Object.entries(VARIABLES).flatMap(([name, of]) => (known[of] ? [[`--${name}`, known[of]]] : [])),
    );
    const context = {
      theme: theme.includes('light') ? 'light' : 'dark',
      styles: { variables },
      displayMode: 'inline',
      availableDisplayModes: ['inline'],
      containerDimensions: { width, maxHeight: 750 },
    };
    const chat = `<!doctype html><html lang="en"><title>Chat</title><body style="margin:20px;background:${known['editor-background']}">
<iframe title="Thought Tree" sandbox="allow-scripts" style="width:${width}px;height:${height}px;border:0" src="/app"></iframe>
<script>window.given = ${JSON.stringify({ context, input, result }).replaceAll('<', '\\u003c')};${HOST}</script></body></html>`;
    await page.route('http://127.0.0.1/chat', (route) => route.fulfill({ contentType: 'text/html', body: chat }));
    await page.goto('http://127.0.0.1/chat');
    return new ChatPage(page);
  }

  /** What the app said to the chat. */
  async heard(): Promise<FakeChat['heard']> {
    return await this.page.evaluate(() => (window as unknown as { fake: FakeChat }).fake.heard);
  }

  async violations(): Promise<string[]> {
    return await this.page.evaluate(() => (window as unknown as { fake: FakeChat }).fake.violations);
  }

  /** What axe objects to in the app. */
  async audit(axe: string): Promise<string[]> {
    const frame = this.page.frames().find((each) => each.url().endsWith('/app'));
    await frame?.evaluate(axe);
    const found = await frame?.evaluate(async () => {
      const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Finding[] }> } };
      interface Finding {
        readonly id: string;
        readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
      }
      const { violations } = await axe.run();
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((each) => `${each.html} ${each.failureSummary}`).join(' | ')}`,
      );
    });
    return found ?? ['no app'];
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}

const WATCH = `addEventListener('securitypolicyviolation', (event) => parent.postMessage({ violated: event.violatedDirective + ' ' + event.blockedURI }, '*'));`;

const HOST = `
window.fake = { heard: [], violations: [] };
const frame = document.querySelector('iframe');
const send = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
addEventListener('message', async ({ source, data }) => {
  if (source !== frame.contentWindow) return;
  if (data.violated) return fake.violations.push(data.violated);
  if (data.jsonrpc !== '2.0' || !data.method) return;
  fake.heard.push({ method: data.method, params: data.params });
  if (data.method === 'ui/initialize') {
    const hostCapabilities = { openLinks: {}, serverTools: {}, serverResources: {}, logging: {}, downloadFile: {} };
    const hostInfo = { name: 'chat', version: '1' };
    send({ id: data.id, result: { protocolVersion: '2026-01-26', hostInfo, hostCapabilities, hostContext: given.context } });
  } else if (data.method === 'ui/notifications/initialized') {
    send({ method: 'ui/notifications/tool-input', params: { arguments: given.input } });
    send({ method: 'ui/notifications/tool-result', params: given.result });
  } else if (data.method === 'tools/call') {
    try {
      send({ id: data.id, result: await callTool(data.params.name, data.params.arguments) });
    } catch (error) {
      send({ id: data.id, error: { code: -32000, message: String(error) } });
    }
  } else if (data.id !== undefined) send({ id: data.id, result: {} });
});
`;
