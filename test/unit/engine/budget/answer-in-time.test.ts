import assert from 'node:assert/strict';
import type { Model, ModelAnswer, ModelRequest } from '../../../../src/core/ports/model.ts';
import { answerInTime } from '../../../../src/engine/model-caller.ts';
import { VirtualClock } from '../../../support/virtual-clock.ts';

const request: ModelRequest = {
  ...{ purpose: 'document', node: 'a', system: '', turns: [], prompt: 'Write.' },
  ...{ data: { question: '' }, maxOutputTokens: 100 },
};
const answer: ModelAnswer = { text: 'It is.', finish: 'stop' };

/** Asks a model that answers like this, within a minute. */
function ask(
  clock: VirtualClock,
  generate: Model['generate'],
  more: Partial<Model> = {},
  signal = new AbortController().signal,
) {
  const model: Model = { name: 'a/b', label: 'B', free: false, generate, ...more };
  return clock.run(answerInTime(model, request, { question: 'q', call: 'c', signal }, { clock, timeoutMs: 60_000 }));
}

describe('an answer in time', () => {
  const never = () => new Promise<ModelAnswer>(() => undefined);

  it('is given up when its work is stopped, or its time is over, even where the model does not listen', async () => {
    const clock = new VirtualClock();
    const work = new AbortController();
    void clock.sleep(1000).then(() => work.abort());
    await assert.rejects(ask(clock, never, {}, work.signal), { reason: 'aborted' });
    const before = clock.now();
    await assert.rejects(ask(clock, never), { reason: 'timed-out' });
    assert.equal(clock.now() - before, 60_000);
  });

  it('is timed once: by its model where that keeps the time, and by nobody else then', async () => {
    const clock = new VirtualClock();
    const slow: Model['generate'] = async (_, { signal }) => {
      await clock.sleep(100_000, signal);
      return answer;
    };
    assert.equal(await ask(clock, slow, { keepsTime: true }), answer);
    await assert.rejects(ask(clock, slow), { reason: 'timed-out' });
  });

  it('is waited for two seconds more where the model settles a stop by itself', async () => {
    const clock = new VirtualClock();
    const work = new AbortController();
    void clock.sleep(1000).then(() => work.abort());
    const before = clock.now();
    await assert.rejects(ask(clock, never, { settlesStop: true }, work.signal), { reason: 'aborted' });
    assert.equal(clock.now() - before, 3000);
  });
});
