import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import type { NodeStatus } from '../../../../src/core/tree/node-file.ts';
import type { NodeElement } from '../../../../src/extension/sidebar/tree-element.ts';
import { type MarkdownString, ThemeColor, ThemeIcon } from '../fake-vscode.ts';
import { available } from './available.ts';
import { assertInert, HOSTILE } from './hostile.ts';
import { nodeElement, sampleSearch } from './sample.ts';

const sidebar = await import('../../../../src/extension/sidebar/node-item.ts');
const { ofNode: nodeTooltip } = (await import('../../../../src/extension/sidebar/tooltips.ts')).tooltips;
const { figures } = await import('../../../../src/extension/figures.ts');

const nodeItem = (element: NodeElement) => sidebar.nodeItem(element, available);

const flagsOf = (contextValue: string | undefined): string[] => (contextValue ?? '').split(' ').sort();

describe('a node in the sidebar', () => {
  const icons: [NodeStatus, string, string | undefined][] = [
    ['unexpanded', 'circle-outline', undefined],
    ['in-progress', 'loading~spin', 'charts.blue'],
    ['expanded', 'pass', 'charts.green'],
    ['leaf', 'circle-filled', 'charts.green'],
    ['pruned', 'circle-slash', 'disabledForeground'],
    ['failed', 'error', 'errorForeground'],
  ];
  for (const [status, icon, colour] of icons)
    it(`has an icon and a colour for ${status}`, () => {
      const expected = new ThemeIcon(icon, colour === undefined ? undefined : new ThemeColor(colour));
      assert.deepEqual(nodeItem(nodeElement({ status })).iconPath, expected);
    });

  it('is golden if it is the best and done, and keeps the shape of its status', () => {
    const iconOf = (status: NodeStatus) => nodeItem(nodeElement({ status }, { isBest: true })).iconPath;
    const golden = new ThemeColor('charts.yellow');
    assert.deepEqual(iconOf('leaf'), new ThemeIcon('circle-filled', golden));
    assert.deepEqual(iconOf('expanded'), new ThemeIcon('pass', golden));
    assert.deepEqual(iconOf('unexpanded'), new ThemeIcon('circle-outline'));
  });

  it('has its whole title as its label, which the editor cuts, and which its Find looks through', () => {
    const shown = (title: string): string[] => {
      const item = nodeItem(nodeElement({ title, status: 'leaf', evaluation: { score: 7 }, summary: 'A summary.' }));
      return [String(item.label), String(item.description)];
    };
    assert.deepEqual(shown('`Mocha#retries`: sets the number of times to retry failed tests'), [
      'Mocha#retries: sets the number of times to retry failed tests',
      '7 · A summary.',
    ]);
    assert.deepEqual(shown('Where is the state of a search, and who owns it?'), [
      'Where is the state of a search, and who owns it?',
      '7 · A summary.',
    ]);
  });

  it('shows the note of a person before what a model says of it, and speaks it', () => {
    const note = 'Look at `timeouts`,\nnot at retries. '.repeat(4);
    const item = nodeItem(nodeElement({ title: 'Cache', status: 'leaf', note, summary: 'A summary.' }));
    assert.match(String(item.description), /^✎ Look at timeouts, not at retries\. .{1,35} · A summary\.$/);
    assert.match(item.accessibilityInformation?.label ?? '', /, Note: Look at timeouts, not at retries/);
    const without = nodeItem(nodeElement({ title: 'Cache', status: 'leaf', summary: 'A summary.' }));
    assert.equal(without.description, 'A summary.');
  });

  it('says why it failed, where no icon says that', () => {
    const failure = { reason: 'refused', message: '`npm test` exited with 1: 2 failing, and so on '.repeat(9) };
    const file = { version: 1, kind: 'work-graph', title: 'p', prompt: 'p', options: {} };
    const own = { type: 'atom', name: 'A3', evidence: [{ item: '0', word: 'contradicted' }] };
    const search = sampleSearch({ file });
    const { description } = nodeItem(nodeElement({ status: 'failed', failure, own }, { search }));
    assert.match(String(description), /^A3 · does not hold · npm test exited with 1: 2 failing/);
    assert.ok(String(description).length < 120, String(description));
  });

  it('names the thought with which it was merged by its title', () => {
    const file = { status: 'leaf' as const, sameAs: 'node_1/node_1_2', leafReason: 'duplicate' as const };
    const shown = (same: string | undefined) => nodeItem(nodeElement(file, { same })).description;
    assert.equal(shown('13 - 9 = 4'), 'same as 13 - 9 = 4');
    assert.equal(shown(undefined), 'same as node_1_2', 'it is gone');
  });

  it('is in progress only while somebody works', () => {
    const search = sampleSearch({ state: 'interrupted' });
    const { iconPath } = nodeItem(nodeElement({ status: 'in-progress' }, { search }));
    assert.deepEqual(iconPath, new ThemeIcon('circle-outline'));
  });

  it('offers what can be done with it, and nothing else', () => {
    const offered: [NodeStatus, string[], string[]][] = [
      ['unexpanded', ['expand', 'prune', 'add'], ['restore', 'retry', 'redo', 'openDocument']],
      ['leaf', ['expand', 'prune', 'redo', 'openDocument'], ['restore', 'retry']],
      ['expanded', ['prune', 'add', 'redo'], ['expand', 'restore']],
      ['pruned', ['restore', 'openDocument'], ['prune', 'expand', 'add', 'redo']],
      ['failed', ['retry', 'prune', 'redo'], ['expand', 'restore']],
    ];
    for (const [status, yes, no] of offered) {
      const flags = flagsOf(nodeItem(nodeElement({ status }, { hasDocument: status !== 'unexpanded' })).contextValue);
      for (const flag of yes) assert.ok(flags.includes(flag), `${status} is not ${flag}`);
      for (const flag of no) assert.ok(!flags.includes(flag), `${status} is ${flag}`);
    }
  });

  it('offers no steering below a pruned node', () => {
    const parent = nodeElement({ status: 'pruned' });
    const { contextValue } = nodeItem(nodeElement({ status: 'unexpanded' }, { parent, path: 'cache/keys' }));
    assert.deepEqual(flagsOf(contextValue), ['node']);
  });

  it('shows score and summary, and everything to screen readers', () => {
    const search = sampleSearch({ file: { version: 1, kind: 'research', title: 'p', prompt: 'p', options: {} } });
    const file = { status: 'leaf' as const, summary: 'What is known.', evaluation: { score: 7.25 } };
    const item = nodeItem(nodeElement(file, { children: 3, search }));
    assert.equal(item.description, '7.3 · What is known.');
    assert.equal(item.accessibilityInformation?.label, 'Cache, leaf, score 7.3, 3 topics below');
  });

  it('shows round, state and what is unsure of an investigation, by an icon and in words', () => {
    const file = { version: 1, kind: 'investigation', title: 'p', prompt: 'p', options: {} };
    const search = sampleSearch({ file });
    const own = { nodeId: 'R4.A1', round: 4, plannedAction: '', proposedAt: 0 };
    const shown = (more: object, status: 'unexpanded' | 'leaf' | 'expanded', below: object[] = []) => {
      const summary = 'state' in more ? `${more.state}: Two queues.` : undefined;
      const node = { status, own: { ...own, ...more }, ...(summary && { summary }) };
      const { iconPath, description, accessibilityInformation } = nodeItem(nodeElement(node, { search, below }));
      return [(iconPath as ThemeIcon).id, description, accessibilityInformation?.label];
    };
    assert.deepEqual(shown({}, 'unexpanded'), ['bookmark', 'R4 · pending', 'Cache, R4, pending']);
    assert.deepEqual(shown({ state: 'DEAD' }, 'leaf'), [
      'circle-slash',
      'R4 · led nowhere · unverified · Two queues.',
      'Cache, R4, led nowhere, unverified',
    ]);
    const found = { state: 'FOUND', isVerified: true };
    const failed = { ...own, state: 'DEAD', commit: 5 };
    assert.deepEqual(shown(found, 'expanded', [failed]), [
      'error',
      'R4 · found · refuted · Two queues.',
      'Cache, R4, found, refuted',
    ]);
    const checked = { ...own, state: 'VERIFY', commit: 6 };
    assert.deepEqual(shown(found, 'expanded', [failed, checked])[1], 'R4 · found · Two queues.');
  });

  it('says in the tooltip how a node of an investigation came about', () => {
    const { value } = nodeTooltip(nodeElement({ status: 'leaf' }), 'By the engine.') as unknown as MarkdownString;
    assert.match(value, /\| Receipt \| By the engine/);
  });

  it('shows the outcome of a thought, by an icon and in words', () => {
    const fates: [Parameters<typeof nodeElement>[0], string, string][] = [
      [
        { status: 'pruned', prunedBy: 'threshold', evaluation: { score: 1.2 } },
        'circle-slash',
        '1.2 · its score is too low',
      ],
      [{ status: 'pruned', prunedBy: 'verifier' }, 'circle-slash', 'a check failed'],
      [{ status: 'leaf', sameAs: 'node_1/node_1_2', leafReason: 'duplicate' }, 'git-merge', 'same as node_1_2'],
      [{ status: 'unexpanded', selected: false, evaluation: { score: 6 } }, 'bookmark', '6 · good enough, not kept'],
      [{ status: 'unexpanded', unscored: true }, 'circle-outline', 'not scored'],
      [{ status: 'leaf', leafReason: 'solved', evaluation: { score: 10 } }, 'circle-filled', '10 · a solution'],
    ];
    const ofThoughts = { version: 1, kind: 'thoughts', title: 'p', prompt: 'p', options: {} };
    const search = sampleSearch({ file: ofThoughts });
    for (const [file, icon, description] of fates) {
      const item = nodeItem(nodeElement(file, { search }));
      assert.deepEqual([(item.iconPath as ThemeIcon).id, item.description], [icon, description]);
    }
    const solved = nodeElement({ status: 'leaf', leafReason: 'solved', evaluation: { score: 10 } }, { isBest: true });
    assert.equal(nodeItem(solved).description, '10 · best path · a solution');
  });

  it('has actions under the titles that its kind gives them', () => {
    const flags = (kind: string): string[] => {
      const search = sampleSearch({ file: { version: 1, kind, title: 'p', prompt: 'p', options: {} } });
      return flagsOf(nodeItem(nodeElement({ status: 'expanded' }, { search, hasDocument: true })).contextValue);
    };
    assert.deepEqual(
      flags('research').filter((flag) => /^(add|redo)/.test(flag)),
      ['add', 'redo'],
    );
    assert.deepEqual(
      flags('thoughts').filter((flag) => /^(add|redo)/.test(flag)),
      ['add'],
    );
    assert.deepEqual(
      flags('later').filter((flag) => /^(add|redo)/.test(flag)),
      ['add', 'redo'],
    );
  });

  it('shows in its tooltip how sure the judge is, and why it was pruned', () => {
    const evaluation = { score: 7.4, confidence: 0.7, votes: [6, 7.5, 8.7] };
    const { value } = nodeTooltip(
      nodeElement({ status: 'pruned', prunedBy: 'verifier', why: '4 is used twice', evaluation }),
    );
    const plain = value.replaceAll('\\', '');
    assert.match(plain, /\| Score \| 7\.4 of 10, confidence 0\.7, votes 6 7\.5 8\.7 \|/);
    assert.match(plain, /\| Outcome \| a check failed: 4 is used twice \|/);
  });

  it('keeps its name whatever its status, one in each search', () => {
    const id = nodeItem(nodeElement({ status: 'leaf' })).id;
    assert.equal(nodeItem(nodeElement({ status: 'pruned' })).id, id);
    const search = sampleSearch({ folder: '/home/me/thought-trees/other' });
    assert.notEqual(nodeItem(nodeElement({}, { search })).id, id);
  });

  it('shows hostile texts as texts', () => {
    const failure = { reason: 'refused', message: HOSTILE };
    const file = {
      title: HOSTILE,
      summary: HOSTILE,
      note: HOSTILE,
      model: HOSTILE,
      status: 'failed' as const,
      failure,
    };
    assertInert(nodeTooltip(nodeElement(file)));
    const { label, description } = nodeItem(nodeElement(file));
    for (const text of [label, description]) assert.doesNotMatch(String(text), /\n/);
  });

  it('shows what it has cost', () => {
    const search = sampleSearch({ spentOn: () => ({ calls: 2, tokens: 12_345, usd: 0.126, ms: 61_000 }) });
    const text = (nodeTooltip(nodeElement({ status: 'leaf' }, { search })) as unknown as MarkdownString).value;
    assert.match(text.replaceAll('\\', ''), /\| 2 calls, 12\.3K tokens, \$0\.13, 1 min 1 s \|/);
  });
});

describe('figures', () => {
  it('are short', () => {
    assert.deepEqual([0, 7, 7.04, 9.96].map(figures.score), ['0', '7', '7', '10']);
    assert.deepEqual([0, 0.005, 1.5, 12.4].map(figures.usd), ['$0.00', '$0.0050', '$1.50', '$12']);
    assert.deepEqual([400, 59_000, 60_000, 3_725_000].map(figures.duration), ['0 s', '59 s', '1 min 0 s', '1 h 2 min']);
    assert.equal(figures.tokens(1_234_567), '1.2M tokens');
  });
});
