import type { Db } from 'pg-boss';
import type { Lead } from '../queue.ts';

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
export class BossLeads {
  readonly #db: Db;
  readonly #leads: string;
  #led: Lead | undefined;

  constructor(db: Db, schema: string) {
    this.#db = db;
    this.#leads = `${schema}.fleet_leads`;
  }

  async lead({ search, epoch }: Lead, isLatest: boolean): Promise<boolean> {
    const sql = `insert into ${this.#leads} as led (search, epoch) values ($1, $2::bigint)
      on conflict (search) do update set epoch = excluded.epoch, at = now()
      where led.epoch <= excluded.epoch or $3::boolean returning search`;
    const { rows } = await this.#db.executeSql(sql, [search, epoch, isLatest]);
    if (rows.length === 0) return false;
    this.#led = { search, epoch };
    return true;
  }

  /** Whether a later lease leads the search that this side leads. */
  async isFollowed(): Promise<boolean> {
    const { sql, values } = this.isNotFollowed(1);
    const { rows } = (await this.#db.executeSql(`select ${sql} as ours`, [...values])) as { rows: { ours: boolean }[] };
    return rows[0]?.ours !== true;
  }

  /**
   * That no later lease leads the search that this side leads; true for a side that leads none. Where the database has lost
   * who led it, nobody is kept from anything.
   * @param first the number of its first parameter
   */
  isNotFollowed(first: number): Condition {
    if (!this.#led) return { sql: 'true', values: [] };
    const { search, epoch } = this.#led;
    const sql = `not exists (select from ${this.#leads} where search = $${first} and epoch > $${first + 1}::bigint)`;
    return { sql, values: [search, epoch] };
  }
}
