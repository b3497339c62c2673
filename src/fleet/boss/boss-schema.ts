import type { Db } from 'pg-boss';
import { isForbidden } from './database-errors.ts';

/** The most that a card may be, in bytes of JSON as the database writes it. */
export const MOST_CARD = 256 * 1024;

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
 * number is none), cards with another's name or a date of their own. The rows there are made anew within seconds, or
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
