import assert from 'node:assert/strict';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { queueOf } from '../../../../src/fleet/names.ts';
import type { Result } from '../../../../src/fleet/protocol.ts';
import type {
  CallPlace,
  CappedCall,
  QueuedAnswer,
  SeenRegistration,
  TakeLimits,
  TakenCall,
} from '../../../../src/fleet/queue.ts';
import {
  ANSWER,
  answerTo,
  callFor,
  FakeFleet,
  modelOf,
  NAME,
  requestFor,
  said,
} from '../../../support/fleet/fake-fleet.ts';
import { MemoryQueue } from '../../../support/fleet/memory-queue.ts';
import { until } from '../../../support/until.ts';

const OTHER = 'openai-compatible/other';

describe('a queue of which a part fails', () => {
  let fleet: FakeFleet;
  beforeEach(() => {
    fleet = new FakeFleet();
  });
  afterEach(() => fleet.close());

  it('still serves the other models of a worker, which says it once', async () => {
    class OneFails extends MemoryQueue {
      override async take(queue: string, most: number, limits?: TakeLimits): Promise<readonly TakenCall[]> {
        if (queue === queueOf(NAME, undefined)) throw new Error('statement timeout');
        return await super.take(queue, most, limits);
      }
    }
    fleet.queue = () => new OneFails(fleet.board);
    const other = { ...modelOf(async () => ANSWER), name: OTHER };
    await fleet.worker(
      modelOf(async () => ANSWER),
      { others: [other] },
    );
    const model = fleet.model(fleet.leader(), 60, OTHER);
    for (const question of ['q1', 'q2', 'q3'])
      assert.deepEqual(said(await model.generate(requestFor('Why?'), callFor(question))), ANSWER);
    assert.deepEqual(fleet.states, ['away']);
  });

  it('still hears that a worker lives of which other connections are silent', async () => {
    const silent: string[] = [];
    class Silent extends MemoryQueue {
      override beat(calls: readonly CallPlace[]): Promise<ReadonlySet<string>> {
        return this.#once('beat') ?? super.beat(calls);
      }
      override goOn(calls: readonly CappedCall[]): Promise<void> {
        return this.#once('goOn') ?? super.goOn(calls);
      }
      override registrations(): Promise<readonly SeenRegistration[]> {
        return (fleet.board.jobs.size > 0 && this.#once('cards')) || super.registrations();
      }
      #once(what: string): Promise<never> | undefined {
        if (silent.includes(what)) return undefined;
        silent.push(what);
        return new Promise((_, reject) => fails.push(() => reject(new Error('statement timeout'))));
      }
    }
    const fails: (() => void)[] = [];
    fleet.queue = () => new Silent(fleet.board);
    await fleet.queue().setCap({ model: NAME, calls: 1 });
    const gate = Promise.withResolvers<void>();
    await fleet.worker(
      modelOf(async () => {
        await gate.promise;
        return ANSWER;
      }),
    );
    const asked = fleet.model().generate(requestFor('Why?'), callFor('q1'));
    await until(() => silent.length === 3);
    const [job] = [...fleet.board.jobs.values()];
    assert.ok(job);
    const since = job.beatAt;
    await until(() => job.beatAt > since + 1000);
    gate.resolve();
    assert.deepEqual(said(await asked), ANSWER);
    for (const fail of fails) fail();
  });

  it('still has a search see what becomes of its calls, whose answers cannot be read, and say so', async () => {
    class Unread extends MemoryQueue {
      override async answers(): Promise<readonly QueuedAnswer[]> {
        throw new Error('statement timeout');
      }
    }
    fleet.queue = () => new Unread(fleet.board);
    const asked = fleet.model().generate(requestFor('Why?'), callFor('q1'));
    await until(() => fleet.board.jobs.size === 1);
    for (const job of fleet.board.jobs.values()) job.state = 'lost';
    await assert.rejects(asked, (error: unknown) => isThoughtTreeError(error, 'cut-off'));
    await until(() => /cannot be read from the queue: statement timeout/.test(fleet.notices.join()));
  });

  it('lets a search see what becomes of its calls, and end, where somebody writes answers without end', async () => {
    let written = 0;
    class Flooded extends MemoryQueue {
      override async answers(search: string, again?: boolean): Promise<readonly QueuedAnswer[]> {
        const junk = Array.from({ length: 2 }, () => ({ key: `junk ${written++}`, payload: { packed: 'junk' } }));
        // So that timers have their turn.
        await new Promise((resolve) => setImmediate(resolve));
        return [...(await super.answers(search, again)), ...junk];
      }
    }
    fleet.queue = () => new Flooded(fleet.board);
    const model = fleet.model();
    const asked = [
      model.generate(requestFor('Why?'), callFor('q1')),
      model.generate(requestFor('How?'), callFor('q2')),
    ];
    await until(() => fleet.board.jobs.size === 2);
    const [first, second] = [...fleet.board.jobs.values()];
    assert.ok(first && second);
    await fleet
      .queue()
      .answer(first, 'ab12', await answerTo(first.id, { outcome: 'answer', ...ANSWER } as Result), 'w');
    second.state = 'lost';
    assert.ok((await Promise.all(asked.map((each) => each.then(said, String)))).every(Boolean));
    await model.close?.();
    assert.ok(written > 0);
  });

  it('does not have a call count as lost whose answer is only not read yet', async () => {
    let isFailing = true;
    class LateRead extends MemoryQueue {
      override async answers(search: string, again?: boolean): Promise<readonly QueuedAnswer[]> {
        if (isFailing) throw new Error('statement timeout');
        return await super.answers(search, again);
      }
    }
    fleet.queue = () => new LateRead(fleet.board);
    await fleet.worker(modelOf(async () => ANSWER));
    const asked = fleet.model().generate(requestFor('Why?'), callFor('q1'));
    asked.catch(() => undefined);
    // Longer than a call may be without a trace.
    const start = performance.now();
    await until(() => performance.now() - start > 5500);
    isFailing = false;
    assert.deepEqual(said(await asked), ANSWER);
  });

  it('says once that an answer is too large, and deletes it', async () => {
    class Large extends MemoryQueue {
      override async answers(search: string, again?: boolean): Promise<readonly QueuedAnswer[]> {
        return (await super.answers(search, again)).map((each) => ({ ...each, payload: undefined }));
      }
    }
    fleet.queue = () => new Large(fleet.board);
    const stop = new AbortController();
    const model = fleet.model();
    const asked = model.generate(requestFor('Why?'), callFor('q1', stop.signal));
    asked.catch(() => undefined);
    await until(() => fleet.board.jobs.size === 1);
    const [job] = fleet.board.jobs.values();
    assert.ok(job);
    for (const by of ['a', 'b']) await fleet.queue().answer(job, 'ab12', { packed: 'large' }, by);
    const large = (): string[] => fleet.notices.filter((each) => /larger than any may be/.test(each));
    await until(() => large().length > 0);
    stop.abort();
    await assert.rejects(asked);
    await model.close?.();
    assert.equal(large().length, 1);
    assert.equal(fleet.board.answers.get('ab12')?.size, 0);
  });

  it('still has a worker obey the caps where no cards can be read', async () => {
    let isFailing = false;
    class NoRegistrations extends MemoryQueue {
      override async registrations(): Promise<readonly SeenRegistration[]> {
        if (isFailing) throw new Error('cannot subtract infinite timestamps');
        return await super.registrations();
      }
    }
    fleet.queue = () => new NoRegistrations(fleet.board);
    let obeyed = 0;
    await fleet.worker(modelOf(async () => ANSWER));
    isFailing = true;
    const { take } = MemoryQueue.prototype;
    NoRegistrations.prototype.take = function (queue, most, limits) {
      if (limits?.cap?.calls === 0) obeyed++;
      return take.call(this, queue, most, limits);
    };
    await fleet.queue().setCap({ model: NAME, calls: 0 });
    await until(() => obeyed > 0);
  });

  it('has an answer whose handing out was not heard of all the same', async () => {
    let losesReply = true;
    class Unheard extends MemoryQueue {
      override async answers(search: string, again?: boolean): Promise<readonly QueuedAnswer[]> {
        const found = await super.answers(search, again);
        if (!losesReply || found.length === 0) return found;
        losesReply = false;
        throw new Error('Query read timeout');
      }
    }
    fleet.queue = () => new Unheard(fleet.board);
    await fleet.worker(modelOf(async () => ANSWER));
    assert.deepEqual(said(await fleet.model().generate(requestFor('Why?'), callFor('q1'))), ANSWER);
    assert.equal(losesReply, false);
  });

  for (const name of ['isOver', 'rates', 'register', 'beat', 'goOn'] as const)
    it(`still has its calls made and answered where nothing comes of ${name}, and says so once`, async () => {
      let isFailing = false;
      let failures = 0;
      class Refused extends MemoryQueue {}
      Object.defineProperty(Refused.prototype, name, {
        value(this: MemoryQueue, ...values: unknown[]): unknown {
          if (!isFailing) return Reflect.apply(MemoryQueue.prototype[name], this, values);
          failures++;
          return Promise.reject(new Error('permission denied'));
        },
      });
      fleet.queue = () => new Refused(fleet.board);
      await fleet.queue().setCap({ model: NAME, calls: 5 });
      let answer: () => void = () => undefined;
      await fleet.worker(modelOf(() => new Promise((resolve) => (answer = () => resolve(ANSWER)))));
      isFailing = true;
      const asked = fleet.model().generate(requestFor('Why?'), callFor('q1'));
      await until(() => [...fleet.board.jobs.values()].some(({ state }) => state === 'taken'));
      if (name !== 'isOver') await until(() => failures >= 3);
      answer();
      assert.deepEqual(said(await asked), ANSWER);
      await until(() => failures > 0);
      assert.deepEqual(fleet.states, ['away']);
    });
});
