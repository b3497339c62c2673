import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readQueueAddress } from '../../../../src/fleet/address.ts';
import { openQueue } from '../../../../src/fleet/open-queue.ts';
import { RefusingDatabase } from '../../../support/fleet/refusing-database.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const NAMES = ['PGPASSFILE', 'PGPASSWORD'] as const;

describe('the password of a queue', () => {
  const before = NAMES.map((name) => [name, process.env[name]] as const);
  let database: RefusingDatabase;
  beforeEach(async () => {
    database = await new RefusingDatabase().listen();
    for (const name of NAMES) delete process.env[name];
    const file = join(temporaryFolder('passwords'), 'pgpass');
    writeFileSync(file, `127.0.0.1:${database.port}:tree:me:of the file\n`, { mode: 0o600 });
    process.env['PGPASSFILE'] = file;
  });
  afterEach(async () => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    await database.close();
  });

  /** What the database is told, and what Node.js warns of meanwhile. */
  async function toldTo(address: string): Promise<{ passwords: string[]; warnings: string[] }> {
    const warnings: string[] = [];
    const warn = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', warn);
    await assert.rejects(openQueue(readQueueAddress(address), false), { reason: /key-refused|unreachable/ });
    process.off('warning', warn);
    return { passwords: [...new Set(database.passwords)], warnings };
  }

  it('is that of the address, else that of the environment, else that of the password file', async () => {
    const address = `postgres://me@127.0.0.1:${database.port}/tree`;
    assert.deepEqual(await toldTo(address), { passwords: ['of the file'], warnings: [] });
    process.env['PGPASSWORD'] = 'of the environment';
    assert.deepEqual((await toldTo(address)).passwords.slice(1), ['of the environment']);
    assert.deepEqual((await toldTo(address.replace('me@', 'me:given@'))).passwords.slice(2), ['given']);
  });

  it('may be missing', async () => {
    assert.deepEqual((await toldTo(`postgres://me@127.0.0.1:${database.port}/other`)).passwords, ['']);
  });
});
