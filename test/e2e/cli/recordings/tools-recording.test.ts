import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CitationCounts } from '../../../../src/core/citations/citation.ts';
import { NodeFile } from '../../../../src/core/tree/node-file.ts';
import { readCode } from '../../../recordings/tools-script.ts';
import { RECORDING, START, writeCode } from '../../../recordings/tools-workspace.ts';
import { serveTools, type ToolServer } from '../../../support/servers/tool-server.ts';
import { eventsOf, runCli } from '../run-cli.ts';

describe('a kept search of a model that reads code with tools', () => {
  let folder: string;
  let server: ToolServer | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'thought-tree-kept-'));
    await writeCode(folder);
  });
  afterEach(async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const nodes = async (): Promise<NodeFile[]> => {
    const [search = ''] = await readdir(join(folder, 'thought-trees'));
    const files = await readdir(join(folder, 'thought-trees', search), { recursive: true });
    const own = files.filter((file) => file.endsWith('node.json'));
    const texts = own.map((file) => readFile(join(folder, 'thought-trees', search, file), 'utf8'));
    return (await Promise.all(texts)).map((text) => NodeFile.parse(JSON.parse(text)));
  };
  const report = async (): Promise<string> => {
    const [search = ''] = await readdir(join(folder, 'thought-trees'));
    return await readFile(join(folder, 'thought-trees', search, 'report.md'), 'utf8');
  };

  it('runs again offline, reads the code, and everything it quotes is verified, put right where lines are left out', async () => {
    await copyFile(RECORDING, join(folder, 'tools.jsonl'));
    const { code, stdout, stderr } = await runCli([...START, '--model', 'replay/tools.jsonl', '--json'], {
      cwd: folder,
    });
    assert.equal(code, 0, stderr);
    const events = eventsOf(stdout);
    const used = events.flatMap((event) => (event.type === 'tool-used' ? [event] : []));
    assert.equal(used.length, 14);
    assert.ok(used.every(({ isRefused }) => !isRefused));
    assert.ok(used.some(({ tool, what }) => tool === 'read' && what.startsWith('src/store/lease.ts:')));
    const counts = (await nodes()).map(({ citations }) => citations);
    const one: CitationCounts = { verified: 1, moved: 0, stale: 0, not_found: 0 };
    assert.deepEqual(
      counts,
      Array.from({ length: 7 }, () => one),
    );
    assert.match(await report(), /Of 7 citations of files, checked against them, 7 are where the documents say/);
    // Nothing went back to the model.
    assert.equal(events.filter((event) => event.type === 'call-ended' && event.purpose === 'document').length, 21);
  });

  it('was recorded of a search whose model read the same code', async () => {
    server = await serveTools(readCode);
    const model = ['--model', 'openai-compatible/reader', '--base-url', server.baseUrl, '--record', 'tools.jsonl'];
    const { code, stderr } = await runCli([...START, ...model], { cwd: folder });
    assert.equal(code, 0, stderr);
    if (process.env['UPDATE_RECORDINGS']) await copyFile(join(folder, 'tools.jsonl'), RECORDING);
    const own = await readFile(join(folder, 'tools.jsonl'), 'utf8');
    const kept = await readFile(RECORDING, 'utf8');
    assert.deepEqual(keysOf(own), keysOf(kept));
  });
});

/** The names of the requests that a recording answers. */
function keysOf(recording: string): string[] {
  const lines = recording.trimEnd().split('\n');
  return lines
    .map((line) => JSON.parse(line) as { type: string; key?: string })
    .flatMap(({ key }) => key ?? [])
    .sort();
}
