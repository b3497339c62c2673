import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LogOutputChannel, SecretStorage } from 'vscode';
import type { OpenFleetParts } from '../../../../src/extension/fleet/open-fleet.ts';
import { RefusingDatabase } from '../../../support/fleet/refusing-database.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { fake, workspace as fakeWorkspace } from '../fake-vscode.ts';

const { openFleet } = await import('../../../../src/extension/fleet/open-fleet.ts');
const { QueuePassword } = await import('../../../../src/extension/fleet/open-fleet.ts');
const { queueAddress } = await import('../../../../src/extension/settings.ts');

const SERVED = 'openai-compatible/small';
/** Nobody listens there. */
const NOWHERE = 'postgres://me@127.0.0.1:1/tree';

function partsFor(address: string, kept = new Map<string, string>()): OpenFleetParts & { said: string[] } {
  const secrets = {
    get: async (key: string) => kept.get(key),
    store: async (key: string, value: string) => void kept.set(key, value),
    delete: async (key: string) => void kept.delete(key),
  } as unknown as SecretStorage;
  const said: string[] = [];
  const log = { warn: (text: string) => said.push(text) } as unknown as LogOutputChannel;
  return { address, password: new QueuePassword(secrets), log, said };
}

function requestFor(model: string, judge?: string) {
  const workspace = temporaryFolder('fleet');
  return { place: { folder: join(workspace, 'thought-trees/why'), workspace }, title: 'Why?', model, judge };
}

describe('the queue that the settings name', () => {
  beforeEach(() => fake.reset());

  it("is the person's own, never one that came with the folder, and none where nothing may be run", () => {
    fake.workspaceSettings = { 'thoughtTree.queue': 'postgres://evil/evil' };
    assert.equal(queueAddress(), undefined);
    fake.settings = { 'thoughtTree.queue': ` ${NOWHERE} ` };
    assert.equal(queueAddress(), NOWHERE);
    fakeWorkspace.isTrusted = false;
    assert.equal(queueAddress(), undefined);
    fakeWorkspace.isTrusted = true;
    fake.settings = { 'thoughtTree.queue': 7 };
    assert.equal(queueAddress(), undefined);
  });

  it('is not needed by models of the window and those that answer from files', async () => {
    for (const model of ['vscode/gpt', 'workspace/quotes', 'replay/run'])
      assert.equal(await openFleet(requestFor(model), partsFor(NOWHERE)), undefined);
    await assert.rejects(openFleet(requestFor('vscode/gpt', SERVED), partsFor(NOWHERE)), { reason: 'unreachable' });
    const several = { ...requestFor('vscode/gpt'), several: ['vscode/gpt', SERVED] };
    await assert.rejects(openFleet(several, partsFor(NOWHERE)), { reason: 'unreachable' });
  });

  it('is for agents, too, whose workers have the folder', async () => {
    await assert.rejects(openFleet(requestFor('claude/sonnet'), partsFor(NOWHERE)), { reason: 'unreachable' });
  });

  it('says what to do about an address that cannot be used, and writes nothing', async () => {
    const request = requestFor(SERVED);
    const why = (address: string, error: RegExp) => assert.rejects(openFleet(request, partsFor(address)), error);
    await why(
      NOWHERE,
      /^ThoughtTreeError: Nothing was begun\. The queue at postgres:\/\/me@127\.0\.0\.1:1\/tree cannot be used: .*ECONNREFUSED.*leave it empty/,
    );
    await why('http://db/tree', /Nothing was begun\. The address of a queue looks like postgres:/);
    await why(
      'postgres://db/tree?sslmode=prefer',
      /Nothing was begun\. The setting "sslmode".* verify-full, no-verify, disable/,
    );
    assert.equal(existsSync(request.place.folder), false);
  });

  it('must not have its password in the setting', async () => {
    const given = partsFor('postgres://me:hunter22@127.0.0.1:1/tree');
    const error = await openFleet(requestFor(SERVED), given).then(
      () => assert.fail(),
      (each: Error) => each,
    );
    assert.match(
      error.message,
      /has a password in it, which others can read\. Remove it there, leaving postgres:\/\/me@127\.0\.0\.1:1\/tree:/,
    );
    assert.ok(![error.message, ...fake.messages, ...given.said].join().includes('hunter22'));
  });

  it('says what is weak about its address', async () => {
    const given = partsFor('postgres://me@127.0.0.2.example.invalid/tree?sslmode=disable');
    await assert.rejects(openFleet(requestFor(SERVED), given), { reason: 'unreachable' });
    assert.match(fake.messages.join(), /"Why\?": The connection to 127\.0\.0\.2\.example\.invalid is not encrypted/);
    assert.match(given.said.join(), /is not encrypted/);
  });

  it('asks for the password where the database does, until the person gives up, and keeps none that is refused', async () => {
    const database = await new RefusingDatabase().listen();
    try {
      const kept = new Map<string, string>();
      const given = partsFor(`postgres://me@127.0.0.1:${database.port}/tree`, kept);
      const asked: { title: string; prompt: string; password: boolean }[] = [];
      const typed = ['first one', 'sec:ond/@', undefined];
      fake.answer = (question) => {
        asked.push(question as (typeof asked)[number]);
        return typed[asked.length - 1];
      };
      const error = await openFleet(requestFor(SERVED), given).then(
        () => assert.fail(),
        (each: Error) => each,
      );
      assert.equal((error as { reason?: string }).reason, 'declined');
      assert.deepEqual(
        [...new Set(database.passwords)].filter((each) => each !== ''),
        ['first one', 'sec:ond/@'],
      );
      assert.ok(asked.every(({ password }) => password));
      assert.equal(asked[0]?.title, `Password of the queue postgres://me@127.0.0.1:${database.port}/tree`);
      assert.deepEqual(
        asked.map(({ prompt }) => prompt.startsWith('The database refused the password.')),
        [false, true, true],
      );
      assert.equal(kept.size, 0);
      const told = JSON.stringify([error.message, error.stack, fake.messages, given.said]);
      for (const word of ['first one', 'sec:ond', 'sec%3Aond']) assert.ok(!told.includes(word), told);
    } finally {
      await database.close();
    }
  });
});

describe('the password of a queue', () => {
  it('is given out for the very address that it was entered for, until it is removed', async () => {
    const kept = new Map<string, string>();
    const { password } = partsFor(NOWHERE, kept);
    assert.equal(await password.get(NOWHERE), undefined);
    assert.equal(await password.remove(), false);
    await password.set(NOWHERE, 'hunter22');
    assert.equal(await password.get(NOWHERE), 'hunter22');
    for (const other of [`${NOWHERE}?sslmode=disable`, NOWHERE.replace('me@', 'you@'), NOWHERE.replace(':1', ':2')])
      assert.equal(await password.get(other), undefined, other);
    assert.equal(await password.remove(), true);
    assert.equal(kept.size, 0);
    kept.set('thoughtTree.queuePassword', 'no JSON');
    assert.equal(await password.get(NOWHERE), undefined);
  });
});
