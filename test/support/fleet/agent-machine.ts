import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JournalEvent } from '../../../src/core/search/events.ts';
import { openDiskFiles } from '../../../src/store/files/disk/disk-files.ts';
import type { AskedAgent } from '../agents/played-claude/agent.ts';
import { CliProcess } from '../cli-process.ts';
import { snapshotOf } from '../searches/search-snapshot.ts';

const SDK = fileURLToPath(new URL('../agents/played-claude/', import.meta.url));

/** A user on a computer with a folder to search, on which an agent is installed. */
export class AgentMachine {
  readonly workspace: string;
  /** The search's. */
  readonly folder: string;
  readonly #root: string;
  readonly #queue: string;
  readonly #processes: CliProcess[] = [];

  constructor(queue: string) {
    this.#queue = queue;
    this.#root = realpathSync(mkdtempSync(join(tmpdir(), 'thought-tree-agents-')));
    this.workspace = this.newFolder('workspace', 'beeches are tall');
    this.folder = join(this.workspace, 'thought-trees', 'which-trees');
    for (const name of ['home', 'state', 'strange']) mkdirSync(join(this.#root, name));
  }

  /** Another folder of the same user. */
  newFolder(name: string, notes: string): string {
    const folder = join(this.#root, name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'notes.txt'), `${notes}\n`);
    return folder;
  }

  /** @param env besides the user's own */
  command(args: readonly string[], env: Readonly<Record<string, string>> = {}): CliProcess {
    const own = {
      HOME: join(this.#root, 'home'),
      CLAUDE_CONFIG_DIR: join(this.#root, 'home', '.claude'),
      XDG_STATE_HOME: join(this.#root, 'state'),
      THOUGHT_TREE_QUEUE: this.#queue,
      THOUGHT_TREE_CLAUDE_SDK: SDK,
    };
    const started = new CliProcess(args, { ...own, ...env }, this.workspace);
    this.#processes.push(started);
    return started;
  }

  /** The key of another user. */
  get strange(): Readonly<Record<string, string>> {
    return { XDG_STATE_HOME: join(this.#root, 'strange') };
  }

  /** Begins the search with the queue. */
  start(...flags: string[]): CliProcess {
    return this.#start(flags);
  }

  /** Returns the same without a queue. */
  startAlone(): CliProcess {
    return this.#start([], { THOUGHT_TREE_QUEUE: '' });
  }

  #start(flags: readonly string[], env: Readonly<Record<string, string>> = {}): CliProcess {
    const usual = ['--model', 'claude/sonnet', '--size', 'all', '--max-depth', '2', '--no-context', '--json'];
    return this.command(['start', 'Which trees?', '--dir', this.folder, ...usual, ...flags], env);
  }

  /** Resolves once it takes calls. */
  async worker(flags: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliProcess> {
    const worker = this.command(['worker', ...flags], env);
    await worker.said(/Takes calls/);
    return worker;
  }

  /** What agents were asked, in order. */
  get asked(): readonly AskedAgent[] {
    const file = join(this.#root, 'home', 'asked.jsonl');
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as AskedAgent);
  }

  /** Agents give no answer to what contains this, until it is taken back. */
  hang(prompt?: string): void {
    const file = join(this.#root, 'home', 'hang');
    if (prompt === undefined) rmSync(file, { force: true });
    else writeFileSync(file, prompt);
  }

  /** Resolves once a condition holds that another process brings about. */
  async until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
    const end = Date.now() + 150_000;
    while (!(await condition())) {
      if (Date.now() > end) throw new Error(`it did not happen: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  journal(): JournalEvent[] {
    const text = readFileSync(join(this.folder, '.search', 'journal.jsonl'), 'utf8');
    const lines = text.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as JournalEvent);
  }

  /** Returns its files but those that say when it was made and what it cost. */
  async tree(): Promise<Record<string, string>> {
    const { 'search.json': _made, 'report.md': _cost, ...tree } = await snapshotOf(await openDiskFiles(this.folder));
    const plain = (text: string): string => text.replace(/"agentSession": "[^"]*"/, '"agentSession": "…"');
    return Object.fromEntries(Object.entries(tree).map(([path, text]) => [path, plain(text)]));
  }

  async remove(): Promise<void> {
    for (const each of this.#processes) if (!each.isOver) each.kill('SIGKILL');
    await Promise.all(this.#processes.map(({ end }) => end));
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Tells whether a process lives. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
