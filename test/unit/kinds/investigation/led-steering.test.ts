import assert from 'node:assert/strict';
import type { ActionCall } from '../../../../src/core/actions/action-call.ts';
import { pathOf, type TreeNode, walk } from '../../../../src/core/tree/tree.ts';
import { whyNotEnd } from '../../../../src/kinds/investigation/protocol/ending.ts';
import { type OwnFields, ownFieldsOf } from '../../../../src/kinds/investigation/run/own-fields.ts';
import { type LedManner, simulateLed } from '../../../support/investigation/led-investigation.ts';
import { investigationOf, problemsIn } from '../../../support/investigation/led-problems.ts';
import type { Simulation } from '../../../support/searches/simulated-search.ts';

const half = (id: string, states: readonly string[]): string =>
  states.includes('EXPLORE') && /[b2]$/.test(id) ? 'DEAD' : (states[0] as string);

function find({ search }: Simulation, isIt: (node: TreeNode, own: OwnFields | undefined) => boolean): TreeNode {
  const node = [...walk(search.tree.root)].find((each) => isIt(each, ownFieldsOf(each.file?.own)));
  assert.ok(node, 'there is no such node');
  return node;
}

const lead = (simulation: Simulation, id: string): TreeNode => find(simulation, (_, own) => own?.nodeId === id);

/** Acts on a search that is over, then continues it. */
async function actAndRun(simulation: Simulation, call: ActionCall): Promise<void> {
  await simulation.clock.run(simulation.search.act(call, 'test'));
  await simulation.run();
}

async function finished(manner: LedManner = { state: half }): Promise<Simulation> {
  const simulation = await simulateLed(manner);
  await simulation.run();
  return simulation;
}

describe('steering an investigation that the engine leads', () => {
  it('proposes another lead for one that a person prunes, and counts it again once it is restored', async () => {
    const simulation = await finished();
    const path = pathOf(lead(simulation, 'R3.A1b'));
    await actAndRun(simulation, { action: 'prune', node: path });
    const added = lead(simulation, 'R3.A1c');
    assert.equal(added.status === 'leaf' || added.status === 'expanded', true);
    assert.equal(investigationOf(simulation.search).nodes.has('R3.A1b'), false);
    assert.equal(whyNotEnd(investigationOf(simulation.search)), undefined);
    await actAndRun(simulation, { action: 'restore', node: path });
    assert.equal(investigationOf(simulation.search).nodes.has('R3.A1b'), true);
    assert.deepEqual(problemsIn(simulation.search), []);
  });

  it('looks into what a person adds below a lead, and says why it takes none below a dead end', async () => {
    const simulation = await finished();
    await actAndRun(simulation, { action: 'add', node: pathOf(lead(simulation, 'R2.A1')), title: 'The weather' });
    const added = find(simulation, ({ title }) => title === 'The weather');
    const own = ownFieldsOf(added.file?.own);
    assert.equal(own?.nodeId, 'R3.A1c');
    assert.equal(own.state, 'EXPLORE');
    assert.equal(whyNotEnd(investigationOf(simulation.search)), undefined);
    await actAndRun(simulation, { action: 'add', node: pathOf(lead(simulation, 'R2.A2')), title: 'Too late' });
    const refused = find(simulation, ({ title }) => title === 'Too late');
    assert.equal(refused.status, 'failed');
    assert.match(refused.failure?.message ?? '', /R2\.A2 is DEAD, which ends its branch\. Reclassify R2\.A2/);
    assert.deepEqual(problemsIn(simulation.search), []);
  });

  it('has a lead looked into again by somebody else, which keeps what follows from it', async () => {
    let isSecond = false;
    const manner: LedManner = { state: (id, states) => (isSecond && id === 'R2.A2' ? 'EXPLORE' : half(id, states)) };
    const simulation = await finished(manner);
    const before = lead(simulation, 'R2.A2');
    const { sessionId } = before;
    const calls = simulation.model.log.length;
    isSecond = true;
    await actAndRun(simulation, { action: 'redo', node: pathOf(before) });
    const after = lead(simulation, 'R2.A2');
    assert.notEqual(after.sessionId, sessionId);
    assert.equal(ownFieldsOf(after.file?.own)?.state, 'EXPLORE');
    assert.ok(after.children.length >= 2);
    assert.ok(simulation.model.log.length > calls);
    await actAndRun(simulation, { action: 'redo', node: pathOf(lead(simulation, 'R2.A1')) });
    assert.equal(ownFieldsOf(lead(simulation, 'R2.A1').file?.own)?.state, 'EXPLORE');
    assert.equal(whyNotEnd(investigationOf(simulation.search)), undefined);
    assert.deepEqual(problemsIn(simulation.search), []);
  });

  it('has a dead end looked into again where a person expands it', async () => {
    let isSecond = false;
    const manner: LedManner = { state: (id, states) => (isSecond && id === 'R3.A1b' ? 'EXPLORE' : half(id, states)) };
    const simulation = await finished(manner);
    isSecond = true;
    await actAndRun(simulation, { action: 'expand', node: pathOf(lead(simulation, 'R3.A1b')) });
    assert.equal(ownFieldsOf(lead(simulation, 'R3.A1b').file?.own)?.state, 'EXPLORE');
    assert.equal(whyNotEnd(investigationOf(simulation.search)), undefined);
  });

  it('asks before it has a text of a person replaced, also that of a check', async () => {
    const simulation = await finished();
    for (const id of ['R2.A2', 'R6.A1a1a1']) {
      const path = pathOf(lead(simulation, id));
      const document = (await simulation.store.readDocument(path)) ?? '';
      await simulation.store.writeDocument(path, `${document}\nI do not think so.\n`);
      const redo = simulation.clock.run(simulation.search.act({ action: 'redo', node: path }, 'test'));
      await assert.rejects(redo, { reason: 'edited' });
    }
  });

  it('pauses at its budget, and continues from there', async () => {
    const simulation = await simulateLed({ state: half }, { search: { limits: { guards: { calls: 6 } } } });
    const paused = await simulation.run();
    assert.equal(paused.state, 'paused');
    assert.equal(simulation.model.log.length, 6);
    await simulation.search.act({ action: 'grow', guards: { calls: 1000 } }, 'test');
    const outcome = await simulation.run();
    assert.equal(outcome.state, 'finished');
    assert.equal(whyNotEnd(investigationOf(simulation.search)), undefined);
    const asked = simulation.model.log.map(({ purpose, node }) => `${purpose} ${node}`);
    assert.equal(new Set(asked).size, asked.length);
  });

  it('says what notes say to whoever looks into a lead below them', async () => {
    const prompts: string[] = [];
    const simulation = await simulateLed({
      state: half,
      instead: ({ prompt }) => {
        prompts.push(prompt);
        return undefined;
      },
    });
    await simulation.search.act({ action: 'note', text: 'mind the clock' }, 'test');
    await simulation.run();
    assert.ok(prompts.length > 10);
    assert.ok(prompts.every((prompt) => prompt.includes('mind the clock')));
  });

  it('takes a document that a person wrote as what was found', async () => {
    const simulation = await simulateLed({ state: half, latencyMs: () => 100 });
    const running = simulation.run();
    await simulation.search.act({ action: 'pause' }, 'test');
    await running;
    const node = lead(simulation, 'R1.A');
    const calls = simulation.model.log.length;
    if (node.status === 'unexpanded')
      await simulation.store.writeDocument(pathOf(node), 'Everything is known: see src/a.ts.\n');
    await simulation.run();
    const own = ownFieldsOf(lead(simulation, 'R1.A').file?.own);
    assert.equal(own?.state, 'EXPLORE');
    assert.ok(simulation.model.log.length > calls);
    assert.equal(whyNotEnd(investigationOf(simulation.search)), undefined);
  });
});
