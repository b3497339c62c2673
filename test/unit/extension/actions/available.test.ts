import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { commandContributions } from '../../../../scripts/contributions.ts';
import {
  type ActionDescriptor,
  availableActions,
  type NodeFacts,
} from '../../../../src/core/actions/action-descriptor.ts';
import { foreign } from '../../../../src/core/messages/message.ts';
import { SearchRecord } from '../../../../src/core/search/record/search-record.ts';
import { LeafReason, NodeStatus, PrunedBy } from '../../../../src/core/tree/node-file.ts';
import type { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import { researchDescriptor } from '../../../../src/kinds/research/descriptor.ts';
import { searchFactsOf } from '../../../../src/searches/reader/action-facts.ts';
import { WITH_ERRANDS } from '../../../support/toy-kind/errands.ts';
import { fake, workspace } from '../fake-vscode.ts';
import { nodeElement, sampleSearch, searchElement } from '../sidebar/sample.ts';
import { namesOf, OfferedInEditor } from './offered-in-editor.ts';

const { AvailableActions } = await import('../../../../src/extension/actions/available-actions.ts');
const { panelActions } = await import('../../../../src/extension/panel/graph-panel.ts');
const { nodeItem } = await import('../../../../src/extension/sidebar/node-item.ts');
const { searchItem } = await import('../../../../src/extension/sidebar/search-item.ts');

const editor = new OfferedInEditor(WITH_ERRANDS);
const { available } = editor;
const SEARCHES = ['research', 'thoughts', 'errands', 'of-a-later-version'];

const STATES = ['running', 'waiting', 'paused', 'interrupted', 'finished'] as const;

/** A node as far as anything that is offered may depend on it, and who pruned it. */
type SomeNode = NodeFacts & { readonly prunedBy?: PrunedBy };

/** Every state that a node can be in. */
function* someNodes(): Generator<SomeNode> {
  for (const status of NodeStatus.options)
    for (const isCutOff of [false, true])
      for (const hasDocument of [false, true]) {
        const node = { status, isCutOff, hasDocument };
        if (status === 'leaf') yield* LeafReason.options.map((leafReason) => ({ ...node, leafReason }));
        else if (status === 'pruned') yield* PrunedBy.options.map((prunedBy) => ({ ...node, prunedBy }));
        else yield node;
      }
}

function storeOf(status: NodeStatus, hasDocument: boolean): object {
  const file = { title: 'Keys', status };
  return {
    readNode: async () => ({ file, hasDocument, children: undefined, folders: [] }),
    readNodeFile: async () => file,
  };
}

function searchWith(kind: string, state: (typeof STATES)[number], more: object = {}): FollowedSearch {
  const file = { version: 1, kind, title: 'Slow', prompt: 'Why?', options: {} };
  return sampleSearch({ file, state, isDivided: true, ...more });
}

/** What is known of a search with an offer that nobody has answered. */
function withOffer(): SearchRecord {
  const offer = { id: 'o', kind: 'do', nodes: [''], ask: {} };
  return SearchRecord.of([{ seq: 1, time: new Date(0).toISOString(), type: 'offer-made', offer }]);
}

/** Asserts that all places of the editor offer the same on a row, and what that is. */
async function assertSame(
  row: ReturnType<typeof searchElement | typeof nodeElement>,
  expected: string[],
  where: string,
) {
  assert.deepEqual(editor.inSidebar(row), expected, `sidebar ${where}`);
  assert.deepEqual(await editor.inPanel(row), expected, `panel ${where}`);
  const ofPalette = expected.filter((name) => editor.isInPalette(name));
  assert.deepEqual(await editor.inPalette(row), ofPalette, `palette ${where}`);
}

describe('what is offered', () => {
  beforeEach(() => fake.reset());
  afterEach(() => {
    workspace.isTrusted = true;
  });

  for (const kind of SEARCHES)
    it(`on nodes is the same in sidebar, panel and palette, whatever their state, in ${kind}`, async () => {
      let checked = 0;
      for (const state of STATES)
        for (const isTrusted of [true, false])
          for (const { prunedBy, ...node } of someNodes()) {
            workspace.isTrusted = isTrusted;
            const file = { title: 'Keys', status: node.status, leafReason: node.leafReason, prunedBy };
            const store = {
              readNode: async () => ({ file, hasDocument: node.hasDocument, children: undefined, folders: [] }),
              readNodeFile: async () => ({ title: 'Cache', status: node.isCutOff ? 'pruned' : 'expanded' }),
            };
            const count = (...statuses: NodeStatus[]) => (statuses.includes(node.status) ? 1 : 0);
            const search = searchWith(kind, state, { store, count });
            const parent = nodeElement({ status: node.isCutOff ? 'pruned' : 'expanded' }, { search });
            const row = nodeElement(file, { search, parent, path: 'cache/keys', hasDocument: node.hasDocument });
            const seen = node.status === 'in-progress' && !search.isActive ? 'unexpanded' : node.status;
            const asked = availableActions(available.descriptorsFor(search), searchFactsOf(search), {
              ...node,
              status: seen,
            });
            await assertSame(row, editor.allowed(asked), JSON.stringify({ state, isTrusted, node }));
            checked++;
          }
      assert.ok(checked > 200);
    });

  for (const kind of SEARCHES)
    it(`on searches is the same in sidebar, panel and palette, whatever their state, in ${kind}`, async () => {
      for (const state of STATES)
        for (const isTrusted of [true, false])
          for (const hasReport of [true, false])
            for (const isDivided of [true, false])
              for (const failed of [0, 2])
                for (const isRead of [true, false])
                  for (const record of [new SearchRecord(), withOffer()]) {
                    workspace.isTrusted = isTrusted;
                    const count = (...statuses: NodeStatus[]) => (statuses.includes('failed') ? failed : 0);
                    const isResumable = isRead && (state === 'paused' || state === 'interrupted');
                    const more = { hasReport, isDivided, count, isResumable, isRead, record };
                    const search = searchWith(kind, state, more);
                    const asked = availableActions(available.descriptorsFor(search), searchFactsOf(search), undefined);
                    const where = JSON.stringify({ state, isTrusted, ...more, record: record.offers.size });
                    await assertSame(searchElement(search), editor.allowed(asked), where);
                  }
    });

  it('is nothing on a search that cannot be read, nor on its nodes', async () => {
    const problem = foreign({ text: 'search.json, line 3: this is not valid JSON' });
    const search = searchWith('research', 'paused', { problem, store: storeOf('expanded', true), hasReport: true });
    await assertSame(searchElement(search), [], 'search');
    assert.deepEqual(await editor.inPanel(nodeElement({}, { search })), []);
  });

  it('is a new document wherever there is one to replace, even if its node has failed', async () => {
    const file = { title: 'Keys', status: 'failed' as const };
    const store = { readNode: async () => ({ file, hasDocument: true, children: undefined, folders: [] }) };
    const search = searchWith('research', 'paused', { store });
    assert.ok(namesOf(panelActions(await available.at(search, 'keys'), search)).includes('redo'));
    assert.match(nodeItem(nodeElement(file, { search, hasDocument: true }), available).contextValue ?? '', /\bredo\b/);
  });

  it('is in menus and panel what a kind adds, under its own title', async () => {
    const scale: ActionDescriptor = {
      name: 'scale',
      on: 'both',
      title: 'Scale scores…',
      help: 'multiply scores',
      args: [{ name: 'factor', type: 'number', required: true, help: 'by what' }],
      startsRun: true,
      when: (_search, node) => node?.status !== 'pruned',
    };
    const descriptor = { ...researchDescriptor, name: 'scaled-sums', actions: { scale } };
    const made = commandContributions([descriptor]);
    const [row] = (made.menus['view/item/context'] as { command: string; when: string }[]).filter(
      ({ command }) => command === 'thoughtTree.scale.scaled-sums',
    );
    const isShownOn = (contextValue: string | undefined): boolean =>
      new RegExp(/viewItem =~ \/(.*)\//.exec(row?.when ?? '')?.[1] ?? '^$').test(contextValue ?? '');
    const ours = new AvailableActions([{ descriptor, load: async () => assert.fail() }]);
    const search = searchWith('scaled-sums', 'paused', { store: storeOf('expanded', true) });
    assert.ok(isShownOn(searchItem(searchElement(search), ours).contextValue));
    assert.ok(isShownOn(nodeItem(nodeElement({ status: 'expanded' }, { search }), ours).contextValue));
    assert.ok(!isShownOn(nodeItem(nodeElement({ status: 'pruned' }, { search }), ours).contextValue));
    const { enablement } = (made.commands as { command: string; enablement?: string }[]).find(
      ({ command }) => command === row?.command,
    ) as { enablement?: string };
    assert.equal(enablement, 'isWorkspaceTrusted');
    const palette = made.menus['commandPalette'] as { command: string; when: string }[];
    assert.equal(palette.find(({ command }) => command === row?.command)?.when, 'false');
    assert.ok(ours.mayBeIn(search, 'scale'));
    const shown = panelActions(await ours.at(search, 'keys'), search).find(({ name }) => name === 'scale');
    assert.equal(shown?.title, 'Scale scores…');
  });
});
