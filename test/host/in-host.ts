// Bundled as CommonJS and run by VS Code inside its extension host: passes the tests next to it to mocha.
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { findSourceMap } from 'node:module';
import { join } from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';

/** Rejects when a test failed or none ran; VS Code then ends with an error. */
export async function run(): Promise<void> {
  process.setSourceMapsEnabled(true);
  const { HOST_SUITE_LOG, HOST_SUITE_RESULT, HOST_SUITE_GREP } = process.env;
  // The console of a remote extension host would pass on mocha's formats as they are.
  if (HOST_SUITE_LOG)
    Mocha.reporters.Base.consoleLog = (...args: unknown[]) => appendFileSync(HOST_SUITE_LOG, `${format(...args)}\n`);
  const mocha = new Mocha({
    color: false,
    timeout: 300_000,
    forbidOnly: process.env['CI'] !== undefined,
    ...(HOST_SUITE_GREP ? { grep: HOST_SUITE_GREP } : {}),
  });
  for (const file of readdirSync(__dirname).sort())
    if (file.endsWith('.test.cjs')) mocha.addFile(join(__dirname, file));
  const stats = await new Promise<Mocha.Stats | undefined>((resolve) => {
    const runner = mocha.run(() => resolve(runner.stats));
    // Before mocha's reporter prints it at the end.
    runner.on('fail', (_test, error: Error) => {
      if (error.stack) error.stack = inSources(error.stack);
    });
  });
  const { passes = 0, failures = 0, pending = 0 } = stats ?? {};
  if (HOST_SUITE_RESULT) writeFileSync(HOST_SUITE_RESULT, JSON.stringify({ passes, failures, pending }));
  if (failures > 0) throw new Error(`${failures} tests failed`);
  if (passes === 0) throw new Error('No test ran');
}

/** A stack that names the tests' own files and lines: VS Code's extension host leaves source maps out. */
function inSources(stack: string): string {
  return stack.replaceAll(/(\/[^()\n]+\.cjs):(\d+):(\d+)/g, (whole, file: string, line: string, column: string) => {
    const entry = findSourceMap(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    return entry && 'originalSource' in entry
      ? `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
      : whole;
  });
}
