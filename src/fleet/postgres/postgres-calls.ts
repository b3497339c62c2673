import type { Db } from 'pg-boss';
import { answerJobOf, answersOf } from '../names.ts';
import { type CallPlace, type Lead, MOST_PACKED, type Packed, type QueuedCall, type TakenCall } from '../queue.ts';

/**
 * The transaction itself decides whether a commit waits for the disk; here it is the statement. If the database loses
 * what it has not flushed, so does the queue, and its search asks again; only what has been paid for must stay: an
 * answer, and that a call was taken, as nobody has booked its being made twice.
 */
export const UNFLUSHED = "set_config('synchronous_commit', 'off', true) is not null";

/** The columns of a job that pg-boss fills in from its queue. */
const FROM_QUEUE = {
  columns: 'expire_seconds, deletion_seconds, keep_until, retry_limit, policy, heartbeat_seconds',
  values: "deletion_seconds, now() + retention_seconds * interval '1s', retry_limit, policy, heartbeat_seconds",
};

/**
 * Of all payloads that are taken together, as they are stored; the last one may go beyond. What `pack` makes is as long as
 * that; what somebody else made is at most a few hundred times as long once the database has unpacked it.
 */
const BYTES_AT_ONCE = 2 * 1024 * 1024;

/**
 * The text that `pack` made, of a job `j`; null if it is, or comes with, anything else, so that it is as long as its
 * row. A long one is not read, and what is no text is not written as one, which can be many times as long.
 */
const PACKED = `case when pg_column_size(j.data) > ${MOST_PACKED + 1000} then null
  when jsonb_typeof(j.data -> 'packed') <> 'string' then null
  when octet_length(j.data ->> 'packed') not between pg_column_size(j.data) - 1000 and ${MOST_PACKED} then null else j.data ->> 'packed' end`;

/**
 * The way of a call through pg-boss's table of jobs and back, one short statement for each step: its own statements do far
 * more than these queues need, and this is the way that every call takes.
 */
export class PostgresCalls {
  readonly #db: Db;
  readonly #schema: string;
  readonly #jobs: string;
  readonly #queues: string;
  readonly #channel: string;
  readonly #leads: PostgresLeads;

  /**
   * @param channel for news of a queue, told in the transaction that made them
   * @param leads say whether what a leader asks for is still its to ask
   */
  constructor(db: Db, schema: string, channel: string, leads: PostgresLeads) {
    this.#db = db;
    this.#leads = leads;
    this.#schema = schema;
    this.#jobs = `${schema}.job`;
    this.#queues = `${schema}.queue`;
    this.#channel = channel;
  }

  /**
   * @returns false if a later lease leads the search
   * @throws Error if nobody made the queue
   */
  async send({ id, queue, payload }: QueuedCall, expireSeconds: number): Promise<boolean> {
    const isOurs = this.#leads.isNotFollowed(6);
    const sql = `with sent as (
        insert into ${this.#jobs} (id, name, data, ${FROM_QUEUE.columns})
        select $1::uuid, name, $3::jsonb, $4::int, ${FROM_QUEUE.values} from ${this.#queues}
        where name = $2 and ${UNFLUSHED} and ${isOurs.sql}
        on conflict do nothing)
      select pg_notify($5, name), ${isOurs.sql} as ours from ${this.#queues} where name = $2`;
    const values = [id, queue, JSON.stringify(payload), expireSeconds, this.#channel, ...isOurs.values];
    const [found] = await this.#rows(sql, values);
    if (!found) throw new Error(`There is no queue ${queue}`);
    return found['ours'] === true;
  }

  /**
   * Takes up to so many jobs, the oldest ones, and at least one however large they are; none while nobody has made the
   * queue. What is larger than `pack` makes is taken without its payload.
   * @param db of a transaction that counts them
   * @param isRepeatable whether a job may be taken once more: after `putBack`, or if the database is killed. A worker could
   *   have pg-boss put a call back, which nobody would have booked a second time.
   */
  async take(
    queue: string,
    most: number,
    { db, isRepeatable = false }: { db?: Db; isRepeatable?: boolean } = {},
  ): Promise<readonly TakenCall[]> {
    const isOurs = this.#leads.isNotFollowed(3);
    const isFirst = isRepeatable ? 'true' : "state = 'created'";
    const sql = `with found as (
        select id, priority, created_on, pg_column_size(data) as stored from ${this.#jobs}
        where name = $1 and state < 'active' and ${isFirst} and not blocked and start_after <= now() and ${isOurs.sql}
        order by priority desc, created_on limit $2 for update skip locked),
      next as (
        select id from (
          select id, sum(stored) over (order by priority desc, created_on, id) - stored as before from found) each
        where before < ${BYTES_AT_ONCE})
      update ${this.#jobs} j set state = 'active', started_on = now(), heartbeat_on = now(),
        retry_count = case when started_on is null then retry_count else least(retry_count, 1000) + 1 end
      from next where j.name = $1 and j.id = next.id and ${isRepeatable ? UNFLUSHED : 'true'} returning j.id, ${PACKED} as packed`;
    const rows = await this.#rows(sql, [queue, most, ...isOurs.values], db);
    return rows.map(({ id, packed }) => ({
      id: String(id),
      queue,
      payload: typeof packed === 'string' ? { packed } : undefined,
    }));
  }

  /** Lets jobs that somebody took be taken again. */
  async putBack(queue: string): Promise<void> {
    const isOurs = this.#leads.isNotFollowed(2);
    const sql = `update ${this.#jobs} set state = 'retry' where name = $1 and state > 'retry' and ${isOurs.sql}`;
    await this.#rows(sql, [queue, ...isOurs.values]);
  }

  /** Removes calls that nobody has taken; returns their ids. */
  async removeUntaken(calls: readonly CallPlace[]): Promise<readonly string[]> {
    const isOurs = this.#leads.staysOurs(3);
    const sql = `delete from ${this.#jobs}
      where name = any($1::text[]) and id = any($2::uuid[]) and state = 'created' and ${isOurs.sql} returning id`;
    return (await this.#rows(sql, [...places(calls), ...isOurs.values])).map(({ id }) => String(id));
  }

  /** Ends calls that may be under way: whoever works on one hears of it. */
  async cancel(calls: readonly CallPlace[]): Promise<void> {
    const isOurs = this.#leads.staysOurs(3);
    const sql = `update ${this.#jobs} set state = 'cancelled', completed_on = now()
      where name = any($1::text[]) and id = any($2::uuid[]) and state < 'completed' and ${isOurs.sql}`;
    await this.#rows(sql, [...places(calls), ...isOurs.values]);
  }

  /** Says that these are worked on; returns those that were withdrawn. */
  async beat(calls: readonly CallPlace[]): Promise<ReadonlySet<string>> {
    const sql = `with alive as (
        update ${this.#jobs} set heartbeat_on = now()
        where name = any($1::text[]) and id = any($2::uuid[]) and state = 'active' and ${UNFLUSHED})
      select id from ${this.#jobs} where name = any($1::text[]) and id = any($2::uuid[]) and state = 'cancelled'`;
    return new Set((await this.#rows(sql, places(calls))).map(({ id }) => String(id)));
  }

  /** Ends a call with its answer. A search that is over has no queue for it, and needs none. */
  async answer({ id, queue }: CallPlace, search: string, payload: Packed, by: string): Promise<void> {
    const sql = `with sent as (
        insert into ${this.#jobs} (id, name, data, ${FROM_QUEUE.columns})
        select $1::uuid, name, $2::jsonb, expire_seconds, ${FROM_QUEUE.values} from ${this.#queues} where name = $3
        on conflict do nothing),
      done as (
        update ${this.#jobs} set state = 'completed', completed_on = now()
        where name = $4 and id = $5::uuid and state = 'active')
      select pg_notify($6, $3)`;
    const data = JSON.stringify(payload);
    await this.#rows(sql, [answerJobOf(id, by), data, answersOf(search), queue, id, this.#channel]);
  }

  async remove(jobs: readonly CallPlace[]): Promise<void> {
    const isOurs = this.#leads.staysOurs(3);
    // Each in its own queue: a worker could give its answer the id of somebody else's call.
    const sql = `delete from ${this.#jobs} j using unnest($1::text[], $2::uuid[]) as place (name, id)
      where j.name = place.name and j.id = place.id and ${UNFLUSHED} and ${isOurs.sql}`;
    await this.#rows(sql, [jobs.map(({ queue }) => queue), jobs.map(({ id }) => id), ...isOurs.values]);
  }

  /** Deletes a queue with all that is in it. */
  async drop(queue: string): Promise<void> {
    const isOurs = this.#leads.staysOurs(2);
    const sql = `select ${this.#schema}.delete_queue(name) from ${this.#queues} where name = $1 and ${isOurs.sql}`;
    await this.#rows(sql, [queue, ...isOurs.values]);
  }

  async #rows(sql: string, values: readonly unknown[], db = this.#db): Promise<readonly Record<string, unknown>[]> {
    const { rows } = await db.executeSql(sql, [...values]);
    return rows as Record<string, unknown>[];
  }
}

function places(calls: readonly CallPlace[]): [string[], string[]] {
  return [[...new Set(calls.map(({ queue }) => queue))], calls.map(({ id }) => id)];
}

/** A condition of a statement, with the values of its parameters. */
interface Condition {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/**
 * Which lease of each search leads it. A process that was frozen may wake after another one has taken its search over: what
 * it still asks for is then not done, by the condition of each of its statements, so that it spoils nothing that its
 * successor has adopted.
 */
export class PostgresLeads {
  readonly #db: Db;
  readonly #leads: string;
  #led: Lead | undefined;
  /** The later lease that was in the way of this side. */
  #later: unknown;

  constructor(db: Db, schema: string) {
    this.#db = db;
    this.#leads = `${schema}.fleet_leads`;
  }

  async lead({ search, epoch }: Lead, isLatest: boolean): Promise<boolean> {
    const sql = `insert into ${this.#leads} as led (search, epoch) values ($1, $2::bigint)
      on conflict (search) do update set epoch = excluded.epoch, at = now()
      where led.epoch <= excluded.epoch or led.epoch = $3::bigint returning search`;
    // Whoever has come to lead it since then is not the one that the lease was compared with.
    const { rows } = await this.#db.executeSql(sql, [search, epoch, isLatest ? this.#later : null]);
    if (rows.length === 0) {
      if (!isLatest) this.#later = await this.#epochOf(search);
      return false;
    }
    this.#led = { search, epoch };
    return true;
  }

  async #epochOf(search: string): Promise<unknown> {
    const { rows } = await this.#db.executeSql(`select epoch::text from ${this.#leads} where search = $1`, [search]);
    return (rows as { epoch: string }[])[0]?.epoch;
  }

  /**
   * That no later lease leads the search that this side leads; true for a side that leads none. Where the database has lost
   * who led it, nobody is kept from anything.
   * @param first the number of its first parameter
   */
  isNotFollowed(first: number): Condition {
    return this.#isNotFollowed(first, '');
  }

  /**
   * Holds the condition until the statement is over: whoever wants to lead the search waits for it. For statements that
   * may wait for somebody else's, as the condition is not looked at again after that.
   */
  staysOurs(first: number): Condition {
    return this.#isNotFollowed(first, ' for share');
  }

  #isNotFollowed(first: number, lock: '' | ' for share'): Condition {
    if (!this.#led) return { sql: 'true', values: [] };
    const { search, epoch } = this.#led;
    const led = `select epoch from ${this.#leads} where search = $${first}${lock}`;
    // A condition on its rows would be looked at before they are locked.
    const sql = `coalesce((${led}) <= $${first + 1}::bigint, true)`;
    return { sql, values: [search, epoch] };
  }
}
