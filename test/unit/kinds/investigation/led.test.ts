import assert from 'node:assert/strict';
import type { Model, ModelRequest } from '../../../../src/core/ports/model.ts';
import { type TreeNode, walk } from '../../../../src/core/tree/tree.ts';
import { writeSessionFile } from '../../../../src/kinds/investigation/exchange/write-session-file.ts';
import { whyNotEnd } from '../../../../src/kinds/investigation/protocol/ending.ts';
import { type OwnFields, ownFieldsOf } from '../../../../src/kinds/investigation/run/own-fields.ts';
import { textHash } from '../../../../src/store/text-hash.ts';
import { ledAnswer, REASONING, simulateLed } from '../../../support/investigation/led-investigation.ts';
import { investigationOf, problemsIn } from '../../../support/investigation/led-problems.ts';
import { sampleToolbox } from '../../../support/models/tool-model.ts';
import type { Simulation } from '../../../support/searches/simulated-search.ts';

/** Every second lead is a dead end. */
const half = (id: string, states: readonly string[]): string =>
  states.includes('EXPLORE') && /[b2]$/.test(id) ? 'DEAD' : (states[0] as string);

function nodeOf({ search }: Simulation, id: string): TreeNode {
  const node = [...walk(search.tree.root)].find((each) => ownFieldsOf(each.file?.own)?.nodeId === id);
  assert.ok(node, `there is no ${id}`);
  return node;
}

const ownOf = (simulation: Simulation, id: string): OwnFields =>
  ownFieldsOf(nodeOf(simulation, id).file?.own) as OwnFields;

const statesIn = ({ search }: Simulation): Record<string, string> =>
  Object.fromEntries([...investigationOf(search).nodes.values()].map(({ id, state }) => [id, state]));

const textsIn = ({ events }: Simulation): string =>
  events.flatMap((event) => (event.type === 'progress' ? event.text : [])).join('\n');

describe('an investigation that the engine leads', () => {
  it('has a report of what there is so far, before it ends', async () => {
    const simulation = await simulateLed({ state: half }, { search: { limits: { guards: { calls: 6 } } } });
    assert.equal((await simulation.run()).state, 'paused');
    await simulation.search.act({ action: 'interim' }, 'test');
    assert.match((await simulation.store.readReport()) ?? '', /\n> ⏸ Interim report: (.|\n)*No answer was found yet\./);
  });

  it('goes on in rounds until the rules let it end, and has a report', async () => {
    const simulation = await simulateLed({ state: half });
    const outcome = await simulation.run();
    assert.equal(outcome.state, 'finished');
    assert.equal(outcome.reason, 'complete');
    const at = investigationOf(simulation.search);
    assert.equal(whyNotEnd(at), undefined);
    assert.ok(at.currentRound >= 5);
    assert.equal(at.nodes.get('R1.A')?.children.length, 3);
    assert.deepEqual(problemsIn(simulation.search), []);
    const report = (await simulation.store.readReport()) ?? '';
    assert.match(
      report,
      /^# .*\n\n\*\*In short:\*\* \[R5\.A1a1a [^\]]*\]\(\S+\/document\.md\)[^\n]*\.\n\n/,
      'the answer first',
    );
    assert.match(report, /## What was found\n\n- \[R5\.A1a1a /);
    assert.match(report, /src\/timer\.ts/);
    const document = await simulation.store.readDocument('r1-a-why');
    assert.match(document ?? '', /^---\ntitle: About R1\.A\n[\s\S]*state: EXPLORE\n[\s\S]*For the timer/);
  });

  it('asks about every lead in a conversation of its own, with what was found above as text', async () => {
    const requests: ModelRequest[] = [];
    const simulation = await simulateLed({
      state: half,
      instead: (request) => {
        requests.push(request);
        return undefined;
      },
    });
    await simulation.run();
    assert.ok(requests.length > 20);
    assert.deepEqual(
      requests.flatMap(({ turns }) => turns),
      [],
    );
    const below = requests.find(({ prompt }) => prompt.includes('Look into the lead R3.A1a '));
    assert.ok(below?.prompt.includes(`${REASONING} at R2.A1,`), below?.prompt);
    assert.ok(!below?.prompt.includes(`${REASONING} at R1.A,`));
    const sessions = [...walk(simulation.search.tree.root)].slice(1).map(({ sessionId }) => sessionId);
    assert.equal(new Set(sessions).size, sessions.length);
  });

  it('has a finding checked by somebody who saw nothing of its reasoning', async () => {
    const checks: ModelRequest[] = [];
    const simulation = await simulateLed({
      state: half,
      instead: (request) => {
        if (request.purpose === 'verify-finding') checks.push(request);
        return undefined;
      },
    });
    await simulation.run();
    assert.ok(checks.length > 0);
    for (const { system, turns, prompt, tools } of checks) {
      const sent = JSON.stringify({ system, turns, prompt, tools });
      assert.ok(!sent.includes(REASONING), 'the check was told how it was found');
      assert.match(prompt, /What R5\.\w+ is about\./);
    }
  });

  it('looks into several leads at once, and comes to the same whatever the timing', async () => {
    const shape = async (concurrency: number, seed: number): Promise<{ states: string; peak: number }> => {
      const latencyMs = ({ node }: ModelRequest): number => 100 + ((node.length * 7919 * seed) % 900);
      const simulation = await simulateLed({ state: half, latencyMs }, { search: { concurrency }, seed });
      await simulation.run();
      const nodes = [...walk(simulation.search.tree.root)].map(({ slug, file, summary }) => {
        const { receipt: _, proposedAt: _at, ...own } = ownFieldsOf(file?.own) ?? ({} as OwnFields);
        return [slug, summary, own];
      });
      return { states: JSON.stringify(nodes), peak: simulation.model.peak.all };
    };
    const one = await shape(1, 1);
    assert.equal(one.peak, 1);
    for (const [slots, seed] of [
      [2, 2],
      [4, 3],
      [8, 4],
    ] as const) {
      const several = await shape(slots, seed);
      assert.equal(several.states, one.states);
      assert.ok(several.peak > 1);
    }
  });

  it('has as many rounds as it was asked for', async () => {
    const simulation = await simulateLed({ state: half }, { file: { options: { minRounds: 7 } } });
    await simulation.run();
    const at = investigationOf(simulation.search);
    assert.equal(at.minRounds, 7);
    assert.ok(at.currentRound >= 7);
    assert.equal(whyNotEnd(at), undefined);
  });

  it('opens a branch again where everything ends too early, and says that there is no answer', async () => {
    const simulation = await simulateLed({
      state: (_id, states) => (states.includes('DEAD') ? 'DEAD' : (states[0] as string)),
    });
    const outcome = await simulation.run();
    assert.equal(outcome.reason, 'complete');
    assert.match(textsIn(simulation), /Nothing is left open before round 5: R2\.A1 is opened again/);
    const at = investigationOf(simulation.search);
    assert.equal(at.currentRound, 5);
    assert.equal(whyNotEnd(at), undefined);
    assert.match((await simulation.store.readReport()) ?? '', /No answer was found\./);
    assert.deepEqual(problemsIn(simulation.search), []);
  });

  it('has a finding that a check refuted checked by another one, which may confirm it', async () => {
    const checks = new Map<string, number>();
    const simulation = await simulateLed({
      state: (id, states) => {
        if (!states.includes('VERIFY')) return half(id, states);
        checks.set(id, (checks.get(id) ?? 0) + 1);
        return checks.get(id) === 1 ? 'DEAD' : 'VERIFY';
      },
    });
    await simulation.run();
    assert.equal(ownOf(simulation, 'R5.A1a1a').state, 'FOUND');
    const [first, second] = [ownOf(simulation, 'R6.A1a1a1'), ownOf(simulation, 'R6.A1a1a2')];
    assert.deepEqual([first.state, second.state], ['DEAD', 'VERIFY']);
    assert.ok((second.commit ?? 0) > (first.commit ?? 0));
    assert.equal(whyNotEnd(investigationOf(simulation.search)), undefined);
    assert.match((await simulation.store.readReport()) ?? '', /## What was found\n\n- \[R5\.A1a1a /);
  });

  it('gives up a finding that two checks refuted', async () => {
    const simulation = await simulateLed({
      state: (id, states) => (states.includes('VERIFY') ? 'DEAD' : half(id, states)),
    });
    await simulation.run();
    assert.equal(ownOf(simulation, 'R5.A1a1a').state, 'EXPLORE');
    assert.equal(ownOf(simulation, 'R5.A1a1a').refuted, true);
    assert.equal(whyNotEnd(investigationOf(simulation.search)), undefined);
    const report = (await simulation.store.readReport()) ?? '';
    assert.match(report, /^# .*\n\nNo answer was found\.\n/);
    assert.match(report, /## Refuted by a check\n\n- \[R5\.A1a1a /);
  });

  it('has what is exhausted looked at once more', async () => {
    const simulation = await simulateLed({
      state: (id, states) => (states.includes('EXHAUST') && /1$/.test(id) ? 'EXHAUST' : half(id, states)),
    });
    await simulation.run();
    assert.equal(ownOf(simulation, 'R4.A1a1').state, 'EXHAUST');
    assert.equal(ownOf(simulation, 'R5.A1a1a').state, 'DEAD');
    assert.equal(whyNotEnd(investigationOf(simulation.search)), undefined);
  });

  it('ends a lead below which nothing is left', async () => {
    const simulation = await simulateLed({ state: half, leads: (parent, least) => (parent === 'R2.A1' ? 0 : least) });
    await simulation.run();
    assert.equal(ownOf(simulation, 'R2.A1').state, 'DEAD');
    assert.equal(whyNotEnd(investigationOf(simulation.search)), undefined);
  });

  it('stops at its size, and says what is open', async () => {
    const simulation = await simulateLed({}, { file: { options: { size: 'small' } } });
    const outcome = await simulation.run();
    assert.equal(outcome.reason, 'size');
    assert.ok(simulation.search.tree.finished <= 20);
    assert.match((await simulation.store.readReport()) ?? '', /The investigation continues: BLOCKED/);
  });

  it('sends wrong answers back with how to put them right, and takes no early state', async () => {
    const prompts: string[] = [];
    const simulation = await simulateLed({
      state: (id, states) => (id === 'R2.A2' ? 'FOUND' : half(id, states)),
      instead: (request, attempt) => {
        prompts.push(request.prompt);
        const isLeads = request.purpose === 'propose-leads';
        if (attempt === 1 && isLeads && request.prompt.includes('below R1.A '))
          return '<output>[{"id": "R5.A1", "title": "Far"}, {"id": "R2.B", "title": "Elsewhere"}, {"title": ""}]</output>';
        if (attempt === 1 && request.prompt.includes('lead R2.A1 '))
          return ledAnswer(request, { state: () => 'DEAD' })
            .replace('src/timer.ts says', 'it says')
            .split('##')[0];
        if (attempt === 1 && request.prompt.includes('lead R2.A3 '))
          return ledAnswer(request, { state: () => 'SOLVED' });
        return undefined;
      },
    });
    await simulation.run();
    const sent = prompts.join('\n');
    assert.match(sent, /R5\.A1 is a child of R1\.A, so its round is 2\. Use an id such as R2\.A1\./);
    assert.match(sent, /The suffix of R2\.B does not extend that of R1\.A/);
    assert.match(sent, /Say in a few words what the node looks into/);
    assert.match(
      sent,
      /R2\.A1 is DEAD, and its findings do not say what was looked at.*End the findings with a "## References"/,
    );
    assert.match(sent, /The front matter needs a "state", one of EXPLORE, DEAD\./);
    assert.equal(statesIn(simulation)['R2.A2'], 'EXPLORE');
    assert.match(textsIn(simulation), /DEPTH_ENFORCED: R2\.A2 is EXPLORE instead of FOUND/);
    assert.deepEqual(problemsIn(simulation.search), []);
  });

  it('leaves a lead failed whose answers never fit, until a person retries it', async () => {
    let isMended = false;
    const simulation = await simulateLed({
      state: half,
      instead: ({ prompt, turns }) => {
        const all = [...turns.map(({ text }) => text), prompt].join('\n');
        return !isMended && all.includes('lead R2.A2 ') ? 'I would rather not.' : undefined;
      },
    });
    const outcome = await simulation.run();
    assert.equal(outcome.state, 'finished');
    assert.equal(nodeOf(simulation, 'R2.A2').status, 'failed');
    assert.match((await simulation.store.readReport()) ?? '', /proposals are not committed: R2\.A2/);
    isMended = true;
    await simulation.search.act({ action: 'retry' }, 'test');
    await simulation.run();
    assert.equal(ownOf(simulation, 'R2.A2').state, 'DEAD');
    assert.equal(whyNotEnd(investigationOf(simulation.search)), undefined);
  });

  it('keeps a receipt of the call that every node came from', async () => {
    const simulation = await simulateLed({ state: half });
    await simulation.run();
    const ended = new Map(
      simulation.events.flatMap((event) => (event.type === 'call-ended' ? [[event.call, event]] : [])),
    );
    for (const id of investigationOf(simulation.search).nodes.keys()) {
      const { receipt } = ownOf(simulation, id);
      assert.equal(receipt?.by, 'engine');
      assert.equal(receipt.model, 'simulated/tree');
      assert.deepEqual(receipt.usage, ended.get(receipt.call)?.usage);
    }
  });
});

describe('an investigation that the engine leads, with tools', () => {
  it('lets those who look and check use them, and keeps a receipt of what was asked first', async () => {
    const requests: ModelRequest[] = [];
    const model: Model = {
      name: 'simulated/tools',
      label: 'Simulated',
      free: true,
      tools: true,
      async generate(request) {
        requests.push(request);
        const usage = { prompt: 10, cached: 0, completion: 5 };
        if (!request.tools || request.toolResults)
          return { text: ledAnswer(request, { state: half }), finish: 'stop', usage };
        const toolCalls = [{ id: 'call_0', name: 'read_lines', input: { path: 'src/timer.ts' } }];
        return { text: 'I look.', finish: 'tools', toolCalls, usage };
      },
    };
    const simulation = await simulateLed({}, { search: { model, toolbox: sampleToolbox, tools: true } });
    await simulation.run();
    assert.equal(whyNotEnd(investigationOf(simulation.search)), undefined);
    for (const { purpose, tools } of requests) assert.equal(tools !== undefined, purpose !== 'propose-leads', purpose);
    const root = nodeOf(simulation, 'R1.A');
    const conversation = await simulation.store.readConversation(root.sessionId as string);
    const { receipt } = ownOf(simulation, 'R1.A');
    assert.equal(receipt?.prompt, textHash(conversation?.turns[0]?.text ?? ''));
    assert.equal(conversation?.turns.find(({ toolResults }) => toolResults)?.toolResults?.length, 1);
  });
});

describe('an investigation that the engine led, for other programs', () => {
  it('has an id that is the same each time', async () => {
    const simulation = await simulateLed({ state: half });
    await simulation.run();
    const { file, tree, record } = simulation.search;
    const whole = { file, tree, record, store: simulation.store };
    const [first, again] = [await writeSessionFile(whole), await writeSessionFile(whole)];
    const { sessionId, nodes } = first as { sessionId: string; nodes: object };
    assert.match(sessionId, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
    assert.equal((again as { sessionId: string }).sessionId, sessionId);
    assert.equal(Object.keys(nodes).length, investigationOf(simulation.search).nodes.size);
  });
});
