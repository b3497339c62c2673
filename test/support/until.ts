import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for something that other code brings about, however long that takes: the test's own time limit ends it. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(5);
}
