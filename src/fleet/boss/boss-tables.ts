import type { Db } from 'pg-boss';
import { type OwnCard, readCard } from '../protocol.ts';
import type { CallPlace, RateNote, SeenCard } from '../queue.ts';
import { UNFLUSHED } from './boss-calls.ts';
import { BossRules } from './boss-rules.ts';

/** A card that was not shown again for so long is of somebody who is gone, in seconds. */
const LIFE_OF_A_CARD = 10;
/** The longest that a worker may have everybody wait, whatever it says, in seconds. */
const LONGEST_WAIT = 3600;
const MOST_CARDS = 2000;
const MOST_RATES = 1000;

const OURS = ['fleet_cards', 'fleet_rates', 'fleet_rules', 'fleet_taken'];

/** What is written into the database besides pg-boss's own work: plain tables, and looks at its jobs. */
export class BossTables {
  readonly #db: Db;
  readonly #schema: string;

  constructor(db: Db, schema: string) {
    this.#db = db;
    this.#schema = schema;
  }

  /** Makes the tables if nobody has: a worker's role may not be allowed to, and need not. */
  async make(): Promise<void> {
    const schema = this.#schema;
    const names = OURS.map((name) => `${schema}.${name}`);
    const [found] = await this.#rows(
      'select bool_and(to_regclass(name) is not null) as all from unnest($1::text[]) name',
      [names],
    );
    if (found?.['all']) return;
    await this.#db.executeSql(`begin;
      select pg_advisory_xact_lock(hashtext('${schema}.fleet'));
      create table if not exists ${schema}.fleet_cards (
        id text primary key, card jsonb not null, shown timestamptz not null default now());
      create table if not exists ${schema}.fleet_rates (
        account text not null, model text not null, until timestamptz not null, primary key (account, model));
      ${BossRules.tables(schema)}
      commit;`);
  }

  /** Removes calls that nobody has taken; returns their ids. */
  async removeUntaken(queue: string, ids: readonly string[]): Promise<readonly string[]> {
    const sql = `delete from ${this.#schema}.job where name = $1 and id = any($2::uuid[]) and state = 'created' returning id`;
    return (await this.#rows(sql, [queue, ids])).map(({ id }) => String(id));
  }

  /** The states of jobs, as pg-boss names them, by their ids. */
  async states(calls: readonly CallPlace[]): Promise<ReadonlyMap<string, string>> {
    if (calls.length === 0) return new Map();
    const names = [...new Set(calls.map(({ queue }) => queue))];
    const sql = `select id, state::text as state from ${this.#schema}.job where name = any($1::text[]) and id = any($2::uuid[])`;
    const rows = await this.#rows(sql, [names, calls.map(({ id }) => id)]);
    return new Map(rows.map(({ id, state }) => [String(id), String(state)]));
  }

  async waiting(queues: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const sql = `select name, count(*)::int as waiting from ${this.#schema}.job
      where name = any($1::text[]) and state = 'created' group by name`;
    return new Map((await this.#rows(sql, [queues])).map(({ name, waiting }) => [String(name), Number(waiting)]));
  }

  async showCard(card: OwnCard): Promise<void> {
    const sql = `insert into ${this.#schema}.fleet_cards (id, card, shown) select $1, $2::jsonb, now() where ${UNFLUSHED}
      on conflict (id) do update set card = excluded.card, shown = excluded.shown`;
    await this.#db.executeSql(sql, [card.id, JSON.stringify(card)]);
  }

  async removeCard(id: string): Promise<void> {
    await this.#db.executeSql(`delete from ${this.#schema}.fleet_cards where id = $1 and ${UNFLUSHED}`, [id]);
  }

  async cards(): Promise<readonly SeenCard[]> {
    const sql = `select card, extract(epoch from (now() - shown)) * 1000 as silent from ${this.#schema}.fleet_cards
      where shown > now() - make_interval(secs => ${LIFE_OF_A_CARD}) order by id limit ${MOST_CARDS}`;
    return (await this.#rows(sql)).flatMap(({ card, silent }) => {
      const known = readCard(card);
      return known ? { ...known, silentMs: Math.max(0, Math.round(Number(silent))) } : [];
    });
  }

  async noteRate({ account, model, ms }: RateNote): Promise<void> {
    const sql = `insert into ${this.#schema}.fleet_rates (account, model, until)
      values ($1, $2, now() + make_interval(secs => least($3::float8, ${LONGEST_WAIT})))
      on conflict (account, model) do update set until = greatest(fleet_rates.until, excluded.until)`;
    await this.#db.executeSql(sql, [account, model, ms / 1000]);
  }

  async rates(): Promise<readonly RateNote[]> {
    const sql = `select account, model, extract(epoch from (least(until, now() + make_interval(secs => ${LONGEST_WAIT})) - now())) * 1000 as ms
      from ${this.#schema}.fleet_rates where until > now() limit ${MOST_RATES}`;
    const rows = await this.#rows(sql);
    return rows.map(({ account, model, ms }) => ({ account: String(account), model: String(model), ms: Number(ms) }));
  }

  async #rows(sql: string, values: readonly unknown[] = []): Promise<readonly Record<string, unknown>[]> {
    const { rows } = await this.#db.executeSql(sql, [...values]);
    return rows as Record<string, unknown>[];
  }
}
