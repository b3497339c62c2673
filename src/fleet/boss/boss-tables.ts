import type { Db } from 'pg-boss';
import { utf8Length } from '../../core/text/text.ts';
import { type OwnCard, readCard } from '../protocol.ts';
import type { CallPlace, RateNote, SeenCard } from '../queue.ts';
import { UNFLUSHED } from './boss-calls.ts';
import { MOST_CARD } from './boss-schema.ts';

/** A card that was not shown again for so long is of somebody who is gone, in seconds. */
const LIFE_OF_A_CARD = 10;
/** The longest that a worker may have everybody wait, whatever it says, in seconds. */
const LONGEST_WAIT = 3600;
const MOST_CARDS = 2000;
/** Of all cards together. */
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_RATES = 1000;

/** The tables that are used besides pg-boss's own work: plain tables, and looks at its jobs. */
export class BossTables {
  readonly #db: Db;
  readonly #schema: string;

  constructor(db: Db, schema: string) {
    this.#db = db;
    this.#schema = schema;
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
    await this.#db.executeSql(sql, [card.id, textOf(card)]);
  }

  async removeCard(id: string): Promise<void> {
    await this.#db.executeSql(`delete from ${this.#schema}.fleet_cards where id = $1 and ${UNFLUSHED}`, [id]);
  }

  async cards(): Promise<readonly SeenCard[]> {
    // A worker's role writes no cards of leaders, so that however many it writes, those are read.
    const order = "order by card ->> 'kind', id";
    const live = `select id, card, shown from ${this.#schema}.fleet_cards
      where shown > now() - make_interval(secs => ${LIFE_OF_A_CARD}) and shown <= now() + make_interval(secs => ${LIFE_OF_A_CARD})
        and pg_column_size(card) <= ${MOST_CARD} ${order} limit ${MOST_CARDS}`;
    const sql = `select card, extract(epoch from (now() - shown)) * 1000 as silent
      from (select id, card, shown, sum(octet_length(card::text)) over (${order}) as bytes from (${live}) live) sized
      where bytes <= ${MOST_BYTES} order by id`;
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
      from ${this.#schema}.fleet_rates where until > now() and until <= now() + make_interval(secs => ${LONGEST_WAIT + LIFE_OF_A_CARD}) limit ${MOST_RATES}`;
    const rows = await this.#rows(sql);
    return rows.map(({ account, model, ms }) => ({ account: String(account), model: String(model), ms: Number(ms) }));
  }

  async #rows(sql: string, values: readonly unknown[] = []): Promise<readonly Record<string, unknown>[]> {
    const { rows } = await this.#db.executeSql(sql, [...values]);
    return rows as Record<string, unknown>[];
  }
}

/** A card as JSON that the database takes: it knows no character 0 and no half ones. Of too many calls, the last are left out. */
function textOf(card: OwnCard): string {
  const plain = (_key: string, value: unknown): unknown =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value;
  const text = JSON.stringify(card, plain);
  if (card.kind !== 'worker' || card.calls.length === 0 || utf8Length(text) <= MOST_CARD / 2) return text;
  return textOf({ ...card, calls: card.calls.slice(0, Math.floor(card.calls.length / 2)) });
}
