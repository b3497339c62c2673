import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JournalEvent } from '../../../src/core/search/events.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const cli = join(root, 'dist/cli.cjs');

export interface CliEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The program, where it is not the built one. */
  readonly program?: string;
}

/** A command that runs. */
export interface RunningCli {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves once what it printed so far fulfils the condition; rejects when it ends before. */
  until(condition: (stdout: string) => boolean): Promise<void>;
  readonly end: Promise<CliEnd>;
}

/** Starts a command without a terminal, with none of the variables that the program reads but those given. */
export function startCli(args: readonly string[], { cwd, env = {}, program = cli }: CliOptions): RunningCli {
  const clean = Object.entries(process.env).filter(([name]) => !/^(THOUGHT_TREE_|FORCE_COLOR$)/.test(name));
  const child = spawn(process.execPath, [program, ...args], { cwd, env: { ...Object.fromEntries(clean), ...env } });
  child.stdin.end();
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
    });
  const end = once(child, 'close').then(([code]): CliEnd => ({ code: code as number | null, ...printed }));
  const until = (condition: (stdout: string) => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (condition(printed.stdout)) resolve();
      };
      child.stdout.on('data', check);
      child.on('close', () => reject(new Error(`It ended first. ${printed.stdout}${printed.stderr}`)));
      check();
    });
  return { child, until, end };
}

/** Runs a command to its end. */
export function runCli(args: readonly string[], options: CliOptions): Promise<CliEnd> {
  return startCli(args, options).end;
}

/** The events that `--json` printed; every line has to be one. */
export function eventsOf(stdout: string): JournalEvent[] {
  const lines = stdout.split('\n');
  if (lines.pop() !== '') throw new Error('the last line is not whole');
  return lines.map((line) => JSON.parse(line) as JournalEvent);
}

/** A small workspace in a folder of its own; removed by what is returned with it. */
export async function makeWorkspace(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'thought-tree-cli-'));
  await cp(join(root, 'test', 'fixtures', 'sample-workspace'), folder, { recursive: true });
  await writeFile(
    join(folder, 'README.md'),
    '# Waiting\n\nThe patience of a search keeps calls back while it waits.\n',
  );
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
