import assert from 'node:assert/strict';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { endsWith, removeSearches, TestSearch } from '../../../support/searches/e2e-search.ts';
import type { ServerCall } from '../../../support/servers/server-call.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const KEPT = join(ROOT, 'examples', 'recorded-puzzle.jsonl');

interface Line {
  readonly type: string;
  readonly id?: string;
  readonly text?: string;
  readonly name?: string;
  readonly purpose?: string;
  readonly node?: string;
  readonly answer?: string | { readonly text: string };
}

/** The search that a real model answered: what it said at each node, and who it was. */
async function recordedLines(): Promise<Line[]> {
  const file = await readFile(join(ROOT, 'eval', 'problems', 'puzzle', 'tree.jsonl.br'));
  return brotliDecompressSync(file)
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

/** Gives the recorded answers to the requests for the same purpose and node, in their order. */
function fromRecording(lines: readonly Line[]): (call: ServerCall) => AsyncIterable<string> {
  const left = lines.filter(({ type }) => type === 'call');
  return async function* ({ purpose, node }) {
    const at = left.findIndex((line) => line.purpose === purpose && line.node === node);
    const [call] = left.splice(at < 0 ? left.findIndex((line) => line.purpose === purpose) : at, 1);
    assert.ok(call, `${purpose} at ${node}`);
    yield textOf(call, lines);
  };
}

function textOf({ answer }: Line, lines: readonly Line[]): string {
  if (typeof answer !== 'string') return answer?.text ?? '';
  return lines.find(({ type, id }) => type === 'text' && id === answer)?.text ?? answer;
}

describe('the recorded search that npm start -- --demo plays', () => {
  afterEach(removeSearches);

  it('has the answers of the real model to the requests of now', async () => {
    const { problem, options } = JSON.parse(await readFile(`${KEPT}.json`, 'utf8')) as {
      problem: string;
      options: string[];
    };
    const lines = await recordedLines();
    const search = await TestSearch.make({ answer: fromRecording(lines) });
    const recorded = join(search.workspace, 'demo.jsonl');
    await endsWith(0, search.command('start', problem, ...options, '--dir', search.folder, '--record', recorded));
    if (!process.env['UPDATE_RECORDINGS']) return;
    // Named as it was recorded: the server here only repeats it.
    const name = lines.find(({ type }) => type === 'model')?.name ?? '';
    const text = await readFile(recorded, 'utf8');
    const [own = ''] = /"name":"[^"]*"/.exec(text) ?? [];
    await writeFile(
      KEPT,
      text.replaceAll(own, `"name":"${name}"`).replaceAll(own.replace('name', 'model'), `"model":"${name}"`),
    );
  });

  it('is played to its end offline, named as recorded', async () => {
    const { problem, options } = JSON.parse(await readFile(`${KEPT}.json`, 'utf8')) as {
      problem: string;
      options: string[];
    };
    const search = await TestSearch.make();
    await copyFile(KEPT, join(search.workspace, 'demo.jsonl'));
    const flags = ['--dir', search.folder, '--model', 'replay/demo.jsonl'];
    const { stdout, stderr } = await endsWith(0, search.command('start', problem, ...options, ...flags));
    assert.match(`${stdout}${stderr}`, /Replay of demo\.jsonl \(openai-compatible\/by-hand\)/);
    assert.match(stdout, / · free$/m);
    assert.deepEqual(search.server.log, []);
    assert.match(await readFile(join(search.folder, 'report.md'), 'utf8'), /Perth/);
  });
});
