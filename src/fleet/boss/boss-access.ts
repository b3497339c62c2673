import type { ConstructorOptions } from 'pg-boss';
import pgpass from 'pgpass';
import type { QueueAddress } from '../address.ts';

/** A statement that takes longer counts as lost: what it asks for is safe to ask for again. */
const LONGEST_STATEMENT_MS = 15_000;
const LONGEST_CONNECTING_MS = 15_000;
const MOST_CONNECTIONS = 4;

/** Returns the driver's settings for the database at an address. */
export function accessTo({ host, port, database, user, password, ssl }: QueueAddress): ConstructorOptions {
  // The rest goes to the driver as it is; these are not in pg-boss's types.
  const patience = {
    query_timeout: LONGEST_STATEMENT_MS,
    connectionTimeoutMillis: LONGEST_CONNECTING_MS,
    keepAlive: true,
  };
  // The driver would read the file, too, but says at every start that it will not any more.
  const isInFile = password === undefined && process.env['PGPASSWORD'] === undefined;
  return {
    ...{ host, port, database, ssl, max: MOST_CONNECTIONS, ...patience },
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(isInFile && { password: passwordInFile as () => Promise<string> }),
  };
}

/** The driver names the connection, and connects without a password if there is none. */
function passwordInFile(connection?: Parameters<typeof pgpass>[0]): Promise<string | undefined> {
  return new Promise((resolve) => (connection ? pgpass(connection, resolve) : resolve(undefined)));
}
