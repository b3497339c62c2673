import assert from 'node:assert/strict';
import { foreign } from '../../../../src/core/messages/message.ts';
import type { Model, ModelAnswer, ModelRequest, Purposes } from '../../../../src/core/ports/model.ts';
import type { Clock } from '../../../../src/core/ports/ports.ts';
import type { Store } from '../../../../src/core/ports/store.ts';
import type { Toolbox } from '../../../../src/core/ports/tool.ts';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { dataIn, listIn } from '../../../../src/core/text/model-output.ts';
import { Asks } from '../../../../src/engine/asks.ts';
import { History } from '../../../../src/engine/history.ts';
import { ModelCaller } from '../../../../src/engine/model-caller.ts';
import { Patience } from '../../../../src/engine/patience.ts';
import { forPeople } from '../../../../src/engine/question.ts';
import { knowsItsLimits } from '../../../../src/searches/models/prepare-model.ts';
import { createMemoryStore } from '../../../support/memory-store.ts';
import { ONE_CALL } from '../../../support/models/one-call.ts';
import { simulatedModel } from '../../../support/models/simulated-model.ts';
import { QUESTION, simulate } from '../../../support/searches/simulated-search.ts';
import { simulateThoughts } from '../../../support/searches/simulated-thoughts.ts';
import { scriptedTree } from '../../../support/servers/server-tree.ts';
import { seededRandom, VirtualClock } from '../../../support/virtual-clock.ts';
import { heldText } from '../../engine-parts/citations/held-text.ts';
import { modelRequest } from '../../models/model-request.ts';

const SING: Purposes = {
  sing: { conversation: 'own', when: 'slot', guess: { prompt: 1, completion: 1 }, doing: '', brief: '' },
};

/** Asks one model, which is given up after 250 ms. */
function asking(store: Store, clock: Clock, model: Model, purposes = SING): { asks: Asks; history: History } {
  const history = new History(store, clock, () => undefined);
  const random = seededRandom(1);
  const modelFor = (): Model => model;
  const guards = { guards: () => ({}), keptForReport: () => undefined, timeoutMs: 250 };
  const caller = new ModelCaller({ purposes, modelFor, store, history, clock, random, ...guards });
  const patience = new Patience(clock, random, history, 1000);
  const parts = { purposes, caller, modelFor, patience, clock, random, store, history, system: '' };
  return { asks: new Asks(parts), history };
}

describe('asking a model', () => {
  it('says where answers were cut off: where the server did that, not where it was asked to', () => {
    const error = new ThoughtTreeError('bad-answer', foreign({ text: 'There is no list.' }));
    const model = simulatedModel({ tree: scriptedTree(), clock: new VirtualClock() });
    const cut = { text: 'One, two', finish: 'length' as const };
    const said = (answer: ModelAnswer): string =>
      forPeople(error, answer, model, modelRequest({ maxOutputTokens: 2048 })).message;
    assert.match(said({ ...cut, usage: { prompt: 10, cached: 0, completion: 200 } }), /cut off at 200 tokens/);
    assert.match(said(cut), /cut off at 2,048 tokens/);
  });

  it('keeps each answer with one write', async () => {
    const store = await createMemoryStore(QUESTION);
    const writes = new Map<string, number>();
    const writeConversation = store.writeConversation.bind(store);
    store.writeConversation = async (conversation) => {
      writes.set(conversation.id, (writes.get(conversation.id) ?? 0) + 1);
      await writeConversation(conversation);
    };
    const { run, search } = await simulate({
      store,
      tree: { fanout: (_path, depth) => (depth === 0 ? 2 : 0) },
      search: { workspaceText: heldText({ 'a.ts': 'a' }), limits: { size: 'all', maxDepth: 2 } },
    });
    await run();
    for (const { sessionId = '' } of search.tree.root.children) assert.equal(writes.get(sessionId), 2);
  });

  it('uses no answer before it is kept', async () => {
    const clock = new VirtualClock();
    const store = await createMemoryStore(QUESTION);
    const { asks } = asking(store, clock, simulatedModel({ tree: scriptedTree(), clock }));
    const written = Promise.withResolvers<void>();
    const writing = Promise.withResolvers<void>();
    store.writeConversation = () => {
      writing.resolve();
      return written.promise;
    };
    const words = () => ({ prompt: 'Sing.', data: { question: '' }, maxOutputTokens: 10 });
    const ask = (): Promise<unknown> => {
      const keep = { conversation: { id: 'c', turns: [] } };
      return asks.ask({ purpose: 'sing', keep, words, check: (text) => text }, new AbortController().signal);
    };
    let isUsed = false;
    const asked = ask().then(() => {
      isUsed = true;
    });
    await clock.run(writing.promise);
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    assert.equal(isUsed, false, 'its conversation is still being written');
    written.resolve();
    await clock.run(asked);
    store.writeConversation = () => Promise.reject(new Error('the disk is full'));
    await assert.rejects(clock.run(ask()), /the disk is full/);
  });

  it('tells a model, as plain data, which requests no other one continues from', async () => {
    const requests: ModelRequest[] = [];
    const instead = (request: ModelRequest): undefined => {
      requests.push(request);
    };
    const research = await simulate({ model: { instead }, search: { limits: { size: 'all', maxDepth: 2 } } });
    await research.run();
    const thoughts = await simulateThoughts({ strategy: 'breadth-first', model: { instead } });
    await thoughts.run();
    const last = new Set(requests.filter(({ isLast }) => isLast).map(({ purpose }) => purpose));
    const others = new Set(requests.filter(({ isLast }) => !isLast).map(({ purpose }) => purpose));
    assert.deepEqual([...last].sort(), ['evaluate', 'pick', 'review', 'synthesize']);
    assert.deepEqual([...others].sort(), ['children', 'decompose', 'document', 'generate']);
  });

  it('refuses a purpose that its kind says nothing of', async () => {
    const clock = new VirtualClock();
    const store = await createMemoryStore(QUESTION);
    const { asks, history } = asking(store, clock, simulatedModel({ tree: scriptedTree(), clock }), {});
    const words = () => ({ prompt: 'Sing.', data: { question: '' }, maxOutputTokens: 10 });
    const asked = asks.ask({ purpose: 'sing', words, check: (text) => text }, new AbortController().signal);
    await assert.rejects(clock.run(asked), /sing/);
    assert.equal(history.ledger.spend.calls, 0);
  });

  describe('with answers that are not as they should be', () => {
    const DATA = '["a", "b"]';
    const ask = async (...answers: readonly ModelAnswer[]) => {
      const clock = new VirtualClock();
      const store = await createMemoryStore(QUESTION);
      const sent: string[] = [];
      const generate: Model['generate'] = ({ prompt }) => {
        sent.push(prompt);
        return Promise.resolve(answers[Math.min(sent.length, answers.length) - 1] as ModelAnswer);
      };
      const { asks } = asking(store, clock, { name: 'test/odd', label: 'Test', free: true, generate });
      const words = () => ({ prompt: 'List.', data: { question: '' }, maxOutputTokens: 10 });
      const check = (text: string) => listIn(dataIn(text));
      const asked = asks.ask({ purpose: 'sing', words, check }, new AbortController().signal);
      const value = await clock.run(asked.then((answer) => answer.value)).catch((error: Error) => error.message);
      return { value, sent };
    };

    it('asks once for what can be used, however its server says that it ended', async () => {
      const forms = [`<output>${DATA}</output>`, `Well:\n<OUTPUT>\n${DATA}\n</OUTPUT>\n`, DATA, `{"list": ${DATA}}`];
      const toolCalls = [{ id: '1', name: 'read', input: {} }] as const;
      for (const text of forms)
        for (const finish of ['stop', 'length', 'other', 'refused', 'tools'] as const) {
          const usage = { prompt: 9, cached: 0, completion: 10 };
          const { value, sent } = await ask({ text, finish, usage, ...(finish === 'tools' && { toolCalls }) });
          assert.deepEqual([value, sent.length], [['a', 'b'], 1], `${finish} ${text}`);
        }
    });

    it('asks once more for what cannot, which is another question, and then quotes it', async () => {
      const bad: ModelAnswer = { text: 'I would rather\nnot.', finish: 'stop' };
      const { value, sent } = await ask(bad);
      assert.equal(sent.length, 2);
      assert.match(sent[1] ?? '', /^That answer cannot be used: /);
      assert.match(String(value), /It said: “I would rather not\.”/);
      assert.deepEqual((await ask(bad, { text: DATA, finish: 'stop' })).value, ['a', 'b']);
    });
  });

  describe('for what is too long for its context', () => {
    const ask = async (told?: number) => {
      const clock = new VirtualClock();
      const store = await createMemoryStore(QUESTION);
      const sent: number[] = [];
      const why = foreign({ text: 'The context overflows.' });
      const details = { isTooLong: true, charged: false, ...(told !== undefined && { contextTokens: told }) };
      const model = knowsItsLimits({
        name: `test/short-${told}`,
        label: 'Test',
        free: true,
        generate: ({ maxOutputTokens }) => {
          sent.push(maxOutputTokens);
          return Promise.reject(new ThoughtTreeError('bad-request', why, details));
        },
      });
      const { asks } = asking(store, clock, model);
      const words = () => {
        const maxOutputTokens = Math.min(8000, (model.contextTokens ?? 1e9) - 1000);
        if (maxOutputTokens < 1000) throw new ThoughtTreeError('bad-request', foreign({ text: 'It does not fit.' }));
        return { prompt: 'Sing.', data: { question: '' }, maxOutputTokens };
      };
      const asked = asks.ask({ purpose: 'sing', words, check: (text) => text }, new AbortController().signal);
      await assert.rejects(clock.run(asked), /The context overflows\./);
      return sent;
    };

    it('says what the server says, and sends nothing a second time', async () => {
      assert.deepEqual(await ask(200_000), [8000], 'the request was shorter than what is told');
      assert.deepEqual(await ask(7000), [8000, 6000, 3501], 'it is made to fit what is told, and then less');
      const nowhere = await ask();
      assert.equal(new Set(nowhere).size, nowhere.length);
      assert.ok(nowhere.length > 2 && nowhere.at(-1) === 1065, nowhere.join());
    });
  });

  describe('of which nothing shows yet what it holds', () => {
    const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }];
    const use = async () => ({ text: 'Seen.', isRefused: false, what: 'look' });
    let asked = 0;
    /** The room for the answer in each request, and what came of it. */
    const ask = async (answers: readonly (ModelAnswer | { told?: number })[], own: Partial<Model> = {}) => {
      const clock = new VirtualClock();
      const sent: number[] = [];
      const model = knowsItsLimits({
        ...{ name: `test/unknown-${asked++}`, label: 'Test', free: true, tools: true, ...own },
        generate: async ({ maxOutputTokens }) => {
          const answer = answers[Math.min(sent.push(maxOutputTokens), answers.length) - 1] ?? {};
          if ('text' in answer) return answer;
          const details = { isTooLong: true, charged: false, contextTokens: answer.told };
          throw new ThoughtTreeError('bad-request', foreign({ text: 'The context overflows.' }), details);
        },
      });
      const { asks } = asking(await createMemoryStore(QUESTION), clock, model);
      const words = () => {
        const maxOutputTokens = Math.min(6000, Math.floor((model.contextTokens ?? 1e9) / 4));
        return { prompt: 'Sing.', data: { question: '' }, maxOutputTokens, tools: { toolbox: { tools, use } } };
      };
      const check = (text: string): string => {
        if (!/[.\]]$/.test(text)) throw new ThoughtTreeError('bad-answer', foreign({ text: 'It has no end.' }));
        return text;
      };
      const song = asks.ask({ purpose: 'sing', words, check }, new AbortController().signal);
      const value = await clock.run(song.then((answer) => answer.value)).catch((error: Error) => error.message);
      return { value, sent };
    };
    const usage = { prompt: 100, cached: 0, completion: 10 };
    const narrow = (room = 0): boolean => room > 3500 && room < 4096;

    it('is asked once where even what the shortest context holds is refused, whatever its server tells', async () => {
      for (const told of [undefined, 4096, 5000, 200_000]) {
        const { value, sent } = await ask([{ ...(told !== undefined && { told }) }]);
        assert.match(String(value), /The context overflows/);
        assert.ok(sent.length === 1 && narrow(sent[0]), `${told}: ${sent.join()}`);
      }
    });

    it('is asked for less where it tells of less than that', async () => {
      const { value, sent } = await ask([{ told: 2048 }, { text: 'La.', finish: 'stop', usage }]);
      assert.deepEqual([value, sent.slice(1)], ['La.', [512]]);
    });

    it('has the whole room once it has taken something', async () => {
      const toolCalls = [{ id: '1', name: 'look', input: {} }];
      const { value, sent } = await ask([
        { text: '', finish: 'tools', toolCalls, usage },
        { text: 'La.', finish: 'stop', usage },
      ]);
      assert.ok(value === 'La.' && narrow(sent[0]));
      assert.deepEqual(sent.slice(1), [6000]);
    });

    it('is asked for the same with the whole room where an answer was cut off, unless it can be used', async () => {
      const whole = { text: 'La la.', finish: 'stop', usage } as const;
      const cut = await ask([{ text: 'La', finish: 'length', usage }, whole]);
      assert.deepEqual([cut.value, cut.sent.slice(1)], ['La la.', [6000]]);
      const used = await ask([{ text: '["La"]', finish: 'length', usage }, whole]);
      assert.deepEqual([used.value, used.sent.length], ['["La"]', 1]);
    });

    it('is asked with its room where it is known to reason, or to hold more', async () => {
      const answers: ModelAnswer[] = [{ text: 'La.', finish: 'stop', usage }];
      assert.deepEqual((await ask(answers, { contextTokens: 100_000 })).sent, [6000]);
      assert.deepEqual((await ask(answers, { thinking: { usual: 2000, low: 500 } })).sent, [8000]);
    });
  });

  it('takes no context for so short that what was taken before would not fit', async () => {
    const why = foreign({ text: 'The context overflows.' });
    let isRefused = false;
    const model = knowsItsLimits({
      name: 'test/taken-before',
      label: 'Test',
      free: true,
      generate: async () => {
        if (isRefused) throw new ThoughtTreeError('bad-request', why, { isTooLong: true, charged: false });
        return { text: 'La.', finish: 'stop', usage: { prompt: 3000, cached: 0, completion: 1 } };
      },
    });
    const data = { question: '' };
    const send = (maxOutputTokens: number) =>
      model.generate(
        { purpose: 'sing', node: '', system: '', turns: [], prompt: 'Sing.', data, maxOutputTokens },
        { ...ONE_CALL, signal: new AbortController().signal },
      );
    await send(1000);
    isRefused = true;
    for (let refusals = 0; refusals < 8; refusals++) await assert.rejects(send(4000));
    assert.equal(model.contextTokens, 3600);
  });

  it('learns nothing more of a refused request that was made before its context was known', async () => {
    const details = { isTooLong: true, charged: false, contextTokens: 5000 };
    const model = knowsItsLimits({
      name: 'test/crossing',
      label: 'Test',
      free: true,
      generate: async () => {
        throw new ThoughtTreeError('bad-request', foreign({ text: 'The context overflows.' }), details);
      },
    });
    const send = (maxOutputTokens: number) =>
      model.generate(modelRequest({ maxOutputTokens }), { ...ONE_CALL, signal: new AbortController().signal });
    for (let late = 0; late < 3; late++) await assert.rejects(send(8000));
    assert.equal(model.contextTokens, 5000);
    await assert.rejects(send(4990));
    assert.ok((model.contextTokens ?? 5000) < 5000, 'what was made for it shows that it is shorter');
  });

  it('lets one call at a time change the workspace, while those in workplaces go on', async () => {
    const clock = new VirtualClock();
    const store = await createMemoryStore(QUESTION);
    let [inWorkspace, inWorkplaces] = [0, 0];
    const most = { workspace: 0, workplaces: 0 };
    const model: Model = {
      name: 'test/writer',
      label: 'Test',
      free: true,
      worksByItself: true,
      changesWorkspace: true,
      async generate({ workplace }, { signal }) {
        if (workplace) most.workplaces = Math.max(most.workplaces, ++inWorkplaces);
        else most.workspace = Math.max(most.workspace, ++inWorkspace);
        await clock.sleep(100, signal);
        if (workplace) inWorkplaces--;
        else inWorkspace--;
        return { text: 'Done.', finish: 'stop' };
      },
    };
    const { asks } = asking(store, clock, model);
    const stop = new AbortController();
    const ask = (signal: AbortSignal, parts = {}): Promise<unknown> => {
      const words = () => ({ prompt: 'Sing.', data: { question: '' }, maxOutputTokens: 10, ...parts });
      return asks.ask({ purpose: 'sing', words, check: (text) => text }, signal);
    };
    const workplace = { folder: '/checkout', rights: 'write' } as const;
    const { signal } = new AbortController();
    const stopped = assert.rejects(ask(stop.signal), /stopped/);
    stop.abort();
    const all = [
      ...Array.from({ length: 4 }, () => ask(signal)),
      ask(signal, { workplace }),
      ask(signal, { workplace }),
    ];
    await clock.run(Promise.all([...all, stopped]));
    assert.deepEqual(most, { workspace: 1, workplaces: 2 });
  });

  describe('with a place and tools of its own', () => {
    const workplace = { folder: '/checkout', rights: 'write' } as const;
    const toolbox: Toolbox = {
      tools: [{ name: 'edit', description: 'Edits.', parameters: { type: 'object' } }],
      use: async ({ input }) => ({ text: `${'x'.repeat(20_000)}${String(input)}`, isRefused: false, what: 'edit a' }),
    };

    /** What a model was asked, and the uses that were journaled. */
    async function asked(generate: Model['generate'], model: Partial<Model>) {
      const clock = new VirtualClock();
      const store = await createMemoryStore(QUESTION);
      const history = new History(store, clock, () => undefined);
      const uses: unknown[] = [];
      history.listen((event) => {
        if (event.type === 'tool-used') uses.push([event.tool, event.what, event.length, event.call !== '']);
      });
      const random = seededRandom(1);
      const requests: ModelRequest[] = [];
      const subject: Model = {
        name: 'test/model',
        label: 'Test',
        free: true,
        ...model,
        async generate(request, call) {
          requests.push(request);
          return await generate(request, call);
        },
      };
      const modelFor = (): Model => subject;
      const purposes: Purposes = {
        sing: { conversation: 'own', when: 'slot', guess: { prompt: 1, completion: 1 }, doing: '', brief: '' },
      };
      const guards = { guards: () => ({}), keptForReport: () => undefined, timeoutMs: 1000 };
      const caller = new ModelCaller({ purposes, modelFor, store, history, clock, random, ...guards });
      const patience = new Patience(clock, random, history, 1000);
      const asks = new Asks({ purposes, caller, modelFor, patience, clock, random, store, history, system: '' });
      const data = { question: '' };
      const tools = { toolbox, rounds: 2 };
      const words = () => ({ prompt: 'Sing.', data, maxOutputTokens: 10, workplace, tools });
      const { text } = await asks.ask(
        { purpose: 'sing', words, check: (answer) => answer },
        new AbortController().signal,
      );
      return { text, requests, uses };
    }

    it('gives a model that uses tools those of the question, as often as it says', async () => {
      const toolCalls = [{ id: '1', name: 'edit', input: 'a' }];
      const { text, requests, uses } = await asked(
        async ({ toolsAreOver }) =>
          toolsAreOver ? { text: 'Done.', finish: 'stop' } : { text: '', finish: 'tools', toolCalls },
        { tools: true },
      );
      assert.equal(text, 'Done.');
      assert.deepEqual(
        requests.map(({ tools, workplace: place }) => [tools?.map(({ name }) => name), place]),
        Array.from({ length: 3 }, () => [['edit'], undefined]),
      );
      assert.deepEqual(uses, [
        ['edit', 'edit a', 16_000, true],
        ['edit', 'edit a', 16_000, true],
      ]);
    });

    it('gives one that works by itself the place, and the tools with the call', async () => {
      const { requests, uses } = await asked(
        async (_, call) => {
          const use = await call.toolbox?.use({ id: '1', name: 'edit', input: 'a' }, call.signal);
          assert.equal(use?.text.length, 16_000);
          return { text: 'Done.', finish: 'stop' };
        },
        { worksByItself: true },
      );
      assert.deepEqual(
        requests.map(({ tools, workplace: place }) => [tools, place]),
        [[undefined, workplace]],
      );
      assert.deepEqual(uses, [['edit', 'edit a', 16_000, true]]);
    });

    it('gives one without tools neither', async () => {
      const { requests } = await asked(async (_, call) => {
        assert.equal(call.toolbox, undefined);
        return { text: 'Done.', finish: 'stop' };
      }, {});
      assert.deepEqual([requests[0]?.tools, requests[0]?.workplace], [undefined, undefined]);
    });
  });
});
