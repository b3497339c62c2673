import { type ConstructorOptions, type Db, PgBoss } from 'pg-boss';
import pgpass from 'pgpass';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { type QueueAddress, USUAL_SCHEMA } from '../address.ts';
import * as say from '../messages.ts';
import { answersOf } from '../names.ts';
import type { OwnRegistration } from '../protocol.ts';
import type {
  CallPlace,
  CallState,
  CapCount,
  CappedCall,
  FleetQueue,
  FleetRules,
  FleetVersion,
  Lead,
  ModelCap,
  Packed,
  QueuedAnswer,
  QueuedCall,
  RateNote,
  SeenRegistration,
  TakeLimits,
  TakenCall,
} from '../queue.ts';
import { isForbidden, openingError } from './database-errors.ts';
import { PostgresCalls, PostgresLeads } from './postgres-calls.ts';
import { makeTables, PostgresRules, PostgresTables } from './postgres-tables.ts';

const WEEK = 7 * 24 * 3600;
/** The time that finished calls stay where nobody deletes them: their workers have to see that they were withdrawn. */
const OVER_SECONDS = 300;
/** A worker is gone if it was silent for so long; pg-boss has no shorter time. */
const HEARTBEAT_SECONDS = 10;
/** The interval at which leaders look for those, in seconds. */
const LOOKS_AFTER_SECONDS = 2;
/** The time for which an answer may stay with a leader that does not say it is applied. */
const APPLYING_SECONDS = 600;
const ANSWERS_AT_ONCE = 200;

const STATES: Readonly<Record<string, CallState>> = {
  created: 'waiting',
  // Nobody takes it: it was made once.
  retry: 'lost',
  active: 'taken',
  completed: 'answered',
  cancelled: 'withdrawn',
  failed: 'lost',
};

export interface PostgresQueueOptions {
  /** True if this process looks after the queue: whoever has calls of its own does. */
  readonly looksAfter: boolean;
}

type Place = Pick<QueueAddress, 'schema' | 'shown'>;

/** The queue on PostgreSQL, by pg-boss. */
export class PostgresQueue implements FleetQueue {
  readonly #boss: PgBoss;
  readonly #db: Db;
  readonly #schema: string;
  /** Its address, without a password. */
  readonly #shown: string;
  readonly #tables: PostgresTables;
  readonly #calls: PostgresCalls;
  readonly #rules: PostgresRules;
  readonly #leads: PostgresLeads;
  /** Of news, for all that have the same queue. */
  readonly #channel: string;
  readonly #listeners = new Set<(queue: string | undefined) => void>();
  #listening: { close(): Promise<void> } | undefined;

  private constructor(boss: PgBoss, { schema, shown }: Place) {
    this.#boss = boss;
    this.#db = boss.getDb();
    this.#schema = schema;
    this.#shown = shown;
    this.#tables = new PostgresTables(this.#db, schema);
    this.#rules = new PostgresRules(this.#db, schema);
    this.#channel = `${schema}_fleet`;
    this.#leads = new PostgresLeads(this.#db, schema);
    this.#calls = new PostgresCalls(this.#db, schema, this.#channel, this.#leads);
  }

  /** @throws ThoughtTreeError `unreachable` if the database cannot be reached, `key-refused` if it does not let us in */
  static async open(address: QueueAddress, options: PostgresQueueOptions): Promise<PostgresQueue> {
    try {
      return await PostgresQueue.#begin(
        new PgBoss({ ...accessTo(address), ...settings(address.schema, options) }),
        address,
        options,
      );
    } catch (cause) {
      throw openingError(cause, address.shown);
    }
  }

  /** Returns the queue in a database that the caller has opened, for tests. */
  static async on(db: Db, options: PostgresQueueOptions): Promise<PostgresQueue> {
    const how = { db, backend: 'pglite' as const, ...settings(USUAL_SCHEMA, options) };
    return await PostgresQueue.#begin(new PgBoss(how), { schema: USUAL_SCHEMA, shown: 'a database' }, options);
  }

  static async #begin(boss: PgBoss, place: Place, { looksAfter }: PostgresQueueOptions): Promise<PostgresQueue> {
    // While the database is away, everything asked of it fails by itself; these are only repetitions.
    boss.on('error', () => undefined);
    boss.on('warning', () => undefined);
    try {
      await boss.start();
      const queue = new PostgresQueue(boss, place);
      await makeTables(queue.#db, place.schema, looksAfter);
      const told = (payload?: string): void => {
        for (const listener of queue.#listeners) listener(payload === '' ? undefined : payload);
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

  async lead(lead: Lead, isLatest = false): Promise<boolean> {
    return await this.#allowed(this.#leads.lead(lead, isLatest));
  }

  async openSearch(search: string, queues: readonly string[]): Promise<void> {
    await this.#allowed(this.#makeQueues(search, queues));
  }

  async #makeQueues(search: string, queues: readonly string[]): Promise<void> {
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

  async closeSearch(search: string): Promise<void> {
    await this.#calls.drop(answersOf(search));
  }

  async send(call: QueuedCall): Promise<void> {
    // Longer than its time, since whoever carries it out ends it by then.
    const seconds = Math.min(86_400, Math.ceil(call.seconds) + 120);
    const isSent = await this.#allowed(this.#calls.send(call, seconds));
    if (!isSent) throw new ThoughtTreeError('lease-lost', say.ledByAnother(), { charged: false });
  }

  async withdrawUntaken(calls: readonly CallPlace[]): Promise<ReadonlySet<string>> {
    return new Set(await this.#calls.removeUntaken(calls));
  }

  async withdraw(calls: readonly CallPlace[]): Promise<ReadonlySet<string>> {
    const free = await this.withdrawUntaken(calls);
    const rest = calls.filter(({ id }) => !free.has(id));
    if (rest.length > 0) await this.#calls.cancel(rest);
    for (const queue of new Set(calls.map((call) => call.queue))) await this.#tell(queue);
    return free;
  }

  async states(calls: readonly CallPlace[]): Promise<ReadonlyMap<string, CallState>> {
    const found = await this.#tables.states(calls);
    return new Map(calls.map(({ id }) => [id, STATES[found.get(id) ?? ''] ?? 'unknown']));
  }

  async answers(search: string, again = false): Promise<readonly QueuedAnswer[]> {
    const name = answersOf(search);
    if (again) await this.#calls.putBack(name);
    const taken = await this.#calls.take(name, ANSWERS_AT_ONCE, { isRepeatable: true });
    return taken.map(({ id, payload }) => ({ key: id, payload }));
  }

  async forget(search: string, keys: readonly string[], calls: readonly CallPlace[] = []): Promise<void> {
    const queue = answersOf(search);
    const jobs = [...keys.map((id) => ({ id, queue })), ...calls];
    if (jobs.length > 0) await this.#calls.remove(jobs);
  }

  async take(queue: string, most: number, limits?: TakeLimits): Promise<readonly TakenCall[]> {
    if (!limits) return await this.#calls.take(queue, most);
    return await this.#inTransaction((db) =>
      this.#rules.takeWithin(db, most, limits, async () => (await this.#calls.take(queue, 1, { db }))[0]),
    );
  }

  async goOn(calls: readonly CappedCall[]): Promise<void> {
    if (calls.length > 0) await this.#rules.goOn(calls);
  }

  async isOver({ id, queue }: CallPlace, usd: number): Promise<void> {
    await this.#rules.isOver(id, usd);
    await this.#tell(queue);
  }

  beat(calls: readonly CallPlace[]): Promise<ReadonlySet<string>> {
    return this.#calls.beat(calls);
  }

  async answer(call: CallPlace, search: string, payload: Packed, by: string): Promise<void> {
    await this.#calls.answer(call, search, payload, by);
  }

  async #inTransaction<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const transaction = await this.#db.beginTransaction?.();
    if (!transaction) return await work(this.#db);
    try {
      const result = await work(transaction.db);
      await transaction.commit();
      return result;
    } catch (error) {
      await transaction.rollback();
      throw error;
    }
  }

  async register(card: OwnRegistration): Promise<void> {
    await this.#tables.register(card);
  }

  async unregister(id: string): Promise<void> {
    await this.#tables.unregister(id);
  }

  async registrations(): Promise<readonly SeenRegistration[]> {
    return await this.#tables.registrations();
  }

  async waiting(queues: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return await this.#tables.waiting(queues);
  }

  async noteRate(note: RateNote): Promise<void> {
    await this.#tables.noteRate(note);
    await this.#tell('');
  }

  async rates(): Promise<readonly RateNote[]> {
    return await this.#tables.rates();
  }

  async rules(): Promise<FleetRules> {
    return await this.#rules.rules();
  }

  async counted(cap: ModelCap): Promise<CapCount> {
    return await this.#rules.counted(cap);
  }

  async setCap(cap: ModelCap): Promise<void> {
    await asOwner(() => this.#rules.setCap(cap));
  }

  async setVersion(version: FleetVersion): Promise<void> {
    await asOwner(() => this.#rules.setVersion(version));
  }

  async tidy(): Promise<void> {
    const steps = [() => this.#boss.supervise(), () => tidyTables(this.#db, this.#schema)];
    for (const step of steps)
      await step().catch((error: unknown) => {
        if (!isForbidden(error)) throw error;
      });
  }

  async close(): Promise<void> {
    await this.#listening?.close();
    await this.#boss.stop({ graceful: false }).catch(() => undefined);
  }

  /** A role that lacks a right lacks it later, too: a search that asked again would wait for ever. */
  async #allowed<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked;
    } catch (error) {
      throw isForbidden(error) ? openingError(error, this.#shown) : error;
    }
  }

  async #tell(queue: string): Promise<void> {
    await this.#db.executeSql('select pg_notify($1, $2)', [this.#channel, queue]);
  }
}

async function asOwner(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw isForbidden(error) ? new ThoughtTreeError('declined', say.notTheOwner(), { cause: error }) : error;
  }
}

function settings(schema: string, { looksAfter }: PostgresQueueOptions): object {
  return {
    schema,
    schedule: false,
    supervise: looksAfter,
    superviseIntervalSeconds: LOOKS_AFTER_SECONDS,
    monitorIntervalSeconds: LOOKS_AFTER_SECONDS,
    maintenanceIntervalSeconds: 60,
    application_name: 'thought-tree',
  };
}

/** A statement that takes longer counts as lost: what it asks for is safe to ask for again. */
const LONGEST_STATEMENT_MS = 15_000;
const LONGEST_CONNECTING_MS = 15_000;
const MOST_CONNECTIONS = 4;

/** Returns the driver's settings for the database at an address. */
function accessTo({ host, port, database, user, password, ssl }: QueueAddress): ConstructorOptions {
  // The rest goes to the driver as it is; these are not in pg-boss's types.
  const patience = {
    query_timeout: LONGEST_STATEMENT_MS,
    connectionTimeoutMillis: LONGEST_CONNECTING_MS,
    keepAlive: true,
  };
  // The driver would read the file, too, but says at every start that it will not any more.
  const isInFile = password === undefined && process.env['PGPASSWORD'] === undefined;
  return {
    ...{ host, port, database, ssl, max: MOST_CONNECTIONS, ...patience },
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(isInFile && { password: passwordInFile as () => Promise<string> }),
  };
}

/** The driver names the connection, and connects without a password if there is none. */
function passwordInFile(connection?: Parameters<typeof pgpass>[0]): Promise<string | undefined> {
  return new Promise((resolve) => (connection ? pgpass(connection, resolve) : resolve(undefined)));
}

/** The lifetime of records that only tell of a moment: nobody can use them after a day. */
const MOMENT = '1 day';
/** Nobody comes back for an answer after so long; pg-boss deletes the answers themselves. */
const ABANDONED = '7 days';

/**
 * Deletes what dead processes left: their registrations, with the questions of searches, what they said about pauses of servers and
 * counted towards caps, and the queues of searches' answers and of models' calls
 * with nothing in them, with who led those searches. Queues of calls that are wanted again are made again. pg-boss deletes calls and answers.
 */
async function tidyTables(db: Db, schema: string): Promise<void> {
  const isPast = (column: string): string =>
    `(${column} < now() - interval '${MOMENT}' or ${column} > now() + interval '${MOMENT}')`;
  // Before the registrations go: whoever showed one of late may still wait for its answers, or send calls.
  await db.executeSql(`delete from ${schema}.queue q
    where (name like 'answers.%' or name like 'calls.%') and created_on < now() - interval '${ABANDONED}'
      and not exists (select from ${schema}.job j where j.name = q.name)
      and not exists (select from ${schema}.fleet_cards where q.name = 'answers.' || (card ->> 'search')
        or jsonb_path_exists(card, '$.models[*].queue ? (@ == $name)', jsonb_build_object('name', q.name)))`);
  await db.executeSql(`delete from ${schema}.fleet_cards where ${isPast('shown')}`);
  await db.executeSql(`delete from ${schema}.fleet_rates where ${isPast('until')}`);
  await db.executeSql(`delete from ${schema}.fleet_taken where ${isPast('at')}`);
  // Last, as a role or a schema of an earlier version lacks it.
  await db.executeSql(`delete from ${schema}.fleet_leads l where at < now() - interval '${ABANDONED}'
      and not exists (select from ${schema}.queue q where q.name = 'answers.' || l.search)`);
}
