import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PgBoss } from 'pg-boss';
import { type OwnPostgres, ownPostgres } from '../../../scripts/postgres/own-postgres.ts';
import { readQueueAddress } from '../../../src/fleet/address.ts';
import { CliProcess } from '../cli-process.ts';

interface Viewed {
  readonly workers: readonly { slots: number; state: string; calls: unknown[] }[];
  readonly searches: readonly { id: string; title: string; underWay: number }[];
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

  /** In a schema of its own of the database that `DATABASE_URL` names, else on a PostgreSQL of its own. */
  static async make({ own = false } = {}): Promise<TestFleet> {
    const given = own ? undefined : process.env['DATABASE_URL'];
    if (given) {
      const url = new URL(given);
      url.searchParams.set('schema', `thought_tree_test_${randomUUID().slice(0, 8)}`);
      return new TestFleet(url.href, undefined);
    }
    const postgres = await ownPostgres();
    return new TestFleet(postgres.url, postgres);
  }

  /** Starts a worker for the scripted model, with a key and a memory of its own; resolves once it takes calls. */
  worker(baseUrl: string, name: string, ...flags: string[]): Promise<CliProcess> {
    return this.workerAt(this.url, baseUrl, name, ...flags);
  }

  /** Returns the same at another address of the queue. */
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

  /** Returns what the command `fleet` says. */
  async view(): Promise<Viewed> {
    const { code, stdout, stderr } = await this.command('fleet', '--json').end;
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as Viewed;
  }

  async remove(): Promise<void> {
    for (const worker of this.#workers) if (!worker.isOver) worker.kill('SIGKILL');
    await Promise.all(this.#workers.map(({ end }) => end));
    if (this.postgres) await this.postgres.stop();
    else await runSql(this.url, `drop schema if exists ${new URL(this.url).searchParams.get('schema')} cascade`);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Runs statements in a database; returns the rows of a single one. */
export async function runSql(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const { host, port, database, user = '', password = '', ssl } = readQueueAddress(url);
  const boss = new PgBoss({ host, port, database, user, password, ssl, schema: 'public', migrate: false });
  const db = boss.getDb() as unknown as { open(): Promise<void>; close(): Promise<void> };
  await db.open();
  try {
    const { rows } = (await boss.getDb().executeSql(sql)) as { rows?: Record<string, unknown>[] };
    return rows ?? [];
  } finally {
    await db.close();
  }
}
