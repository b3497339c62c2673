import assert from 'node:assert/strict';
import type { ActionCall } from '../../../../src/core/actions/action-call.ts';
import { pathOf, type TreeNode, walk } from '../../../../src/core/tree/tree.ts';
import { type OwnFields, ownFieldsOf } from '../../../../src/kinds/investigation/run/kept-data.ts';
import { type LedManner, simulateLed } from '../../../support/investigation/led-investigation.ts';
import { investigationOf, leftIn, problemsIn } from '../../../support/investigation/led-problems.ts';
import type { Simulation } from '../../../support/searches/simulated-search.ts';

function find({ search }: Simulation, isIt: (node: TreeNode, own: OwnFields | undefined) => boolean): TreeNode {
  const node = [...walk(search.tree.root)].find((each) => isIt(each, ownFieldsOf(each.file?.own)));
  assert.ok(node, 'there is no such node');
  return node;
}

const lead = (simulation: Simulation, id: string): TreeNode => find(simulation, (_, own) => own?.nodeId === id);
const ownOf = (simulation: Simulation, id: string): OwnFields =>
  ownFieldsOf(lead(simulation, id).file?.own) as OwnFields;

/** Acts on a search that is over, then continues it. */
async function actAndRun(simulation: Simulation, call: ActionCall): Promise<void> {
  await simulation.clock.run(simulation.search.act(call, 'test'));
  await simulation.run();
}

async function finished(manner: LedManner = {}): Promise<Simulation> {
  const simulation = await simulateLed(manner);
  await simulation.run();
  return simulation;
}

describe('steering an investigation that the engine leads', () => {
  it('leaves out what a person prunes, with its check, and tells it again once it is restored', async () => {
    const simulation = await finished();
    const path = pathOf(lead(simulation, 'R2.A1'));
    await actAndRun(simulation, { action: 'prune', node: path });
    assert.equal(investigationOf(simulation.search).nodes.has('R2.A1'), false);
    await simulation.clock.run(simulation.search.act({ action: 'report' }, 'test'));
    assert.doesNotMatch((await simulation.store.readReport()) ?? '', /Half of R2\.A1/);
    await actAndRun(simulation, { action: 'restore', node: path });
    assert.equal(investigationOf(simulation.search).nodes.has('R2.A1'), true);
    await simulation.clock.run(simulation.search.act({ action: 'report' }, 'test'));
    assert.match((await simulation.store.readReport()) ?? '', /## Confirmed\n\n- Half of R2\.A1/);
    assert.deepEqual(problemsIn(simulation.search), []);
  });

  it('looks into what a person adds below anything, has it checked, and plans with it', async () => {
    const prompts: string[] = [];
    const simulation = await finished({
      result: (id) => (id === 'R1.A' ? 'open' : id === 'R2.A2' ? 'nothing' : 'settled'),
      instead: ({ prompt }) => {
        prompts.push(prompt);
        return undefined;
      },
    });
    for (const [above, title, id] of [
      ['R2.A1', 'The weather', 'R3.A1b'],
      ['R2.A2', 'Not too late', 'R4.A2b'],
    ] as const) {
      await actAndRun(simulation, { action: 'add', node: pathOf(lead(simulation, above)), title });
      assert.equal(lead(simulation, id).title, title);
      assert.equal(ownOf(simulation, id).outcome, 'settled');
      assert.equal(lead(simulation, id).children.length, 1, 'it is checked');
      assert.match(prompts.findLast((each) => each.startsWith('Plan round')) ?? '', new RegExp(`"${title}": settled`));
    }
    assert.deepEqual(leftIn(simulation.search), []);
    assert.deepEqual(problemsIn(simulation.search), []);
  });

  it('has a lead looked into again by somebody else, and then checked again', async () => {
    let isSecond = false;
    const simulation = await finished({
      findings: (id) => [isSecond ? `${id} is something else.` : `Half of ${id} waits.`],
      verdict: () => (isSecond ? 'refuted' : 'confirmed'),
    });
    const before = lead(simulation, 'R2.A2');
    const { sessionId } = before;
    isSecond = true;
    await actAndRun(simulation, { action: 'redo', node: pathOf(before) });
    const after = lead(simulation, 'R2.A2');
    assert.notEqual(after.sessionId, sessionId);
    assert.equal(after.children.length, 2);
    assert.deepEqual(
      [ownOf(simulation, 'R3.A2a').outcome, ownOf(simulation, 'R3.A2b').outcome],
      ['confirmed', 'refuted'],
    );
    const report = (await simulation.store.readReport()) ?? '';
    assert.match(report, /## Refuted\n\n- R2\.A2 is something else\. Instead: /);
    assert.doesNotMatch(report, /Half of R2\.A2/);
    assert.deepEqual(problemsIn(simulation.search), []);
  });

  it('asks before it has a text of a person replaced, also that of a check', async () => {
    const simulation = await finished();
    for (const id of ['R2.A2', 'R3.A2a']) {
      const path = pathOf(lead(simulation, id));
      const document = (await simulation.store.readDocument(path)) ?? '';
      await simulation.store.writeDocument(path, `${document}\nI do not think so.\n`);
      const redo = simulation.clock.run(simulation.search.act({ action: 'redo', node: path }, 'test'));
      await assert.rejects(redo, { reason: 'edited' });
    }
  });

  it('pauses at its budget with room for the report, and continues from there', async () => {
    const simulation = await simulateLed({}, { search: { limits: { guards: { calls: 4 } } } });
    const paused = await simulation.run();
    assert.equal(paused.state, 'paused');
    assert.equal(simulation.model.log.length, 4);
    await simulation.search.act({ action: 'grow', guards: { calls: 1000 } }, 'test');
    const outcome = await simulation.run();
    assert.equal(outcome.state, 'finished');
    assert.deepEqual(leftIn(simulation.search), []);
    const asked = simulation.model.log.map(({ purpose, node }) => `${purpose} ${node}`);
    assert.equal(asked.length - new Set(asked).size, 1, 'two plans are of the same node');
  });

  it('leaves a verdict behind where its budget ends, from what is known by then', async () => {
    const leads = (round: number): string[] => [`First ${round}`, `Second ${round}`];
    const simulation = await simulateLed({ leads }, { search: { limits: { guards: { calls: 12 } } } });
    assert.equal((await simulation.run()).state, 'paused');
    assert.equal(simulation.model.log.length, 12);
    assert.equal(simulation.model.log.at(-1)?.purpose, 'synthesize');
    const report = (await simulation.store.readReport()) ?? '';
    assert.match(report, /\n> ⏸ Interim report: [^\n]*\n\nThe verdict rests on /);
    assert.match(report, /## Confirmed\n\n- Half of R2\.A1/);
  });

  it('goes on where its size grows', async () => {
    const leads = (round: number): string[] => Array.from({ length: 5 }, (_, n) => `Lead ${round}.${n}`);
    const simulation = await simulateLed({ leads }, { file: { options: { size: 'small' } } });
    assert.equal((await simulation.run()).reason, 'size');
    const before = simulation.search.tree.finished;
    await simulation.search.act({ action: 'grow', size: 'medium' }, 'test');
    await simulation.run();
    assert.ok(simulation.search.tree.finished > before);
    assert.deepEqual(problemsIn(simulation.search), []);
  });

  it('says what notes say to everybody', async () => {
    const prompts: string[] = [];
    const simulation = await simulateLed({
      instead: ({ prompt }) => {
        prompts.push(prompt);
        return undefined;
      },
    });
    await simulation.search.act({ action: 'note', text: 'mind the clock' }, 'test');
    await simulation.run();
    assert.ok(prompts.length > 6);
    assert.ok(prompts.every((prompt) => prompt.includes('mind the clock')));
  });

  it('takes a document that a person wrote as what was found', async () => {
    const simulation = await simulateLed({ latencyMs: () => 100 });
    const running = simulation.run();
    await simulation.search.act({ action: 'pause' }, 'test');
    await running;
    const node = lead(simulation, 'R1.A');
    const calls = simulation.model.log.length;
    if (node.status === 'unexpanded')
      await simulation.store.writeDocument(pathOf(node), 'Everything is known: see src/a.ts.\n');
    await simulation.run();
    assert.equal(ownOf(simulation, 'R1.A').state, 'EXPLORE');
    assert.ok(simulation.model.log.length > calls);
    assert.deepEqual(leftIn(simulation.search), []);
  });
});
