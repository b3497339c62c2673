import { type Db, PgBoss } from 'pg-boss';
import { ThoughtTreeError } from '../core/search/errors.ts';
import { type QueueAddress, USUAL_SCHEMA } from './address.ts';
import { BossTables } from './boss-tables.ts';
import * as say from './messages.ts';
import { answersOf, jobOf } from './names.ts';
import type { Packed } from './payload.ts';
import type { Card } from './protocol.ts';
import type { CallPlace, CallState, FleetQueue, QueuedAnswer, QueuedCall, RateNote, TakenCall } from './queue.ts';

const WEEK = 7 * 24 * 3600;
/** How long calls that are over stay where nobody deletes them: whoever works on one has to see that it was withdrawn. */
const OVER_SECONDS = 300;
/** A worker is gone if it was silent for so long; pg-boss has no shorter time. */
const HEARTBEAT_SECONDS = 10;
/** How long an answer may stay with a leader that does not say it is applied. */
const APPLYING_SECONDS = 600;
/** A statement that takes longer counts as lost: what it asks for is safe to ask for again. */
const LONGEST_STATEMENT_MS = 15_000;
const ANSWERS_AT_ONCE = 200;

const STATES: Readonly<Record<string, CallState>> = {
  created: 'waiting',
  retry: 'waiting',
  active: 'taken',
  completed: 'answered',
  cancelled: 'withdrawn',
  failed: 'lost',
};

export interface BossQueueOptions {
  /** Whether this process looks after the queue: whoever has calls of its own does. */
  readonly looksAfter: boolean;
}

/** The queue on PostgreSQL, by pg-boss. */
export class BossQueue implements FleetQueue {
  readonly #boss: PgBoss;
  readonly #db: Db;
  readonly #tables: BossTables;
  /** Of news, for all that have the same queue. */
  readonly #channel: string;
  readonly #listeners = new Set<(queue: string | undefined) => void>();
  #listening: { close(): Promise<void> } | undefined;

  private constructor(boss: PgBoss, schema: string) {
    this.#boss = boss;
    this.#db = boss.getDb();
    this.#tables = new BossTables(this.#db, schema);
    this.#channel = `${schema}_fleet`;
  }

  /** @throws ThoughtTreeError `unreachable` if the database cannot be reached, or does not let us in */
  static async open(address: QueueAddress, options: BossQueueOptions): Promise<BossQueue> {
    const { host, port, database, user, password, ssl, schema } = address;
    const access = {
      host,
      port,
      database,
      ...(user !== undefined && { user }),
      ...(password !== undefined && { password }),
    };
    // The rest goes to the driver as it is; these two are not in pg-boss's types.
    const patience = { query_timeout: LONGEST_STATEMENT_MS, keepAlive: true };
    try {
      const how = { ...access, ssl, max: 4, ...patience, ...settings(schema, options) };
      return await BossQueue.#begin(new PgBoss(how), schema);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new ThoughtTreeError('unreachable', say.noQueue({ address: address.shown, why }), {
        cause,
        charged: false,
      });
    }
  }

  /** The queue in a database that the caller has opened, for tests. */
  static async on(db: Db, options: BossQueueOptions): Promise<BossQueue> {
    const how = { db, backend: 'pglite' as const, ...settings(USUAL_SCHEMA, options) };
    return await BossQueue.#begin(new PgBoss(how), USUAL_SCHEMA);
  }

  static async #begin(boss: PgBoss, schema: string): Promise<BossQueue> {
    // While the database is away, everything asked of it fails by itself; these are only repetitions.
    boss.on('error', () => undefined);
    boss.on('warning', () => undefined);
    try {
      await boss.start();
      const queue = new BossQueue(boss, schema);
      await queue.#tables.make();
      const told = (payload?: string): void => {
        for (const listener of queue.#listeners) listener(payload);
      };
      queue.#listening = await queue.#db.listen?.(queue.#channel, told, () => told());
      return queue;
    } catch (error) {
      await boss.stop({ graceful: false }).catch(() => undefined);
      throw error;
    }
  }

  onNews(listener: (queue: string | undefined) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async openSearch(search: string, queues: readonly string[]): Promise<void> {
    const kept = { retentionSeconds: WEEK, deleteAfterSeconds: WEEK };
    const call = {
      ...kept,
      deleteAfterSeconds: OVER_SECONDS,
      retryLimit: 0,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      expireInSeconds: 86_400,
    };
    for (const queue of queues) await this.#boss.createQueue(queue, call);
    await this.#boss.createQueue(answersOf(search), { ...kept, retryLimit: 1000, expireInSeconds: APPLYING_SECONDS });
  }

  async send({ id, queue, payload, seconds }: QueuedCall): Promise<void> {
    // Longer than its time, since whoever carries it out ends it by then.
    const expireInSeconds = Math.min(86_400, Math.ceil(seconds) + 120);
    await this.#boss.insert(queue, [{ id, data: payload, expireInSeconds }]);
    await this.#tell(this.#db, queue);
  }

  async withdraw(calls: readonly CallPlace[]): Promise<ReadonlySet<string>> {
    const free = new Set<string>();
    for (const [queue, ids] of byQueue(calls)) {
      for (const id of await this.#tables.removeUntaken(queue, ids)) free.add(id);
      const rest = ids.filter((id) => !free.has(id));
      if (rest.length > 0) await this.#boss.cancel(queue, rest);
      await this.#tell(this.#db, queue);
    }
    return free;
  }

  async states(calls: readonly CallPlace[]): Promise<ReadonlyMap<string, CallState>> {
    const found = await this.#tables.states(calls);
    return new Map(calls.map(({ id }) => [id, STATES[found.get(id) ?? ''] ?? 'unknown']));
  }

  async answers(search: string, all = false): Promise<readonly QueuedAnswer[]> {
    const name = answersOf(search);
    const earlier = all ? await this.#boss.findJobs(name) : [];
    const fresh = await this.#boss.fetch(name, { batchSize: ANSWERS_AT_ONCE });
    return [...earlier, ...fresh].map(({ id, data }) => ({ key: id, payload: data }));
  }

  async forget(search: string, keys: readonly string[], calls: readonly CallPlace[] = []): Promise<void> {
    for (const [queue, ids] of byQueue(calls)) await this.#boss.deleteJob(queue, ids);
    if (keys.length > 0) await this.#boss.deleteJob(answersOf(search), [...keys]);
  }

  async take(queue: string, most: number): Promise<readonly TakenCall[]> {
    const taken = await this.#ifThere(() => this.#boss.fetch(queue, { batchSize: most }));
    return (taken ?? []).map(({ id, data }) => ({ id, queue, payload: data }));
  }

  async beat(calls: readonly CallPlace[]): Promise<ReadonlySet<string>> {
    for (const [queue, ids] of byQueue(calls)) await this.#boss.touch(queue, ids);
    const states = await this.states(calls);
    return new Set(calls.flatMap(({ id }) => (states.get(id) === 'withdrawn' ? id : [])));
  }

  async answer({ id, queue }: CallPlace, search: string, payload: Packed, by: string): Promise<void> {
    const name = answersOf(search);
    const job = { id: jobOf(id, by), data: payload };
    const write = async (db: Db): Promise<void> => {
      await this.#boss.insert(name, [job], { db });
      await this.#boss.complete(queue, id, null, { db });
      await this.#tell(db, name);
    };
    const transaction = await this.#db.beginTransaction?.();
    if (!transaction) return await write(this.#db);
    try {
      await write(transaction.db);
      await transaction.commit();
    } catch (error) {
      await transaction.rollback();
      throw error;
    }
  }

  async showCard(card: Card): Promise<void> {
    await this.#tables.showCard(card);
  }

  async removeCard(id: string): Promise<void> {
    await this.#tables.removeCard(id);
  }

  async cards(): Promise<readonly Card[]> {
    return await this.#tables.cards();
  }

  async waiting(queues: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return await this.#tables.waiting(queues);
  }

  async noteRate(note: RateNote): Promise<void> {
    await this.#tables.noteRate(note);
  }

  async rates(): Promise<readonly RateNote[]> {
    return await this.#tables.rates();
  }

  async close(): Promise<void> {
    await this.#listening?.close();
    await this.#boss.stop({ graceful: false }).catch(() => undefined);
  }

  async #tell(db: Db, queue: string): Promise<void> {
    await db.executeSql('select pg_notify($1, $2)', [this.#channel, queue]);
  }

  /** What was found; undefined while nobody has made that queue. */
  async #ifThere<T>(look: () => Promise<T>): Promise<T | undefined> {
    try {
      return await look();
    } catch (error) {
      if (error instanceof Error && /^Queue .* does not exist$/.test(error.message)) return undefined;
      throw error;
    }
  }
}

function settings(schema: string, { looksAfter }: BossQueueOptions): object {
  return {
    schema,
    schedule: false,
    supervise: looksAfter,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    maintenanceIntervalSeconds: 60,
    application_name: 'thought-tree',
  };
}

function byQueue(calls: readonly CallPlace[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { id, queue } of calls) found.set(queue, [...(found.get(queue) ?? []), id]);
  return found;
}
