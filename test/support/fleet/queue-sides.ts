import { PGlite } from '@electric-sql/pglite';
import { PostgresQueue } from '../../../src/fleet/postgres/postgres-queue.ts';
import type { FleetQueue } from '../../../src/fleet/queue.ts';
import { MemoryBoard, MemoryQueue } from './memory-queue.ts';
import { pgliteDb } from './pglite-db.ts';

/** The sides of one queue. */
export interface Sides {
  readonly leader: FleetQueue;
  readonly worker: FleetQueue;
  /** Another process that leads. */
  readonly successor: FleetQueue;
  /** Makes everything that happened so far older, in seconds. */
  readonly age: (seconds: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

async function inMemory(): Promise<Sides> {
  const board = new MemoryBoard();
  let ahead = 0;
  board.now = () => performance.now() + ahead;
  const age = async (seconds: number): Promise<void> => {
    ahead += seconds * 1000;
  };
  const [leader, worker, successor] = [new MemoryQueue(board), new MemoryQueue(board), new MemoryQueue(board)];
  return { leader, worker, successor, age, close: async () => undefined };
}

async function onPglite(): Promise<Sides> {
  const database = await PGlite.create();
  const db = pgliteDb(database);
  const leader = await PostgresQueue.on(db, { looksAfter: true });
  const worker = await PostgresQueue.on(db, { looksAfter: false });
  const successor = await PostgresQueue.on(db, { looksAfter: false });
  const age = async (seconds: number): Promise<void> => {
    const by = `- interval '${seconds} seconds'`;
    await database.exec(`update thought_tree.job set heartbeat_on = heartbeat_on ${by};
      set session_replication_role = replica;
      update thought_tree.fleet_cards set shown = shown ${by};
      reset session_replication_role;
      update thought_tree.fleet_rates set until = until ${by};
      update thought_tree.fleet_taken set at = at ${by}`);
  };
  const close = async (): Promise<void> => {
    await leader.close();
    await worker.close();
    await successor.close();
    await database.close();
  };
  return { leader, worker, successor, age, close };
}

/** Every implementation of a queue, by name. */
export const QUEUES = [
  ['in memory', inMemory],
  ['of pg-boss', onPglite],
] as const;
