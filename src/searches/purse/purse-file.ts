import { closeSync, existsSync, fdatasync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { isGone, ProcessIdentity, thisProcess } from '../../store/lease/process-identity.ts';
import { purseHeld, purseUnusable } from '../messages.ts';
import { StateFolder, statePath } from '../trust/state-folder.ts';

/** Its name in this user's state folder. */
const NAME = 'purse.db';
/** Billionths of a dollar, so that sums are exact. */
const NANO = 1e9;
/** A million dollars: whatever a server says that one call cost, sums stay numbers that can be read. */
const MOST = 1e15;
const MOST_IN_SUM = 9e15;
/** The longest that others may keep the file to themselves, in milliseconds: a step takes a fraction of one. */
const LONGEST_WAIT_MS = 10_000;
/** The days after which a call that a killed process left never ends. */
const DAYS_OPEN = 400;
/** The days for which it is known what was spent on what. */
const DAYS_KEPT = 800;

const TABLES = `
  CREATE TABLE IF NOT EXISTS clock (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL, day TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS limits (scope TEXT PRIMARY KEY, nano INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS totals (scope TEXT PRIMARY KEY, nano INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS open (call TEXT PRIMARY KEY, day TEXT NOT NULL, folder TEXT NOT NULL, search TEXT NOT NULL,
    model TEXT NOT NULL, purpose TEXT NOT NULL, tokens INTEGER NOT NULL, nano INTEGER NOT NULL, isPriced INTEGER NOT NULL,
    owner TEXT NOT NULL, job TEXT) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS jobs ON open (job) WHERE job IS NOT NULL;
  CREATE TABLE IF NOT EXISTS spent (day TEXT NOT NULL, folder TEXT NOT NULL, search TEXT NOT NULL, model TEXT NOT NULL,
    purpose TEXT NOT NULL, calls INTEGER NOT NULL, tokens INTEGER NOT NULL, nano INTEGER NOT NULL, booked INTEGER NOT NULL,
    unpriced INTEGER NOT NULL, PRIMARY KEY (day, folder, search, model, purpose)) WITHOUT ROWID;
  PRAGMA user_version = 1;
`;

/** Returns dollars in billionths, never less than they are. */
export function nanoOf(usd: number): number {
  // Without the step back, what a product of fractions has too much would become one more.
  return Math.min(MOST, Math.max(0, Math.ceil(usd * NANO - 1e-3)));
}

export function usdOf(nano: number): number {
  return nano / NANO;
}

/** What a call is counted under. */
export interface About {
  readonly day: string;
  /** The workspace, as one path however it was typed. */
  readonly folder: string;
  /** Of the search, below the workspace. */
  readonly search: string;
  readonly model: string;
  readonly purpose: string;
}

/** A call that has not ended. */
export interface OpenCall extends About {
  readonly call: string;
  readonly tokens: number;
  readonly nano: number;
  readonly isPriced: 0 | 1;
  /** The process that makes it, as JSON. */
  readonly owner: string;
}

/** What calls of one sort used. */
export interface Spent extends About {
  readonly calls: number;
  readonly tokens: number;
  readonly nano: number;
  /** The part of `nano` of which nobody told what was used. */
  readonly booked: number;
  /** Calls whose price nobody knows. */
  readonly unpriced: number;
}

type Scopes = readonly [day: string, month: string, folder: string];

/** Returns what a call counts into. */
export function scopesOf({ day, folder }: Pick<About, 'day' | 'folder'>): Scopes {
  return [`day ${day}`, `month ${day.slice(0, 7)}`, folderScope(folder)];
}

export function folderScope(folder: string): string {
  return `folder ${folder}`;
}

/**
 * What this user's calls on this computer cost, in a database in their state folder: its lock is what keeps processes from
 * spending the same money. A process that is killed leaves it whole.
 */
export class PurseFile {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #now: () => number;
  /** What is written first, before it gets into the file itself. */
  #log: number | undefined;
  #flushed = Promise.resolve();
  #next: Promise<void> | undefined;

  private constructor(database: DatabaseSync, path: string, now: () => number) {
    this.#database = database;
    this.#path = path;
    this.#now = now;
  }

  /**
   * Undefined where this user has no state folder, or this program no database: then this program heeds no limits over
   * everything.
   * @param now milliseconds since 1970
   * @throws ThoughtTreeError `not-writable` if there is one that cannot be used: it may hold limits
   */
  static open(folder = statePath(), now: () => number = Date.now): PurseFile | undefined {
    const sqlite = loadDatabase();
    if (!sqlite || folder === undefined || !StateFolder.open(folder)) return undefined;
    const path = join(folder, NAME);
    const isThere = existsSync(path);
    let database: DatabaseSync | undefined;
    try {
      database = new sqlite.DatabaseSync(path);
      database.exec(`PRAGMA busy_timeout = ${LONGEST_WAIT_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL`);
      const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
      if (version === 0) database.exec(`BEGIN IMMEDIATE; ${TABLES} COMMIT`);
      else if (version !== 1) throw new Error(`version ${version}`);
      // From here on, nobody waits inside of it: that would hold up everything else in this process.
      database.exec('PRAGMA busy_timeout = 0');
      return new PurseFile(database, path, now);
    } catch (error) {
      database?.close();
      // Another process may just have made it.
      if (isThere || existsSync(path)) throw unusable(path, error);
      return undefined;
    }
  }

  /**
   * Carries out a step while no other process writes: all of it, or nothing.
   * @throws ThoughtTreeError `not-writable`
   */
  async alone<T>(step: () => T): Promise<T> {
    try {
      for (let wait = 1, end = performance.now() + LONGEST_WAIT_MS; !this.#begin(end); wait = Math.min(32, 2 * wait))
        await sleep(wait * Math.random());
      try {
        const result = step();
        this.#run('COMMIT');
        return result;
      } catch (error) {
        this.#database.exec('ROLLBACK');
        throw error;
      }
    } catch (error) {
      throw unusable(this.#path, error);
    }
  }

  #begin(end: number): boolean {
    try {
      this.#run('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
      return false;
    }
  }

  /** Brings what was done to the disk itself. All that ask while it is under way share the next one. */
  flush(): Promise<void> {
    this.#next ??= this.#flushed
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        this.#flushed = this.#flush();
        return this.#flushed;
      });
    return this.#next;
  }

  /** Resolves when nothing is on its way to the disk. */
  async idle(): Promise<void> {
    await Promise.allSettled([this.#next, this.#flushed]);
  }

  async #flush(): Promise<void> {
    try {
      this.#log ??= openSync(`${this.#path}-wal`, 'r+');
      await promisify(fdatasync)(this.#log);
    } catch (error) {
      throw unusable(this.#path, error);
    }
  }

  /** Today, in the local time zone: it only goes forward, whatever the clock does. Within a step. */
  today(): string {
    const last = this.#get<{ at: number; day: string }>('SELECT at, day FROM clock');
    const at = Math.max(this.#now(), last?.at ?? 0);
    const local = localDay(at);
    const day = last && last.day > local ? last.day : local;
    if (last?.day === day) return day;
    const sql = 'INSERT INTO clock VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at, day = excluded.day';
    this.#run(sql, at, day);
    if (last) {
      this.#giveUp(localDay(at - DAYS_OPEN * 86_400_000));
      this.#forget(localDay(at - DAYS_KEPT * 86_400_000));
    }
    return day;
  }

  /** Calls that a killed process left count at their worst case for good. */
  #giveUp(before: string): void {
    for (const { isPriced, ...call } of this.openCalls()) {
      if (call.day >= before || !isLeft(call)) continue;
      this.dropOpen(call.call);
      this.addSpent({ ...call, calls: 1, booked: call.nano, unpriced: 1 - isPriced });
    }
  }

  #forget(before: string): void {
    this.#run('DELETE FROM spent WHERE day < ?', before);
    this.#run("DELETE FROM totals WHERE scope >= 'day ' AND scope < ?", `day ${before}`);
  }

  limits(): ReadonlyMap<string, number> {
    const all = this.#all<{ scope: string; nano: number }>('SELECT scope, nano FROM limits');
    return new Map(all.map(({ scope, nano }) => [scope, nano]));
  }

  /** @param nano undefined for none */
  setLimit(scope: string, nano: number | undefined): void {
    if (nano === undefined) this.#run('DELETE FROM limits WHERE scope = ?', scope);
    else this.#run('INSERT INTO limits VALUES (?, ?) ON CONFLICT DO UPDATE SET nano = excluded.nano', scope, nano);
  }

  /** Returns what was spent within a scope, and is booked for calls under way. */
  total(scope: string): number {
    return this.#get<{ nano: number }>('SELECT nano FROM totals WHERE scope = ?', scope)?.nano ?? 0;
  }

  add(scopes: Scopes, nano: number): void {
    for (const scope of scopes)
      this.#run(
        `INSERT INTO totals VALUES (?, ?) ON CONFLICT DO UPDATE SET nano = min(nano + excluded.nano, ${MOST_IN_SUM})`,
        scope,
        nano,
      );
  }

  openCalls(): OpenCall[] {
    return this.#all<OpenCall>('SELECT * FROM open');
  }

  openCall(call: string): OpenCall | undefined {
    return this.#get<OpenCall>('SELECT * FROM open WHERE call = ?', call);
  }

  putOpen({ call, day, folder, search, model, purpose, tokens, nano, isPriced, owner }: OpenCall): void {
    const sql = 'INSERT OR REPLACE INTO open VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)';
    this.#run(sql, call, day, folder, search, model, purpose, tokens, nano, isPriced, owner);
  }

  dropOpen(call: string): void {
    this.#run('DELETE FROM open WHERE call = ?', call);
  }

  /** Says as which job of a queue a call goes out. */
  nameJob(call: string, job: string): void {
    this.#run('UPDATE open SET job = ? WHERE call = ?', job, call);
  }

  hasJob(job: string): boolean {
    return this.#get('SELECT 1 FROM open WHERE job = ?', job) !== undefined;
  }

  addSpent({ day, folder, search, model, purpose, calls, tokens, nano, booked, unpriced }: Spent): void {
    this.#run(
      `INSERT INTO spent VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls,
      tokens = tokens + excluded.tokens, nano = min(nano + excluded.nano, ${MOST_IN_SUM}),
      booked = min(booked + excluded.booked, ${MOST_IN_SUM}),
      unpriced = unpriced + excluded.unpriced`,
      ...[day, folder, search, model, purpose, calls, tokens, nano, booked, unpriced],
    );
  }

  /** @param from the first day */
  spent(from: string): Spent[] {
    return this.#all<Spent>('SELECT * FROM spent WHERE day >= ?', from);
  }

  close(): void {
    if (this.#log !== undefined) closeSync(this.#log);
    this.#log = undefined;
    this.#database.close();
  }

  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();

  #statement(sql: string): ReturnType<DatabaseSync['prepare']> {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  #run(sql: string, ...values: readonly SQLInputValue[]): void {
    this.#statement(sql).run(...values);
  }

  #get<T>(sql: string, ...values: readonly SQLInputValue[]): T | undefined {
    return this.#statement(sql).get(...values) as T | undefined;
  }

  #all<T>(sql: string, ...values: readonly SQLInputValue[]): T[] {
    return this.#statement(sql).all(...values) as T[];
  }
}

/** Tells whether the process that made a call is known to be gone. */
export function isLeft({ owner }: Pick<OpenCall, 'owner'>): boolean {
  return isGone(ProcessIdentity.parse(JSON.parse(owner)), thisProcess());
}

/** Says that another process is at it. */
const BUSY = 5;

/** Node calls it experimental, which it would print above everything; editors and other programs may have none. */
function loadDatabase(): typeof import('node:sqlite') | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Returns a date in the local time zone. */
function localDay(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function isBusy(error: unknown): boolean {
  return ((error as { errcode?: number }).errcode ?? 0) % 256 === BUSY;
}

function unusable(file: string, error: unknown): ThoughtTreeError {
  const why = error instanceof Error ? error.message : String(error);
  const text = isBusy(error) ? purseHeld({ file, seconds: LONGEST_WAIT_MS / 1000 }) : purseUnusable({ file, why });
  return new ThoughtTreeError('not-writable', text, { file, charged: false, cause: error });
}
