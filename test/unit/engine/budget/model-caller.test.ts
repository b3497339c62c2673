import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { foreign } from '../../../../src/core/messages/message.ts';
import type { MadeBefore, Model, ModelAnswer, ModelRequest, UnaskedUse } from '../../../../src/core/ports/model.ts';
import type { Purse } from '../../../../src/core/ports/purse.ts';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import type { Delivery } from '../../../../src/core/search/events.ts';
import { AdoptableCalls, AnsweredCalls } from '../../../../src/core/search/record/runs.ts';
import { SearchRecord } from '../../../../src/core/search/record/search-record.ts';
import { History } from '../../../../src/engine/history.ts';
import { ModelCaller } from '../../../../src/engine/model-caller.ts';
import { researchPurposes } from '../../../../src/kinds/research/purposes.ts';
import { createMemoryStore } from '../../../support/memory-store.ts';
import { QUESTION } from '../../../support/searches/simulated-search.ts';
import { seededRandom, VirtualClock } from '../../../support/virtual-clock.ts';

const request: ModelRequest = {
  purpose: 'document',
  node: 'a',
  system: '',
  turns: [],
  prompt: 'Write.',
  data: { question: '' },
  maxOutputTokens: 100,
};

function callerOf(
  generate: Model['generate'],
  more: Partial<Model> = {},
  purse?: Purse,
): { caller: ModelCaller; clock: VirtualClock; history: History; change: (to: Partial<Model>) => void } {
  const clock = new VirtualClock();
  const store = createMemoryStore(QUESTION);
  const history = new History(
    store,
    clock,
    () => undefined,
    new SearchRecord(new AdoptableCalls(), new AnsweredCalls()),
  );
  let model: Model = { name: 'a/b', label: 'B', free: false, generate, ...more };
  const change = (to: Partial<Model>): void => {
    model = { ...model, ...to };
  };
  const parts = {
    purposes: researchPurposes,
    modelFor: () => model,
    store,
    history,
    clock,
    random: seededRandom(1),
    purse,
    timeoutMs: 60_000,
  };
  const caller = new ModelCaller({ ...parts, guards: () => ({}), keptForReport: () => undefined });
  return { caller, clock, history, change };
}

describe('a call of the model', () => {
  it('leaves nothing behind on the signal of its work, so that no answer is held longer than it is used', async () => {
    const { caller, clock } = callerOf(async () => ({ text: 'It is.', finish: 'stop' }));
    const { signal } = new AbortController();
    for (let n = 0; n < 3; n++) await clock.run(caller.call(request, { question: 'q', attempt: 1 }, signal));
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  it('ends when its work is stopped, or its time is over, even where the model does not listen', async () => {
    const { caller, clock } = callerOf(() => new Promise<ModelAnswer>(() => undefined));
    const work = new AbortController();
    const stopped = caller.call(request, { question: 'q', attempt: 1 }, work.signal);
    void clock.sleep(1000).then(() => work.abort());
    await assert.rejects(clock.run(stopped), { reason: 'aborted' });
    await assert.rejects(clock.run(caller.call(request, { question: 'q', attempt: 2 }, new AbortController().signal)), {
      reason: 'timed-out',
    });
  });

  it('that got more than it asked for is booked by what arrived, also in money of which only answers told the price', async () => {
    const usages = [{ prompt: 38, cached: 0, completion: 100, usd: 1 }];
    const { caller, clock, history } = callerOf(async (_, { onReceived }) => {
      const usage = usages.pop();
      if (usage) return { text: 'It is.', finish: 'stop', usage };
      onReceived?.(1200);
      throw new ThoughtTreeError('bad-answer', foreign({ text: 'endless' }), { charged: true, doubts: ['endless'] });
    });
    const { signal } = new AbortController();
    await clock.run(caller.call(request, { question: 'q', attempt: 1 }, signal));
    await assert.rejects(clock.run(caller.call(request, { question: 'q', attempt: 2 }, signal)));
    // A token of a prompt costs at most 1 / 38, and one of an answer 1 / 100: 38 were sent, and 300 arrived.
    assert.ok(history.ledger.spend.booked.usd >= 4, `${history.ledger.spend.booked.usd}`);
  });

  it('costs nothing where the work was stopped before the model was asked', async () => {
    let asked = 0;
    const { caller, clock, history } = callerOf(async () => {
      asked++;
      return { text: 'It is.', finish: 'stop' };
    });
    const work = new AbortController();
    history.listen(({ type }) => {
      if (type === 'call-started') work.abort();
    });
    await assert.rejects(clock.run(caller.call(request, { question: 'q', attempt: 1 }, work.signal)), {
      reason: 'aborted',
    });
    assert.equal(asked, 0);
    assert.equal(history.ledger.spend.worstCase, 0);
  });

  /** A purse whose booking is on its way to the disk for as long as the test wants. */
  function slowPurse() {
    const keeping = Promise.withResolvers<void>();
    const heard: string[] = [];
    const purse: Purse = {
      book: async () => undefined,
      kept: () => keeping.promise,
      hear: async (event) => {
        if (event.type === 'call-ended') heard.push(`${event.outcome} ${event.charged}`);
      },
      close: async () => undefined,
    };
    return { ...keeping, purse, heard };
  }

  it('is journaled while its booking in the purse is on its way to the disk, and made once that is there', async () => {
    const said: string[] = [];
    const { purse, resolve } = slowPurse();
    const answered: Model['generate'] = async () => {
      said.push('asked');
      return { text: 'It is.', finish: 'stop' };
    };
    const { caller, clock, history } = callerOf(answered, {}, purse);
    const started = new Promise<void>((begun) => {
      history.listen(({ type }) => {
        if (type === 'call-started') begun();
      });
    });
    const call = caller.call(request, { question: 'q', attempt: 1 }, new AbortController().signal);
    await started;
    await clock.run(new Promise<void>((later) => setImmediate(later)));
    said.push('kept');
    resolve();
    await clock.run(call);
    assert.deepEqual(said, ['kept', 'asked']);
  });

  it('is not made, and costs nothing, where its booking in the purse cannot be kept', async () => {
    let asked = 0;
    const { purse, heard, reject } = slowPurse();
    const answered: Model['generate'] = async () => {
      asked++;
      return { text: 'It is.', finish: 'stop' };
    };
    const { caller, clock, history } = callerOf(answered, {}, purse);
    reject(new ThoughtTreeError('not-writable', foreign({ text: 'no disk' }), { charged: false }));
    const call = caller.call(request, { question: 'q', attempt: 1 }, new AbortController().signal);
    await assert.rejects(clock.run(call), { reason: 'not-writable' });
    assert.deepEqual([asked, heard], [0, ['not-writable false']]);
    assert.deepEqual([history.ledger.underWay, history.ledger.spend.calls, history.ledger.spend.worstCase], [0, 0, 0]);
  });

  it('that its model settles itself when it is stopped costs what that says, within two seconds', async () => {
    const work = new AbortController();
    const untaken: Model['generate'] = async (_, { signal }) => {
      await clock.sleep(100_000, signal);
      await clock.sleep(1500);
      throw new ThoughtTreeError('aborted', foreign({ text: 'nobody took it' }), { charged: false });
    };
    const { caller, clock, history } = callerOf(untaken, { settlesStop: true, keepsTime: true });
    void clock.sleep(1000).then(() => work.abort());
    await assert.rejects(clock.run(caller.call(request, { question: 'q', attempt: 1 }, work.signal)), {
      reason: 'aborted',
    });
    assert.deepEqual([history.ledger.spend.calls, history.ledger.underWay], [0, 0]);
  });

  it('takes the answer to the same call of a dead process, which is not asked again and counts what it used', async () => {
    let asked = 0;
    const usage = { prompt: 5, cached: 0, completion: 2 };
    const { caller, clock, history } = callerOf(
      async () => {
        asked++;
        return await new Promise<ModelAnswer>(() => undefined);
      },
      {
        late: async (calls) => ({ call: calls[0]?.call ?? '', answer: { text: 'It is.', finish: 'stop', usage } }),
      },
    );
    const { signal } = new AbortController();
    let begun = '';
    const sending = { question: 'q', attempt: 1, begun: (call: string) => (begun = call) };
    void caller.call(request, sending, signal).catch(() => undefined);
    while (asked === 0) await clock.run(Promise.resolve());
    history.note({ type: 'lease-taken', epoch: 2, pid: 1, host: 'h' });
    const late = await clock.run(caller.call(request, { question: 'q', attempt: 2 }, signal));
    assert.deepEqual([late.call, late.answer.text, asked], [begun, 'It is.', 1]);
    const { calls, prompt, worstCase } = history.ledger.spend;
    assert.deepEqual([calls, prompt, worstCase], [1, 5, 0]);
    for (const other of [{ ...request, prompt: 'Write more.' }, request])
      void caller.call(other, { question: 'q', attempt: 3 }, signal).catch(() => undefined);
    while (asked < 3) await clock.run(Promise.resolve());
  });

  it('that a queue had made twice is counted twice, also by a later process, and only once more', async () => {
    const making = { job: 'j1', taken: 't1' };
    const usage = { prompt: 5, cached: 0, completion: 2 };
    let second: ((used: UnaskedUse) => void) | undefined;
    let before: MadeBefore | undefined;
    const onUnasked: Model['onUnasked'] = (listener, made) => {
      second = listener;
      before = made;
    };
    const { caller, clock, history } = callerOf(async () => ({ text: 'It is.', finish: 'stop', usage, making }), {
      onUnasked,
      price: { prompt: 1, cached: 1, completion: 1 },
    });
    caller.countUnasked({ name: 'a/b', label: 'B', free: false, generate: caller.call as never, onUnasked });
    await clock.run(caller.call(request, { question: 'q', attempt: 1 }, new AbortController().signal));
    assert.deepEqual(before?.makings, [making]);
    assert.ok(before.most.tokens >= request.maxOutputTokens && before.most.usd > 0);
    const later = new AnsweredCalls();
    later.restore(JSON.parse(JSON.stringify(history.past.part(AnsweredCalls)?.state)));
    assert.deepEqual([later.makings, later.most], [before.makings, before.most]);
    const further = { job: making.job, taken: 't2' };
    second?.({ usage, making: further });
    assert.deepEqual([history.ledger.spend.calls, before.makings, before.further], [2, [making], [further]]);
    later.restore(JSON.parse(JSON.stringify(history.past.part(AnsweredCalls)?.state)));
    assert.deepEqual([later.makings, later.further], [[making], [further]]);
  });

  it('of a model that the search has no more costs what is said of it, whatever the one costs that it has', async () => {
    let unasked: ((used: UnaskedUse) => void) | undefined;
    const price = { prompt: 1e6, cached: 1e6, completion: 1e6 };
    const { caller, history } = callerOf(async () => ({ text: 'It is.', finish: 'stop' }));
    const onUnasked: Model['onUnasked'] = (listener) => {
      unasked = listener;
    };
    const model: Model = { name: 'a/b', label: 'B', free: false, price, generate: caller.call as never, onUnasked };
    caller.countUnasked(model);
    const use = { usage: { prompt: 5, cached: 0, completion: 2, usd: 0.25 }, making: { job: 'j1', taken: 't1' } };
    unasked?.({ ...use, isOfAnother: true });
    const { calls, usd } = history.ledger.spend;
    assert.deepEqual([calls, usd, caller.costs.priced({ ...use.usage, usd: 7 }, model).usd], [1, 0.25, 7]);
  });

  it('that failed and was paid for is told with its making, so that another one is counted, too', async () => {
    const making = { job: 'j1', taken: 't1' };
    const { caller, clock, history } = callerOf(async () => {
      throw new ThoughtTreeError('bad-answer', foreign({ text: 'Bad.' }), { charged: true, making });
    });
    const asked = caller.call(request, { question: 'q', attempt: 1 }, new AbortController().signal);
    await assert.rejects(clock.run(asked), { reason: 'bad-answer' });
    assert.deepEqual(history.past.part(AnsweredCalls)?.makings, [making]);
  });

  /** A process is killed right after it was given an answer. */
  async function killedAfter(making: Delivery): Promise<ReturnType<typeof callerOf> & { asked: () => number }> {
    let asked = 0;
    const usage = { prompt: 5, cached: 0, completion: 2 };
    const answer: ModelAnswer = { text: 'It is.', finish: 'stop', usage, making };
    const made = callerOf(
      async () => {
        asked++;
        return answer;
      },
      {
        late: async (calls) => {
          const known = calls.find((each) => each.making?.taken === making.taken);
          return known && { call: known.call, answer };
        },
      },
    );
    const { signal } = new AbortController();
    await made.clock.run(made.caller.call(request, { question: 'q', attempt: 1 }, signal));
    made.history.note({ type: 'lease-taken', epoch: 2, pid: 1, host: 'h' });
    return { ...made, asked: () => asked };
  }

  it('whose answer was not written down is given it again by a later process, and counts once', async () => {
    const { caller, clock, history, asked } = await killedAfter({ job: 'j1', taken: 't1' });
    const { signal } = new AbortController();
    const restored = new AdoptableCalls();
    restored.restore(JSON.parse(JSON.stringify(history.past.part(AdoptableCalls)?.state)));
    assert.deepEqual(restored.state, history.past.part(AdoptableCalls)?.state);
    const again = await clock.run(caller.call(request, { question: 'q', attempt: 2 }, signal));
    assert.deepEqual([again.answer.text, asked(), history.ledger.spend.calls], ['It is.', 1, 1]);
    await clock.run(caller.call({ ...request, prompt: 'Write more.' }, { question: 'q', attempt: 3 }, signal));
    assert.equal(asked(), 2);
  });

  for (const [what, isAnswered] of [
    ['had not come', false],
    ['it was given', true],
  ] as const)
    it(`is made by another model that a later process has, and counts as it was booked where its answer ${what}`, async () => {
      const dear = { prompt: 100, cached: 100, completion: 100 };
      const usage = { prompt: 30, cached: 0, completion: 100 };
      const answer = { text: 'By the dear one.', finish: 'stop', usage, making: { job: 'j1', taken: 't1' } } as const;
      let asked = 0;
      const { caller, clock, history, change } = callerOf(
        async () => {
          asked++;
          return isAnswered ? answer : await new Promise<ModelAnswer>(() => undefined);
        },
        { price: dear, late: async ([made]) => made && { call: made.call, answer } },
      );
      const { signal } = new AbortController();
      const first = caller.call(request, { question: 'q', attempt: 1 }, signal);
      if (isAnswered) await clock.run(first);
      else void first.catch(() => undefined);
      while (asked === 0) await clock.run(Promise.resolve());
      history.note({ type: 'lease-taken', epoch: 2, pid: 1, host: 'h' });
      const { usd } = history.ledger.spent;
      assert.ok(usd >= 0.013, `${usd}`);
      const text = 'By the other one.';
      change({ name: 'a/cheap', generate: async () => ({ text, finish: 'stop', usage: { ...usage, usd: 1e-6 } }) });
      change({ price: { prompt: 0.001, cached: 0.001, completion: 0.001 } });
      const now = await clock.run(caller.call(request, { question: 'q', attempt: 2 }, signal));
      assert.equal(now.answer.text, text);
      assert.ok(history.ledger.spent.usd > usd && history.ledger.spent.usd < usd + 1e-5, `${history.ledger.spent.usd}`);
      change({ name: 'a/b', price: dear });
      const again = await clock.run(caller.call(request, { question: 'q', attempt: 3 }, signal));
      assert.equal(again.answer.text, answer.text, 'it is there for its own model');
    });

  it('is made again where a person has something done anew', async () => {
    const { caller, clock, history, asked } = await killedAfter({ job: 'j1', taken: 't1' });
    history.note({ type: 'steered', by: 'me', action: 'redo', message: 'Done anew.' });
    await clock.run(caller.call(request, { question: 'q', attempt: 2 }, new AbortController().signal));
    assert.equal(asked(), 2);
  });
});
