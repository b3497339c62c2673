// Books calls of ten tokens in one folder after the other, at the same moment as other processes; prints how many in each.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SpentToday } from '../../../src/fleet/worker/spent-today.ts';

const [, , root = '', id = '', processes = '', rounds = '', tokens = ''] = process.argv;
const nobody = new Int32Array(new SharedArrayBuffer(4));
const booked: number[] = [];
for (let round = 0; round < Number(rounds); round++) {
  const spent = new SpentToday(join(root, `spent-${round}`), id, { tokens: Number(tokens), usd: 1 });
  writeFileSync(join(root, `ready-${round}-${id}`), '');
  const areReady = (): boolean =>
    readdirSync(root).filter((name) => name.startsWith(`ready-${round}-`)).length === Number(processes);
  while (!areReady()) Atomics.wait(nobody, 0, 0, 1);
  let count = 0;
  while (spent.book({ tokens: 10, usd: 0 })) count++;
  booked.push(count);
}
process.stdout.write(JSON.stringify(booked));
