import assert from 'node:assert/strict';
import type { Model, ModelRequest } from '../../../../src/core/ports/model.ts';
import { pathOf, type TreeNode, walk } from '../../../../src/core/tree/tree.ts';
import { writeSessionFile } from '../../../../src/kinds/investigation/exchange/write-session-file.ts';
import { type OwnFields, ownFieldsOf } from '../../../../src/kinds/investigation/run/kept-data.ts';
import { documentAgain } from '../../../../src/kinds/investigation/run/read-investigation.ts';
import { textHash } from '../../../../src/store/system-ports.ts';
import {
  claimOf,
  type LedManner,
  ledAnswer,
  REASONING,
  simulateLed,
} from '../../../support/investigation/led-investigation.ts';
import { investigationOf, leftIn, problemsIn } from '../../../support/investigation/led-problems.ts';
import { sampleToolbox } from '../../../support/models/tool-model.ts';
import type { Simulation, SimulationOptions } from '../../../support/searches/simulated-search.ts';

/** An investigation and what was asked in it. */
interface Led extends Simulation {
  readonly asked: readonly ModelRequest[];
  readonly report: string;
}

async function led(manner: LedManner = {}, options: SimulationOptions = {}): Promise<Led> {
  const asked: ModelRequest[] = [];
  const instead: LedManner['instead'] = (request, attempt) => {
    asked.push(request);
    return manner.instead?.(request, attempt);
  };
  const simulation = await simulateLed({ ...manner, instead }, options);
  const outcome = await simulation.run();
  assert.notEqual(outcome.state, 'paused');
  assert.deepEqual(problemsIn(simulation.search), []);
  return { ...simulation, asked, report: (await simulation.store.readReport()) ?? '' };
}

function nodeOf({ search }: Simulation, id: string): TreeNode {
  const node = [...walk(search.tree.root)].find((each) => ownFieldsOf(each.file?.own)?.nodeId === id);
  assert.ok(node, `there is no ${id}`);
  return node;
}

const ownOf = (simulation: Simulation, id: string): OwnFields =>
  ownFieldsOf(nodeOf(simulation, id).file?.own) as OwnFields;

const outcomesIn = ({ search }: Simulation): Record<string, string | undefined> =>
  Object.fromEntries(
    [...walk(search.tree.root)].flatMap((node) => {
      const own = ownFieldsOf(node.file?.own);
      return own ? [[own.nodeId, own.outcome]] : [];
    }),
  );

const purposesOf = ({ asked }: Led): string[] => asked.map(({ purpose }) => purpose);
const sectionOf = (report: string, title: string): string =>
  new RegExp(`## ${title}\n\n([\\s\\S]*?)(?:\n\n##|\n\n\\d+ round)`).exec(report)?.[1] ?? '';

describe('an investigation that the engine leads', () => {
  it('answers a simple question at once: looked at, checked, said', async () => {
    const simple = await led({ result: () => 'settled' });
    assert.deepEqual(purposesOf(simple), ['investigate', 'verify-finding', 'synthesize']);
    assert.deepEqual(outcomesIn(simple), { 'R1.A': 'settled', 'R2.A1': 'confirmed' });
    assert.match(sectionOf(simple.report, 'Confirmed'), /^- Half of R1\.A waits for the timer\./);
    assert.deepEqual(leftIn(simple.search), []);
  });

  it('has what is settled checked in the next round, and one plan a round for all leads together', async () => {
    const { asked, ...all } = await led();
    assert.deepEqual(outcomesIn(all), {
      'R1.A': 'open',
      'R2.A1': 'settled',
      'R3.A1a': 'confirmed',
      'R2.A2': 'settled',
      'R3.A2a': 'confirmed',
    });
    assert.deepEqual(
      asked.map(({ purpose }) => purpose),
      [
        'investigate',
        'propose-leads',
        ...['investigate', 'investigate', 'verify-finding', 'verify-finding'],
        'propose-leads',
        'synthesize',
      ],
    );
    const [first, second] = asked.filter(({ purpose }) => purpose === 'propose-leads').map(({ prompt }) => prompt);
    assert.match(first ?? '', /^Plan round 2 of at most 5\. There is room for 5 leads in it, and for about 29 in all/);
    assert.match(second ?? '', /The answer as it stood before:\n<answer>\nAfter round 1: ?\.\n<\/answer>/);
    assert.match(second ?? '', /Its weakest point was: The timer\./);
    assert.match(second ?? '', /\[1\] Half of R2\.A1 waits for the timer\. \(src\/timer\.ts:1-2\) - CONFIRMED/);
    assert.match(second ?? '', /for about 27 in all/);
  });

  it('takes none, one or several leads below whatever they follow from', async () => {
    const several = await led({
      leads: (round) =>
        round === 2
          ? ['One']
          : round === 3
            ? [{ title: 'Its cause', from: 'R2.A1' }, 'Another', { title: 'Odd', from: 'R9.Z' }]
            : [],
    });
    assert.equal(nodeOf(several, 'R2.A1').title, 'One');
    assert.equal(nodeOf(several, 'R3.A1b').parent, nodeOf(several, 'R2.A1'));
    for (const id of ['R3.A2', 'R3.A3']) assert.equal(nodeOf(several, id).parent, nodeOf(several, 'R1.A'));
    assert.equal(ownOf(several, 'R3.A1b').wrongIf, 'It never fires.');
    const lead = several.asked.find(({ prompt }) => prompt.startsWith('Look into the lead R3.A1b "Its cause"'));
    assert.match(lead?.prompt ?? '', /It is wrong if: It never fires\./);
    assert.match(lead?.prompt ?? '', /It follows from R2\.A1 "One".*\n<findings>\n\[1\] Half of R2\.A1.* - CONFIRMED/);
    assert.match(lead?.prompt ?? '', /leave them to them:\n- R3\.A2 "Another"\n- R3\.A3 "Odd"/);
  });

  it('calls no finding dead: what is settled is in the report as what it is', async () => {
    const ids = ['R1.A', 'R2.A2', 'R2.A3'];
    const open = ['Which timer it is.'];
    const settled = await led({
      result: () => 'settled',
      open: (id) => (id === 'R1.A' ? open : []),
      stillOpen: () => open,
    });
    for (const id of ids) assert.ok(sectionOf(settled.report, 'Confirmed').includes(claimOf(id)), id);
    assert.doesNotMatch(settled.report, /dead end|No answer was found/i);
    assert.match(sectionOf(settled.report, 'Still open'), /Which timer it is\./);
  });

  it('has what leads nowhere checked like any finding', async () => {
    const nowhere = await led({
      result: (id) => (id === 'R1.A' ? 'open' : 'nothing'),
      verdict: (claim) => (claim.includes('R2.A1') ? 'refuted' : 'confirmed'),
    });
    assert.deepEqual([outcomesIn(nowhere)['R3.A1a'], outcomesIn(nowhere)['R3.A2a']], ['refuted', 'confirmed']);
    const refuted = sectionOf(nowhere.report, 'Refuted');
    assert.match(refuted, /^- Half of R2\.A1 waits for the timer\..* Instead: The timer waits for nobody\./);
  });

  it('shows what a check refuted as refuted, and what holds in part with what is right', async () => {
    const claims = ['It waits.', 'It waits 30 s.', 'It waits for the clock.', 'It is fast.'];
    const verdicts = ['confirmed', 'in part', 'refuted', 'not checked'];
    const checked = await led({
      result: () => 'settled',
      leads: () => [],
      findings: () => claims,
      verdict: (claim) => verdicts[claims.findIndex((each) => claim.startsWith(each))] ?? '',
    });
    assert.equal(outcomesIn(checked)['R2.A1'], 'in part');
    assert.match(sectionOf(checked.report, 'Confirmed'), /^- It waits\. [^\n]*$/);
    assert.match(
      sectionOf(checked.report, 'Holds in part'),
      /^- It waits 30 s\. But: The timer waits for nobody\. [^\n]*$/,
    );
    assert.match(sectionOf(checked.report, 'Refuted'), /^- It waits for the clock\. Instead: The timer [^\n]*$/);
    assert.match(sectionOf(checked.report, 'Not checked'), /^- It is fast\. It could not be checked: [^\n]*$/);
    // What a check changes is planned with.
    assert.ok(purposesOf(checked).includes('propose-leads'));
    const synthesis = checked.asked.find(({ purpose }) => purpose === 'synthesize')?.prompt ?? '';
    assert.match(
      synthesis,
      /\[3\] It waits for the clock\. \(src\/timer\.ts:1-2\) - REFUTED: The timer waits for nobody\./,
    );
  });

  it('shows findings that contradict each other, unless one of them was refuted', async () => {
    const both = (verdict: LedManner['verdict']): LedManner => ({
      contradictions: (prompt) => (prompt.includes('[2]') ? [[1, 2]] : []),
      ...(verdict && { verdict }),
    });
    const open = await led(both(undefined));
    const section = sectionOf(open.report, 'Contradicting each other');
    assert.match(section, /^- Half of R2\.A1 .*\n {2}- Half of R2\.A2 /);
    const settled = await led(both((claim) => (claim.includes('R2.A2') ? 'refuted' : 'confirmed')));
    assert.equal(sectionOf(settled.report, 'Contradicting each other'), '');
  });

  it('has a finding checked by somebody who sees the claim and nothing of how it was found', async () => {
    const { asked } = await led();
    const checks = asked.filter(({ purpose }) => purpose === 'verify-finding');
    assert.equal(checks.length, 2);
    for (const { system, turns, prompt, tools } of checks) {
      const sent = JSON.stringify({ system, turns, prompt, tools });
      assert.ok(!sent.includes(REASONING), 'the check was told how it was found');
      assert.match(prompt, /<claims>\n\[1\] Half of R2\.A\d waits for the timer\. \(src\/timer\.ts:1-2\)\n<\/claims>/);
    }
    assert.deepEqual(
      asked.flatMap(({ turns }) => turns),
      [],
      'nobody hears what was said to others',
    );
  });

  it('calls what nobody checked unchecked', async () => {
    const cut = await simulateLed({}, { search: { limits: { guards: { calls: 4 } } } });
    assert.equal((await cut.run()).state, 'paused');
    await cut.search.act({ action: 'interim' }, 'test');
    const report = (await cut.store.readReport()) ?? '';
    assert.match(report, /\n> ⏸ Interim report: /);
    assert.match(report, /_The answer as the last plan had it; [^\n]*_\n\nAfter round 1: /);
    assert.match(sectionOf(report, 'Not checked'), /Half of R2\.A1 waits/);
    assert.doesNotMatch(report, /## Confirmed|No answer was found/);
  });

  it('makes links of the findings that the verdict cites', async () => {
    const workspace = { text: 'export const timer = 1;\nexport const clock = 2;\n' };
    const workspaceText = {
      find: async () => [],
      read: async (path: string) => (path === 'src/timer.ts' ? workspace : { missing: true }),
      asSearched: async () => undefined,
      named: async () => [],
      overview: async () => '',
    };
    const linked = await led({ result: () => 'settled' }, { search: { workspaceText: workspaceText as never } });
    // A place within another one, as the second line is, is not shown beside it.
    assert.match(
      linked.report,
      /^# Why\?\n\nThe verdict rests on \(\[src\/timer\.ts:1-2\]\([./]*src\/timer\.ts#L1-L2\)\)\.\n/,
    );
    assert.match(
      sectionOf(linked.report, 'Confirmed'),
      /timer\. \(\[src\/timer\.ts:1-2\]\([./]*src\/timer\.ts#L1-L2\)\) · \[lead\]\(/,
    );
  });

  it('comes to the same whatever the timing, with several at once', async () => {
    const shape = async (concurrency: number, seed: number): Promise<{ states: string; peak: number }> => {
      const latencyMs = ({ node }: ModelRequest): number => 100 + ((node.length * 7919 * seed) % 900);
      const leads = (round: number) => (round < 5 ? [`First ${round}`, `Second ${round}`, `Third ${round}`] : []);
      const all = await led({ leads, latencyMs }, { search: { concurrency }, seed });
      const nodes = [...walk(all.search.tree.root)].map(({ slug, file, summary }) => {
        const { receipt: _, proposedAt: _at, ...own } = ownFieldsOf(file?.own) ?? ({} as OwnFields);
        return [slug, summary, own];
      });
      return { states: JSON.stringify(nodes), peak: all.model.peak.all };
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

  it('has as many rounds of leads as a person wants, and asks for one more where a plan has none', async () => {
    const asked = await led(
      { leads: (round, prompt) => (/at least 4 rounds/.test(prompt) ? [`Lead ${round}`] : []) },
      {
        file: { options: { minRounds: 4 } },
      },
    );
    assert.equal(investigationOf(asked.search).nodes.get('R4.A3')?.state, 'FOUND');
    const never = await led(
      {
        leads: () => [],
        instead: ({ purpose }, attempt) =>
          purpose === 'propose-leads' && attempt === 2
            ? '<output>{"leads": [{"title": "At last"}]}</output>'
            : undefined,
      },
      { file: { options: { minRounds: 2 } } },
    );
    assert.equal(nodeOf(never, 'R2.A1').title, 'At last');
    assert.ok(never.asked.some(({ prompt }) => /The number of new leads in it is 0; give 1 to 5\./.test(prompt)));
  });

  it('has no more rounds than its depth, and keeps room for the checks in its size', async () => {
    const leads = (round: number): string[] => Array.from({ length: 5 }, (_, n) => `Lead ${round}.${n}`);
    const deep = await led({ leads }, { search: { limits: { maxDepth: 2, size: 'all' } } });
    assert.equal(investigationOf(deep.search).currentRound, 3, 'checks may come one later');
    const small = await led({ leads }, { file: { options: { size: 'small' } } });
    assert.ok(small.search.tree.finished <= 20);
    const outcomes = Object.values(outcomesIn(small));
    const count = (outcome: string): number => outcomes.filter((each) => each === outcome).length;
    assert.equal(count('settled'), count('confirmed'), 'everything that was settled is checked');
  });

  it('sends answers that do not fit back with how to put them right', async () => {
    const { asked } = await led({
      instead: ({ purpose, prompt }, attempt) => {
        if (attempt > 1) return undefined;
        if (purpose === 'propose-leads') return 'Two leads come to mind.';
        if (purpose === 'verify-finding') return 'It holds.';
        return prompt.includes('lead R2.A1 ') ? 'I looked.' : undefined;
      },
    });
    const sent = asked.map(({ prompt }) => prompt).join('\n');
    assert.match(sent, /The front matter needs a "result", which is "settled", "open" or "nothing"/);
    assert.match(sent, /The front matter needs "findings" with one entry for each claim/);
    assert.match(sent, /<output>/);
  });

  it('leaves a lead failed whose answers never fit, until a person retries it', async () => {
    let isMended = false;
    const simulation = await led({
      instead: ({ prompt, turns }) => {
        const all = [...turns.map(({ text }) => text), prompt].join('\n');
        return !isMended && all.includes('Look into the lead R2.A2 ') ? 'I would rather not.' : undefined;
      },
    });
    assert.equal(nodeOf(simulation, 'R2.A2').status, 'failed');
    assert.match(sectionOf(simulation.report, 'Still open'), /^- The clock$/);
    isMended = true;
    await simulation.search.act({ action: 'retry' }, 'test');
    await simulation.run();
    assert.equal(ownOf(simulation, 'R2.A2').outcome, 'settled');
    assert.match(sectionOf((await simulation.store.readReport()) ?? '', 'Confirmed'), /Half of R2\.A2/);
  });

  it('keeps a receipt of the call that every node came from', async () => {
    const simulation = await led();
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
  it('lets those who look, check and judge use them, tells them so, and keeps a receipt of what was asked first', async () => {
    const requests: ModelRequest[] = [];
    const model: Model = {
      name: 'simulated/tools',
      label: 'Simulated',
      free: true,
      tools: true,
      async generate(request) {
        requests.push(request);
        const usage = { prompt: 10, cached: 0, completion: 5 };
        if (!request.tools || request.toolResults) return { text: ledAnswer(request), finish: 'stop', usage };
        const toolCalls = [{ id: 'call_0', name: 'read_lines', input: { path: 'src/timer.ts' } }];
        return { text: 'I look.', finish: 'tools', toolCalls, usage };
      },
    };
    const simulation = await simulateLed({}, { search: { model, toolbox: sampleToolbox, tools: true } });
    await simulation.run();
    for (const { purpose, tools, prompt, turns } of requests) {
      assert.equal(tools !== undefined, purpose !== 'propose-leads', purpose);
      const asked = turns[0]?.text ?? prompt;
      assert.equal(/You can look at the files of the workspace before you answer/.test(asked), tools !== undefined);
    }
    const root = nodeOf(simulation, 'R1.A');
    const conversation = await simulation.store.readConversation(root.sessionId as string);
    const { receipt } = ownOf(simulation, 'R1.A');
    assert.equal(receipt?.prompt, textHash(conversation?.turns[0]?.text ?? ''));
    assert.equal(conversation?.turns.find(({ toolResults }) => toolResults)?.toolResults?.length, 1);
  });
});

describe('an investigation whose models may try things', () => {
  const PROGRAM = 'console.log(6 * 7);';

  /** A model that runs a program before each document, if it may. */
  function trying(requests: ModelRequest[]): Model {
    return {
      name: 'simulated/tools',
      label: 'Simulated',
      free: true,
      tools: true,
      async generate(request) {
        requests.push(request);
        const usage = { prompt: 10, cached: 0, completion: 5 };
        const said = ledAnswer(request, { result: () => 'settled', findings: (id) => [`${id} prints 42 (tried).`] });
        const canTry = request.tools?.some(({ name }) => name === 'run_program');
        if (!canTry || request.toolResults || request.purpose === 'synthesize')
          return { text: said, finish: 'stop', usage };
        const toolCalls = [{ id: 'call_0', name: 'run_program', input: { program: PROGRAM, language: 'javascript' } }];
        return { text: 'I try.', finish: 'tools', toolCalls, usage };
      },
    };
  }
  const toolbox = {
    tools: [{ name: 'run_program', description: 'Runs a program.', parameters: {} }],
    use: async () => ({ text: 'Exit code 0.\n42\n', isRefused: false, what: 'run a javascript program' }),
  };

  it('keeps program and output with what was found by them, and makes that again', async () => {
    const requests: ModelRequest[] = [];
    const simulation = await simulateLed({}, { search: { model: trying(requests), toolbox, tools: true } });
    await simulation.run();
    for (const id of ['R1.A', 'R2.A1']) {
      const path = pathOf(nodeOf(simulation, id));
      const document = (await simulation.store.readDocument(path)) ?? '';
      assert.match(
        document,
        /## Tried\n\n1\. The program:\n\n```text\nconsole\.log\(6 \* 7\);\n```\n\nIts output:\n\n```text\nExit code 0\.\n42\n```\n$/,
      );
      const { store, tree } = { store: simulation.store, tree: simulation.search.tree };
      const node = tree.get(nodeOf(simulation, id).id) as TreeNode;
      assert.equal(await documentAgain(node, { store, folder: '', workspaceText: undefined, answers: [] }), document);
    }
    const [first] = requests;
    assert.match(first?.prompt ?? '', /try it with run_program, and print what decides/);
    assert.match((await simulation.store.readReport()) ?? '', /R1\.A prints 42 \(tried\)\./);
  });

  it('calls nothing tried where nothing was run', async () => {
    const model = trying([]);
    const simulation = await simulateLed({}, { search: { model, toolbox: sampleToolbox, tools: true } });
    await simulation.run();
    const document = (await simulation.store.readDocument(pathOf(nodeOf(simulation, 'R1.A')))) ?? '';
    assert.match(document, /R1\.A prints 42 \(derived\)\./);
    assert.doesNotMatch(document, /tried|Tried/);
  });
});

describe('an investigation that the engine led, for other programs', () => {
  it('has an id that is the same each time', async () => {
    const simulation = await led();
    const { file, tree, record } = simulation.search;
    const whole = { file, tree, record, store: simulation.store };
    const [first, again] = [await writeSessionFile(whole), await writeSessionFile(whole)];
    const { sessionId, nodes } = first as { sessionId: string; nodes: object };
    assert.match(sessionId, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
    assert.equal((again as { sessionId: string }).sessionId, sessionId);
    assert.equal(Object.keys(nodes).length, investigationOf(simulation.search).nodes.size);
  });
});
