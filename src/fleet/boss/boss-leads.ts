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
