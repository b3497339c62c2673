import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Model, ModelAnswer } from '../../../src/core/ports/model.ts';
import { isThoughtTreeError } from '../../../src/core/search/errors.ts';
import { openModel } from '../../../src/models/open-model.ts';
import { Recorder } from '../../../src/models/replay/recorder.ts';
import { requestKey } from '../../../src/models/replay/recording.ts';
import { openReplayModel, readRecording } from '../../../src/models/replay/replay-model.ts';
import { effort } from '../../support/effort.ts';
import { ONE_CALL } from '../../support/models/one-call.ts';
import { simulatedModel } from '../../support/models/simulated-model.ts';
import { simulate } from '../../support/searches/simulated-search.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';
import { fastClock } from '../../support/virtual-clock.ts';
import { modelRequest } from './model-request.ts';

const { signal } = new AbortController();

describe('a recording', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'thought-tree-replay-'));
    file = join(folder, 'kept.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** A model that says how often it was asked, recorded. */
  async function recorded(): Promise<Model> {
    let asked = 0;
    const usage = { prompt: 10, cached: 4, completion: 2, usd: 0.5 };
    const generate = async (): Promise<ModelAnswer> => ({ text: `Answer ${++asked}.`, finish: 'stop', usage });
    const model: Model = { name: 'a/b', label: 'B', free: false, contextTokens: 9000, generate };
    return (await Recorder.open(file)).wrap(model);
  }

  it('answers the same request again, offline and for nothing, sample after sample', async () => {
    const model = await recorded();
    const [one, two] = [modelRequest(), modelRequest({ prompt: 'Another one.' })];
    for (const request of [one, two, one]) await model.generate(request, { ...ONE_CALL, signal });
    const replay = await openReplayModel([file], 'kept.jsonl');
    const said = async (): Promise<string> =>
      (await replay.generate({ ...one, node: 'elsewhere', maxOutputTokens: 1, shared: 0 }, { ...ONE_CALL, signal }))
        .text;
    assert.deepEqual([await said(), await said(), await said()], ['Answer 1.', 'Answer 3.', 'Answer 1.']);
    const answer = await replay.generate(two, { ...ONE_CALL, signal });
    assert.deepEqual(answer, { text: 'Answer 2.', finish: 'stop', usage: { prompt: 10, cached: 4, completion: 2 } });
    assert.deepEqual([replay.free, replay.contextTokens, replay.name], [true, 9000, 'replay/kept.jsonl']);
    assert.match(replay.label, /Replay of kept\.jsonl \(a\/b\)/);
  });

  it('is found in the workspace, else where its name was typed in, as --record took it; if in neither, both are named', async () => {
    await recorded();
    const workspace = join(folder, 'workspace');
    await mkdir(workspace);
    const opened = await openModel('replay/kept.jsonl', { workspace, cwd: folder });
    assert.equal(opened.name, 'replay/kept.jsonl');
    await assert.rejects(openModel('replay/other.jsonl', { workspace, cwd: folder }), (error) => {
      assert.ok(isThoughtTreeError(error, 'not-found'));
      for (const place of [workspace, folder]) assert.ok(error.message.includes(join(place, 'other.jsonl')));
      return true;
    });
    await assert.rejects(openModel('replay/kept.jsonl', { workspace }), /There is no recording/);
  });

  it('says of a request that it does not hold which one comes nearest', async () => {
    const model = await recorded();
    await model.generate(modelRequest({ node: 'near', prompt: 'Write on cats.' }), { ...ONE_CALL, signal });
    const replay = await openReplayModel([file], 'kept.jsonl');
    const asked = replay.generate(modelRequest({ prompt: 'Write on dogs.' }), { ...ONE_CALL, signal });
    await assert.rejects(asked, (error) => {
      assert.ok(isThoughtTreeError(error, 'not-found'));
      assert.match(
        error.message,
        /holds no answer.*nearest one was for "near"; it differs from the prompt on.*--record/,
      );
      return true;
    });
  });

  it('makes a whole search again, without a single new request', async () => {
    const tree = { fanout: (_path: string, depth: number) => [3, 2][depth] ?? 0 };
    const clock = fastClock(1); // files are real, so time is as well
    const model = (await Recorder.open(file)).wrap(simulatedModel({ tree: scriptedTree(tree), clock }));
    const record = await simulate({ search: { model, clock, concurrency: 1 } });
    const outcome = await record.search.run();
    const replay = await openReplayModel([file], 'kept.jsonl');
    const again = await simulate({ search: { model: replay, clock, concurrency: 1 } });
    const repeated = await again.search.run();
    assert.equal(repeated.state, 'finished');
    assert.equal(repeated.results.failed, 0);
    assert.equal(
      repeated.results.expanded + repeated.results.leaves,
      outcome.results.expanded + outcome.results.leaves,
    );
    assert.equal(repeated.results.usd, 0);
    assert.equal(repeated.results.tokens.prompt, outcome.results.tokens.prompt);
  });

  it('is not overwritten, and is found by its name', async () => {
    await recorded();
    await assert.rejects(recorded(), { reason: 'exists' });
    const replay = await openModel('replay/kept.jsonl', { workspace: folder });
    assert.equal(replay.name, 'replay/kept.jsonl');
    await assert.rejects(openModel('replay/none.jsonl', { workspace: folder }), { reason: 'not-found' });
  });

  it('whose last line was torn off is read up to there; other damage names its line', async () => {
    const model = await recorded();
    await model.generate(modelRequest(), { ...ONE_CALL, signal });
    const text = await readFile(file, 'utf8');
    await writeFile(file, `${text}{"type":"text","id":"0`);
    assert.equal((await readRecording(file)).requests.size, 1);
    await writeFile(file, `${text}{"type":"text","id":"0\n${text}`);
    await assert.rejects(readRecording(file), { reason: 'damaged', message: /line 7, is not a line of a recording/ });
    await writeFile(file, '{"type":"recording","version":99}\n');
    await assert.rejects(readRecording(file), { reason: 'newer-version' });
    await writeFile(file, text.replace(/"words":\d+/, '"words":99'));
    await assert.rejects(readRecording(file), { reason: 'newer-version' });
    await writeFile(file, '');
    await assert.rejects(readRecording(file), { reason: 'damaged' });
  });

  it('that answers the prompts of an earlier version is refused with a message that says so', async () => {
    const model = await recorded();
    await model.generate(modelRequest(), { ...ONE_CALL, signal });
    const text = await readFile(file, 'utf8');
    for (const older of [text.replace(/,"words":\d+/, ''), text.replace(/"words":\d+/, '"words":1')]) {
      await writeFile(file, older);
      await assert.rejects(openModel('replay/kept.jsonl', { workspace: folder }), {
        reason: 'bad-input',
        message: /answers the prompts of an earlier version of Thought Tree.*--record/,
      });
    }
  });

  it('holds every text as it was, line ends of all kinds included', async () => {
    const said = 'One\u2028two\u2029three\u0085four\r\nfive\rsix\u000b\u000c';
    const generate = async (): Promise<ModelAnswer> => ({ text: said, finish: 'stop' });
    const model = (await Recorder.open(file)).wrap({ name: 'a/b', label: 'B', free: false, generate });
    const request = modelRequest({ prompt: said });
    await model.generate(request, { ...ONE_CALL, signal });
    const text = await readFile(file, 'utf8');
    assert.doesNotMatch(text, /[\u2028\u2029]/);
    // As older versions wrote it, and with the line ends of another system.
    for (const written of [text, text.replaceAll('\\u2028', '\u2028'), text.replaceAll('\n', '\r\n')]) {
      await writeFile(file, written);
      const replay = await openReplayModel([file], 'kept.jsonl');
      assert.equal((await replay.generate(request, { ...ONE_CALL, signal })).text, said);
    }
  });

  it('continues after a failure of the disk, without the torn line', async () => {
    const model = await recorded();
    const [one, two, three] = ['One?', 'Two?', 'Three?'].map((prompt) => modelRequest({ prompt }));
    assert.ok(one && two && three);
    await model.generate(one, { ...ONE_CALL, signal });
    // The disk takes a part of what is written: for a moment there is a folder in the file's place.
    await rename(file, `${file}.aside`);
    await mkdir(file);
    await assert.rejects(model.generate(two, { ...ONE_CALL, signal }), { reason: 'not-writable' });
    await rmdir(file);
    await rename(`${file}.aside`, file);
    await appendFile(file, '{"type":"text","id":"0123');
    await model.generate({ ...two, turns: [{ role: 'user', text: 'Before.' }] }, { ...ONE_CALL, signal });
    await model.generate(three, { ...ONE_CALL, signal });
    const { requests } = await readRecording(file);
    assert.deepEqual(
      [...requests.values()].map(({ prompt, answers }) => [prompt, answers.map(({ text }) => text)]),
      [
        ['One?', ['Answer 1.']],
        ['Two?', ['Answer 3.']],
        ['Three?', ['Answer 4.']],
      ],
    );
  });

  it('from anybody is read or refused, whatever it contains, and cannot answer under a false name', async () => {
    const model = await recorded();
    await model.generate(modelRequest(), { ...ONE_CALL, signal });
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    const key = requestKey(modelRequest());
    const hostile = fc.oneof(fc.json(), fc.string(), fc.constantFrom(...lines));
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { maxLength: 8 }), fc.nat(lines.length), async (more, at) => {
        await writeFile(file, [...lines.slice(0, at), ...more, ...lines.slice(at)].join('\n'));
        const read = await readRecording(file).catch((error: unknown) => {
          assert.ok(isThoughtTreeError(error, 'damaged', 'newer-version'));
        });
        for (const [name, words] of read?.requests ?? []) assert.equal(name, requestKey(words));
      }),
      { numRuns: effort(60) },
    );
    const lying = lines.map((line) => line.replace(`"key":"${key}"`, `"key":"${'0'.repeat(32)}"`));
    await writeFile(file, `${lying.join('\n')}\n`);
    assert.deepEqual([...(await readRecording(file)).requests.keys()], [key]);
  });
});
