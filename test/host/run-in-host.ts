// Runs mocha tests inside a real Node extension host under the real workbench.
//   node test/host/run-in-host.ts [PATTERN]    by default test/host-suite/**/*.test.ts
//     --extension DIR    the extension under test; by default this project
//     --also DIR         a further unpacked extension, again and again
//     --workspace DIR    the folder whose copy is opened; by default the sample
//     --grep TEXT, --untrusted, --timeout SECONDS, --verbose (VS Code's own console too)
// Ends with 0 when all passed; 1 after a failure, a crash, the time limit, or when no test ran; 130 when interrupted.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { atExit } from '../support/at-exit.ts';
import { noteCounts } from '../support/count-tests.ts';
import { launchBrowser } from './browser.ts';
import { bundleSuite } from './bundle-suite.ts';
import { Host } from './host.ts';

const ROOT = join(import.meta.dirname, '../..');
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    extension: { type: 'string', default: ROOT },
    also: { type: 'string', multiple: true, default: [join(import.meta.dirname, 'lm-provider')] },
    workspace: { type: 'string', default: join(import.meta.dirname, 'sample-workspace') },
    grep: { type: 'string', default: '' },
    untrusted: { type: 'boolean', default: false },
    timeout: { type: 'string', default: '1800' },
    verbose: { type: 'boolean', default: false },
  },
});

const say = (text: string) => process.stdout.write(text);
const consoleLines: string[] = [];
const note = (line: string) => {
  consoleLines.push(line);
  if (options.verbose) say(`${line}\n`);
};

interface Ending {
  readonly code: number;
  readonly why: string;
}
const ended = Promise.withResolvers<Ending>();
const end = (code: number, why: string) => ended.resolve({ code, why });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end(130, signal));
const limit = setTimeout(() => end(1, `the time limit of ${options.timeout} s`), Number(options.timeout) * 1000);

const suite = await bundleSuite(positionals[0] ?? join(ROOT, 'test/host-suite/**/*.test.ts'));
const temporary = mkdtempSync(join(tmpdir(), 'thought-tree-suite-'));
atExit(() => {
  for (const folder of [temporary, suite.folder]) rmSync(folder, { recursive: true, force: true });
});
const [log, result] = [join(temporary, 'log'), join(temporary, 'result.json')];
writeFileSync(log, '');
let shown = 0;
const showLog = () => {
  const text = readFileSync(log, 'utf8');
  say(text.slice(shown));
  shown = text.length;
};

let host: Host | undefined;
let browser: Browser | undefined;
let code = 1;
const following = setInterval(showLog, 100);
try {
  browser = await launchBrowser(); // before the host: unpacking it turns TMPDIR elsewhere for a while
  host = await startHost();
  host.failed().catch((error: unknown) => end(1, String(error)));
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await listen(page);
  await page.goto(host.url({ extensionDevelopmentPath: options.extension, extensionTestsPath: suite.main }), {
    timeout: 300_000,
  });
  code = judge(await ended.promise);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
} finally {
  clearTimeout(limit);
  clearInterval(following);
  await browser?.close();
  await host?.stop();
}
process.exit(code);

async function startHost(): Promise<Host> {
  return await Host.start({
    smokeTestDriver: true,
    workspace: options.workspace,
    extensions: options.also,
    untrusted: options.untrusted,
    settings: { 'files.watcherExclude': { '**/many-trees/**': true } },
    env: { HOST_SUITE_LOG: log, HOST_SUITE_RESULT: result, HOST_SUITE_GREP: options.grep },
  });
}

/** VS Code calls two functions of the page: with what is logged, and with the end of the tests. */
async function listen(page: Page): Promise<void> {
  await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) =>
    note(`[${type}] ${args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg))).join(' ')}`),
  );
  await page.exposeFunction('codeAutomationExit', (exitCode: number) => end(exitCode, 'the extension host'));
  page.on('pageerror', (error) => note(`[pageerror] ${error.stack}`));
  page.on('crash', () => end(1, 'a crash of the page'));
}

function judge(ending: Ending): number {
  showLog();
  const counts = existsSync(result) ? JSON.parse(readFileSync(result, 'utf8')) : { passes: 0, failures: 0, pending: 0 };
  const isGood = ending.code === 0 && counts.passes > 0 && counts.failures === 0;
  if (!isGood && !options.verbose) say(`--- VS Code's console\n${consoleLines.slice(-60).join('\n')}\n---\n`);
  if (!isGood) say(`ended by ${ending.why} with code ${ending.code}\n`);
  noteCounts(counts.passes, counts.failures);
  say(`${counts.passes} passed, ${counts.failures} failed, ${counts.pending} pending\n`);
  return isGood ? 0 : ending.code || 1;
}
