import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runSql, TestFleet } from '../../support/fleet/test-fleet.ts';
import { type ScriptedServer, startScriptedServer } from '../../support/servers/scripted-server.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startResearch } from './support/start-search.ts';
import { useWindow } from './support/use-window.ts';

const PASSWORD = 'p@ss wörd';
const QUESTION = 'How does the server protect itself?';
const workspace = temporaryFolder('fleet');
cpSync(join(import.meta.dirname, '../../host/sample-workspace'), workspace, { recursive: true });
// What a folder brings along must not lead anywhere.
mkdirSync(join(workspace, '.vscode'), { recursive: true });
writeFileSync(
  join(workspace, '.vscode/settings.json'),
  JSON.stringify({ 'thoughtTree.queue': 'postgres://evil@127.0.0.1:1/evil' }),
);
const { answer } = scriptedTree({ fanout: (_path, depth) => [3][depth] ?? 0, documentWords: 20 });

describe('a window whose searches make their calls by a fleet', () => {
  const settings: Record<string, unknown> = { 'thoughtTree.model': 'openai-compatible/scripted' };
  let fleet: TestFleet;
  let server: ScriptedServer;
  let isHeld = true;
  const gates: (() => void)[] = [];

  before(async () => {
    server = await startScriptedServer({
      answer: (call) =>
        (async function* () {
          if (isHeld && call.node !== '') await new Promise<void>((resolve) => gates.push(resolve));
          yield answer(call);
        })(),
    });
    fleet = await TestFleet.make({ own: true });
    await asksForPassword(fleet);
    await fleet.worker(server.baseUrl, 'worker-key', '--slots', '2');
    const { port } = new URL(fleet.url);
    settings['thoughtTree.queue'] = `postgres://leader@127.0.0.1:${port}/postgres`;
    settings['thoughtTree.baseUrl'] = server.baseUrl;
  });
  const opened = useWindow({ workspace, extensions: [], settings });
  after(async () => {
    await fleet?.remove();
    await server?.close();
  });

  it('asks for the password of the queue once, and shows a lane for each worker', async () => {
    const { window } = opened;
    await window.openContainer('Thought Tree');
    await startResearch(window, QUESTION);
    await window.answer('Kept in the secret storage', 'wrong');
    await window.answer('The database refused the password', PASSWORD);
    await server.until((log) => log.length >= 3);
    await window.statusBarItem('1 worker').waitFor();
    await window.command('Thought Tree: Open Thought Tree');
    const frame = await window.webview('canvas');
    await frame.getByRole('button', { name: 'Current work:' }).click();
    const lane = frame.locator('.lane').filter({ hasText: '2 of 2 slots busy' });
    await lane.getByText('writing the document').nth(1).waitFor();
    await lane.getByRole('button').first().click();
    await frame.locator('.inspector').waitFor();
    await window.screenshot('fleet-lanes');
    isHeld = false;
    for (const open of gates) open();
    // Its drawing is in view, so that no notice says so, too.
    await window.treeItem(/^How does the server protect itself\?, finished/).waitFor();
    const keys = new Set(server.log.map(({ authorization }) => authorization));
    assert.deepEqual([...keys], ['Bearer worker-key'], 'the worker made every call');
    await window.statusBarItem('1 worker').waitFor({ state: 'detached' });
  });

  it('begins nothing while the queue cannot be reached, and says what to do', async () => {
    const { window, host } = opened;
    await startResearch(window, 'Is the password asked for again?');
    await window.notification(/Is the password asked for again\?" is finished/).waitFor();
    const begun = readdirSync(join(host.folder ?? '', 'thought-trees'));
    await fleet.postgres?.stop();
    await startResearch(window, 'What is left without a queue?');
    await window
      .notification(/Nothing was begun\. The queue at postgres:\/\/leader@127\.0\.0\.1:\d+\/postgres/)
      .waitFor();
    await window.notification(/thoughtTree\.queue: correct it, start its database, or leave it empty/).waitFor();
    assert.deepEqual(readdirSync(join(host.folder ?? '', 'thought-trees')), begun);
  });

  it('keeps the password in the secret storage alone, until it is removed', async () => {
    const { window, host } = opened;
    const files = readdirSync(host.temporary, { recursive: true, encoding: 'utf8' })
      .filter((path) => !path.startsWith('extensions'))
      .map((path) => join(host.temporary, path))
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
    assert.ok(files.some((path) => path.endsWith('journal.jsonl')));
    for (const path of files)
      for (const secret of [PASSWORD, encodeURIComponent(PASSWORD)])
        assert.ok(!readFileSync(path, 'utf8').includes(secret), path);
    const remove = async (): Promise<void> => {
      await window.command('Thought Tree: Remove API Key…');
      await window.pick('The password of the queue');
    };
    await remove();
    await window.notification('The password of the queue is removed.').waitFor();
    await remove();
    await window.notification('No password of a queue is kept.').waitFor();
  });
});

/** Adds a role that has to give a password. */
async function asksForPassword({ url, postgres }: TestFleet): Promise<void> {
  assert.ok(postgres);
  const file = join(postgres.data, 'pg_hba.conf');
  writeFileSync(file, `host all leader 127.0.0.1/32 scram-sha-256\n${readFileSync(file, 'utf8')}`);
  await runSql(url, `create role leader login superuser password '${PASSWORD}'`);
  await runSql(url, 'select pg_reload_conf()');
}
