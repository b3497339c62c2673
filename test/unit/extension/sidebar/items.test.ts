import { foreign } from '../../../../src/core/messages/message.ts';
import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import type { NodeStatus } from '../../../../src/core/tree/node-status.ts';
import type { NodeElement, SearchElement } from '../../../../src/extension/sidebar/tree-element.ts';
import { type MarkdownString, ThemeColor, ThemeIcon } from '../fake-vscode.ts';
import { available } from './available.ts';
import { nodeElement, sampleSearch, searchElement } from './sample.ts';

const sidebar = await import('../../../../src/extension/sidebar/node-item.ts');
const { nodeTooltip } = sidebar;
const searches = await import('../../../../src/extension/sidebar/search-item.ts');
const { searchTooltip } = searches;
const { figures } = await import('../../../../src/extension/figures.ts');

const nodeItem = (element: NodeElement) => sidebar.nodeItem(element, available);
const searchItem = (element: SearchElement) => searches.searchItem(element, available);

const HOSTILE = '[Run](command:thoughtTree.start) <img src=x onerror=alert(1)> $(error) `code` **bold**\n# Title';
const flagsOf = (contextValue: string | undefined): string[] => (contextValue ?? '').split(' ').sort();

/** Fails where a text could be more than a text in a tooltip. */
function assertInert(tooltip: unknown): void {
  const { value, isTrusted, supportHtml } = tooltip as MarkdownString;
  assert.ok(!isTrusted, 'command links would work');
  assert.ok(!supportHtml);
  assert.doesNotMatch(value, /(?<!\\)\[[^\]]*\]\(|(?<!\\)\*\*|(?<!\\)`|^#/m);
  assert.doesNotMatch(value, /(?<!\\)\$\(/);
}

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

  it('has a star only if it is the best and done', () => {
    const star = new ThemeIcon('star-full', new ThemeColor('charts.yellow'));
    assert.deepEqual(nodeItem(nodeElement({ status: 'leaf' }, { isBest: true })).iconPath, star);
    assert.notDeepEqual(nodeItem(nodeElement({ status: 'unexpanded' }, { isBest: true })).iconPath, star);
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
    const file = { status: 'leaf' as const, summary: 'What is known.', evaluation: { score: 7.25 } };
    const item = nodeItem(nodeElement(file, { children: 3 }));
    assert.equal(item.description, '7.3 · What is known.');
    assert.equal(item.accessibilityInformation?.label, 'Cache, leaf, score 7.3, 3 children');
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
      'R4 · DEAD · unverified · Two queues.',
      'Cache, R4, DEAD, unverified',
    ]);
    const found = { state: 'FOUND', isVerified: true };
    const failed = { ...own, state: 'DEAD', commit: 5 };
    assert.deepEqual(shown(found, 'expanded', [failed]), [
      'error',
      'R4 · FOUND · refuted · Two queues.',
      'Cache, R4, FOUND, refuted',
    ]);
    const checked = { ...own, state: 'VERIFY', commit: 6 };
    assert.deepEqual(shown(found, 'expanded', [failed, checked])[1], 'R4 · FOUND · Two queues.');
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
      ['add_research', 'redo'],
    );
    assert.deepEqual(
      flags('thoughts').filter((flag) => /^(add|redo)/.test(flag)),
      ['add_thoughts', 'redo_thoughts'],
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
    assert.match(plain, /Score: 7\.4 \/ 10, confidence 0\.7, votes 6 7\.5 8\.7/);
    assert.match(plain, /Outcome: a check failed: 4 is used twice/);
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
    assert.match(text.replaceAll('\\', ''), /2, 12\.3K tokens, \$0\.13.*1 min 1 s/s);
  });
});

describe('a search in the sidebar', () => {
  for (const [state, icon, flag] of [
    ['running', 'sync~spin', 'pause'],
    ['waiting', 'watch', 'pause'],
    ['paused', 'debug-pause', 'resume'],
    ['interrupted', 'debug-disconnect', 'resume'],
    ['finished', 'pass-filled', 'search'],
  ] as const)
    it(`shows that it is ${state}`, () => {
      const item = searchItem(searchElement(sampleSearch({ state })));
      assert.equal((item.iconPath as unknown as ThemeIcon).id, icon);
      assert.ok(flagsOf(item.contextValue).includes(flag));
      assert.equal(flagsOf(item.contextValue).includes('finish'), state !== 'finished');
      assert.match(String(item.description), new RegExp(`^${state}`));
    });

  it('says what is wrong with it', () => {
    const item = searchItem(searchElement(sampleSearch({ problem: foreign({ text: 'search.json, line 3: no.' }) })));
    assert.equal(item.description, 'search.json, line 3: no.');
    assert.equal(item.contextValue, 'broken');
  });

  it('shows hostile texts as texts', () => {
    const file = { version: 1, kind: 'research', title: HOSTILE, prompt: HOSTILE, options: {} };
    assertInert(
      searchTooltip(searchElement(sampleSearch({ file, reason: foreign({ text: HOSTILE }), model: HOSTILE }))),
    );
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
