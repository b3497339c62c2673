import type { PGlite } from '@electric-sql/pglite';
import { type Db, fromPglite } from 'pg-boss';

/**
 * A database in this process, with transactions. It has one connection, so that statements of others get into a
 * transaction that is open, but no second transaction does.
 */
export function pgliteDb(database: PGlite): Db {
  const db = fromPglite(database);
  let turn: Promise<void> = Promise.resolve();
  return {
    ...db,
    beginTransaction: async () => {
      const before = turn;
      const { promise, resolve } = Promise.withResolvers<void>();
      turn = promise;
      await before;
      await database.exec('begin');
      const end = async (how: 'commit' | 'rollback'): Promise<void> => {
        await database.exec(how);
        resolve();
      };
      const run = (text: string, values?: unknown[]) => database.query<Record<string, unknown>>(text, values);
      return { db: { executeSql: run }, commit: () => end('commit'), rollback: () => end('rollback') };
    },
  } as Db;
}
