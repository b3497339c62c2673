import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import type { LogOutputChannel, SecretStorage } from 'vscode';
import type { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import { RefusingDatabase } from '../../../support/fleet/refusing-database.ts';
import { fake, workspace as fakeWorkspace } from '../fake-vscode.ts';
import { sampleLibrary, sampleSearch } from '../sidebar/sample.ts';

const { FleetLook } = await import('../../../../src/extension/fleet/fleet-look.ts');

const secrets = { get: async () => undefined } as unknown as SecretStorage;

describe('looking at the fleet that the settings name', () => {
  const open: { dispose(): void }[] = [];
  let [never, asked]: RefusingDatabase[] = [];
  before(async () => {
    [never, asked] = await Promise.all([new RefusingDatabase().listen(), new RefusingDatabase().listen()]);
  });
  after(() => Promise.all([never?.close(), asked?.close()]));
  beforeEach(() => fake.reset());
  afterEach(() => {
    for (const each of open.splice(0)) each.dispose();
  });

  /** Looks for a library with one search; resolves when the database was asked, and did not let it in. */
  function looks(more: Partial<FollowedSearch> = {}): Promise<void> {
    const { library, tell } = sampleLibrary(sampleSearch({ model: 'openai-compatible/m', ...more }));
    const said = Promise.withResolvers<void>();
    const log = { debug: () => said.resolve(), error: assert.fail } as unknown as LogOutputChannel;
    open.push(new FleetLook({ library, secrets, log }));
    tell();
    return said.promise;
  }

  it('happens while a search is at work that it may serve, and never else', async () => {
    const address = `postgres://me@127.0.0.1:${never?.port}/tree`;
    fake.workspaceSettings = { 'thoughtTree.queue': address };
    void looks();
    fake.workspaceSettings = {};
    fake.settings = { 'thoughtTree.queue': address };
    fakeWorkspace.isTrusted = false;
    void looks();
    fakeWorkspace.isTrusted = true;
    void looks({ state: 'paused' });
    for (const model of ['vscode/gpt', 'workspace/quotes']) void looks({ model });
    fake.settings = { 'thoughtTree.queue': address.replace('me@', 'me:secret@') };
    void looks();
    fake.settings = { 'thoughtTree.queue': `postgres://me@127.0.0.1:${asked?.port}/tree` };
    await looks();
    // Those that began before would have come there before.
    assert.deepEqual([never?.connections, (asked?.connections ?? 0) > 0], [0, true]);
  });
});
