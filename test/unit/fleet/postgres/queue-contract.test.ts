import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { queueOf } from '../../../../src/fleet/names.ts';
import type { Registration } from '../../../../src/fleet/protocol.ts';
import type { FleetQueue, QueuedCall, TakeLimits } from '../../../../src/fleet/queue.ts';
import { QUEUES, type Sides } from '../../../support/fleet/queue-sides.ts';
import { until } from '../../../support/until.ts';

const SEARCH = 'ab12';
const QUEUE = queueOf('ollama/small', undefined);
const call = (queue = QUEUE): QueuedCall => ({ id: randomUUID(), queue, payload: { packed: 'a call' }, seconds: 30 });

for (const [name, open] of QUEUES)
  describe(`the queue ${name}`, () => {
    let sides: Sides;
    let leader: FleetQueue;
    let worker: FleetQueue;
    before(async () => {
      sides = await open();
      ({ leader, worker } = sides);
      await leader.openSearch(SEARCH, [QUEUE]);
    });
    after(() => sides.close());

    async function taken(): Promise<QueuedCall> {
      const sent = call();
      await leader.send(sent);
      assert.deepEqual(
        (await worker.take(QUEUE, 5)).map(({ id }) => id),
        [sent.id],
      );
      return sent;
    }

    it('gives a call to one worker, and its answer to the search once', async () => {
      const sent = call();
      await leader.send(sent);
      assert.equal((await leader.states([sent])).get(sent.id), 'waiting');
      const [got, ...more] = await worker.take(QUEUE, 5);
      assert.deepEqual([got, more], [{ id: sent.id, queue: QUEUE, payload: { packed: 'a call' } }, []]);
      assert.equal((await leader.states([sent])).get(sent.id), 'taken');
      assert.deepEqual(await worker.take(QUEUE, 5), []);
      await worker.answer(sent, SEARCH, { packed: 'an answer' }, 'w1');
      assert.equal((await leader.states([sent])).get(sent.id), 'answered');
      const answers = await leader.answers(SEARCH);
      assert.deepEqual(
        answers.map(({ payload }) => payload),
        [{ packed: 'an answer' }],
      );
      assert.deepEqual(await leader.answers(SEARCH), []);
      assert.equal((await leader.answers(SEARCH, true)).length, 1, 'a later process gets it again');
      await leader.forget(
        SEARCH,
        answers.map(({ key }) => key),
      );
      assert.deepEqual(await leader.answers(SEARCH, true), []);
    });

    it('has a call once, however often it is sent, and an answer once for each worker', async () => {
      const sent = await taken();
      await leader.send(sent);
      assert.deepEqual(await worker.take(QUEUE, 5), []);
      for (const by of ['w1', 'w1', 'w2']) await worker.answer(sent, SEARCH, { packed: by }, by);
      const answers = await leader.answers(SEARCH);
      assert.deepEqual(answers.map(({ payload }) => JSON.stringify(payload)).sort(), [
        '{"packed":"w1"}',
        '{"packed":"w2"}',
      ]);
      await leader.forget(
        SEARCH,
        answers.map(({ key }) => key),
      );
    });

    it('gives calls in the order in which they were sent, those of other models to others', async () => {
      const other = queueOf('ollama/large', undefined);
      assert.deepEqual(await worker.take(other, 1), []);
      await leader.openSearch(SEARCH, [other]);
      const sent = [call(), call(other), call()];
      for (const each of sent) await leader.send(each);
      const counts = [
        [QUEUE, 2],
        [other, 1],
      ] as const;
      assert.deepEqual(await worker.waiting([QUEUE, other, 'calls.none']), new Map(counts));
      const ids = (calls: readonly { id: string }[]): string[] => calls.map(({ id }) => id);
      assert.deepEqual(ids(await worker.take(QUEUE, 1)), [sent[0]?.id]);
      assert.deepEqual(ids(await worker.take(QUEUE, 5)), [sent[2]?.id]);
      assert.deepEqual(ids(await worker.take(other, 5)), [sent[1]?.id]);
    });

    it('tells what was withdrawn in time from what somebody had taken, who hears of it', async () => {
      const first = await taken();
      const [second, third] = [call(), call()];
      for (const each of [second, third]) await leader.send(each);
      assert.deepEqual(await leader.withdrawUntaken([first, third]), new Set([third.id]));
      assert.deepEqual(await worker.beat([first]), new Set());
      assert.deepEqual(await leader.withdraw([first, second]), new Set([second.id]));
      assert.deepEqual(await worker.take(QUEUE, 5), []);
      assert.deepEqual(await worker.beat([first]), new Set([first.id]));
    });

    it('notices a worker that is silent, whose answer then is only late', async () => {
      const [kept, lost] = [await taken(), await taken()];
      await sides.age(9);
      await worker.beat([kept]);
      assert.equal((await leader.states([lost])).get(lost.id), 'taken');
      await sides.age(2);
      await until(async () => (await leader.states([lost])).get(lost.id) === 'lost');
      assert.equal((await leader.states([kept])).get(kept.id), 'taken');
      await worker.answer(lost, SEARCH, { packed: 'late' }, 'w1');
      assert.equal((await leader.answers(SEARCH)).length, 1);
      assert.equal((await leader.states([lost])).get(lost.id), 'lost');
    });

    it('does not know what it never had', async () => {
      const never = call();
      assert.equal((await leader.states([never])).get(never.id), 'unknown');
      assert.deepEqual(await leader.withdraw([never]), new Set());
    });

    it('drops answers to a search that is over', async () => {
      await leader.openSearch('cd34', [QUEUE]);
      const sent = await taken();
      await leader.closeSearch('cd34');
      await worker.answer(sent, 'cd34', { packed: 'too late' }, 'w1');
      assert.equal((await leader.states([sent])).get(sent.id), 'answered');
      assert.deepEqual(await leader.answers('cd34'), []);
    });

    it('says at once that there is something new', async () => {
      const heard = new Promise<string | undefined>((resolve) => worker.onNews(resolve));
      const sent = call();
      await leader.send(sent);
      assert.equal(await heard, QUEUE);
      await leader.withdraw([sent]);
    });

    it('shows the cards of those that live', async () => {
      const card: Registration = { kind: 'leader', protocol: 1, id: 'l1', title: 'Why?', models: [], underWay: 0 };
      await leader.register(card);
      await leader.register({ ...card, id: 'l2', underWay: 3 });
      await leader.register({ ...card, underWay: 2 });
      assert.deepEqual(
        (await worker.registrations()).map((each) => each.kind === 'leader' && each.underWay),
        [2, 3],
      );
      await leader.unregister('l2');
      assert.equal((await worker.registrations()).length, 1);
      await sides.age(11);
      assert.deepEqual(await worker.registrations(), []);
    });

    it('leaves a call as it was that is not admitted, and those behind it', async () => {
      const sent = [call(), call(), call()];
      for (const each of sent) await leader.send(each);
      // Calls of one moment come in any order.
      const looked: string[] = [];
      const admit: TakeLimits['admit'] = async ({ id }) => (looked.push(id) === 2 ? undefined : 0);
      const taken = idsOf(await worker.take(QUEUE, 5, { admit }));
      assert.deepEqual([taken, looked.length], [looked.slice(0, 1), 2]);
      assert.equal((await leader.states(sent)).get(looked[1] ?? ''), 'waiting');
      const rest = idsOf(await worker.take(QUEUE, 5));
      assert.deepEqual([...taken, ...rest].sort(), idsOf(sent).sort());
    });

    it('lets no more calls of a model be under way than its cap says, whoever takes them', async () => {
      const cap = { model: 'ollama/three', calls: 3 };
      await leader.setCap(cap);
      assert.deepEqual((await worker.rules()).caps, [cap]);
      const sent = Array.from({ length: 6 }, () => call());
      for (const each of sent) await leader.send(each);
      const limits: TakeLimits = { cap, admit: async () => 0 };
      const [first, second] = await worker.take(QUEUE, 2, limits);
      assert.equal((await leader.take(QUEUE, 5, limits)).length, 1);
      assert.deepEqual(await worker.take(QUEUE, 5, limits), []);
      assert.ok(first);
      await worker.isOver(first, 0);
      assert.equal((await worker.take(QUEUE, 5, limits)).length, 1, 'one place is free again');
      await sides.age(10);
      await worker.goOn([{ id: second?.id ?? '', model: cap.model, usd: 0 }]);
      await sides.age(6);
      assert.equal((await worker.take(QUEUE, 5, limits)).length, 2, 'two are with nobody who lives');
      await leader.setCap({ model: cap.model });
      assert.deepEqual((await worker.rules()).caps, []);
    });

    it('counts calls again that go on, whose worker was away until they were forgotten', async () => {
      const cap = { model: 'ollama/away', calls: 1 };
      const sent = Array.from({ length: 3 }, () => call());
      for (const each of sent) await leader.send(each);
      const limits: TakeLimits = { cap, admit: async () => 0.5 };
      const [away] = await worker.take(QUEUE, 1, limits);
      assert.ok(away);
      await sides.age(70);
      const [present] = await leader.take(QUEUE, 1, limits);
      assert.ok(present, 'it is with nobody who lives');
      await worker.goOn([{ id: away.id, model: cap.model, usd: 0.5 }]);
      assert.equal((await leader.counted(cap)).calls, 2);
      await leader.isOver(present, 0);
      assert.deepEqual(await leader.take(QUEUE, 1, limits), []);
      await worker.isOver(away, 0);
      await worker.goOn([{ id: away.id, model: cap.model, usd: 0.5 }]);
      assert.deepEqual(await leader.counted(cap), { calls: 0, usd: 0 }, 'what is over goes on no more');
      assert.equal((await leader.take(QUEUE, 1, limits)).length, 1);
    });

    it('lets calls of a model cost no more a minute than its cap says, and a dear one alone', async () => {
      const cap = { model: 'ollama/dear', usdAMinute: 1 };
      const worst = new Map<string, number>();
      const send = async (usd: number): Promise<QueuedCall> => {
        const sent = call();
        worst.set(sent.id, usd);
        await leader.send(sent);
        return sent;
      };
      const take = async (): Promise<string[]> => {
        const admit: TakeLimits['admit'] = async ({ id }, most = 0) => {
          const usd = worst.get(id) ?? 0;
          return usd > most ? undefined : usd;
        };
        return idsOf(await worker.take(QUEUE, 5, { cap, admit }));
      };
      const sent = [await send(0.5)];
      assert.deepEqual(await take(), idsOf(sent));
      sent.push(await send(0.4));
      assert.deepEqual(await take(), idsOf(sent.slice(1)));
      sent.push(await send(0.3));
      assert.deepEqual(await take(), []);
      const counted = await worker.counted(cap);
      assert.ok(counted.calls === 2 && Math.abs(counted.usd - 0.9) < 1e-9, JSON.stringify(counted));
      await worker.isOver(sent[0] as QueuedCall, 0.1);
      assert.equal((await worker.counted(cap)).calls, 1);
      assert.deepEqual(await take(), idsOf(sent.slice(2, 3)), 'it cost less than it might have');
      for (const each of sent.slice(1, 3)) await worker.isOver(each, 0.3);
      sent.push(await send(3));
      assert.deepEqual(await take(), []);
      await sides.age(61);
      assert.deepEqual(await take(), idsOf(sent.slice(3)), 'nothing else counts now');
      await worker.isOver(sent[3] as QueuedCall, 2);
      const last = await send(0.1);
      await sides.age(61);
      assert.deepEqual(await take(), [], 'it counts for two minutes');
      await sides.age(61);
      assert.deepEqual(await take(), [last.id]);
    });

    it('does nothing any more for a process that led a search, once a later one leads it', async () => {
      const { successor } = sides;
      const [search, queue] = ['ef56', queueOf('ollama/led', undefined)];
      await leader.openSearch(search, [queue]);
      assert.equal(await leader.lead({ search, epoch: 2 }), true);
      const [waiting, taken, answered] = [call(queue), call(queue), call(queue)];
      for (const each of [answered, taken]) await leader.send(each);
      await worker.take(queue, 2);
      await leader.send(waiting);
      await worker.answer(answered, search, { packed: 'an answer' }, 'w1');

      assert.equal(await successor.lead({ search, epoch: 3 }), true);
      assert.deepEqual(await leader.withdraw([waiting, taken]), new Set());
      assert.deepEqual(await leader.withdrawUntaken([waiting]), new Set());
      assert.deepEqual(await leader.answers(search, true), []);
      const refused = call(queue);
      await assert.rejects(leader.send(refused), { reason: 'lease-lost' });
      assert.equal((await successor.states([refused])).get(refused.id), 'unknown');
      assert.deepEqual(await worker.beat([taken]), new Set());
      assert.equal(await leader.lead({ search, epoch: 2 }), false);

      const [answer, ...more] = await successor.answers(search);
      assert.deepEqual([answer?.payload, more], [{ packed: 'an answer' }, []]);
      assert.deepEqual(await leader.answers(search, true), []);
      assert.deepEqual(await successor.answers(search), [], 'nobody had it put back');
      await leader.forget(search, [answer?.key ?? ''], [answered]);
      await leader.closeSearch(search);
      assert.equal((await successor.answers(search, true)).length, 1);
      const states = await successor.states([waiting, taken, answered]);
      assert.deepEqual([...states.values()], ['waiting', 'taken', 'answered']);
      assert.deepEqual(await successor.withdraw([waiting, taken]), new Set([waiting.id]));
      assert.deepEqual(await worker.beat([taken]), new Set([taken.id]));
      assert.equal(await leader.lead({ search, epoch: 2 }, true), true, 'a search that was put back is led again');
      await leader.lead({ search: 'none', epoch: 1 });
    });

    it('is not led again by a process whose successor came after it had looked', async () => {
      const { successor } = sides;
      const search = 'ef57';
      await successor.lead({ search, epoch: 9 });
      assert.equal(await worker.lead({ search, epoch: 3 }), false);
      await successor.lead({ search, epoch: 9 });
      assert.equal(await leader.lead({ search, epoch: 4 }), false);
      assert.equal(await leader.lead({ search, epoch: 4 }, true), true);
      assert.equal(await worker.lead({ search, epoch: 3 }, true), false);
      for (const side of [leader, successor]) await side.lead({ search: 'none', epoch: 1 });
    });

    it('knows of which version the fleet is, once somebody said it', async () => {
      assert.equal((await worker.rules()).version, undefined);
      await leader.setVersion({ protocol: 3, program: '1.2.3' });
      assert.deepEqual((await worker.rules()).version, { protocol: 3, program: '1.2.3' });
    });

    it('remembers for how long an account is left alone: the longest that anybody said', async () => {
      const note = { account: 'a', model: 'ollama/small' };
      await worker.noteRate({ ...note, ms: 60_000 });
      await worker.noteRate({ ...note, ms: 1000 });
      const [rate, ...more] = await leader.rates();
      assert.deepEqual([rate?.account, rate?.model, more], ['a', 'ollama/small', []]);
      assert.ok(rate && rate.ms > 50_000 && rate.ms <= 60_000, String(rate?.ms));
      await sides.age(61);
      assert.deepEqual(await leader.rates(), []);
    });
  });

function idsOf(calls: readonly { readonly id: string }[]): string[] {
  return calls.map(({ id }) => id);
}
