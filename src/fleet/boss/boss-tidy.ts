import type { Db } from 'pg-boss';

/** The lifetime of records that only tell of a moment: nobody can use them after a day. */
const MOMENT = '1 day';
/** Nobody comes back for an answer after so long; pg-boss deletes the answers themselves. */
const ABANDONED = '7 days';

/**
 * Deletes what dead processes left: their cards, with the questions of searches, what they said about pauses of servers and
 * counted towards caps, and the queues of searches' answers and of models' calls
 * with nothing in them, with who led those searches. Queues of calls that are wanted again are made again. pg-boss deletes calls and answers.
 */
export async function tidyTables(db: Db, schema: string): Promise<void> {
  const isPast = (column: string): string =>
    `(${column} < now() - interval '${MOMENT}' or ${column} > now() + interval '${MOMENT}')`;
  // Before the cards go: whoever showed one of late may still wait for its answers, or send calls.
  await db.executeSql(`delete from ${schema}.queue q
    where (name like 'answers.%' or name like 'calls.%') and created_on < now() - interval '${ABANDONED}'
      and not exists (select from ${schema}.job j where j.name = q.name)
      and not exists (select from ${schema}.fleet_cards where q.name = 'answers.' || (card ->> 'search')
        or jsonb_path_exists(card, '$.models[*].queue ? (@ == $name)', jsonb_build_object('name', q.name)))`);
  await db.executeSql(`delete from ${schema}.fleet_cards where ${isPast('shown')}`);
  await db.executeSql(`delete from ${schema}.fleet_rates where ${isPast('until')}`);
  await db.executeSql(`delete from ${schema}.fleet_taken where ${isPast('at')}`);
  // Last, as a role or a schema of an earlier version lacks it.
  await db.executeSql(`delete from ${schema}.fleet_leads l where at < now() - interval '${ABANDONED}'
      and not exists (select from ${schema}.queue q where q.name = 'answers.' || l.search)`);
}
