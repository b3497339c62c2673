import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Model, ModelRequest } from '../../src/core/ports/model.ts';
import type { ThoughtTreeError } from '../../src/core/search/errors.ts';
import type { JournalEvent } from '../../src/core/search/events.ts';
import { UserRepository } from '../e2e/work-graph/user-repository.ts';
import { built } from '../support/built.ts';
import { ONE_CALL } from '../support/models/one-call.ts';
import { modelRequest } from '../unit/models/model-request.ts';
import { countedIn, type Exchange, type RealServer, SERVERS, startRealServer } from './real-server.ts';

const { openOllamaModel } = built<typeof import('../../src/models/ollama-model.ts')>('ollama');
const { sdkModels } = built<typeof import('../../src/models/sdk-models.ts')>('sdk-models');

const CALLS = 6;
const SLOTS = 2;
const QUESTION = 'How does the patience of a search keep calls back?';
const PATIENCE = 'The patience of a search keeps calls back while it waits.\n';
const PLAN = JSON.stringify({
  goal: 'There is a greeting.',
  base_case: [{ item: 'it is there', check: { command: 'test -f greeting.txt' } }],
  atoms: [
    {
      id: 'A1',
      title: 'Write greeting.txt',
      touches: ['greeting.txt'],
      checks: [{ item: 'a file', check: { file: 'greeting.txt' } }],
    },
  ],
});
/** Each kind of search, as it is begun. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  research: [QUESTION, '--read', 'nothing', '--root-session', 'none', '--subtopics', 'separately'],
  thoughts: ['What rhymes with tree?'],
  investigation: [QUESTION],
  'work-graph': ['--plan', 'plan.yaml', '--allow-commands'],
};
/** Exit codes of searches that went on as far as they could: to their end, to a limit, to a person, or to no result. */
const ENDS = new Set([0, 3, 4, 8]);

const LIST = {
  type: 'object',
  properties: { topics: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 } },
  required: ['topics'],
  additionalProperties: false,
};
const TOOL = {
  name: 'read',
  description: 'Reads a file',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

/** What was run, and what was not, is part of what CI logs. */
function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

let hasRun = false;

for (const which of SERVERS)
  describe(`a real server: ${which}`, () => {
    let server: RealServer | undefined;
    let model: Model;
    before(async function () {
      try {
        // A few minutes beside all the other tests, and no more.
        if (hasRun && process.env['CI'] !== undefined) throw new Error('CI runs one server.');
        if (hasRun && which === 'node-llama-cpp') throw new Error('It stands in for servers, and one was there.');
        server = await startRealServer(which);
        hasRun = true;
      } catch (error) {
        say(`Not run: ${which}. ${String((error as Error).message).split('\n')[0]}`);
        return this.skip();
      }
      const name = server.model.slice(server.model.indexOf('/') + 1);
      const open = server.isOllama ? openOllamaModel : sdkModels.openOpenAICompatibleModel;
      model = await open(name, { baseUrl: server.baseUrl });
      say(`Run: ${server.name}, as ${server.model}, which holds ${model.contextTokens} tokens.`);
    });
    after(() => server?.close());

    const real = (): RealServer => server ?? assert.fail('no server');
    const last = (): Exchange => real().log.at(-1) ?? assert.fail('nothing was asked');
    const ask = (parts: Partial<ModelRequest>, onText?: (piece: string) => void, signal?: AbortSignal) =>
      model.generate(modelRequest({ maxOutputTokens: 40, ...parts }), {
        ...ONE_CALL,
        signal: signal ?? new AbortController().signal,
        ...(onText && { onText }),
      });

    it('says its words as they come, and what they took', async () => {
      const pieces: string[] = [];
      const { text, usage, finish, doubts } = await ask({ prompt: 'Count from one to ten.' }, (piece) =>
        pieces.push(piece),
      );
      assert.ok(pieces.length > 2, `${pieces.length} pieces`);
      assert.equal(pieces.join('').trim(), text.trim());
      assert.ok(finish === 'stop' || finish === 'length', finish);
      assert.deepEqual({ prompt: usage?.prompt, completion: usage?.completion }, countedIn(last()));
      assert.equal(doubts, undefined);
    });

    it('holds a list to its schema', async () => {
      assert.equal(model.takesSchemas, true);
      const { text, finish } = await ask({ prompt: 'Name three colours as JSON.', schema: LIST, maxOutputTokens: 200 });
      if (finish === 'stop') assert.ok(JSON.parse(text).topics.length >= 1, text);
      else assert.match(text, /^\s*\{\s*"topics"\s*:\s*\[/);
    });

    it('takes tools, or says that it takes none', async () => {
      const asked = { prompt: 'Read the file a.txt with the tool.', tools: [TOOL], maxOutputTokens: 60 };
      try {
        const { finish, toolCalls, usage } = await ask(asked);
        assert.equal(finish === 'tools', toolCalls !== undefined);
        assert.ok(usage && usage.completion > 0);
        const calls = [{ id: 'c1', name: 'read', input: { path: 'a.txt' } }];
        const results = [{ id: 'c1', name: 'read', text: 'It says hello.' }];
        const turns = [
          { role: 'user', text: asked.prompt },
          { role: 'assistant', text: '', toolCalls: calls },
        ] as const;
        const { usage: then } = await ask({ ...asked, turns, prompt: '', toolResults: results, toolsAreOver: true });
        assert.ok(then && then.prompt > 0);
      } catch (error) {
        assert.equal((error as ThoughtTreeError).details.refusesTools, true, String(error));
      }
    });

    it('refuses a prompt that is too long, and nothing is counted for it', async () => {
      const prompt = `Sum it up. ${'The patience of a search keeps calls back. '.repeat(3000)}`;
      await assert.rejects(ask({ prompt }), ({ reason, details }: ThoughtTreeError) => {
        assert.equal(reason, 'bad-request');
        assert.deepEqual([details.isTooLong, details.charged], [true, false]);
        return true;
      });
    });

    it('is let go of when a call is stopped', async () => {
      const stop = new AbortController();
      const said = ask({ prompt: 'Tell a long story.', maxOutputTokens: 200 }, () => stop.abort(), stop.signal);
      await assert.rejects(said, ({ reason, details }: ThoughtTreeError) => reason === 'aborted' && details.charged);
      const left = last();
      await real().until(() => left.isLeft);
      assert.ok(!left.isWhole);
      assert.ok((await ask({ prompt: 'Say yes.', maxOutputTokens: 5 })).usage, 'it answers the next one');
    });

    it('answers two at once, each its own', async () => {
      const both = ['Count to five.', 'Name a tree.'].map((prompt) => ask({ prompt }));
      for (const { usage } of await Promise.all(both)) assert.ok(usage && usage.completion > 0);
      assert.equal(real().peak, SLOTS);
    });

    it('keeps its model in memory, at one size', async function () {
      if (!real().isOllama) return this.skip();
      const options = real().log.map(({ body }) => body as { options: { num_ctx: number }; keep_alive: string });
      const sizes = options.map((each) => each.options.num_ctx);
      assert.deepEqual(
        sizes,
        [...sizes].sort((a, b) => a - b),
        'never smaller than before',
      );
      const { models } = (await real().ask('/api/ps')) as { models: { context_length: number; expires_at: string }[] };
      assert.equal(models[0]?.context_length, sizes.at(-1));
      assert.ok(Date.parse(models[0]?.expires_at ?? '') - Date.now() > 20 * 60_000, models[0]?.expires_at);
    });

    for (const [kind, args] of Object.entries(KINDS))
      it(`is asked by a search of the kind ${kind}, which is killed and goes on`, async () => {
        const user = await UserRepository.make({ 'README.md': PATIENCE, 'plan.yaml': PLAN });
        try {
          await searchIsKilled(user, real(), kind, args);
        } finally {
          await user.remove();
        }
      });
  }).timeout(600_000);

async function searchIsKilled(user: UserRepository, server: RealServer, kind: string, args: readonly string[]) {
  const from = server.log.length;
  const asked = (): readonly Exchange[] => server.log.slice(from);
  const more = ['--base-url', server.baseUrl, '--max-calls', String(CALLS), '--json'];
  const begun = ['--kind', kind, '--title', 'Real', '--model', server.model, '--concurrency', String(SLOTS)];
  const { child, end } = user.start('start', ...args, ...begun, ...more);
  // In the middle of the second answer: the first is paid for.
  await Promise.race([end, server.until(() => asked()[0]?.isWhole === true && (asked()[1]?.answer ?? '') !== '')]);
  child.kill('SIGKILL');
  const { stderr: first } = await end;
  const before = await journalOf(user);
  assert.ok(before.length > 0, first);
  const { code, stderr } = await user.cli('resume', 'thought-trees/real', ...more);
  assert.ok(code !== null && ENDS.has(code), `${code}: ${stderr}`);
  const journal = await journalOf(user);
  const started = journal.filter((event) => event.type === 'call-started');
  const ended = journal.filter((event) => event.type === 'call-ended');
  assert.ok(asked().length <= CALLS, `${asked().length} calls`);
  assert.ok(started.length - ended.length <= SLOTS, 'each call has ended, but for those of the kill');
  const keysOf = (calls: readonly { purpose: string; node: string }[]) =>
    calls.map(({ purpose, node }) => `${purpose} ${node}`);
  assert.deepEqual(without(keysOf(asked()), keysOf(started)), [], 'every call is in the journal');
  const counts = asked().flatMap((exchange) =>
    (exchange.isWhole && !exchange.isLeft ? [countedIn(exchange) ?? []] : []).flat(),
  );
  const booked = ended.flatMap(({ usage }) => (usage ? [{ prompt: usage.prompt, completion: usage.completion }] : []));
  const [told, taken] = [counts, booked].map((each) => each.map((tokens) => JSON.stringify(tokens)));
  assert.deepEqual(without(taken ?? [], told ?? []), [], 'what is booked is what the server counted');
  const { stdout } = await user.cli('status', 'thought-trees/real', '--json');
  const { calls, tokens } = JSON.parse(stdout).results;
  assert.equal(calls, started.length);
  const sum = counts.reduce((all, { prompt, completion }) => all + prompt + completion, 0);
  assert.ok(tokens.prompt + tokens.completion + tokens.worstCase >= sum, 'what the kill cut off is booked as well');
  // What is asked after an answer is a correction, in other words, also where a kill came in between.
  for (const { call } of ended.filter(({ outcome }) => outcome === 'ok')) {
    const at = started.findIndex((each) => each.call === call);
    const later = started.slice(at + 1).filter(({ question }) => question === started[at]?.question);
    assert.ok(!later.some(({ sent }) => sent === started[at]?.sent), 'nothing is paid twice');
  }
  const outcomes = Object.entries(Object.groupBy(ended, ({ outcome }) => outcome)).map(
    ([name, all]) => `${all?.length} ${name}`,
  );
  const sumOf = (part: 'prompt' | 'completion'): number => booked.reduce((sum, tokens) => sum + tokens[part], 0);
  say(
    `${kind}: ${asked().length} requests, ${outcomes.join(', ')}; ${sumOf('prompt')} tokens read, ${sumOf('completion')} written; exit code ${code}.`,
  );
}

/** Returns those of some names that are left when others are taken out, one for one. */
function without(names: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return names.filter((name) => {
    const at = left.indexOf(name);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

async function journalOf({ folder }: UserRepository): Promise<JournalEvent[]> {
  const text = await readFile(join(folder, 'thought-trees/real/.search/journal.jsonl'), 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as JournalEvent);
}
