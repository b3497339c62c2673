import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../test/host/browser.ts';
import { Host } from '../../test/host/host.ts';
import { installHost } from '../../test/host/install.ts';
import { Workbench } from '../../test/host/workbench.ts';
import type { Figure, PartOptions } from '../harness/figure.ts';

const ROOT = join(import.meta.dirname, '../..');
const SLOTS = 16;
/** Between two keys, in milliseconds: somebody who types fast. */
const KEY_MS = 70;
/** While these are typed, the search starts: its code is loaded, once, and the editor reads the system's certificates. */
const STARTING_KEYS = 60;

/** What the probe in the extension host saw: how late timers were, in milliseconds, and memory in bytes. */
interface Seen {
  readonly worst: number;
  readonly p95: number;
  readonly most: number;
  readonly now: number;
}

/** From a key to the text in the editor, in milliseconds. */
interface Typed {
  readonly p50: number;
  readonly p95: number;
}

/**
 * Typing in the real workbench while a search runs in its extension host at 16 slots, next to the idle editor in the same
 * run: a fast model behind HTTP, in a process of its own. Browser, editor and search share this machine.
 */
export async function typing({ quick, say }: PartOptions): Promise<Figure[]> {
  if (!existsSync(join(ROOT, 'dist/extension.cjs'))) return leftOut(say, 'the extension is not built: npm run build');
  const isInstalled = await installHost().then(
    () => true,
    () => false,
  );
  if (!isInstalled) return leftOut(say, 'the workbench cannot be installed here: node test/host/install.ts');
  const server = spawn(process.execPath, [join(import.meta.dirname, '../engine/real-server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const folder = mkdtempSync(join(tmpdir(), 'thought-tree-typing-'));
  const probe = new Probe(folder);
  const browser = await launchBrowser();
  let host: Host | undefined;
  try {
    const [address] = (await once(createInterface(server.stdout), 'line')) as [string];
    host = await Host.start({
      extensions: [ROOT, join(import.meta.dirname, 'typing-probe')],
      settings: {
        'thoughtTree.baseUrl': address,
        'thoughtTree.concurrency': SLOTS,
        'thoughtTree.maxCalls': 5000,
        'thoughtTree.maxTokens': 100_000_000,
        'thoughtTree.context': false,
        'thoughtTree.tools': false,
      },
      env: probe.env,
    });
    const window = await Workbench.open(host, browser);
    await probe.ask('text');
    await window.page.locator('.part.editor .monaco-editor .view-lines').first().click();
    const keys = quick ? 100 : 200; // The search has to last longer than they do.
    await type(window.page, 30); // warms up
    await probe.ask('seen');
    say('typing in the idle editor');
    const idle = await type(window.page, keys);
    const atRest = await probe.ask<Seen>('seen');
    say(`typing while ${SLOTS} slots run`);
    const request = { prompt: 'Why is the build slow?', model: 'openai-compatible/m', size: 'all' };
    await probe.ask('start', { request });
    await type(window.page, STARTING_KEYS);
    const atStart = await probe.ask<Seen>('seen');
    const running = await type(window.page, keys);
    const states = await probe.ask<string[]>('running');
    if (!states.includes('running')) throw new Error(`the search does not run: ${states}`);
    return figuresOf({ idle, running, atRest, atStart, atWork: await probe.ask<Seen>('seen') });
  } finally {
    await browser.close();
    await host?.stop();
    server.stdin.end();
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function leftOut(say: PartOptions['say'], why: string): Figure[] {
  say(`left out, as ${why}`);
  return [];
}

/** Asks the extension that runs next to ours. */
class Probe {
  readonly #asked: string;
  readonly #told: string;

  constructor(folder: string) {
    this.#asked = join(folder, 'asked.json');
    this.#told = join(folder, 'told.json');
  }

  get env(): Record<string, string> {
    return { PROBE_ASKED: this.#asked, PROBE_TOLD: this.#told };
  }

  async ask<T>(does: string, more: object = {}): Promise<T> {
    writeFileSync(`${this.#asked}.new`, JSON.stringify({ does, ...more }));
    renameSync(`${this.#asked}.new`, this.#asked);
    while (!existsSync(this.#told)) await new Promise((resolve) => setTimeout(resolve, 20));
    const { value } = JSON.parse(readFileSync(this.#told, 'utf8')) as { value: T & { readonly error?: string } };
    rmSync(this.#told);
    if (value?.error !== undefined) throw new Error(value.error);
    return value;
  }
}

/** Types into the active editor; each key is waited for in the page itself. */
async function type(page: Page, keys: number): Promise<Typed> {
  await page.evaluate(WATCH_KEYS);
  for (let i = 0; i < keys; i++) {
    await page.keyboard.press(i % 40 === 39 ? 'Enter' : ('abcdefghij'[i % 10] ?? 'a'));
    await page.waitForTimeout(KEY_MS);
  }
  const took = (await page.evaluate('globalThis.keysTook.splice(0)')) as number[];
  const sorted = took.sort((a, b) => a - b);
  if (sorted.length < 0.8 * keys) throw new Error(`only ${sorted.length} of ${keys} keys were seen`);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] as number;
  return { p50: at(0.5), p95: at(0.95) };
}

/** In the page, where this project has no types: from each key to the next change of the text. */
const WATCH_KEYS = `
  globalThis.keysTook ??= (() => {
    const took = [];
    let pressed;
    addEventListener('keydown', ({ timeStamp }) => { pressed ??= timeStamp; }, true);
    const lines = document.querySelector('.part.editor .monaco-editor .view-lines');
    new MutationObserver(() => {
      if (pressed === undefined) return;
      took.push(performance.now() - pressed);
      pressed = undefined;
    }).observe(lines, { childList: true, subtree: true, characterData: true });
    return took;
  })(); undefined`;

interface Found {
  readonly idle: Typed;
  readonly running: Typed;
  readonly atRest: Seen;
  readonly atStart: Seen;
  readonly atWork: Seen;
}

function figuresOf({ idle, running, atRest, atStart, atWork }: Found): Figure[] {
  const part = 'typing';
  const ms = (value: number): string => `${value.toFixed(0)} ms`;
  const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);
  return [
    {
      part,
      what: `from a key to the text while ${SLOTS} slots run, median`,
      value: running.p50,
      unit: 'ms',
      note: `idle, in the same run: ${ms(idle.p50)}; ${(running.p50 / idle.p50).toFixed(2)} times as long`,
    },
    {
      part,
      what: `from a key to the text while ${SLOTS} slots run, p95`,
      value: running.p95,
      unit: 'ms',
      note: `idle, in the same run: ${ms(idle.p95)}; ${(running.p95 / idle.p95).toFixed(2)} times as long`,
    },
    {
      part,
      what: 'timers of the extension host late by, worst, while a search starts',
      value: atStart.worst,
      unit: 'ms',
      note: `p95 ${ms(atStart.p95)}`,
    },
    {
      part,
      what: `timers of the extension host late by, worst, ${SLOTS} slots`,
      value: atWork.worst,
      unit: 'ms',
      target: { atMost: 50 },
      note: `p95 ${ms(atWork.p95)}; idle: worst ${ms(atRest.worst)}, p95 ${ms(atRest.p95)}`,
    },
    {
      part,
      what: `memory of the extension host, most, ${SLOTS} slots`,
      value: megabytes(Math.max(atStart.most, atWork.most)),
      unit: 'MB',
      note: `idle: ${megabytes(atRest.now)} MB; at the end ${megabytes(atWork.now)} MB`,
    },
  ];
}
