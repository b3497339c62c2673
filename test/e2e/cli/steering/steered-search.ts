import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import {
  type ScriptedServer,
  type ScriptedServerOptions,
  startScriptedServer,
} from '../../../support/servers/scripted-server.ts';
import { scriptedTree } from '../../../support/servers/server-tree.ts';
import { type CliEnd, makeWorkspace, type RunningCli, runCli, startCli } from '../run-cli.ts';

export const DIR = join('thought-trees', 'why');
export const HOUR = 3_600_000;
const tree = scriptedTree({ fanout: (_path, depth) => [4, 3, 2][depth] ?? 0, documentWords: 20 });

/** What the model says. */
export const answer = tree.answer;

/** The slugs of the first level, in order. */
export const FIRST = tree.titlesOf('').map((title) => title.toLowerCase().replaceAll(' ', '-'));

/** A search in a workspace of its own, answered by a scripted server, steered by commands. */
export class SteeredSearch {
  readonly workspace: string;
  readonly folder: string;
  readonly server: ScriptedServer;
  readonly #remove: () => Promise<void>;
  readonly #running: RunningCli[] = [];

  private constructor(workspace: { folder: string; remove: () => Promise<void> }, server: ScriptedServer) {
    this.workspace = workspace.folder;
    this.folder = join(workspace.folder, DIR);
    this.server = server;
    this.#remove = workspace.remove;
  }

  static async make(options: ScriptedServerOptions = {}): Promise<SteeredSearch> {
    return new SteeredSearch(await makeWorkspace(), await startScriptedServer({ answer, ...options }));
  }

  /** Starts a command that keeps running. */
  begin(...args: string[]): RunningCli {
    const env = {
      THOUGHT_TREE_BASE_URL: this.server.baseUrl,
      THOUGHT_TREE_MODEL: 'openai-compatible/m',
      THOUGHT_TREE_API_KEY: 'k',
    };
    const started = startCli(args, { cwd: this.workspace, env });
    this.#running.push(started);
    return started;
  }

  start(...flags: string[]): RunningCli {
    return this.begin('start', 'Why?', '--json', '--no-context', ...flags);
  }

  run(...args: string[]): Promise<CliEnd> {
    return this.begin(...args).end;
  }

  /** Runs a command as somebody who has no model at hand. */
  runWithoutModel(...args: string[]): Promise<CliEnd> {
    return runCli(args, { cwd: this.workspace });
  }

  /** Runs a command as somebody who has a server and its key at hand, and named no model. */
  runWithServer(...args: string[]): Promise<CliEnd> {
    return this.runWith({}, ...args);
  }

  /** The same with further variables. */
  runWith(more: Readonly<Record<string, string>>, ...args: string[]): Promise<CliEnd> {
    const env = { THOUGHT_TREE_BASE_URL: this.server.baseUrl, THOUGHT_TREE_API_KEY: 'k', ...more };
    return runCli(args, { cwd: this.workspace, env });
  }

  /** Runs a command that prints one JSON value. */
  async json<T>(...args: string[]): Promise<T & { code: number | null }> {
    const { code, stdout, stderr } = await this.run(...args, '--json');
    try {
      return { ...(JSON.parse(stdout) as T), code };
    } catch {
      throw new Error(`${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
    }
  }

  async journal(): Promise<JournalEvent[]> {
    const text = await readFile(join(this.folder, '.search', 'journal.jsonl'), 'utf8');
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as JournalEvent);
  }

  /** The events of one type in a journal, by default its own. */
  async eventsOf<T extends JournalEvent['type']>(
    type: T,
    folder = this.folder,
  ): Promise<Extract<JournalEvent, { type: T }>[]> {
    const lines = (await readFile(join(folder, '.search', 'journal.jsonl'), 'utf8')).trim().split('\n');
    const all = lines.map((line) => JSON.parse(line) as JournalEvent);
    return all.filter((event): event is Extract<JournalEvent, { type: T }> => event.type === type);
  }

  /** The actions in the journal, with who asked. */
  async steered(): Promise<string[]> {
    return (await this.journal()).flatMap((event) =>
      event.type === 'steered' ? [`${event.by}: ${event.action}${event.node ? ` ${event.node}` : ''}`] : [],
    );
  }

  async statusOf(path: string): Promise<string | undefined> {
    const { nodes } = await this.json<{ nodes: { path: string; status: string }[] }>('status', DIR);
    return nodes.find((node) => node.path === path)?.status;
  }

  /** Resolves once so many documents are being asked for at the same time. */
  async untilDocuments(count: number): Promise<void> {
    await this.server.until(
      (log) => log.filter(({ purpose, outcome }) => purpose === 'document' && outcome === 'open').length === count,
    );
  }

  async remove(): Promise<void> {
    for (const { child } of this.#running) child.kill('SIGKILL');
    await Promise.all(this.#running.map(({ end }) => end));
    await this.server.close();
    await this.#remove();
  }
}
