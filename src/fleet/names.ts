import { createHash, createHmac } from 'node:crypto';

/** The queue for calls of a model, at a server of one's own if there is an origin. */
export function queueOf(model: string, origin: string | undefined): string {
  return `calls.${hashed(model, origin ?? '').slice(0, 24)}`;
}

/** The queue for a search's answers. */
export function answersOf(search: string): string {
  return `answers.${search}`;
}

/** The name of a search in the queue: where it lies is a part of it, so that copies of it get no answers of each other. */
export function searchKey(id: string, folder: string): string {
  return hashed(id, folder).slice(0, 32);
}

/** The job of a call: the same however often it is sent, and in every process. `again` counts sendings that cost nothing. */
export function jobOf(search: string, call: string, again = 0): string {
  const hex = hashed(search, call, String(again)).slice(0, 32).split('');
  hex[12] = '8';
  hex[16] = '8';
  const id = hex.join('');
  return [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-');
}

/** What an answer to a job has to name. Whoever has the leader's key can make it again after a restart. */
export function tokenOf(key: string, job: string): string {
  return createHmac('sha256', key).update(job).digest('hex');
}

/** Tells a server with its key from others, for those who have the same key; says nothing about the key to anybody else. */
export function accountOf(key: string | undefined, host: string): string {
  return createHmac('sha256', key ?? '')
    .update(`thought-tree ${host}`)
    .digest('hex')
    .slice(0, 32);
}

function hashed(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
