import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const SOURCES = new URL('../../../../src/', import.meta.url);

/** A process of its own that runs a piece of JavaScript, says lines and is told lines. */
export interface OtherProcess {
  readonly pid: number;
  /** The next line it says; undefined after its end. */
  readonly line: () => Promise<string | undefined>;
  readonly say: (line: string) => void;
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<unknown>;
}

/**
 * Starts a process.
 * @param code the body of a module; `load('store/lease/lease.ts')` imports a source file, `say(text)` writes a line, `hear()`
 *   waits for one
 */
export function startProcess(code: string): OtherProcess {
  const prelude = `
    import { createInterface } from 'node:readline';
    const load = (path) => import(new URL(path, ${JSON.stringify(SOURCES.href)}).href);
    const say = (text) => process.stdout.write(text + '\\n');
    const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    const hear = async () => (await input.next()).value;
  `;
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', prelude + code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  return {
    pid: child.pid ?? 0,
    line: async () => (await lines.next()).value as string | undefined,
    say: (line) => void child.stdin?.write(`${line}\n`),
    signal: (signal) => void child.kill(signal),
    ended: once(child, 'exit'),
  };
}
