import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { Message } from '../core/messages/message.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import * as say from './messages.ts';

/** Where the queue's database is, and how it is reached. */
export interface QueueAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** Of everything of ours in the database: fleets in one database differ in it. */
  readonly schema: string;
  readonly ssl: ConnectionOptions | false;
  /** Without its password. */
  readonly shown: string;
  /** Warnings that the connection is weaker than it should be, because the address says so. */
  readonly weak: readonly Message[];
  readonly secrets: readonly string[];
}

/** The schema where the address names none. */
export const USUAL_SCHEMA = 'thought_tree';
const SETTINGS = ['sslmode', 'sslrootcert', 'host', 'schema'];
const MODES = ['verify-full', 'no-verify', 'disable'] as const;

/**
 * Reads the address of a queue, such as `postgres://user@host/database`. Anywhere but on this computer it is reached by
 * TLS with a checked certificate, unless the address itself says otherwise.
 * @throws ThoughtTreeError `bad-input`
 */
export function readQueueAddress(text: string): QueueAddress {
  const url = URL.parse(text.trim());
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol)) throw wrong(say.notAnAddress());
  const { searchParams: given } = url;
  for (const name of given.keys())
    if (!SETTINGS.includes(name)) throw wrong(say.unknownSetting({ name: name.slice(0, 50) }));
  const socket = given.get('host') ?? undefined;
  if (socket !== undefined && !socket.startsWith('/')) throw wrong(say.socketNotAPath());
  const schema = given.get('schema') ?? USUAL_SCHEMA;
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(schema)) throw wrong(say.notASchema());
  const host = socket ?? decoded(url.hostname.replace(/^\[(.*)\]$/, '$1'));
  if (host === '') throw wrong(say.notAnAddress());
  const password = decoded(url.password) || undefined;
  const port = Number(url.port || 5432);
  const user = decoded(url.username) || undefined;
  const database = decoded(url.pathname.replace(/^\//, '')) || user || 'postgres';
  const shown = `postgres://${user === undefined ? '' : `${user}@`}${socket ?? url.host}/${database}`;
  const at = {
    host,
    port,
    database,
    user,
    password,
    schema,
    shown,
    secrets: password === undefined ? [] : [password, url.password],
  };
  return { ...at, ...protectionOf(given, host, socket !== undefined || isLoopback(host)) };
}

function protectionOf(given: URLSearchParams, host: string, isHere: boolean): Pick<QueueAddress, 'ssl' | 'weak'> {
  const mode = given.get('sslmode') ?? (isHere ? 'disable' : 'verify-full');
  if (!(MODES as readonly string[]).includes(mode)) throw wrong(say.unknownMode({ modes: MODES.join(', ') }));
  if (mode === 'disable') return { ssl: false, weak: isHere ? [] : [say.notEncrypted({ host })] };
  if (mode === 'no-verify') return { ssl: { rejectUnauthorized: false }, weak: [say.notChecked({ host })] };
  const file = given.get('sslrootcert');
  return { ssl: { rejectUnauthorized: true, ...(file !== null && { ca: certificateIn(file) }) }, weak: [] };
}

function certificateIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new ThoughtTreeError('bad-input', say.noCertificate({ file }), { cause });
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw wrong(say.notAnAddress());
  }
}

function wrong(why: Message): ThoughtTreeError {
  return new ThoughtTreeError('bad-input', why);
}
