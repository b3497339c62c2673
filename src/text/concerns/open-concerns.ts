import { readFileSync } from 'node:fs';
import { packedTable } from '../words/packed-table.ts';
import { type ConcernTable, concernTableOf, unpackConcerns } from './concern-table.ts';
import { Concerns } from './concerns.ts';

let opened: Concerns | undefined;

/** Returns what programs do, and how people ask about it; read when first needed. */
export function concerns(): Concerns {
  opened ??= new Concerns(readTable());
  return opened;
}

function readTable(): ConcernTable {
  const packed = packedTable('concerns');
  return packed
    ? unpackConcerns(packed)
    : concernTableOf(readFileSync(new URL('../../../data/concerns.txt', import.meta.url), 'utf8'));
}
