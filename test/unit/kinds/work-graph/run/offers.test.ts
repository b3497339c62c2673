import assert from 'node:assert/strict';
import type { AtomFields } from '../../../../../src/kinds/work-graph/run/own-fields.ts';
import { filesOf } from '../../../../support/work-graph/fake-workshop.ts';
import { simulateWork, type WorkSimulation, writes } from '../../../../support/work-graph/work-search.ts';

const file = (path: string) => ({ item: `there is ${path}`, check: { file: path } });

const PLAN = {
  base_case: [file('two')],
  atoms: [
    { id: 'A1', title: 'One', run: 'one', checks: [file('one')] },
    { id: 'A2', title: 'Two', does: 'Write two.', depends_on: ['A1'], checks: [file('two')], touches: ['two'] },
  ],
};
const COMMANDS = { one: writes({ one: '1' }) };

async function waiting(plan = PLAN): Promise<WorkSimulation & { offer: string }> {
  const work = await simulateWork({ plan, commands: COMMANDS });
  const outcome = await work.run();
  assert.equal(outcome.state, 'waiting');
  return { ...work, offer: outcome.state === 'waiting' ? (outcome.offers[0]?.id ?? '') : '' };
}

/** Changes files in the checkout of an atom. */
function edit(work: WorkSimulation, name: string, files: Record<string, string>): void {
  const checkout = work.shop.checkouts.get(work.node(name).fileId as string);
  assert.ok(checkout, 'there is no checkout to work in');
  Object.assign(checkout.files, files);
}

describe('an atom that somebody outside works on', () => {
  it('is an offer with criterion, bindings and folder, whose answer is joined like any work', async () => {
    const work = await waiting();
    const [open] = work.search.record.offers.open;
    const ask = open?.offer.ask as Record<string, unknown>;
    assert.equal(ask['atom'], 'A2');
    assert.deepEqual(ask['checks'], [file('two')]);
    assert.deepEqual(
      (ask['bindings'] as { name: string; artifacts: string[] }[]).map(({ name, artifacts }) => [name, artifacts]),
      [['A1', ['one']]],
    );
    assert.match(String(ask['folder']), /^\/checkouts\//);
    assert.ok(open?.offer.expiresMs, 'an agent could keep it for ever');
    edit(work, 'A2', { two: '2' });
    const answer = { offer: work.offer, result: { summary: 'Two is written.', artifacts: ['two'], success: true } };
    await work.search.act({ action: 'answer', answers: [answer] }, 'agent-1');
    assert.equal((work.own('A2') as AtomFields).evidence?.[0]?.word, 'reported');
    assert.equal((await work.run()).reason, 'solved');
    assert.equal(filesOf(work.shop, work.shop.tip as string)['two'], '2');
    const own = work.own('A2') as AtomFields;
    assert.deepEqual([own.evidence?.[0]?.word, own.work?.by], ['verified', 'agent-1']);
    assert.deepEqual([...work.shop.checkouts.keys()], []);
  });

  it('is offered anew if what it was offered with was changed by hand meanwhile', async () => {
    const work = await waiting();
    edit(work, 'A2', { two: '2' });
    await work.store.writeDocument('a1-one', '---\nsummary: Uno\n---\n\n# One\n');
    const answers = [{ offer: work.offer, result: { summary: 'Two is written.' } }];
    await work.search.act({ action: 'answer', answers }, 'agent-1');
    assert.equal((await work.run()).state, 'waiting');
    assert.equal((work.own('A2') as AtomFields).tries?.[0]?.ended, 'dropped');
    assert.match(JSON.stringify(work.search.record.offers.open[0]?.offer.ask), /"summary":"Uno"/);
  });

  it('is open again, and offered again, if it was not done', async () => {
    const work = await waiting();
    const answer = { offer: work.offer, result: { summary: 'I could not.', success: false, seen: 'No tool.' } };
    await work.search.act({ action: 'answer', answers: [answer] }, 'agent-1');
    const outcome = await work.run();
    assert.equal(outcome.state, 'waiting');
    const [open] = work.search.record.offers.open;
    assert.notEqual(open?.offer.id, work.offer);
    assert.deepEqual((open?.offer.ask as { seen?: string[] } | undefined)?.seen, ['No tool.']);
  });

  it('is not believed: what was said without any file is contradicted', async () => {
    const work = await waiting();
    await work.search.act({ action: 'answer', answers: [{ offer: work.offer, result: { summary: 'Done!' } }] }, 'liar');
    assert.equal((await work.run()).state, 'waiting');
    const own = work.own('A2') as AtomFields;
    assert.deepEqual(
      own.tries?.map(({ ended }) => ended),
      ['contradicted'],
    );
  });

  it('goes back anew, with the files of its tries, if it is redirected after it failed', async () => {
    const work = await waiting();
    const fail = async (): Promise<string[]> => {
      const [open] = work.search.record.offers.open;
      edit(work, 'A2', { mine: 'x' });
      const answers = [{ offer: open?.offer.id, result: { summary: 'Done!' } }];
      await work.search.act({ action: 'answer', answers }, 'agent-1');
      await work.run();
      return Object.keys(work.shop.checkouts.get(work.node('A2').fileId as string)?.files ?? {});
    };
    for (const does of ['Write two in English.', 'Write two in French.']) {
      const left = [await fail(), await fail(), await fail(), await fail()];
      assert.deepEqual(left, [['one', 'mine'], ['one', 'mine'], ['one'], []]);
      assert.equal(work.node('A2').status, 'failed');
      await work.search.act({ action: 'redirect', type: 'graph', change: { change: { A2: { does } } } }, 'Ada');
      assert.equal((await work.run()).state, 'waiting');
    }
  });

  it('takes no answer in another form', async () => {
    const work = await waiting();
    for (const result of [{}, { summary: '' }, { summary: 'x', artifacts: 'two' }, 'done', null])
      await assert.rejects(work.search.act({ action: 'answer', answers: [{ offer: work.offer, result }] }, 'agent-1'));
    assert.equal((work.own('A2') as AtomFields).work, undefined);
  });

  it('never expires once a person does it, whoever was to do it before', async () => {
    const failing = {
      ...PLAN,
      atoms: [{ ...PLAN.atoms[0], id: 'A2', title: 'Two', run: 'bad', checks: [file('two')] }],
    };
    const work = await simulateWork({ plan: failing, commands: { bad: () => ({ exitCode: 1 }) } });
    assert.equal((await work.run()).state, 'paused');
    await work.search.act({ action: 'do-myself', node: 'a2-two' }, 'Ada');
    assert.equal((await work.run()).state, 'waiting');
    const [open] = work.search.record.offers.open;
    assert.equal(open?.offer.expiresMs, undefined);
    edit(work, 'A2', { two: 'by hand' });
    const answers = [{ offer: open?.offer.id, result: { summary: 'By hand.' } }];
    await work.search.act({ action: 'answer', answers }, 'Ada');
    assert.equal((await work.run()).reason, 'solved');
    assert.equal((work.own('A2') as AtomFields).work?.by, 'Ada');
  });
});
