import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const MODULE = new URL('../../../scripts/postgres/own-postgres.ts', import.meta.url).href;
const CODE = `const { ownPostgres } = await import(${JSON.stringify(MODULE)});
  const { port, data } = await ownPostgres();
  process.stdout.write(JSON.stringify({ port, data }) + '\\n');
  setInterval(() => undefined, 60_000);`;

/** Another process with a PostgreSQL of its own. */
async function started(env: Record<string, string>): Promise<{ port: number; data: string; kill(): void }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', CODE], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await Promise.race([once(child.stdout, 'data'), once(child, 'close').then(() => [])])) as [Buffer?];
  assert.ok(line, 'it started');
  return { ...(JSON.parse(line.toString()) as { port: number; data: string }), kill: () => void child.kill('SIGKILL') };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const how = once(socket, 'connect').then(
    () => true,
    () => false,
  );
  return await how.finally(() => socket.destroy());
}

describe('a PostgreSQL of its own', () => {
  for (const [name, env] of [
    ['as this computer has it', {}],
    ['of packages, where none is installed', { POSTGRES: 'embedded' }],
  ] as const)
    it(`${name}, ends with its parent, which was killed`, async () => {
      const { port, data, kill } = await started(env);
      assert.equal(await answers(port), true);
      kill();
      while ((await answers(port)) || existsSync(dirname(data))) await sleep(50);
    });
});
