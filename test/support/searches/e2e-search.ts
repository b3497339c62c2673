import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JournalEvent, Results } from '../../../src/core/search/events.ts';
import { openDiskFiles } from '../../../src/store/files/disk/disk-files.ts';
import { type CliEnd, CliProcess } from '../cli-process.ts';
import {
  type LoggedRequest,
  type ScriptedServer,
  type ScriptedServerOptions,
  startScriptedServer,
} from '../servers/scripted-server.ts';
import { snapshotOf } from './search-snapshot.ts';

export const PROMPT = 'Why is the build slow?';

/** What `status --json` says, as far as tests ask. */
export interface StatusReport {
  readonly state: string;
  readonly reason?: string;
  readonly results: Results;
  readonly problems: readonly { file: string; line?: number; message: string }[];
  readonly nodes: readonly {
    path: string;
    title: string;
    status: string;
    leafReason?: string;
    failure?: { reason: string; message: string };
  }[];
}

/** The form without a survey, in which a document's subtopics are asked for by themselves: the calls are easily counted. */
export const SOURCE_FORM = ['--root-session', 'none', '--subtopics', 'separately', '--least-score', '0'];

const made = new Set<TestSearch>();

/** A search in a workspace of its own, worked on by the built command, answered by a scripted server. */
export class TestSearch {
  readonly workspace: string;
  /** The search's folder. */
  readonly folder: string;
  readonly server: ScriptedServer;
  readonly #form: readonly string[];
  readonly #processes: CliProcess[] = [];

  private constructor(workspace: string, server: ScriptedServer, form: readonly string[]) {
    this.#form = form;
    this.workspace = workspace;
    this.folder = join(workspace, 'thought-trees', 'why');
    this.server = server;
    made.add(this);
  }

  /**
   * @param options made with the search's folder where they look at it
   * @param root where its workspace is made
   * @param form whether it surveys first, as searches of persons do
   */
  static async make(
    options: ScriptedServerOptions | ((folder: string) => ScriptedServerOptions) = {},
    root = tmpdir(),
    form: 'survey' | 'source' = 'source',
  ): Promise<TestSearch> {
    const workspace = await mkdtemp(join(root, 'thought-tree-e2e-'));
    const folder = join(workspace, 'thought-trees', 'why');
    await mkdir(join(workspace, 'thought-trees'));
    const server = await startScriptedServer(typeof options === 'function' ? options(folder) : options);
    return new TestSearch(workspace, server, form === 'source' ? SOURCE_FORM : []);
  }

  start(...flags: string[]): CliProcess {
    // What the model is shown of the workspace has tests of its own; its index would be built hundreds of times here.
    return this.command('start', PROMPT, '--dir', this.folder, '--json', '--no-context', ...this.#form, ...flags);
  }

  resume(...flags: string[]): CliProcess {
    return this.command('resume', this.folder, '--json', ...flags);
  }

  /** Starts a command. Each one has a key of its own, so that the server can tell who asked. */
  command(...args: string[]): CliProcess {
    const env = {
      THOUGHT_TREE_BASE_URL: this.server.baseUrl,
      THOUGHT_TREE_MODEL: 'openai-compatible/scripted',
      THOUGHT_TREE_API_KEY: `process-${this.#processes.length}`,
    };
    const process = new CliProcess(args, env, this.workspace);
    this.#processes.push(process);
    return process;
  }

  async status(): Promise<StatusReport> {
    const { code, stdout, stderr } = await this.command('status', this.folder, '--json').end;
    if (code !== 0) throw new Error(`status ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as StatusReport;
  }

  /** Returns the requests that a process made. */
  requestsOf(process: CliProcess): LoggedRequest[] {
    const key = `Bearer process-${this.#processes.indexOf(process)}`;
    return this.server.log.filter(({ authorization }) => authorization === key);
  }

  /** Everything the journal holds. */
  journal(): JournalEvent[] {
    const text = readFileSync(join(this.folder, '.search', 'journal.jsonl'), 'utf8');
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as JournalEvent);
  }

  async readJson<T>(path: string): Promise<T> {
    return JSON.parse(await readFile(join(this.folder, path), 'utf8')) as T;
  }

  /**
   * The tree as its files tell it: folders, documents, children, statuses. When it was made (search.json) and what it
   * cost (report.md) differ from run to run.
   */
  async tree(): Promise<Record<string, string>> {
    const { 'search.json': _made, 'report.md': _cost, ...tree } = await snapshotOf(await openDiskFiles(this.folder));
    return tree;
  }

  async remove(): Promise<void> {
    made.delete(this);
    for (const process of this.#processes) if (!process.isOver) process.kill('SIGKILL');
    await Promise.all(this.#processes.map(({ end }) => end));
    await this.server.close();
    await rm(this.workspace, { recursive: true, force: true });
  }
}

/** Ends the processes and servers of all searches and removes their folders; for `afterEach`. */
export async function removeSearches(): Promise<void> {
  await Promise.all([...made].map((search) => search.remove()));
}

/** A process that must end with a code; what it printed is shown where it ends otherwise. */
export async function endsWith(code: number, process: CliProcess): Promise<CliEnd> {
  const end = await process.end;
  if (end.code !== code)
    throw new Error(
      `ended with ${end.code ?? end.signal}, not ${code}:\n${end.stderr}\n${end.stdout.split('\n').slice(-5).join('\n')}`,
    );
  return end;
}

/** Requests for a purpose, by node, in order of arrival. */
export function nodesAsked(log: readonly LoggedRequest[], purpose: string): string[] {
  return log.filter((request) => request.purpose === purpose).map(({ node }) => node);
}

/** Calls for nodes that were made more than once, each as often as it was repeated. */
export function repeatedCalls(log: readonly LoggedRequest[]): string[] {
  const seen = new Set<string>();
  return log
    .filter(({ purpose }) => purpose === 'document' || purpose === 'children')
    .map(({ purpose, node }) => `${purpose} ${node}`)
    .filter((call) => seen.size === seen.add(call).size);
}
