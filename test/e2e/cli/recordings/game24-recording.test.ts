import assert from 'node:assert/strict';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ModelRequest } from '../../../../src/core/ports/model.ts';
import { type Game24Model, game24Model } from '../../../support/game24/game24-model.ts';
import { ONE_CALL } from '../../../support/models/one-call.ts';
import { endsWith, removeSearches, TestSearch } from '../../../support/searches/e2e-search.ts';
import { readThoughtRequest } from '../../../support/searches/thought-request.ts';
import type { ServerCall } from '../../../support/servers/server-call.ts';

const KEPT = fileURLToPath(new URL('../../../recordings/game24.jsonl', import.meta.url));
const SEED = 2;

const PUZZLE = ['4 9 10 13', '--kind', 'thoughts', '--task', 'game24'];

/** The scripted Game of 24 model behind a server: it reads the words of the prompts. */
function behindServer(model: Game24Model): (call: ServerCall) => AsyncIterable<string> {
  return async function* ({ purpose, node, prompt }) {
    const { path, count, candidates } = readThoughtRequest(prompt);
    const payload = { num_candidates: count, candidates, context: { problem: PUZZLE[0], path } };
    const data = { purpose, message: { payload } };
    const request = { purpose, node, system: '', turns: [], prompt, data } as unknown as ModelRequest;
    yield (await model.generate(request, { ...ONE_CALL, signal: new AbortController().signal })).text;
  };
}

describe('the kept recording of a puzzle', () => {
  afterEach(removeSearches);

  it('was made by --record, and its search ends with the same answer', async () => {
    const search = await TestSearch.make({ answer: behindServer(game24Model(SEED)) });
    const recorded = join(search.workspace, 'game24.jsonl');
    const flags = ['--dir', search.folder, '--record', recorded];
    const { stdout } = await endsWith(0, search.command('start', ...PUZZLE, ...flags));
    if (process.env['UPDATE_RECORDINGS']) await copyFile(recorded, KEPT);
    assert.match(stdout, /^Answer: .* = 24$/m);
    const calls = (await readFile(recorded, 'utf8')).split('\n').filter((line) => line.includes('"type":"call"'));
    assert.equal(calls.length, search.server.log.length);
  });

  it('solves it again, offline, for nothing', async () => {
    const search = await TestSearch.make();
    await copyFile(KEPT, join(search.workspace, 'game24.jsonl'));
    const flags = ['--dir', search.folder, '--model', 'replay/game24.jsonl'];
    const { stdout } = await endsWith(0, search.command('start', ...PUZZLE, ...flags));
    assert.match(stdout, /^Answer: .* = 24$/m);
    assert.match(stdout, / · free$/m);
    assert.deepEqual(search.server.log, []);
  });
});
