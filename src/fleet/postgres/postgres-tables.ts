import type { Db } from 'pg-boss';
import { utf8Length } from '../../core/text/text.ts';
import { type OwnRegistration, readRegistration } from '../protocol.ts';
import {
  type CallPlace,
  type CapCount,
  type CappedCall,
  dollarsLeft,
  FleetRule,
  type FleetRules,
  type FleetVersion,
  type ModelCap,
  type RateNote,
  type SeenRegistration,
  type TakeLimits,
  type TakenCall,
} from '../queue.ts';
import { isForbidden } from './database-errors.ts';
import { UNFLUSHED } from './postgres-calls.ts';

/** A registration that was not shown again for so long is of somebody who is gone, in seconds. */
const LIFE_OF_A_CARD = 10;
/** The longest that a worker may have everybody wait, whatever it says, in seconds. */
const LONGEST_WAIT = 3600;
const MOST_CARDS = 2000;
/** Of all registrations together. */
const MOST_CARDS_BYTES = 16 * 1024 * 1024;
const MOST_RATES = 1000;

/** The tables that are used besides pg-boss's own work: plain tables, and looks at its jobs. */
export class PostgresTables {
  readonly #db: Db;
  readonly #schema: string;

  constructor(db: Db, schema: string) {
    this.#db = db;
    this.#schema = schema;
  }

  /** Returns the states of jobs, as pg-boss names them, by their ids. */
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

  async register(card: OwnRegistration): Promise<void> {
    const sql = `insert into ${this.#schema}.fleet_cards (id, card, shown) select $1, $2::jsonb, now() where ${UNFLUSHED}
      on conflict (id) do update set card = excluded.card, shown = excluded.shown`;
    await this.#db.executeSql(sql, [card.id, textOf(card)]);
  }

  async unregister(id: string): Promise<void> {
    await this.#db.executeSql(`delete from ${this.#schema}.fleet_cards where id = $1 and ${UNFLUSHED}`, [id]);
  }

  async registrations(): Promise<readonly SeenRegistration[]> {
    // A worker's role writes no registrations of leaders, so that however many it writes, those are read.
    const order = "order by card ->> 'kind', id";
    const live = `select id, card, shown from ${this.#schema}.fleet_cards
      where shown > now() - make_interval(secs => ${LIFE_OF_A_CARD}) and shown <= now() + make_interval(secs => ${LIFE_OF_A_CARD})
        and pg_column_size(card) <= ${MOST_CARD} ${order} limit ${MOST_CARDS}`;
    const sql = `select card, extract(epoch from (now() - shown)) * 1000 as silent
      from (select id, card, shown, sum(octet_length(card::text)) over (${order}) as bytes from (${live}) live) sized
      where bytes <= ${MOST_CARDS_BYTES} order by id`;
    return (await this.#rows(sql)).flatMap(({ card, silent }) => {
      const known = readRegistration(card);
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

/**
 * Returns a registration as JSON that the database takes: it knows no character 0 and no half ones. Of too many calls,
 * the last are left out.
 */
function textOf(card: OwnRegistration): string {
  const plain = (_key: string, value: unknown): unknown =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value;
  const text = JSON.stringify(card, plain);
  if (card.kind !== 'worker' || card.calls.length === 0 || utf8Length(text) <= MOST_CARD / 2) return text;
  return textOf({ ...card, calls: card.calls.slice(0, Math.floor(card.calls.length / 2)) });
}

/** The most that a registration may be, in bytes of JSON as the database writes it. */
const MOST_CARD = 256 * 1024;

const FIRST = ['fleet_cards', 'fleet_rates', 'fleet_rules', 'fleet_taken'];
/** Of a later version than those; only leaders need it. */
const LEADS = 'fleet_leads';
/** Made after the first tables: where it is there, so are they. */
const LAST = 'fleet_card_shown';

/**
 * Makes what is written into the database besides pg-boss's own tables, if nobody has: a worker's role need not be allowed to.
 * What is there of it stays untouched, as searches may run by it.
 * @param leads whether this side leads searches
 */
export async function makeTables(db: Db, schema: string, leads: boolean): Promise<void> {
  const sql = `select bool_and(to_regclass(name) is not null) as tables, to_regclass($2) is not null as leads,
    to_regprocedure($3) is not null as guards from unnest($1::text[]) name`;
  const values = [FIRST.map((name) => `${schema}.${name}`), `${schema}.${LEADS}`, `${schema}.${LAST}()`];
  const { rows } = (await db.executeSql(sql, values)) as { rows: Record<string, unknown>[] };
  const has = rows[0] ?? {};
  const isGuarded = has['tables'] === true && has['guards'] === true;
  const made = [
    ...(has['tables'] === true ? [] : [tablesOf(schema)]),
    ...(has['leads'] === true ? [] : [leadsOf(schema)]),
    ...(isGuarded ? [] : [guardsOf(schema)]),
  ];
  if (made.length === 0) return;
  try {
    // Statements that are sent together are one transaction.
    await db.executeSql(`select pg_advisory_xact_lock(hashtext('${schema}.fleet')); ${made.join(' ')}`);
  } catch (error) {
    // Tables of an earlier version work without: their owner makes it up.
    const isEnough = has['tables'] === true && (has['leads'] === true || !leads);
    if (!isEnough || !isForbidden(error)) throw error;
  }
}

function tablesOf(schema: string): string {
  return `create table if not exists ${schema}.fleet_cards (
      id text primary key, card jsonb not null, shown timestamptz not null default now());
    create table if not exists ${schema}.fleet_rates (
      account text not null, model text not null, until timestamptz not null, primary key (account, model));
    create table if not exists ${schema}.fleet_rules (name text primary key, rule jsonb not null);
    create table if not exists ${schema}.fleet_taken (
      id uuid primary key, model text not null, usd float8 not null check (usd >= 0),
      is_over boolean not null default false, at timestamptz not null default now());
    create index if not exists fleet_taken_of_model on ${schema}.fleet_taken (model, at);`;
}

function leadsOf(schema: string): string {
  return `create table if not exists ${schema}.${LEADS} (
      search text primary key check (octet_length(search) <= 64), epoch bigint not null,
      at timestamptz not null default now());`;
}

/**
 * Writes checks of the database itself, whoever writes: against rows without bounds, sums that overflow (also where a
 * number is none), registrations with another's name or a date of their own. The rows there are made anew within seconds, or
 * were too large.
 */
function guardsOf(schema: string): string {
  return `delete from ${schema}.fleet_cards;
    alter table ${schema}.fleet_cards add column if not exists shown_by name not null default current_user,
      drop constraint if exists fleet_cards_fit, add constraint fleet_cards_fit check (
        coalesce(card ->> 'id' = id, false) and octet_length(id) <= 400 and octet_length(card::text) <= ${MOST_CARD});
    delete from ${schema}.fleet_rates where octet_length(account) > 256 or octet_length(model) > 1200;
    alter table ${schema}.fleet_rates
      drop constraint if exists fleet_rates_fit,
      add constraint fleet_rates_fit check (octet_length(account) <= 256 and octet_length(model) <= 1200);
    delete from ${schema}.fleet_taken where not usd < 1e9 or octet_length(model) > 1200;
    alter table ${schema}.fleet_taken
      drop constraint if exists fleet_taken_fit,
      add constraint fleet_taken_fit check (usd < 1e9 and octet_length(model) <= 1200);
    create or replace function ${schema}.${LAST}() returns trigger language plpgsql as $$
      begin
        new.shown := now();
        new.shown_by := case tg_op when 'INSERT' then current_user else old.shown_by end;
        return new;
      end $$;
    drop trigger if exists ${LAST} on ${schema}.fleet_cards;
    create trigger ${LAST} before insert or update on ${schema}.fleet_cards
      for each row execute function ${schema}.${LAST}();`;
}

/** Seconds after which a call that its worker says nothing of counts as over. */
const SILENT = 15;
/** The most that one who takes a call may have all others wait, in milliseconds. */
const LONGEST_TURN = 3000;
const MOST_RULES = 2000;

type Row = Record<string, unknown>;

/** The rules for all workers of a fleet, and the count of their calls of models with a cap. */
export class PostgresRules {
  readonly #db: Db;
  readonly #schema: string;

  constructor(db: Db, schema: string) {
    this.#db = db;
    this.#schema = schema;
  }

  async rules(): Promise<FleetRules> {
    const sql = `select rule from ${this.#schema}.fleet_rules order by name limit ${MOST_RULES}`;
    const { rows } = (await this.#db.executeSql(sql)) as { rows: Row[] };
    const rules = rows.flatMap(({ rule }) => FleetRule.safeParse(rule).data ?? []);
    const version = rules.find((rule) => rule.kind === 'version');
    return {
      caps: rules.flatMap((rule) => (rule.kind === 'cap' ? withoutKind(rule) : [])),
      version: version && withoutKind(version),
    };
  }

  /** Sets the caps of a model, or removes them where none is given. */
  async setCap(cap: ModelCap): Promise<void> {
    const name = `cap ${cap.model}`;
    if (cap.calls === undefined && cap.usdAMinute === undefined)
      await this.#db.executeSql(`delete from ${this.#schema}.fleet_rules where name = $1`, [name]);
    else await this.#set(name, { kind: 'cap', ...cap });
  }

  async setVersion(version: FleetVersion): Promise<void> {
    await this.#set('version', { kind: 'version', ...version });
  }

  async counted(cap: ModelCap): Promise<CapCount> {
    return await this.#counted(this.#db, cap);
  }

  /**
   * Takes calls as far as the cap of their model lets it; what is not admitted stays as it was.
   * @param db of a transaction, which the caller ends
   * @param one takes one call
   */
  async takeWithin(
    db: Db,
    most: number,
    { cap, admit }: TakeLimits,
    one: () => Promise<TakenCall | undefined>,
  ): Promise<readonly TakenCall[]> {
    const count = cap && (await this.#begin(db, cap));
    const room = Math.min(most, (cap?.calls ?? Number.POSITIVE_INFINITY) - (count?.calls ?? 0));
    let spent = count?.usd ?? 0;
    const taken: TakenCall[] = [];
    while (taken.length < room) {
      await db.executeSql('savepoint one');
      const call = await one();
      if (!call) break;
      const usd = await admit(call, cap && dollarsLeft(cap, spent));
      if (usd === undefined) {
        await db.executeSql('rollback to savepoint one');
        break;
      }
      if (cap) await this.#note(db, call.id, cap.model, usd);
      spent += usd;
      taken.push(call);
    }
    return taken;
  }

  /** Says that calls are still under way. Of a worker that was away for longer, others have deleted what counted no more. */
  async goOn(calls: readonly CappedCall[]): Promise<void> {
    const sql = `insert into ${this.#schema}.fleet_taken as t (id, model, usd)
      select * from unnest($1::uuid[], $2::text[], $3::float8[])
      on conflict (id) do update set at = now() where not t.is_over`;
    const values = [calls.map(({ id }) => id), calls.map(({ model }) => model), calls.map(({ usd }) => usd)];
    await this.#db.executeSql(sql, values);
  }

  /** Says that a call is over, and what it cost. */
  async isOver(id: string, usd: number): Promise<void> {
    const sql = `update ${this.#schema}.fleet_taken set is_over = true, usd = $2::float8, at = now() where id = $1`;
    await this.#db.executeSql(sql, [id, usd]);
  }

  /** Waits for the turn of this model, forgets what counts no more, and counts the rest. */
  async #begin(db: Db, cap: ModelCap): Promise<CapCount> {
    // A process that stops in the middle must not hold everybody else up.
    await db.executeSql(`set local idle_in_transaction_session_timeout = ${LONGEST_TURN}`);
    await db.executeSql(`set local lock_timeout = ${2 * LONGEST_TURN}`);
    await db.executeSql('select pg_advisory_xact_lock(hashtext($1))', [`${this.#schema} ${cap.model}`]);
    const old = `delete from ${this.#schema}.fleet_taken where model = $1 and not (${COUNTS})`;
    await db.executeSql(old, [cap.model, cap.usdAMinute ?? null]);
    return await this.#counted(db, cap);
  }

  async #counted(db: Db, { model, usdAMinute }: ModelCap): Promise<CapCount> {
    const sql = `select count(*) filter (where not is_over and at > now() - make_interval(secs => ${SILENT}))::int as calls,
      coalesce(sum(usd), 0)::float8 as usd from ${this.#schema}.fleet_taken where model = $1 and ${COUNTS}`;
    const { rows } = (await db.executeSql(sql, [model, usdAMinute ?? null])) as { rows: Row[] };
    return { calls: Number(rows[0]?.['calls'] ?? 0), usd: Number(rows[0]?.['usd'] ?? 0) };
  }

  async #note(db: Db, id: string, model: string, usd: number): Promise<void> {
    // A queue that lost its memory may have it taken once more: that costs once more.
    const sql = `insert into ${this.#schema}.fleet_taken as t (id, model, usd) values ($1, $2, $3)
      on conflict (id) do update set usd = t.usd + excluded.usd, is_over = false, at = now()`;
    await db.executeSql(sql, [id, model, usd]);
  }

  async #set(name: string, rule: FleetRule): Promise<void> {
    const sql = `insert into ${this.#schema}.fleet_rules (name, rule) values ($1, $2)
      on conflict (name) do update set rule = excluded.rule`;
    await this.#db.executeSql(sql, [name, JSON.stringify(rule)]);
  }
}

/** The condition that a row still counts, as in `minutesOf`; `$2` are the dollars a minute, if there is such a cap. */
const COUNTS =
  "at <= now() + interval '10 s' and at > now() - interval '1 minute' * least(60, greatest(1, coalesce(usd / nullif($2::float8, 0), 1)))";

function withoutKind<T extends FleetRule>({ kind: _, ...rule }: T): Omit<T, 'kind'> {
  return rule;
}
