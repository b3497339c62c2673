import assert from 'node:assert/strict';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import { parentPath } from '../../../../src/core/tree/slug.ts';
import { pathOf, walk } from '../../../../src/core/tree/tree.ts';
import { nodeStory } from '../../../../src/engine-parts/transcripts/transcript.ts';
import { type Cause, whyOf } from '../../../../src/searches/history/why.ts';
import { simulate } from '../../../support/searches/simulated-search.ts';
import { simulateThoughts } from '../../../support/searches/simulated-thoughts.ts';

function causeOf(journal: readonly JournalEvent[], path: string, of: Cause['of']): Cause {
  const found = whyOf(journal, path).find((cause) => cause.of === of);
  assert.ok(found, `${of} of ${path}`);
  return found;
}

/** The call is the one that `show` shows under its number. */
function assertShown(journal: readonly JournalEvent[], { call }: Cause): void {
  assert.ok(call);
  assert.equal(nodeStory(journal, call.node, false).calls[call.number - 1]?.call, call.call);
}

describe('why', () => {
  it('leads from each document of a search to the call that wrote it, and from each node to the list it is in', async () => {
    const tree = { fanout: (_: string, depth: number) => [4, 3][depth] ?? 0, documentWords: 4 };
    const { search, run, store, clock } = await simulate({ tree, search: { limits: { size: 'all', maxDepth: 2 } } });
    await run();
    const journal = await store.readJournal();
    const nodes = [...walk(search.tree.root)].filter(({ parent }) => parent).map(pathOf);
    assert.ok(nodes.length >= 10);
    for (const path of nodes) {
      const written = causeOf(journal, path, 'document');
      assert.deepEqual([written.call?.node, written.call?.purpose], [path, 'document']);
      assertShown(journal, written);
      const listed = causeOf(journal, path, 'node');
      assert.equal(listed.call?.node, parentPath(path));
      assert.match(listed.call?.purpose ?? '', /root|children/);
      assertShown(journal, listed);
    }
    await clock.run(search.close());
  });

  it('leads from each dollar that a document cost to the call that it was paid for', async () => {
    const price = { prompt: 3, cached: 0.3, completion: 15 };
    const tree = { fanout: (_: string, depth: number) => [4, 3][depth] ?? 0, documentWords: 4 };
    const limits = { size: 'all' as const, maxDepth: 2 };
    const { search, run, store } = await simulate({ tree, model: { price }, search: { limits } });
    await run();
    const journal = await store.readJournal();
    const paid = new Map(
      journal.flatMap((event) => (event.type === 'call-ended' ? [[event.call, event.usage?.usd]] : [])),
    );
    const nodes = [...walk(search.tree.root)].filter(({ parent }) => parent).map(pathOf);
    assert.ok(nodes.length >= 10);
    for (const path of nodes) {
      const { call } = causeOf(journal, path, 'document');
      assert.ok(call?.usd !== undefined && call.usd > 0 && call.usd === paid.get(call.call), path);
    }
  });

  it('leads from each score to the call of the judge that was about the node', async () => {
    const options = { candidates: 3, beam: 2 };
    const { search, run, store } = await simulateThoughts({ options, search: { limits: { maxDepth: 3 } } });
    await run();
    const journal = await store.readJournal();
    const scored = [...walk(search.tree.root)].filter(({ parent, evaluation }) => parent && evaluation).map(pathOf);
    assert.ok(scored.length >= 10);
    for (const path of scored) {
      const score = causeOf(journal, path, 'score');
      const begun = journal.find((event) => event.type === 'call-started' && event.call === score.call?.call);
      assert.ok(begun?.type === 'call-started' && [begun.node, ...(begun.about ?? [])].includes(path), path);
      assertShown(journal, score);
    }
  });

  it('names the person who added a node, and not a call', async () => {
    const { search, run, store } = await simulate({ search: { limits: { size: 'small', maxDepth: 1 } } });
    await run();
    const { value } = await search.act({ action: 'add', title: 'Mine' }, 'terminal');
    const { path } = value as { path: string };
    const added = causeOf(await store.readJournal(), path, 'node');
    assert.deepEqual([added.by, added.call], ['terminal', undefined]);
  });
});
