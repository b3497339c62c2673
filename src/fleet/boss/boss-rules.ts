import type { Db } from 'pg-boss';
import type { CappedCall, TakeLimits, TakenCall } from '../queue.ts';
import { type CapCount, dollarsLeft, FleetRule, type FleetRules, type FleetVersion, type ModelCap } from '../rules.ts';

/** Seconds after which a call that its worker says nothing of counts as over. */
const SILENT = 15;
/** The most that one who takes a call may have all others wait, in milliseconds. */
const LONGEST_TURN = 3000;
const MOST_RULES = 2000;

type Row = Record<string, unknown>;

/** The rules for all workers of a fleet, and the count of their calls of models with a cap. */
export class BossRules {
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
