import { createHash, createHmac } from 'node:crypto';

/** Returns the queue for calls of a model, at a server of one's own if there is an origin. */
export function queueOf(model: string, origin: string | undefined): string {
  return `calls.${hashed(model, origin ?? '').slice(0, 24)}`;
}

/** The queue for a search's answers. */
export function answersOf(search: string): string {
  return `answers.${search}`;
}

/**
 * Returns the name of a search in the queue: where it lies is a part of it, so that copies of it get no answers of each
 * other.
 */
export function searchKey(id: string, folder: string): string {
  return hashed(id, folder).slice(0, 32);
}

/**
 * The job of a call: the same however often it is sent, and in every process.
 * @param maker tells its model from others
 * @param again counts sendings that cost nothing
 */
export function jobOf(search: string, call: string, maker: string, again = 0): string {
  return uuidOf(hashed(search, call).slice(0, 15) + markOf(maker) + again.toString(16).padStart(8, '0'));
}

/** Returns the part that all jobs of a call have in common, and no others. */
export function callOfJob(job: string): string {
  return job.slice(0, 18);
}

export function isMadeBy(job: string, maker: string): boolean {
  return job.replaceAll('-', '').slice(17, 24) === markOf(maker);
}

/** Returns the job of an answer, by whoever gives it. */
export function answerJobOf(job: string, by: string): string {
  return uuidOf(hashed(job, by).slice(0, 30));
}

/** Makes the token that an answer to a job has to name, as can whoever has the leader's key after a restart. */
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

function markOf(maker: string): string {
  return hashed(maker).slice(0, 7);
}

/** @param hex 30 digits */
function uuidOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(12, 15)}-8${hex.slice(15, 18)}-${hex.slice(18)}`;
}

function hashed(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Returns the origin that names a person's own server in a call; undefined where the provider's own is meant. */
export function originOf(baseUrl: string | undefined): string | undefined {
  const given = baseUrl?.trim();
  if (!given) return undefined;
  const { origin } = URL.parse(given) ?? {};
  return origin === 'null' ? undefined : origin;
}
