import assert from 'node:assert/strict';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SearchFacts } from '../../../../src/core/actions/action-descriptor.ts';
import type { JournalEvent, SearchEvent } from '../../../../src/core/search/events.ts';
import { NodesSeen } from '../../../../src/core/search/record/nodes-seen.ts';
import { SearchRecord } from '../../../../src/core/search/record/search-record.ts';
import { workGraphDescriptor } from '../../../../src/kinds/work-graph/descriptor.ts';
import { type CurrentState, readCurrentState } from '../../../../src/searches/reader/current-state.ts';
import { acceptedOf } from '../../../../src/searches/work-folders.ts';
import type { SearchReadStore } from '../../../../src/store/search-read-store.ts';
import { SEARCH_ID } from '../../../../src/store/store-paths.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

interface Files {
  readonly report?: string;
  readonly isDivided?: boolean;
  readonly journal?: readonly SearchEvent[];
}

/** Of a search that nobody holds, with one open node. */
async function stateOf({ report, isDivided = true, journal = [] }: Files): Promise<CurrentState> {
  const folder = temporaryFolder('current-state');
  if (report !== undefined) await writeFile(join(folder, 'report.md'), report);
  const store = {
    readRootChildren: async () => ({ children: isDivided ? {} : undefined, folders: [] }),
    readReport: async () => report,
  } as unknown as SearchReadStore;
  const nodes = new NodesSeen();
  nodes.set('a', 'unexpanded');
  const events = journal.map((event, i) => ({ seq: i + 1, time: '2026-01-01T00:00:00Z', ...event }) as JournalEvent);
  return await readCurrentState(folder, store, { record: SearchRecord.of(events), nodes });
}

describe('how a search stands', () => {
  it('without a journal: finished where a report says so, but not an interim one', async () => {
    assert.equal((await stateOf({ report: '# Why?\n\nSo.\n' })).state, 'finished');
    assert.equal((await stateOf({ report: '# Why?\n\n> ⏸ Interim report: 1 topic.\n' })).state, 'interrupted');
    assert.equal((await stateOf({})).state, 'interrupted');
  });

  it('with a journal: as that says, whatever report there is', async () => {
    const journal = [{ type: 'search-paused', reason: 'user', message: 'Paused.' } as SearchEvent];
    const { state, hasReport, holder } = await stateOf({ report: '# Why?\n\nSo.\n', journal });
    assert.deepEqual([state, hasReport, holder], ['paused', true, undefined]);
  });

  it('has its work in the files once that was accepted, until that is taken back', async () => {
    const { XDG_STATE_HOME: former } = process.env;
    const state = temporaryFolder('state');
    process.env['XDG_STATE_HOME'] = state;
    try {
      const folder = temporaryFolder('accepted');
      const id = 'an-id-of-a-search-1';
      const own = join(state, 'thought-tree', 'work', id);
      await mkdir(own, { recursive: true });
      await mkdir(join(folder, '.search'));
      await writeFile(join(folder, SEARCH_ID), id);
      await writeFile(join(own, 'place.json'), JSON.stringify({ version: 1, folder: await realpath(folder) }));
      const accepted = async (line: object): Promise<unknown> => {
        await writeFile(
          join(own, 'line.json'),
          JSON.stringify({ version: 1, start: 'aaaaaaa', tip: 'bbbbbbb', ...line }),
        );
        const { isAccepted, halfAccepted } = await acceptedOf(folder);
        return [isAccepted, halfAccepted !== undefined];
      };
      assert.deepEqual(await accepted({}), [false, false]);
      assert.deepEqual(await accepted({ accepted: 'bbbbbbb' }), [true, false]);
      assert.deepEqual(await accepted({ accepting: { commits: ['bbbbbbb'], stages: [] } }), [true, true]);
      assert.deepEqual((await acceptedOf(temporaryFolder('another'))).isAccepted, false);
    } finally {
      if (former === undefined) delete process.env['XDG_STATE_HOME'];
      else process.env['XDG_STATE_HOME'] = former;
    }
    const offered = (isAccepted: boolean): unknown =>
      workGraphDescriptor.actions['undo-accept']?.when({ isDivided: true, isAccepted } as SearchFacts, undefined);
    assert.deepEqual([offered(true), offered(false)], [true, false]);
  });

  it('is open before it is divided', async () => {
    const { state, isDivided } = await stateOf({ isDivided: false });
    assert.deepEqual([state, isDivided], ['interrupted', false]);
  });
});
