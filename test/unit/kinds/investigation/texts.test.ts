import assert from 'node:assert/strict';
import type { ActionCall } from '../../../../src/core/actions/action-call.ts';
import { referencesIn, saysWhatWasLookedAt } from '../../../../src/kinds/investigation/protocol/evidence.ts';
import type { Reply } from '../../../../src/kinds/investigation/protocol/replies.ts';
import { Played } from '../../../support/investigation/played.ts';
import { investigationFile, simulateInvestigation } from '../../../support/investigation/simulated-investigation.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';

describe('the references in findings', () => {
  for (const [what, findings, expected] of [
    [
      'addresses anywhere, with what follows them',
      'See https://e.x/a. And (http://e.x/b)',
      ['https://e.x/a.', 'http://e.x/b'],
    ],
    ['paths in their section alone', '- src/a.ts\n\n## References\n- src/b.ts - read\n', ['src/b.ts']],
    ['a section in any case', '## references\n- src/b.py', ['src/b.py']],
    ['no section with words behind its heading', '## References of mine\n- src/b.ts', []],
    ['a section up to the next heading', '## References\n- a.md\n## More\n- b.md', ['a.md']],
    ['also one of a lower rank', '## References\n- a.md\n### More\n- b.md', ['a.md']],
    ['an empty section', '## References\n## More\n- b.md', []],
    ['what looks like a known ending', '## References\n- data/file.json', ['data/file.js']],
    ['no other endings', '## References\n- a.java and - b.txt', []],
  ] as const)
    it(`are ${what}`, () => assert.deepEqual(referencesIn([findings]), expected));

  it('are each given once, in order', () => {
    const one = '## References\n- b.md\n- a.md';
    assert.deepEqual(referencesIn([one, 'https://e.x', one]), ['b.md', 'a.md', 'https://e.x']);
  });

  it('say what was looked at', () => {
    for (const text of ['Read src/a.ts.', 'On https://e.x', 'x\n## References\n- the manual', 'Nothing in a.md'])
      assert.ok(saysWhatWasLookedAt(text), text);
    for (const text of ['', 'Nothing.', 'Nothing there. Sorry', '## References\n  \n'])
      assert.ok(!saysWhatWasLookedAt(text), text);
  });
});

describe('the graph of an investigation', () => {
  it('is what Graphviz reads: safe names, escaped titles, the colours of states', () => {
    const played = new Played('g3');
    played.play({ propose: [['R1.A', null, 'Say "why"\\\nnow']] });
    played.play({ commit: [['R1.A', 'EXPLORE']] });
    played.play({ propose: [['R2.A1', 'R1.A', 'Below']] });
    played.play({ commit: [['R2.A1', 'VERIFY', { findings: 'It holds.' }]] });
    const { finalDot, graph } = played.play({ end: {} }) as { finalDot: string; graph: Reply };
    assert.ok(
      finalDot.startsWith(
        'digraph Investigation {\n  rankdir=TB;\n  node [shape=box, style="filled,rounded", fontname="Arial"];',
      ),
    );
    assert.ok(finalDot.includes('R1_A [fillcolor=lightblue, label="R1 | Say \\"why\\"\\\\ now\\n(EXPLORE)"];'));
    assert.ok(finalDot.includes('R2_A1 [fillcolor=green, label="R2 | Below\\n(VERIFY)"];\n  R1_A -> R2_A1;'));
    assert.ok(finalDot.includes('subgraph cluster_legend {'));
    const { dot, nodes, ...rest } = graph;
    assert.equal(dot, finalDot);
    const common = { sessionId: 'played', query: 'Why?', currentRound: 2, totalNodes: 2 };
    assert.deepEqual(rest, { ...common, edges: [{ from: 'R1.A', to: 'R2.A1' }] });
    const below = {
      id: 'R2.A1',
      parent: 'R1.A',
      state: 'VERIFY',
      title: 'Below',
      round: 2,
      children: [],
      findings: 'It holds.',
    };
    assert.deepEqual((nodes as object[])[1], below);
  });
});

describe('hostile texts in an investigation', () => {
  it('come back as they were given, and do nothing where they are shown', async () => {
    const findings = [
      '---\ntitle: mine\n---\n# Found\n\n<script>alert(1)</script> ![x](https://e.x/p.png) [go](javascript:alert(1))',
      '```html\n<b>code</b>\n```\n\n[a]: command:run\n\n<img src=x onerror=y>',
    ];
    const files = new MemoryFiles();
    const file = investigationFile({ profile: 'g2' });
    const { search } = await simulateInvestigation(createMemoryStore(file, files));
    const act = async (call: ActionCall): Promise<Reply> => (await search.act(call, 'client')).value as Reply;
    const title = '../"<b>\u202e';
    const nodes = ['R5.A', 'R5.B'].map((id) => ({ id, parent: null, title, plannedAction: '<x>' }));
    assert.equal((await act({ action: 'propose', nodes }))['status'], 'OK');
    const results = findings.map((text, i) => ({
      nodeId: `R5.${'AB'[i]}`,
      state: 'FOUND',
      findings: text,
      agentId: `me${i}`,
    }));
    assert.equal((await act({ action: 'commit', results }))['status'], 'OK');
    const { status, solutions } = await act({ action: 'conclude' });
    assert.equal(status, 'OK');
    const given = solutions as { findings: string; title: string }[];
    assert.deepEqual(
      given.map((each) => each.findings),
      findings,
    );
    assert.deepEqual(
      given.map((each) => each.title),
      [title, title],
    );
    for (const path of ['r5-a-b/document.md', 'r5-b-b/document.md', 'report.md']) {
      const text = (await files.read(path)) ?? assert.fail(`${path} is missing`);
      assert.doesNotMatch(
        text.replace(/^---.*?\n---\n|```.*?```/gs, ''),
        /(?<!\\)<(?:script|img|b>)|(?<!\\)!\[x|(?<!\\)\[go\]\(/,
      );
    }
    await search.close();
  });
});
