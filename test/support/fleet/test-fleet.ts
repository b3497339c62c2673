import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PgBoss } from 'pg-boss';
import { type OwnPostgres, ownPostgres } from '../../../scripts/own-postgres.ts';
import { CliProcess } from '../cli-process.ts';

interface Viewed {
  readonly workers: readonly { slots: number; state: string; calls: unknown[] }[];
  readonly searches: readonly unknown[];
  readonly models: readonly { name: string; waiting: number }[];
  readonly caps: readonly { model: string; calls?: number; usdAMinute?: number; underWay: number; spent: number }[];
}

/** A database for a test, and workers of the built command on it. */
export class TestFleet {
  /** The address of its queue. */
  url: string;
  /** Undefined where the database is somebody else's. */
  readonly postgres: OwnPostgres | undefined;
  readonly #folder = mkdtempSync(join(tmpdir(), 'thought-tree-fleet-'));
  readonly #workers: CliProcess[] = [];

  private constructor(url: string, postgres: OwnPostgres | undefined) {
    this.url = url;
    this.postgres = postgres;
  }

  /** On the database that the environment names, else on a PostgreSQL of its own. */
  static async make({ own = false } = {}): Promise<TestFleet> {
    const given = own ? undefined : process.env['DATABASE_URL'];
    if (given) {
      await runSql(given, 'drop schema if exists thought_tree cascade');
      return new TestFleet(given, undefined);
    }
    const postgres = await ownPostgres();
    if (!postgres) throw new Error('These tests need an installed PostgreSQL, or one that DATABASE_URL names.');
    return new TestFleet(postgres.url, postgres);
  }

  /** Starts a worker for the scripted model, with a key and a memory of its own; resolves once it takes calls. */
  worker(baseUrl: string, name: string, ...flags: string[]): Promise<CliProcess> {
    return this.workerAt(this.url, baseUrl, name, ...flags);
  }

  /** The same at another address of the queue. */
  async workerAt(url: string, baseUrl: string, name: string, ...flags: string[]): Promise<CliProcess> {
    const env = {
      THOUGHT_TREE_QUEUE: url,
      THOUGHT_TREE_BASE_URL: baseUrl,
      THOUGHT_TREE_MODEL: 'openai-compatible/scripted',
      THOUGHT_TREE_API_KEY: name,
      XDG_STATE_HOME: join(this.#folder, name),
    };
    const worker = new CliProcess(['worker', ...flags], env, this.#folder);
    this.#workers.push(worker);
    await worker.said(/Takes calls/);
    return worker;
  }

  /** Starts a command on its queue. */
  command(...args: string[]): CliProcess {
    return new CliProcess(args, { THOUGHT_TREE_QUEUE: this.url }, this.#folder);
  }

  /** What the command `fleet` says. */
  async view(): Promise<Viewed> {
    const { code, stdout, stderr } = await this.command('fleet', '--json').end;
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as Viewed;
  }

  async remove(): Promise<void> {
    for (const worker of this.#workers) if (!worker.isOver) worker.kill('SIGKILL');
    await Promise.all(this.#workers.map(({ end }) => end));
    await this.postgres?.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Runs statements in a database; returns the rows of a single one. */
export async function runSql(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const boss = new PgBoss({ connectionString: url, schema: 'public', migrate: false });
  const db = boss.getDb() as unknown as { open(): Promise<void>; close(): Promise<void> };
  await db.open();
  try {
    const { rows } = (await boss.getDb().executeSql(sql)) as { rows?: Record<string, unknown>[] };
    return rows ?? [];
  } finally {
    await db.close();
  }
}
