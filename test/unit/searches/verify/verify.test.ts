import assert from 'node:assert/strict';
import { cp, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import { investigation } from '../../../../src/kinds/investigation/investigation.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { overviewAt } from '../../../../src/searches/history/past-overview.ts';
import { Timeline } from '../../../../src/searches/history/timeline.ts';
import { overviewOf } from '../../../../src/searches/reader/search-overview.ts';
import { readReceiptLine } from '../../../../src/searches/search-graph.ts';
import { verifySearch } from '../../../../src/searches/verify-search.ts';
import { textHash } from '../../../../src/store/system-ports.ts';
import { ToolHost } from '../../../support/agent-tools/tool-host.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const NODE = 'r1-a-why-do-requests-time-out';

describe('the check of receipts', () => {
  let workspace: string;
  let search: string;
  const results = async (folder: string): Promise<ReadonlySet<string>> => {
    const { checks } = await verifySearch(KINDS, { folder, workspace }, async () => true);
    return new Set(checks.flatMap(({ what, result }) => (what === 'receipt' ? [result] : [])));
  };

  before(async () => {
    workspace = temporaryFolder('verify');
    await writeFile(join(workspace, 'queue.md'), '# Queue\n\nA request waits in the queue.\n\nIt times out.\n');
    const tools = new ToolHost({ workspace });
    const start = { question: 'Why do requests time out?', kind: 'investigation', wait_seconds: 50 };
    const { data } = await tools.call('tree_start', start);
    await tools.close();
    search = join(workspace, 'thought-trees', data['search'] as string);
  });

  it('says that they hold where this user made the search', async () => {
    assert.deepEqual(await results(search), new Set(['holds']));
  });

  it('says so of its moments, too, as far as a receipt was written by then', async () => {
    const journal = await readFile(join(search, '.search', 'journal.jsonl'), 'utf8');
    const events = journal
      .split('\n')
      .filter(Boolean)
      .map((line): JournalEvent => JSON.parse(line));
    const seqOf = (isIt: (event: JournalEvent) => boolean): number => events.find(isIt)?.seq ?? 0;
    const written = seqOf((event) => event.type === 'node-status' && event.node === NODE && 'own' in event);
    const seen: unknown[] = [];
    for (const moment of [seqOf(({ type }) => type === 'node-added'), written, events.length]) {
      const at = `${search}@${moment}`;
      const { tree, receiptOf } = await overviewAt(KINDS, at);
      seen.push([tree.root.children.map((node) => receiptOf(node)?.by), [...(await results(at))]]);
    }
    assert.deepEqual(seen, [[[undefined], []], ...Array.from({ length: 2 }, () => [['engine'], ['holds']])]);
    const timeline = await Timeline.open({ folder: search, workspace, title: 'T', kind: investigation });
    const { reader } = (await timeline.at({ seq: written })) ?? assert.fail();
    const line = await readReceiptLine(reader, KINDS, NODE, ({ text }) => text);
    assert.match(line ?? '', /^By the engine, in call /);
  });

  it('cannot say so of a copy that was in other hands, whatever its journal tells', async () => {
    const copy = join(workspace, 'thought-trees', 'copy');
    await cp(search, copy, { recursive: true });
    const document = await readFile(join(copy, NODE, 'document.md'), 'utf8');
    const forged = document.replace('\n---\n', '\n---\n\nNothing ever times out.\n');
    const journal = join(copy, '.search', 'journal.jsonl');
    const told = (await readFile(journal, 'utf8')).replaceAll(textHash(document), textHash(forged));
    await writeFile(journal, told);
    await writeFile(join(copy, NODE, 'document.md'), forged);
    assert.deepEqual(await results(copy), new Set(['unknown']));
    const { tree, receiptOf } = await overviewOf(KINDS, copy);
    assert.deepEqual(tree.root.children.map(receiptOf), [{ by: 'unverified' }]);
    // This user knows its id; what they act on is adopted all the same.
    const { length } = told.trimEnd().split('\n');
    const tools = new ToolHost({ workspace });
    await tools.call('tree_act', { search: 'copy', action: 'note', node: NODE, arguments: { text: 'Hm.' } });
    await tools.close();
    assert.ok(!(await results(copy)).has('holds'));
    const before = `${copy}@${length}`;
    assert.deepEqual(await results(before), new Set(['unknown']), 'nor of what it was before this user adopted it');
    const then = await overviewAt(KINDS, before);
    assert.deepEqual(then.tree.root.children.map(then.receiptOf), [{ by: 'unverified' }]);
    const timeline = await Timeline.open({ folder: copy, workspace, title: 'T', kind: investigation });
    const { reader } = (await timeline.at({ seq: length })) ?? assert.fail();
    await rename(journal, `${journal}.gone`); // the timeline knows, without reading it again for each node
    assert.doesNotMatch((await readReceiptLine(reader, KINDS, NODE, ({ text }) => text)) ?? '', /By the engine/);
  });
});
